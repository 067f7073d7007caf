"""Read several tables at one moment, write many rows at once, count related rows, and texts as the database orders and limits
them."""

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
    """Everything read inside belongs to one moment. Inside another transaction that one's view holds."""
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
    """Store new rows with the values of these fields, in this order; of a foreign key, the id."""
    model._default_manager.bulk_create(_instances(model, names, rows))


def upsert(model: type[Model], keys: Sequence[str], names: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Store rows that have the values of `keys`, by which a row is found, and then those of `names`, which a stored row takes."""
    instances = _instances(model, (*keys, *names), rows)
    model._default_manager.bulk_create(instances, update_conflicts=True, unique_fields=keys, update_fields=names)


def _instances(model: type[Model], names: Sequence[str], rows: Iterable[Sequence[Any]]) -> list[Model]:
    names = [get_attname(model, name) for name in names]
    return [model(**dict(zip(names, row, strict=True))) for row in rows]


def get_attname(model: type[Model], name: str) -> str:
    """Return the attribute of an instance that has the stored value of a field: of a foreign key, the id."""
    return cast("Field[Any, Any]", model._meta.get_field(name)).attname


def count_related(rows: QuerySet[Any], **of: OuterRef) -> Any:
    """Count the related rows of each row of a queryset, grouped by the field `of`. A subquery counts for the rows of a page alone,
    where joining and grouping would count those of every row first."""
    (belongs,) = of
    mine = rows.filter(**of).order_by().values(belongs)
    return Coalesce(Subquery(mine.annotate(n=Count("pk")).values("n")), 0)


class CodePoints(models.Func):
    """A text in the order of its code points, the order Python sorts in: PostgreSQL would ask the collation it was set
    up with, SQLite compares bytes, which is the same order."""

    template = "%(expressions)s"
    arity = 1

    def as_postgresql(self, compiler: Any, connection: Any, **extra: Any) -> Any:
        return self.as_sql(compiler, connection, template='%(expressions)s COLLATE "C"', **extra)


def max_length_constraint(field: str, length: int, name: str) -> models.CheckConstraint:
    """The length of a text as a constraint of the database; SQLite enforces no varchar length of its own."""
    return models.CheckConstraint(condition=models.Q(**{f"{field}__length__lte": length}), name=name)
