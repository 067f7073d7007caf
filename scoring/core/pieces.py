"""Decides how much is written at once. What arrives (the archive of a club, an old list) and what leaves is many rows, and
everybody else would wait for SQLite's one writer: so it goes in pieces. Whoever writes them holds a lock that tells the next
start of the site whether they still live."""

from __future__ import annotations

import fcntl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.db import connection, transaction


@contextmanager
def piece() -> Iterator[None]:
    """A short transaction, and a rest as long as it took: who waits for SQLite's one writer only looks now and then whether
    it is free, and would hardly ever find it so."""
    with transaction.atomic():
        begun = time.monotonic()
        yield
    if connection.vendor == "sqlite" and not connection.in_atomic_block:
        time.sleep(time.monotonic() - begun)


@contextmanager
def alive(name: str) -> Iterator[None]:
    """A lock of this name that ends with its process, however that ends. Raises BlockingIOError where another one holds it."""
    path = Path(settings.VAR) / "arriving" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        try:
            yield
        finally:
            path.unlink()
