"""Very many rows: written without an instance of the model for each, which would cost more than the row; and counted only
for what a page shows of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, cast

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.models import Count, Field, ForeignKey, Model, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

# The database takes these as they are.
PLAIN: Final = (
    *("AutoField", "BigAutoField", "BooleanField", "CharField", "IntegerField", "BigIntegerField"),
    *("PositiveIntegerField", "PositiveSmallIntegerField", "PositiveBigIntegerField"),
)

# PostgreSQL has no limit that a table comes near; it need not read a statement of any length at once either.
_MOST_VALUES: Final = 10_000


def insert(model: type[Model], names: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """New rows with the values of these fields, in this order; of a person, say, the id. Every column that the database has no
    default for is named. What the database does not allow is an IntegrityError."""
    into, prepared = _written(model, names)
    values = [_as_stored(row, prepared) for row in rows]
    with connection.cursor() as cursor:
        cursor.executemany(f"{into} VALUES {_places(names)}", values)


def upsert(model: type[Model], keys: Sequence[str], names: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """The same for rows of which each has the values of `keys`, by which it is found, and then those of `names`: one that is there
    takes these. All of them in one statement, or in as many as the database needs."""
    into, prepared = _written(model, (*keys, *names))
    found = ", ".join(_column(model, key) for key in keys)
    taken = ", ".join(f"{_column(model, name)} = EXCLUDED.{_column(model, name)}" for name in names)
    at_once = (connection.features.max_query_params or _MOST_VALUES) // len((*keys, *names))
    with connection.cursor() as cursor:
        for begin in range(0, len(rows), at_once):
            some = [_as_stored(row, prepared) for row in rows[begin : begin + at_once]]
            # Names of our own columns, as in `_written`.
            places = ", ".join([_places((*keys, *names))] * len(some))
            values = [value for row in some for value in row]
            cursor.execute(f"{into} VALUES {places} ON CONFLICT ({found}) DO UPDATE SET {taken}", values)  # nosec B608


# A place in a row, how the value there is stored, and for which database: `connection` would look it up again for each.
Prepare = tuple[int, Callable[[Any, Any], Any], Any]


def _written(model: type[Model], names: Sequence[str]) -> tuple[str, list[Prepare]]:
    """How an INSERT of these fields begins, and those whose values the database does not take as they are."""
    fields = [_field(model, name) for name in names]
    kept = [field.target_field if isinstance(field, ForeignKey) else field for field in fields]
    database = connections[DEFAULT_DB_ALIAS]
    prepared: list[Prepare] = [
        (index, field.get_db_prep_save, database)
        for index, field in enumerate(kept)
        if field.get_internal_type() not in PLAIN
    ]
    columns = ", ".join(_column(model, name) for name in names)
    # Names of our own tables and columns; the values go beside it.
    return f"INSERT INTO {connection.ops.quote_name(model._meta.db_table)} ({columns})", prepared  # nosec B608


def _places(names: Sequence[str]) -> str:
    return f"({', '.join(['%s'] * len(names))})"


def _field(model: type[Model], name: str) -> Field[Any, Any]:
    return cast("Field[Any, Any]", model._meta.get_field(name))


def attname(model: type[Model], name: str) -> str:
    """By what an instance has the stored value of a field: the id of a person, say."""
    return _field(model, name).attname


def _column(model: type[Model], name: str) -> str:
    return connection.ops.quote_name(str(_field(model, name).column))


def counted(rows: QuerySet[Any], **of: OuterRef) -> Any:
    """How many of these there are, for each row of a question: `of` says what of the row they belong to. Asked for each row that
    is answered alone, where joining and grouping would count those of every row first."""
    (belongs,) = of
    mine = rows.filter(**of).order_by().values(belongs)
    return Coalesce(Subquery(mine.annotate(n=Count("pk")).values("n")), 0)


def _as_stored(row: Sequence[Any], prepared: Sequence[Prepare]) -> list[Any]:
    values = list(row)
    for index, stored, database in prepared:
        values[index] = stored(values[index], database)
    return values
