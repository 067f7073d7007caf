"""The site around `scoring`. This module uses the standard library only: the start prints messages before Django exists."""

from __future__ import annotations

import os
import sqlite3
import sys
from contextlib import suppress
from gettext import translation
from pathlib import Path

__version__ = "0.3.0"
# SQLite before this version can corrupt a database when it restarts a write-ahead log.
SAFE_WAL = (3, 51, 3)
LOCALE = Path(__file__).resolve().parent.parent / "scoring" / "locale"


def language() -> str:
    """Return the first of "de" and "en" in LANGUAGE, LC_ALL, LC_MESSAGES or LANG (the first that is set), else "en"."""
    named = next(filter(None, map(os.environ.get, ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"))), "")
    return next((one[:2] for one in named.split(":") if one[:2] in ("de", "en")), "en")


def gettext(german: str) -> str:
    return translation("django", LOCALE, [language()], fallback=True).gettext(german)


def use_newest_sqlite() -> tuple[int, ...]:
    """Make `import sqlite3` give the newest SQLite, and return its version. Not every machine has pysqlite3."""
    with suppress(ImportError):
        import pysqlite3
        from pysqlite3 import dbapi2

        if dbapi2.sqlite_version_info > sqlite3.sqlite_version_info:
            sys.modules["sqlite3"], sys.modules["sqlite3.dbapi2"] = pysqlite3, dbapi2
    import sqlite3 as newest

    return newest.sqlite_version_info
