"""Snapshots, many rows in one statement, counts, order and length of text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, cast

from django.db import connection, models, transaction
from django.db.models import Count, Field, Model, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce, Length

models.CharField.register_lookup(Length)


@contextmanager
def snapshot() -> Iterator[None]:
    """Read all tables as of one moment, without the write lock: a page must not make an entry at a table wait."""
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "sqlite":
        # Writers begin IMMEDIATE by default; a reader must not. The mode is read when the connection is made.
        connection.ensure_connection()
        mode = connection.transaction_mode  # type: ignore[attr-defined]  # only the connections of SQLite have it
        connection.transaction_mode = "DEFERRED"  # type: ignore[attr-defined]  # as above
        try:
            with transaction.atomic():
                yield
        finally:
            connection.transaction_mode = mode  # type: ignore[attr-defined]  # as above
    else:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield


def insert(model: type[Model], names: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Insert rows given as values of the fields `names`, in this order; for a foreign key the id."""
    model._default_manager.bulk_create(_instances(model, names, rows))


def upsert(model: type[Model], keys: Sequence[str], names: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Insert rows given as values of `keys` and then of `names`; where a row with these keys exists, update its `names`."""
    instances = _instances(model, (*keys, *names), rows)
    model._default_manager.bulk_create(instances, update_conflicts=True, unique_fields=keys, update_fields=names)


def _instances(model: type[Model], names: Sequence[str], rows: Iterable[Sequence[Any]]) -> list[Model]:
    names = [get_attname(model, name) for name in names]
    return [model(**dict(zip(names, row, strict=True))) for row in rows]


def get_attname(model: type[Model], name: str) -> str:
    """Return the attribute with the stored value of a field; for a foreign key that is the id."""
    return cast("Field[Any, Any]", model._meta.get_field(name)).attname


def count_related(rows: QuerySet[Any], **of: OuterRef) -> Any:
    """Count related rows per row: `count_related(Table.objects, evening=OuterRef("pk"))`. A join would group all rows."""
    (group,) = of
    related = rows.filter(**of).order_by().values(group)
    return Coalesce(Subquery(related.annotate(n=Count("pk")).values("n")), 0)


class CodePoints(models.Func):
    """Order a text by code points, as Python sorts. PostgreSQL would use its collation; SQLite compares bytes, the same order."""

    template = "%(expressions)s"
    arity = 1

    def as_postgresql(self, compiler: Any, connection: Any, **extra: Any) -> Any:
        return self.as_sql(compiler, connection, template='%(expressions)s COLLATE "C"', **extra)


def max_length_constraint(field: str, length: int, name: str) -> models.CheckConstraint:
    """Return a constraint for the length of a text: SQLite does not enforce that of a varchar."""
    return models.CheckConstraint(condition=models.Q(**{f"{field}__length__lte": length}), name=name)
