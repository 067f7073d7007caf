"""Write the database into a file and restore it. sqlite.py and postgresql.py have the same functions:

`dump(draft)` writes the whole database into a file. `check(file)` opens a copy of a backup, verifies it and returns the report.
`migrations_in(file)` returns the migrations in a backup. `holds_something()` returns whether restoring would overwrite anything.
`restore(file)` replaces the database atomically and returns the path at which the old one is kept. They raise BackupFailed."""

from __future__ import annotations

from types import ModuleType

from django.db import connection

from clubledger.dumps import postgresql, sqlite


def of_this_database() -> ModuleType:
    """Return the module for the database in DATABASE_URL."""
    return sqlite if connection.vendor == "sqlite" else postgresql
