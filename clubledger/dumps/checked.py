"""Checks of backups that are the same for both databases."""

from __future__ import annotations

import os
import subprocess  # nosec B404  # PostgreSQL's own tools, and this program
import sys

from django.conf import settings
from django.utils.translation import gettext as _

from clubledger.backups import BackupFailed
from clubledger.version import Migration, unknown


def verified(url: str) -> str:
    """Return the report of `manage.py verify` on the database at `url`, from a process of its own. Raise BackupFailed."""
    done = subprocess.run(  # nosec B603  # no part of the command comes from outside
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
    return BackupFailed(_("Diese Datei ist beschädigt."))


def refuse_foreign(migrations: set[Migration]) -> None:
    """Raise BackupFailed if a file is not a backup of Club Ledger, or was written by a newer version."""
    if not any(app == "scoring" for app, name in migrations):
        raise BackupFailed(_("Diese Datei ist keine Sicherung von Club Ledger."))
    if newer := unknown(migrations):
        said = _("Die Sicherung ist neuer als dieses Programm (%(newer)s). Bitte zuerst das Programm aktualisieren.")
        raise BackupFailed(said % {"newer": newer[-1]})
