"""Decides what the folder of backups looks like: who may read it, what a backup is called, which one is good, and which ones
have to go. How a database gets into a file and back is decided in clubledger/dumps/.

A backup is called by its moment in UTC, `clubledger-20261122T043000Z.sqlite3` (or `.dump`, of PostgreSQL). Once it was opened and
verified, its SHA-256 stands beside it, in a file that `sha256sum --check` reads: that file makes it a good one.
"""

from __future__ import annotations

import hashlib
import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from clubledger.private import open_to_others
from clubledger.server.occupied import holding
from clubledger.version import program
from clubledger.web.faults import count_faults

STAMP = "%Y%m%dT%H%M%SZ"
_NAME = re.compile(r"clubledger-(\d{8}T\d{6}Z)\.(sqlite3|dump)")
# Where sessions stand: in a backup of the first version Django's own table, since then the game's
# (scoring/accounts/models.py).
SESSIONS = ("django_session", "scoring_session")
_DRAFT = re.compile(rf"\.{_NAME.pattern}\.part.*")
# Beside the newest ones the newest of each month is kept, for so many months.
MONTHS = 12


class BackupFailed(Exception):
    """It was not done; the message is one sentence that says why, and what helps."""


@dataclass(frozen=True)
class Backup:
    """One file in the folder, and when it was begun."""

    path: Path
    moment: datetime

    @property
    def good(self) -> bool:
        """Was it opened and verified?"""
        return mark_of(self.path).exists()


def mark_of(path: Path) -> Path:
    """Where the SHA-256 of a backup stands, once it was found to be good."""
    return path.with_name(f"{path.name}.sha256")


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
    """When the last backup was written that could be opened and verified, in UTC; None where there is none. A moment that is
    still to come tells nothing about that: the clock of the server was wrong, or is."""
    now = timezone.now()
    good = (backup.moment for backup in backups_in(settings.BACKUP_DIR) if backup.good)
    return max((moment for moment in good if moment <= now), default=None)


def good_to_come(folder: Path | None = None) -> datetime | None:
    """The moment of the newest good backup, in UTC, if it is later than now; else None."""
    newest = max((backup.moment for backup in backups_in(folder or settings.BACKUP_DIR) if backup.good), default=None)
    return newest if newest and newest > timezone.now() else None


def for_pages(request: HttpRequest) -> dict[str, object]:
    """Return what templates know of this installation, looked up only where a page asks for it: its backups, which `program`
    runs, `fault_count`, how many faults it had lately, `source_url`, where its source is published, `owner` and `imprint`, who runs
    it, `founding_open`, whether visitors may found clubs, and `site_url`, how whole addresses begin: as SITE_URL says, else by the
    host, which ALLOWED_HOSTS has checked."""
    return {
        "last_good_backup": last_good,
        "backup_to_come": good_to_come,
        "program": program,
        "fault_count": count_faults,
        "source_url": settings.SOURCE_URL,
        "owner": settings.OWNER,
        "imprint": settings.IMPRINT,
        "founding_open": settings.FOUNDING == "open",
        "site_url": lambda: settings.SITE_URL or request.build_absolute_uri("/").rstrip("/"),
    }


@contextmanager
def opened(folder: Path) -> Iterator[None]:
    """The folder, made where it is missing and for one backup at a time; what a killed one left half done is cleared away."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if open_to_others(folder):
            said = _("Andere können in den Ordner der Sicherungen sehen; er muss Ihnen gehören: chmod 700 %(folder)s")
            raise BackupFailed(said % {"folder": folder})
        with holding(folder):
            for name in filter(_DRAFT.fullmatch, os.listdir(folder)):
                (folder / name).unlink()
            yield
    except BlockingIOError as error:
        said = _("In %(folder)s schreibt gerade eine andere Sicherung. Bitte noch einmal, wenn sie fertig ist.")
        raise BackupFailed(said % {"folder": folder}) from error
    except OSError as error:
        raise BackupFailed(_("Der Ordner der Sicherungen geht nicht: %(error)s") % {"error": error}) from error


def draft_of(path: Path, kind: str = "") -> Path:
    """Where something of a backup is written before it is whole."""
    return path.with_name(f".{path.name}.part{kind}")


def write(folder: Path, suffix: str, dump: Callable[[Path], None]) -> Backup:
    """A new backup, mode 600, whole and on the disk. `dump` fills the file it is given, with what is stored when it begins or
    later. Only within `opened`."""
    path = new_path(folder, suffix)
    _put(path, dump)
    return next(backup for backup in backups_in(folder) if backup.path == path)


def new_path(folder: Path, suffix: str) -> Path:
    """What a backup that begins now is called."""
    return unused(lambda stamp: folder / f"clubledger-{stamp}.{suffix}")


def unused(name: Callable[[str], Path]) -> Path:
    """The name made of this second, or of the next one where that is taken."""
    while (path := name(timezone.now().strftime(STAMP))).exists():
        time.sleep(0.1)
    return path


def mark_good(backup: Backup) -> None:
    """Keep that it was opened and verified, how its bytes were then, and by which program it was written: behind "#", which
    sha256sum passes over."""
    line = f"{digest(backup.path)}  {backup.path.name}\n# Club Ledger {program()}\n"
    _put(mark_of(backup.path), lambda draft: draft.write_text(line))


def digest(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def rotate(folder: Path, keep: int, written: Backup) -> list[Backup]:
    """Delete the backups that need not be kept, and return them. It stays: the newest `keep`, the newest of each of the last
    months, the last good one, and the one just `written`. Backups named later than now stay without counting as any of these:
    a wrong clock must cost none. What we did not write stays as well. Only within `opened`."""
    now = timezone.now()
    backups = [backup for backup in backups_in(folder) if backup.moment <= now]
    of_months = {backup.moment.strftime("%Y%m"): backup for backup in backups}
    good = [backup for backup in backups if backup.good]
    kept = {*backups[-keep:], *list(of_months.values())[-MONTHS:], *good[-1:], written}
    gone = [backup for backup in backups if backup not in kept]
    for backup in gone:
        mark_of(backup.path).unlink(missing_ok=True)
        backup.path.unlink()
    return gone


def _put(path: Path, fill: Callable[[Path], object]) -> None:
    """A file that is there whole or not at all, whatever happens on the way."""
    draft = draft_of(path)
    draft.touch(mode=0o600, exist_ok=False)
    try:
        fill(draft)
        to_disk(draft)
        draft.rename(path)
    except BaseException:
        draft.unlink()
        raise
    to_disk(path.parent)


def to_disk(path: Path) -> None:
    """Wait until a file, or the names in a folder, would outlive a power cut."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
