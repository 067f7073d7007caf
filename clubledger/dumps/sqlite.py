"""Decides how a SQLite database is copied while people write, and how a copy takes its place."""

from __future__ import annotations

import os
import shutil
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from django.db import connection
from django.db.backends.sqlite3.base import Database  # type: ignore[attr-defined]  # the stubs leave it out
from django.utils.translation import gettext as _

from clubledger.backups import SESSIONS, BackupFailed, draft_of, to_disk, unused
from clubledger.dumps.checked import damaged, verified
from clubledger.version import Migration

SUFFIX = "sqlite3"
MAGIC = b"SQLite format 3\0"
# What SQLite keeps beside a database that was not closed: it belongs to that one file and must never meet another.
BESIDE = ("-wal", "-shm", "-journal")


def dump(draft: Path) -> None:
    """One moment of the database, by SQLite's own backup; a file that needs none beside it."""
    connection.ensure_connection()
    with connection.wrap_database_errors, closing(Database.connect(draft)) as copy:
        connection.connection.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")


def check(file: Path) -> str:
    """A second copy is opened, as opening writes: the backup stays as it is."""
    scratch = draft_of(file, "-check")
    try:
        shutil.copyfile(file, scratch)
        migrations_in(scratch)
        return verified(f"sqlite:///{quote(str(scratch.absolute()))}")
    finally:
        _clear(scratch)


def migrations_in(file: Path) -> set[Migration]:
    """The migrations it has; every page of it is read for that."""
    try:
        with closing(Database.connect(f"{file.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as copy:
            if copy.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
                raise damaged()
            return set(copy.execute("SELECT app, name FROM django_migrations"))
    except Database.OperationalError:
        return set()  # another program's tables
    except Database.DatabaseError as error:
        raise damaged() from error


def holds_something() -> bool:
    """Is there a database already?"""
    target = _target()
    return target.exists() and target.stat().st_size > 0


def restore(file: Path) -> Path | None:
    """The copy is made whole beside the database, without its sessions: what somebody ended since must not begin anew. Then one
    rename puts it in its place. What stood there gets another name."""
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
    kept = unused(lambda stamp: target.with_name(f"{target.name}.before-{stamp}"))
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
    """Write the log beside the database into it, and keep everybody else out. A damaged database is let be, because it is
    about to be replaced."""
    try:
        old.execute("PRAGMA journal_mode=DELETE")
        old.execute("BEGIN EXCLUSIVE")
    except Database.DatabaseError as error:
        if "locked" in str(error):
            raise BackupFailed(
                _(
                    "Jemand arbeitet gerade mit der Datenbank. Bitte zuerst den Dienst anhalten: systemctl stop clubledger"
                )
            ) from error


def _clear(draft: Path) -> None:
    """Take away a draft with whatever stands beside it: a journal that outlived its file would be read into the next one."""
    for path in draft.parent.glob(f"{draft.name}*"):
        path.unlink()


def _target() -> Path:
    return Path(connection.settings_dict["NAME"])
