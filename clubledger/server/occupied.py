"""Lock the folder of an installation: a running server shares it, `restore` and `move` take it alone."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def hold(folder: Path, *, alone: bool) -> int:
    """Lock `folder` and return the handle. It ends when that is closed or this process and its forks end. Raise BlockingIOError."""
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
