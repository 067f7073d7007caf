"""Keep the files of an installation private. Standard library only: the settings call it before anything else is loaded."""

from __future__ import annotations

import os
import stat
from pathlib import Path

_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def open_to_others(path: Path) -> bool:
    """Return whether another user can read this file or folder, or owns it. Links are followed."""
    status = path.stat()
    return bool(status.st_mode & _OTHERS) or status.st_uid != os.geteuid()


def keep_private(var: Path, *, own: bool) -> None:
    """Create the folder with mode 700, and set the umask. If it is our `own` default folder, close it to others.
    A folder from VAR_DIR may have other uses (/srv, /tmp): its mode stays, and checks.py refuses it if it is open."""
    os.umask(0o077)
    var.mkdir(mode=0o700, parents=True, exist_ok=True)
    if own and not var.is_symlink():
        for path in (var, *var.glob("db.sqlite3*")):
            status = path.lstat()
            if status.st_mode & _OTHERS and not stat.S_ISLNK(status.st_mode) and status.st_uid == os.geteuid():
                path.chmod(status.st_mode & ~_OTHERS)
