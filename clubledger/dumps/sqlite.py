"""Copy a SQLite database while it is in use, and replace it by a copy."""

from __future__ import annotations

import os
import shutil
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from django.db import connection
from django.db.backends.sqlite3.base import Database  # type: ignore[attr-defined]  # the stubs leave it out

from clubledger.backups import (
    SESSIONS,
    build_damaged_error,
    build_in_use_error,
    draft_of,
    to_disk,
    verify_database,
    wait_for_unused_path,
)
from clubledger.version import Migration

SUFFIX = "sqlite3"
MAGIC = b"SQLite format 3\0"
# The suffixes of the files that SQLite keeps beside an open database. They must never be used with another database.
BESIDE = ("-wal", "-shm", "-journal")


def dump(draft: Path) -> None:
    """Write a consistent snapshot of the database, as a single file without a write-ahead log."""
    connection.ensure_connection()
    with connection.wrap_database_errors, closing(Database.connect(draft)) as copy:
        connection.connection.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")


def check(file: Path) -> str:
    """Verify a copy of a backup and return the report. Opening a database changes it, so the backup itself is not opened."""
    scratch = draft_of(file, "-check")
    try:
        shutil.copyfile(file, scratch)
        migrations_in(scratch)
        return verify_database(f"sqlite:///{quote(str(scratch.absolute()))}")
    finally:
        _clear(scratch)


def migrations_in(file: Path) -> set[Migration]:
    """Return the migrations in a backup. All pages are read first; raises BackupFailed if the file is damaged."""
    try:
        with closing(Database.connect(f"{file.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as copy:
            if copy.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
                raise build_damaged_error()
            return set(copy.execute("SELECT app, name FROM django_migrations"))
    except Database.OperationalError:
        return set()  # a database of another program
    except Database.DatabaseError as error:
        raise build_damaged_error() from error


def holds_something() -> bool:
    target = _target()
    return target.exists() and target.stat().st_size > 0


def restore(file: Path) -> Path | None:
    """Replace the database by the backup, without sessions: ended ones must not come back. Return where the old one is kept."""
    connection.close()
    target, draft = _target(), draft_of(_target(), "-restore")
    _clear(draft)
    shutil.copyfile(file, draft)
    with closing(Database.connect(draft, isolation_level=None)) as copy:
        copy.execute("PRAGMA journal_mode=DELETE")
        there = {name for (name,) in copy.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        for table in there.intersection(SESSIONS):
            copy.execute(f"DELETE FROM {table}")  # nosec B608  # one of our two names
    to_disk(draft)
    if not holds_something():
        draft.rename(target)
        to_disk(target.parent)
        return None
    kept = wait_for_unused_path(lambda stamp: target.with_name(f"{target.name}.before-{stamp}"))
    with closing(Database.connect(target, timeout=1, isolation_level=None)) as old:
        _settle(old)
        for beside in ("", *BESIDE):
            if (path := target.with_name(target.name + beside)).exists():
                os.chmod(path, 0o600)
                os.link(path, kept.with_name(kept.name + beside))
        for beside in BESIDE:
            target.with_name(target.name + beside).unlink(missing_ok=True)
        draft.rename(target)
    to_disk(target.parent)
    return kept


def _settle(old: Database.Connection) -> None:
    """Write the write-ahead log into the database and lock it; skip both if it is damaged. Raise BackupFailed if it is in use."""
    try:
        old.execute("PRAGMA journal_mode=DELETE")
        old.execute("BEGIN EXCLUSIVE")
    except Database.DatabaseError as error:
        if "locked" in str(error):
            raise build_in_use_error() from error


def _clear(draft: Path) -> None:
    """Delete a draft and the files beside it: SQLite would apply a remaining journal to the next draft of the same name."""
    for path in draft.parent.glob(f"{draft.name}*"):
        path.unlink()


def _target() -> Path:
    return Path(connection.settings_dict["NAME"])
