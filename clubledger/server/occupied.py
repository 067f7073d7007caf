"""Lock the folder of an installation. A running server holds a shared lock, which the system releases even if the server is
killed. `restore` and `move` take the lock exclusively, so they are refused while a server runs."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def hold(folder: Path, *, alone: bool) -> int:
    """Lock `folder`, exclusively if `alone`, else shared, and return the handle. The lock lasts until the handle is closed or this
    process and all its forks have ended. Raises BlockingIOError if another process holds a conflicting lock."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(handle, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        raise
    return handle


@contextmanager
def holding(folder: Path) -> Iterator[None]:
    """Hold an exclusive lock on `folder` for the duration of a `with` block. Raises BlockingIOError."""
    handle = hold(folder, alone=True)
    try:
        yield
    finally:
        os.close(handle)
