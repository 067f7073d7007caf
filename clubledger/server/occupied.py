"""Decides whether a server is running in the folder of an installation. The server holds a lock on the folder as long as it
lives; the system releases it even if the server is killed. `restore` needs the folder for itself."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def hold(folder: Path, *, alone: bool) -> int:
    """The lock on `folder`, shared with others or `alone`, until the handle is closed or this process and all that it forked have
    ended. BlockingIOError where somebody else's is in the way."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(handle, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        raise
    return handle


@contextmanager
def holding(folder: Path) -> Iterator[None]:
    """The lock on `folder`, alone, for as long as something takes."""
    handle = hold(folder, alone=True)
    try:
        yield
    finally:
        os.close(handle)
