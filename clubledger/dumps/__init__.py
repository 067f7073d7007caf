"""Decides how the database gets into a file and back. What differs is in sqlite.py and postgresql.py, with the same functions:

`dump(draft)` writes the whole database into a file; `check(file)` opens a backup elsewhere, verifies it and answers with what was
said; `migrations_in(file)`, the migrations it has; `holds_something()`, would restoring overwrite anything; `restore(file)` puts it
in the place of the database, at once or not at all, and answers where what stood there is kept. They raise BackupFailed.
"""

from __future__ import annotations

from types import ModuleType

from django.db import connection

from clubledger.dumps import postgresql, sqlite


def of_this_database() -> ModuleType:
    """The module for the database that DATABASE_URL names."""
    return sqlite if connection.vendor == "sqlite" else postgresql
