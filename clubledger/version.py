"""The version and commit of this program, and migrations of a database that it does not have."""

from __future__ import annotations

import subprocess  # nosec B404  # git alone
from functools import cache
from pathlib import Path

from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from clubledger import __version__

Migration = tuple[str, str]  # the app and the name of a migration

_ROOT = Path(__file__).resolve().parent.parent


@cache
def program() -> str:
    """Return the version; in a checkout with the commit: "0.3.0 (5d1f3a9c0b7e)"."""
    if not (_ROOT / ".git").exists():
        return __version__
    # The user of the service may not own the files; git refuses that without safe.directory.
    command = ["git", "-c", f"safe.directory={_ROOT}", "-C", str(_ROOT), "rev-parse", "--short=12", "HEAD"]
    try:
        done = subprocess.run(  # nosec B603  # no part of the command comes from outside
            command, capture_output=True, text=True, timeout=10, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return __version__
    return f"{__version__} ({done.stdout.strip()})"


@cache
def _known() -> frozenset[Migration]:
    return frozenset(MigrationLoader(None).disk_migrations or {})


def list_unknown_migrations(migrations: set[Migration]) -> list[str]:
    """Return the migrations that this program does not have, as "app.name" in alphabetical order."""
    return sorted(".".join(one) for one in migrations - _known())


def list_newer_migrations() -> list[str]:
    return list_unknown_migrations(set(MigrationRecorder(connection).applied_migrations()))
