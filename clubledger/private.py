"""The folder of an installation: private, locked while it is used, with the secret key. Standard library only, for the settings."""

from __future__ import annotations

import fcntl
import os
import secrets
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
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


def read_or_create_key(path: Path) -> str:
    """Return the key in `path`; create it (mode 600) if it is missing. Two processes at once return the same key."""
    if not path.exists():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".secret_key-")
        try:
            with os.fdopen(handle, "w") as draft:
                draft.write(secrets.token_urlsafe(64))
                draft.flush()
                os.fsync(draft.fileno())
            os.link(name, path)
        except FileExistsError:
            pass
        finally:
            os.unlink(name)
    return path.read_text().strip()


def hold(folder: Path, *, alone: bool) -> int:
    """Lock `folder`, exclusively if `alone`, else shared, as a server does; return the handle. Raise BlockingIOError.
    The lock ends when the handle is closed, or when this process and its forks end."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(handle, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        raise
    return handle


@contextmanager
def holding(folder: Path) -> Iterator[None]:
    handle = hold(folder, alone=True)
    try:
        yield
    finally:
        os.close(handle)
