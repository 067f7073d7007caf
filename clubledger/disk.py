"""Recognize the errors of the system and the databases that mean that a disk is full or read-only."""

from __future__ import annotations

import errno
from enum import Enum

from django.utils.translation import gettext as _


class Disk(Enum):
    FULL = "full"
    READ_ONLY = "read-only"

    def sentence(self) -> str:
        if self is Disk.FULL:
            return _(
                "Nicht gespeichert: Die Festplatte des Servers ist voll. Lesen geht weiter. "
                "Bitte der Person Bescheid geben, die den Server betreibt."
            )
        return _(
            "Nicht gespeichert: Der Server kann auf seine Festplatte gerade nicht schreiben. Lesen geht weiter. "
            "Bitte der Person Bescheid geben, die den Server betreibt."
        )


_ERRNO = {errno.ENOSPC: Disk.FULL, errno.EDQUOT: Disk.FULL, errno.EROFS: Disk.READ_ONLY}
# PostgreSQL: disk_full, read_only_sql_transaction, io_error.
_SQLSTATE = {"53100": Disk.FULL, "25006": Disk.READ_ONLY, "58030": Disk.READ_ONLY}
# If a disk becomes read-only, a connection that writes gets IOERR, and a new connection gets CANTOPEN.
_SQLITE = {"FULL": Disk.FULL, "READONLY": Disk.READ_ONLY, "IOERR": Disk.READ_ONLY, "CANTOPEN": Disk.READ_ONLY}
_NAMELESS = "database or disk is full"  # SQLite's backup function raises an error without a code, with this message


def get_disk_trouble(error: BaseException | None) -> Disk | None:
    """Return the trouble with the disk behind an error or its causes, else None."""
    while error is not None:
        if isinstance(error, OSError):
            return _ERRNO.get(error.errno or 0)
        if sqlstate := getattr(error, "sqlstate", None):
            return _SQLSTATE.get(sqlstate)
        if name := getattr(error, "sqlite_errorname", None):
            return _SQLITE.get(name.split("_")[1])
        if str(error) == _NAMELESS:
            return Disk.FULL
        error = error.__cause__
    return None
