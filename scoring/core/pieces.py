"""Limits how much is written in one transaction. An archive, an old list or a deleted club has many rows, and everybody
else would wait for SQLite's only writer. So the rows are written in pieces. Whoever writes holds a lock, by which the next
start of the site knows whether they are still alive."""

from __future__ import annotations

import fcntl
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from django.conf import settings
from django.db import OperationalError, connection, connections, transaction


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
    with _file(name) if connection.vendor == "sqlite" else _advisory(name):
        yield


@contextmanager
def _file(name: str) -> Iterator[None]:
    path = Path(settings.VAR) / "arriving" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        try:
            yield
        finally:
            path.unlink()


@contextmanager
def _advisory(name: str) -> Iterator[None]:
    """A lock of the database, which other machines have as well: held by a connection of its own, as it outlives transactions.
    What a process held that was killed is free as soon as the database notices."""
    with closing(connections.create_connection("default")) as line, line.cursor() as cursor:
        cursor.execute("SET lock_timeout = '1s'")
        try:
            cursor.execute("SELECT pg_advisory_lock(hashtextextended(%s, 0))", [name])
        except OperationalError as error:
            raise BlockingIOError from error
        yield
