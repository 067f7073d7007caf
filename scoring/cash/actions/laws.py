"""Puts the triggers that guard the books in their place, and takes them away while tables are changed: SQLite makes a changed
table anew, which its triggers do not survive."""

from __future__ import annotations

from django.apps import apps
from django.db import connection, transaction

from scoring.cash.models.triggers import triggers


@transaction.atomic
def guard() -> None:
    """Every trigger as it should be; nothing where some table is not there yet: not before the last migration."""
    ours = {model._meta.db_table for model in apps.get_app_config("scoring").get_models()}
    with connection.cursor() as cursor:
        there = ours <= set(connection.introspection.table_names(cursor))
        for trigger in triggers(connection.vendor):
            for statement in (trigger.drop, *(trigger.make if there else ())):
                cursor.execute(statement)


@transaction.atomic
def unguard() -> None:
    """No trigger, until the tables are what they shall be."""
    with connection.cursor() as cursor:
        for trigger in triggers(connection.vendor):
            cursor.execute(trigger.drop)
