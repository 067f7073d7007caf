"""Decides what both databases have in common when they are written into a file and read back: which file is a backup of ours,
and how a copy is verified."""

from __future__ import annotations

import os
import subprocess  # nosec B404  # PostgreSQL's own tools, and this program
import sys

from django.conf import settings
from django.utils.translation import gettext as _

from clubledger.backups import BackupFailed
from clubledger.version import Migration, unknown


def verified(url: str) -> str:
    """What `manage.py verify` says of the database at `url`, in a process of its own; BackupFailed where something is wrong."""
    done = subprocess.run(  # nosec B603  # no word of it comes from elsewhere
        [sys.executable, "-m", "clubledger", "manage", "verify"],
        env={**os.environ, "DATABASE_URL": url, "PYTHONPATH": str(settings.BASE_DIR)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        said = _("Die Sicherung ist geschrieben, aber nicht in Ordnung: %(reason)s")
        raise BackupFailed(said % {"reason": (done.stdout + done.stderr[-1000:]).strip()})
    return done.stdout.strip()


def damaged() -> BackupFailed:
    """What is said of a file that begins like a backup and cannot be read to its end."""
    return BackupFailed(_("Diese Datei ist beschädigt."))


def refuse_foreign(migrations: set[Migration]) -> None:
    """BackupFailed for what is no backup of Club Ledger, or one of a version that this program does not know yet."""
    if not any(app == "scoring" for app, name in migrations):
        raise BackupFailed(_("Diese Datei ist keine Sicherung von Club Ledger."))
    if newer := unknown(migrations):
        said = _("Die Sicherung ist neuer als dieses Programm (%(newer)s). Bitte zuerst das Programm aktualisieren.")
        raise BackupFailed(said % {"newer": newer[-1]})
