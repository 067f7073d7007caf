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


class Busy(Exception):
    """All slots for slow work are taken: 503. Not an ActionRefused, which views show on their page."""

    retry_after = 10  # seconds

    def __str__(self) -> str:
        return _(
            "Gerade werden schon andere Dateien oder lange Listen erstellt oder eingelesen. "
            "Bitte in ein paar Sekunden noch einmal."
        )


@contextmanager
def limit_slow_work() -> Iterator[None]:
    """Run an export, import, archive or list by other rules, at most SLOW_JOBS of them at once; else raise Busy. Check rights
    before."""
    with acquire_slot("heavy", SLOW_JOBS) as acquired:
        if not acquired:
            raise Busy
        yield


@contextmanager
def acquire_slot(name: str, slots: int) -> Iterator[bool]:
    """Hold one of `slots` file locks in VAR/`name` for a `with` block, or until the process dies; yield False if all are taken."""
    folder = Path(settings.VAR) / name
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as opened:
        for number in range(slots):
            with suppress(BlockingIOError):
                # Opened for reading: a disk that became read-only can still be locked.
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
    """Commit one batch of a long job, then pause for as long as it took. SQLite has one writer, and requests that wait for it
    check only now and then whether it is free: without a pause they would hardly ever find it so."""
    with transaction.atomic():
        begun = time.monotonic()
        yield
    if connection.vendor == "sqlite" and not connection.in_atomic_block:
        time.sleep(time.monotonic() - begun)


@contextmanager
def process_lock(name: str) -> Iterator[None]:
    """Hold a lock for a `with` block, or until the process dies. Raise BlockingIOError if it is held. At its start the server
    tries the lock of each hidden club to see whether the process that writes the club still runs."""
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
    """Hold a lock of PostgreSQL, which other machines see too. A connection of its own holds it, across transactions."""
    with closing(connections.create_connection("default")) as own, own.cursor() as cursor:
        cursor.execute("SET lock_timeout = '1s'")
        try:
            cursor.execute("SELECT pg_advisory_lock(hashtextextended(%s, 0))", [name])
        except OperationalError as error:
            raise BlockingIOError from error
        yield
