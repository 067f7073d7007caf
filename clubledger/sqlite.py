"""Choose the newer SQLite of Python and the package pysqlite3: the write-ahead log is safe only since 3.51.3."""

from __future__ import annotations

import sqlite3
import sys
from contextlib import suppress

SAFE_WAL = (3, 51, 3)  # the first version with a safe write-ahead log: earlier ones can corrupt a database when they restart it


def use_newest_sqlite() -> tuple[int, ...]:
    """Make `import sqlite3` give the newest SQLite, and return its version. Not every machine has pysqlite3."""
    with suppress(ImportError):
        import pysqlite3
        from pysqlite3 import dbapi2

        if dbapi2.sqlite_version_info > sqlite3.sqlite_version_info:
            sys.modules["sqlite3"], sys.modules["sqlite3.dbapi2"] = pysqlite3, dbapi2
    import sqlite3 as newest

    return newest.sqlite_version_info
