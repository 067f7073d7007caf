"""Finds laws of the books that nothing guards, because their trigger is missing, switched off or another one."""

from __future__ import annotations

from django.db import connection

from scoring.cash.models.books import Entry
from scoring.cash.models.triggers import triggers

_KEPT = {
    "sqlite": "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'",
    "postgresql": "SELECT tgname, prosrc FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid WHERE tgenabled = 'O'",
}


def unguarded() -> list[str]:
    """The names of the triggers that are missing, in the order of the laws; none where there are no books yet."""
    with connection.cursor() as cursor:
        if Entry._meta.db_table not in connection.introspection.table_names(cursor):
            return []
        cursor.execute(_KEPT[connection.vendor])
        kept = dict(cursor.fetchall())
    return [trigger.name for trigger in triggers(connection.vendor) if kept.get(trigger.name) != trigger.body]
