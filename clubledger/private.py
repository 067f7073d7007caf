"""Decides that nobody else on this machine can read the files of an installation: new files are readable by their owner
alone, and `var/` is closed where an earlier version left it open.

Standard library only: the settings call it before anything else is loaded."""

from __future__ import annotations

import os
import stat
from pathlib import Path

_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def open_to_others(path: Path) -> bool:
    """Could another user of this machine look into this file or folder, or let himself in as its owner? Links are followed."""
    status = path.stat()
    return bool(status.st_mode & _OTHERS) or status.st_uid != os.geteuid()


def keep_private(var: Path, *, own: bool) -> None:
    """Make the folder, mode 700, and let this process write nothing from now on that others can read.

    `own` is the folder beside the code that nobody chose: it is closed if it was open. A folder that somebody named may serve
    others as well (/srv, /tmp), so it is left alone; checks.py refuses it. So is what is a link, or belongs to somebody else.
    """
    os.umask(0o077)
    var.mkdir(mode=0o700, parents=True, exist_ok=True)
    if own and not var.is_symlink():
        for path in (var, *var.glob("db.sqlite3*")):
            status = path.lstat()
            if status.st_mode & _OTHERS and not stat.S_ISLNK(status.st_mode) and status.st_uid == os.geteuid():
                path.chmod(status.st_mode & ~_OTHERS)
