"""Very many rows: written without an instance of the model for each, which would cost more than the row; and counted only
for what a page shows of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, cast

from django.db import connection
from django.db.models import Count, Field, ForeignKey, Model, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

# The database takes these as they are.
PLAIN: Final = (
    *("AutoField", "BigAutoField", "BooleanField", "CharField", "IntegerField", "BigIntegerField"),
    *("PositiveIntegerField", "PositiveSmallIntegerField", "PositiveBigIntegerField"),
)


def insert(model: type[Model], names: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """New rows with the values of these fields, in this order; of a person, say, the id. Every column that the database has no
    default for is named. What the database does not allow is an IntegrityError."""
    fields = [cast("Field[Any, Any]", model._meta.get_field(name)) for name in names]
    quoted = connection.ops.quote_name
    columns = ", ".join(quoted(str(field.column)) for field in fields)
    places = ", ".join(["%s"] * len(fields))
    kept = [field.target_field if isinstance(field, ForeignKey) else field for field in fields]
    prepared = [(index, field) for index, field in enumerate(kept) if field.get_internal_type() not in PLAIN]
    with connection.cursor() as cursor:
        # Names of our own tables and columns; the values go beside it.
        into = f"INSERT INTO {quoted(model._meta.db_table)} ({columns}) VALUES ({places})"  # nosec B608
        cursor.executemany(into, [_as_stored(row, prepared) for row in rows])


def counted(rows: QuerySet[Any], **of: OuterRef) -> Any:
    """How many of these there are, for each row of a question: `of` says what of the row they belong to. Asked for each row that
    is answered alone, where joining and grouping would count those of every row first."""
    (belongs,) = of
    mine = rows.filter(**of).order_by().values(belongs)
    return Coalesce(Subquery(mine.annotate(n=Count("pk")).values("n")), 0)


def _as_stored(row: Sequence[Any], prepared: Sequence[tuple[int, Field[Any, Any]]]) -> list[Any]:
    values = list(row)
    for index, field in prepared:
        values[index] = field.get_db_prep_save(values[index], connection)
    return values
