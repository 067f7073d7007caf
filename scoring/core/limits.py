"""Locks and limits that all processes of a machine share."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db import OperationalError, connection, connections, transaction
from django.utils.translation import gettext as _

SLOW_JOBS: Final = 2
# Seconds after which one of them may be free.
RETRY_AFTER: Final = 10


class Busy(Exception):
    """All places are taken: 503 for whoever asked. Nothing was done, and a form that was sent can be sent once more."""

    retry_after = RETRY_AFTER

    def __str__(self) -> str:
        return _(
            "Gerade werden schon andere Dateien oder lange Listen erstellt oder eingelesen. "
            "Bitte in ein paar Sekunden noch einmal."
        )


@contextmanager
def limit_slow_work() -> Iterator[None]:
    """What is done inside has one of the places. Ask for one when it is certain that somebody may do it. Raises NoPlace."""
    with acquire_slot("heavy", SLOW_JOBS) as found:
        if not found:
            raise Busy
        yield


@contextmanager
def acquire_slot(name: str, places: int) -> Iterator[bool]:
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


@contextmanager
def short_transaction() -> Iterator[None]:
    """A short transaction, and a rest as long as it took: who waits for SQLite's one writer only looks now and then whether
    it is free, and would hardly ever find it so."""
    with transaction.atomic():
        begun = time.monotonic()
        yield
    if connection.vendor == "sqlite" and not connection.in_atomic_block:
        time.sleep(time.monotonic() - begun)


@contextmanager
def process_lock(name: str) -> Iterator[None]:
    """A lock of this name that ends with its process, however that ends. Raises BlockingIOError where another one holds it."""
    with _file_lock(name) if connection.vendor == "sqlite" else _advisory_lock(name):
        yield


@contextmanager
def _file_lock(name: str) -> Iterator[None]:
    path = Path(settings.VAR) / "arriving" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        try:
            yield
        finally:
            path.unlink()


@contextmanager
def _advisory_lock(name: str) -> Iterator[None]:
    """A lock of the database, which other machines have as well: held by a connection of its own, as it outlives transactions.
    What a process held that was killed is free as soon as the database notices."""
    with closing(connections.create_connection("default")) as line, line.cursor() as cursor:
        cursor.execute("SET lock_timeout = '1s'")
        try:
            cursor.execute("SELECT pg_advisory_lock(hashtextextended(%s, 0))", [name])
        except OperationalError as error:
            raise BlockingIOError from error
        yield
