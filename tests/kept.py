"""Decides how what hundreds of tests begin with is made once: its rows are kept as they were stored, and laid into the empty
database of the next test, which takes a small part of the time of making them anew through the actions. And how a database is
emptied behind a test that really stored something."""

from __future__ import annotations

import time
from collections.abc import Callable
from copy import deepcopy
from typing import Any, TypeVar

from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.models import Model
from django.utils import timezone

from scoring.cash.laws import create_triggers, drop_triggers
from scoring.models import Entry, Tariff

T = TypeVar("T")
# So many seconds old may be what a test believes to be of this moment.
FRESH = 300
# What migrating writes, and no test changes.
_STAY = {"django_content_type", "auth_permission"}
# The names of the columns and the rows.
Rows = tuple[str, list[tuple[Any, ...]]]
_kept: dict[tuple[Any, ...], tuple[float, Any, dict[str, Rows]]] = {}


def made_once(make: Callable[..., T], *how: Any) -> T:
    """What `make` makes of these words, each time as if it had just been made; anew where people or clubs are there already, and
    on another day."""
    if not _is_empty():
        return make(*how)
    name = make, *how, timezone.localdate()
    at, made, rows = _kept.get(name, (0, None, {}))
    if not rows or time.monotonic() - at > FRESH:
        made = make(*how)
        _kept[name] = (
            time.monotonic(),
            deepcopy(made),
            {model._meta.db_table: found for model in _models() if (found := _rows(model))[1]},
        )
        return made
    with transaction.atomic(), connection.cursor() as cursor:
        # What was sealed cannot be laid back in past the laws.
        if guarded := {Entry._meta.db_table, Tariff._meta.db_table} & rows.keys():
            drop_triggers()
        for table, (columns, found) in rows.items():
            places = ", ".join(["%s"] * len(found[0]))
            cursor.executemany(f'INSERT INTO "{table}" ({columns}) VALUES ({places})', found)
        if guarded:
            create_triggers()
    return deepcopy(made)


def empty() -> None:
    """Django's own way writes every content type and permission anew each time, and asks nothing about tables without rows."""
    ours = [table for table in connection.introspection.django_table_names(only_existing=True) if table not in _STAY]
    with transaction.atomic(), connection.cursor() as cursor:
        # Books go with their club, as in the program.
        cursor.execute("UPDATE scoring_club SET slug = '~' || id, leaving = TRUE WHERE NOT leaving")
        filled = " UNION ALL ".join(f"SELECT '{table}' WHERE EXISTS (SELECT 1 FROM \"{table}\")" for table in ours)
        cursor.execute(filled)
        for (table,) in cursor.fetchall():
            cursor.execute(f'DELETE FROM "{table}"')


def _models() -> list[type[Model]]:
    return [User, *apps.get_app_config("scoring").get_models(include_auto_created=True)]


def _is_empty() -> bool:
    nothing = " AND ".join(f'NOT EXISTS (SELECT 1 FROM "{model._meta.db_table}")' for model in _models())
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {nothing}")
        return bool(cursor.fetchone()[0])


def _rows(model: type[Model]) -> Rows:
    """All but what the database computes itself."""
    columns = ", ".join(f'"{field.column}"' for field in model._meta.concrete_fields if not field.generated)
    with connection.cursor() as cursor:
        cursor.execute(f'SELECT {columns} FROM "{model._meta.db_table}"')
        return columns, list(cursor.fetchall())
