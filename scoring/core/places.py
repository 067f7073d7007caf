"""Decides how all processes of one machine share a few places: each is the lock of a file, which ends with its process, however
that ends."""

from __future__ import annotations

import fcntl
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
                file = opened.enter_context((folder / str(number)).open("w"))
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
        else:
            yield False
            return
        yield True
