"""Decides what the folder of backups looks like: who may read it, what a backup is called, which one is good, and which ones
have to go. How a database gets into a file and back is decided in dumps.py.

A backup is called by its moment in UTC, `clubledger-20261122T043000Z.sqlite3` (or `.dump`, of PostgreSQL). Once it was opened and
verified, its SHA-256 stands beside it, in a file that `sha256sum --check` reads: that file makes it a good one.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest

SQLITE, POSTGRESQL = "sqlite3", "dump"
STAMP = "%Y%m%dT%H%M%SZ"
MARK = ".sha256"
_NAME = re.compile(rf"clubledger-(\d{{8}}T\d{{6}}Z)\.({SQLITE}|{POSTGRESQL})")
_DRAFT = re.compile(rf"\.{_NAME.pattern}\.part.*")
# Beside the newest ones the newest of each month is kept, for as many months.
MONTHS = 12


@dataclass(frozen=True)
class Backup:
    """One file in the folder, and when it was begun."""

    path: Path
    moment: datetime

    @property
    def mark(self) -> Path:
        """Where its SHA-256 stands, once it was found to be good."""
        return self.path.with_name(self.path.name + MARK)

    @property
    def good(self) -> bool:
        """Was it opened and verified?"""
        return self.mark.exists()


def backups_in(folder: Path) -> list[Backup]:
    """Every backup that we wrote there, the oldest first; none where the folder is missing or closed to us."""
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    found = [match for name in names if (match := _NAME.fullmatch(name))]
    moments = [(datetime.strptime(match[1], STAMP).replace(tzinfo=UTC), match[0]) for match in found]
    return [Backup(folder / name, moment) for moment, name in sorted(moments)]


def last_good() -> datetime | None:
    """When the last backup was written that could be opened and verified, in UTC; None where there is none."""
    return max((backup.moment for backup in backups_in(settings.BACKUP_DIR) if backup.good), default=None)


def for_pages(request: HttpRequest) -> dict[str, object]:
    """What templates know of backups: `last_good_backup`, looked up only where a page asks for it."""
    return {"last_good_backup": last_good}
