"""Choose the newer SQLite of Python and the package pysqlite3: the write-ahead log is safe only since 3.51.3."""

from __future__ import annotations

import sqlite3
import sys
from contextlib import suppress

SOUND_LOG = (3, 51, 3)  # older versions can corrupt a database when they restart the write-ahead log


def use_newest() -> tuple[int, ...]:
    """Make `import sqlite3` give the newest SQLite, and return its version. Not every machine has pysqlite3."""
    with suppress(ImportError):
        import pysqlite3
        from pysqlite3 import dbapi2

        if dbapi2.sqlite_version_info > sqlite3.sqlite_version_info:
            sys.modules["sqlite3"], sys.modules["sqlite3.dbapi2"] = pysqlite3, dbapi2
    import sqlite3 as newest

    return newest.sqlite_version_info
