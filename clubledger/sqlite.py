"""Decides which SQLite this site uses: the newest of two, that of Python and that of the package pysqlite3. Only from 3.51.3 on
is SQLite's write-ahead log sound, with which whoever reads for long lets others write; most systems have an older one.
The settings call this before anything of Django asks for a database."""

from __future__ import annotations

import sqlite3
import sys
from contextlib import suppress

# Older versions can corrupt a database when they begin the write-ahead log anew.
SOUND_LOG = (3, 51, 3)


def use_newest() -> tuple[int, ...]:
    """From now on `import sqlite3` means the newest SQLite there is, and this is its version. Python's own stays where
    there is no such package for a machine."""
    with suppress(ImportError):
        import pysqlite3
        from pysqlite3 import dbapi2

        if dbapi2.sqlite_version_info > sqlite3.sqlite_version_info:
            sys.modules["sqlite3"], sys.modules["sqlite3.dbapi2"] = pysqlite3, dbapi2
    import sqlite3 as newest

    return newest.sqlite_version_info
