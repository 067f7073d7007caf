"""Choose the newer of two versions of SQLite: that of Python and that of the package pysqlite3. The write-ahead log, with which
long reads do not block writers, is safe only since SQLite 3.51.3, and most systems have an older version. The settings call this
before Django opens a database."""

from __future__ import annotations

import sqlite3
import sys
from contextlib import suppress

# Older versions can corrupt a database when they restart the write-ahead log.
SOUND_LOG = (3, 51, 3)


def use_newest() -> tuple[int, ...]:
    """Make `import sqlite3` give the newest SQLite, and return its version. Without the package pysqlite3, which does not exist for
    every machine, keep Python's own SQLite."""
    with suppress(ImportError):
        import pysqlite3
        from pysqlite3 import dbapi2

        if dbapi2.sqlite_version_info > sqlite3.sqlite_version_info:
            sys.modules["sqlite3"], sys.modules["sqlite3.dbapi2"] = pysqlite3, dbapi2
    import sqlite3 as newest

    return newest.sqlite_version_info
