"""Write the database into a file and restore it. sqlite.py and postgresql.py have the same functions; they raise BackupFailed."""

from __future__ import annotations

from types import ModuleType

from django.db import connection

from clubledger.dumps import postgresql, sqlite


def of_this_database() -> ModuleType:
    return sqlite if connection.vendor == "sqlite" else postgresql
