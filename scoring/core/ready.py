"""Questions that every request asks again, only for something else: Django takes longer to put one together than the database to
answer it. So that is done once, and then only the values change."""

from __future__ import annotations

import re
from collections.abc import Callable
from copy import copy
from functools import cache
from typing import Any, Final, Generic, TypeVar

from django.db import connection, connections
from django.db.models import Expression, Field, QuerySet

Found = TypeVar("Found")
# SQLite stores no larger number, and does not take one either to look for it.
_LARGEST: Final = 2**63 - 1
# Where a value goes in a question; a sign of percent that is none of them is doubled.
_PLACE: Final = re.compile(r"(?<!%)%s")


class Hole(Expression):
    """A value that a question is asked for, or behind `__in` several of them, as a list. A `field` says how the database stores it,
    where that is not as Python has it."""

    def __init__(self, name: str, field: Field[Any, Any] | None = None) -> None:
        super().__init__(output_field=field)
        self.name, self.stored_as = name, field

    def as_sql(self, _compiler: Any, _connection: Any) -> tuple[str, tuple[Hole]]:  # type: ignore[override]  # filled in later
        return "%s", (self,)

    def filled(self, value: Any) -> Any:
        return value if self.stored_as is None else self.stored_as.get_db_prep_value(value, connection)


class Ready(Generic[Found]):
    """The question that `make` makes, with a Hole where its values go. It is put together when it is first asked, once for each
    kind of database: an installation that moves asks two."""

    def __init__(self, make: Callable[[], QuerySet[Any, Found]]) -> None:
        self._make = make
        self._made = cache(self._put_together)

    def _put_together(self, _vendor: str) -> tuple[Any, Any, str, tuple[Any, ...]]:
        rows = self._make()
        compiler = rows.query.get_compiler(connection=connection)
        sql, params = compiler.as_sql()
        # How this kind of database gives each column back: asked of a connection that nobody opens.
        compiler.connection = connections[rows.db].copy()
        converters = compiler.get_converters([column for column, *_ in compiler.select])
        compiler.get_converters = lambda _columns: converters
        return rows, compiler, sql, params

    def ask(self, **values: Any) -> list[Found]:
        """Its rows where each Hole has the value of its name. A number that no row can have finds none, nor does an empty list."""
        rows, made, sql, params = self._made(connection.vendor)
        if any(value == [] or type(value) is int and value > _LARGEST for value in values.values()):
            return []
        if any(type(value) is list for value in values.values()):
            sql, params = _spread(sql, params, values)
        filled = tuple([param.filled(values[param.name]) if isinstance(param, Hole) else param for param in params])
        # Each thread has a connection of its own, which Django would look up again for every column.
        compiler = copy(made)
        compiler.connection = connections[rows.db]
        compiler.as_sql = lambda: (sql, filled)
        return list(rows._iterable_class(_Asked(rows, compiler)))

    def first(self, **values: Any) -> Found | None:
        return next(iter(self.ask(**values)), None)


def _spread(sql: str, params: tuple[Any, ...], values: dict[str, Any]) -> tuple[str, tuple[Any, ...]]:
    """The SQL and its parameters, where each value of a list gets a place of its own."""
    written, *rest = _PLACE.split(sql)
    filled: list[Any] = []
    for param, piece in zip(params, rest, strict=True):
        said = values[param.name] if isinstance(param, Hole) else None
        several = [param.filled(one) for one in said] if type(said) is list else [param]
        written += f"{', '.join(['%s'] * len(several))}{piece}"
        filled += several
    return written, tuple(filled)


class _Asked:
    """Stands for the queryset in Django's code that turns rows into objects, and has only what that code asks for. A real
    queryset would put its SQL together again."""

    _known_related_objects: Final[dict[Any, Any]] = {}

    def __init__(self, rows: Any, compiler: Any) -> None:
        self.model, self.db, self.query = rows.model, rows.db, self
        self._compiler = compiler

    def get_compiler(self, _using: str | None = None, **_how: Any) -> Any:
        return self._compiler
