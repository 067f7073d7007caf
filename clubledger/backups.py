"""The folder of backups. Each is named after the UTC time of its start. A file `….sha256` beside it marks a verified one."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess  # nosec B404  # this program
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _

from clubledger.private import holding, open_to_others
from clubledger.version import Migration, list_unknown_migrations, program

STAMP = "%Y%m%dT%H%M%SZ"
_NAME = re.compile(r"clubledger-(\d{8}T\d{6}Z)\.(sqlite3|dump)")
SESSIONS = ("django_session", "scoring_session")  # a restore empties these tables; only the first release used the first one
_DRAFT = re.compile(rf"\.{_NAME.pattern}\.part.*")
MONTHS = 12  # the newest backup of a month is kept too, for the last 12 months that have one


class BackupFailed(Exception):
    """A backup was not written or not restored. The message is one sentence with the reason and, if possible, the remedy."""


def mark_of(path: Path) -> Path:
    """Return the path of the file with the SHA-256 of a backup; it exists once the backup was verified."""
    return path.with_name(f"{path.name}.sha256")


def is_good(path: Path) -> bool:
    return mark_of(path).exists()


def backups_in(folder: Path) -> dict[Path, datetime]:
    """Return the backups in a folder with their times (UTC), the oldest first; none if the folder is missing or not readable."""
    try:
        names = os.listdir(folder)
    except OSError:
        return {}
    found = [match for name in names if (match := _NAME.fullmatch(name))]
    moments = [(datetime.strptime(match[1], STAMP).replace(tzinfo=UTC), match[0]) for match in found]
    return {folder / name: moment for moment, name in sorted(moments)}


def last_good() -> datetime | None:
    """Return the time (UTC) of the newest good backup, or None. One from the future is ignored: the clock was or is wrong."""
    now = timezone.now()
    good = (moment for path, moment in backups_in(settings.BACKUP_DIR).items() if is_good(path))
    return max((moment for moment in good if moment <= now), default=None)


def future_good(folder: Path | None = None) -> datetime | None:
    """Return the time of the newest good backup, in UTC, if it is in the future; else None."""
    found = backups_in(folder or settings.BACKUP_DIR)
    newest = max((moment for path, moment in found.items() if is_good(path)), default=None)
    return newest if newest and newest > timezone.now() else None


@contextmanager
def locked_folder(folder: Path) -> Iterator[None]:
    """Lock the folder for one backup, and delete drafts that killed processes have left. Raise BackupFailed."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if open_to_others(folder):
            sentence = _("Andere können in den Ordner der Sicherungen sehen; er muss Ihnen gehören: chmod 700 %(folder)s")
            raise BackupFailed(sentence % {"folder": folder})
        with holding(folder):
            for name in filter(_DRAFT.fullmatch, os.listdir(folder)):
                (folder / name).unlink()
            yield
    except BlockingIOError as error:
        sentence = _("In %(folder)s schreibt gerade eine andere Sicherung. Bitte noch einmal, wenn sie fertig ist.")
        raise BackupFailed(sentence % {"folder": folder}) from error
    except OSError as error:
        raise BackupFailed(_("Der Ordner der Sicherungen geht nicht: %(error)s") % {"error": error}) from error


def draft_of(path: Path, purpose: str = "") -> Path:
    """Return the hidden path beside `path` for a file that is not complete yet. Files of different purposes can exist at once."""
    return path.with_name(f".{path.name}.part{purpose}")


def write(folder: Path, suffix: str, dump: Callable[[Path], None]) -> Path:
    """Write a backup (mode 600), within `locked_folder`. `dump` writes the database to the path that it is given."""
    path = new_path(folder, suffix)
    _put(path, dump)
    return path


def new_path(folder: Path, suffix: str) -> Path:
    return wait_for_unused_path(lambda stamp: folder / f"clubledger-{stamp}.{suffix}")


def wait_for_unused_path(name: Callable[[str], Path]) -> Path:
    """Return the path that `name` makes of the current second; wait for the next second if that path exists."""
    while (path := name(timezone.now().strftime(STAMP))).exists():
        time.sleep(0.1)
    return path


def mark_good(path: Path) -> None:
    """Write the SHA-256 of a backup beside it, and the version of the program as a comment for sha256sum."""
    line = f"{digest(path)}  {path.name}\n# Club Ledger {program()}\n"
    _put(mark_of(path), lambda draft: draft.write_text(line))


def digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def rotate(folder: Path, keep: int, written: Path) -> list[Path]:
    """Delete old backups and return them, within `locked_folder`. Kept are the newest `keep`, the newest of each of MONTHS months,
    the newest good one, `written`, and those from the future: a wrong clock must delete no backup."""
    now = timezone.now()
    backups = {path: moment for path, moment in backups_in(folder).items() if moment <= now}
    of_months = {moment.strftime("%Y%m"): path for path, moment in backups.items()}
    good = [path for path in backups if is_good(path)]
    kept = {*list(backups)[-keep:], *list(of_months.values())[-MONTHS:], *good[-1:], written}
    gone = [path for path in backups if path not in kept]
    for path in gone:
        mark_of(path).unlink(missing_ok=True)
        path.unlink()
    return gone


def _put(path: Path, fill: Callable[[Path], object]) -> None:
    """Write a file atomically: after a crash or an error it is complete or does not exist."""
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
    """Sync a file, or the names in a folder, to the disk, so that it survives a power cut."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def verify_database(url: str) -> str:
    """Return the report of `manage.py verify` on the database at `url`, from a process of its own. Raise BackupFailed."""
    done = subprocess.run(  # nosec B603  # no part of the command comes from outside
        [sys.executable, "-m", "clubledger", "manage", "verify"],
        env={**os.environ, "DATABASE_URL": url, "PYTHONPATH": str(settings.BASE_DIR)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sentence = _("Die Sicherung ist geschrieben, aber nicht in Ordnung: %(reason)s")
        raise BackupFailed(sentence % {"reason": (done.stdout + done.stderr[-1000:]).strip()})
    return done.stdout.strip()


def build_in_use_error() -> BackupFailed:
    return BackupFailed(_("Jemand arbeitet gerade mit der Datenbank. Bitte zuerst den Dienst anhalten: systemctl stop clubledger"))


def build_damaged_error() -> BackupFailed:
    return BackupFailed(_("Diese Datei ist beschädigt."))


def refuse_foreign(migrations: set[Migration]) -> None:
    """Raise BackupFailed if a file is not a backup of Club Ledger, or was written by a newer version."""
    if not any(app == "scoring" for app, name in migrations):
        raise BackupFailed(_("Diese Datei ist keine Sicherung von Club Ledger."))
    if newer := list_unknown_migrations(migrations):
        sentence = _("Die Sicherung ist neuer als dieses Programm (%(newer)s). Bitte zuerst das Programm aktualisieren.")
        raise BackupFailed(sentence % {"newer": newer[-1]})
