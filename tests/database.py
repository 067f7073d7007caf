"""The test database: what many tests begin with is made once and kept as rows, which are laid into the empty database of the next
test; tables are emptied behind a test that committed; and the queries of a page, and whether there is an index for each."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from copy import deepcopy
from typing import Any, TypeVar

from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.models import Model
from django.test import Client
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


Question = tuple[str, Any]
# A step that goes through all rows of a table or of one of its indexes, the tables of a subquery among them, which Django calls
# U0; what a subquery has answered is no table. As SQLite and as PostgreSQL say it.
_WHOLE = re.compile(r"SCAN (scoring_|auth_|[A-Z]\d)")
_SEQUENTIAL = re.compile(r"Seq Scan on (scoring_|auth_)")


def asked(client: Client, address: str) -> list[Question]:
    """What a page asks when it is opened again."""
    client.get(address)
    questions: list[Question] = []

    def keep(execute: Any, sql: str, params: Any, *how: Any) -> Any:
        questions.append((sql, params))
        return execute(sql, params, *how)

    with connection.execute_wrapper(keep):
        assert client.get(address).status_code in (200, 204, 302), address
    return questions


def reads_a_whole_table(sql: str, params: Any) -> bool:
    """By the plan of SQLite, which takes an index wherever there is one, also where a table has few rows. PostgreSQL is told to do
    that, and then takes one for the order as well, where it does not tell which rows: it overlooks what SQLite sees there."""
    if not sql.startswith("SELECT"):
        return False
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(f"EXPLAIN QUERY PLAN {sql}", params)
            return any(_WHOLE.match(step) for *_ids, step in cursor.fetchall())
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(f"EXPLAIN {sql}", params)
        found = any(_SEQUENTIAL.search(step) for (step,) in cursor.fetchall())
        cursor.execute("SET LOCAL enable_seqscan = on")
        return found
