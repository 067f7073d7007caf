"""Write the database into a file and restore it. sqlite.py and postgresql.py have the same functions, which raise BackupFailed:

`dump(draft)` writes the whole database into a file. `check(file)` opens a copy of a backup, verifies it and returns the report.
`migrations_in(file)` returns the migrations in a backup. `holds_something()` returns whether restoring would overwrite anything.
`restore(file)` replaces the database atomically, without sessions, and returns the path of the old one, None if it was empty."""

from __future__ import annotations

from types import ModuleType

from django.db import connection

from clubledger.dumps import postgresql, sqlite


def of_this_database() -> ModuleType:
    return sqlite if connection.vendor == "sqlite" else postgresql
