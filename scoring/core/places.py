"""Decides how all processes of one machine share a few places: each is the lock of a file, which ends with its process, however
that ends."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from django.conf import settings


@contextmanager
def place(name: str, places: int) -> Iterator[bool]:
    """Whether one of so many was free: then nobody else has it meanwhile."""
    folder = Path(settings.VAR) / name
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as opened:
        for number in range(places):
            with suppress(BlockingIOError):
                # Not for writing: it is locked on a disk that became read-only as well.
                file = os.open(folder / str(number), os.O_RDONLY | os.O_CREAT, 0o600)
                opened.callback(os.close, file)
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
        else:
            yield False
            return
        yield True
