"""Decides how the database gets into a file and back. sqlite.py and postgresql.py have the same functions:

`dump(draft)` writes the whole database into a file. `check(file)` opens a backup in another place, verifies it and returns
the report. `migrations_in(file)` returns its migrations. `holds_something()` says whether restoring would overwrite
anything. `restore(file)` replaces the database at once or not at all, and returns where the old one is kept. They raise
BackupFailed."""

from __future__ import annotations

from types import ModuleType

from django.db import connection

from clubledger.dumps import postgresql, sqlite


def of_this_database() -> ModuleType:
    """The module for the database that DATABASE_URL names."""
    return sqlite if connection.vendor == "sqlite" else postgresql
