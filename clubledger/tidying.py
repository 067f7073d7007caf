"""Run `manage.py tidy` at the start of the server and every hour, in a thread of its own."""

from __future__ import annotations

import logging
import time
from threading import Thread
from typing import Final

from django.conf import settings
from django.core.management import call_command
from django.db import connection, connections

from clubledger.private import hold

logger = logging.getLogger(__name__)

EVERY: Final = 3600.0  # seconds


def begin() -> None:
    """Start the thread. Of the processes on one machine only the one that holds the lock tidies."""
    Thread(target=_repeat, name="tidying", daemon=True).start()


def _repeat() -> None:
    folder, lock = settings.VAR / "tidying", None
    while True:
        try:
            folder.mkdir(exist_ok=True)
            lock = lock or hold(folder, alone=True)
        except OSError:  # another process has the lock, or the disk is full
            time.sleep(EVERY)
            continue
        try:
            call_command("tidy", verbosity=0)
            if connection.vendor == "sqlite":  # removes the deleted data from its write-ahead log
                with connection.cursor() as cursor:
                    cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except Exception:  # no error of tidying may stop the server; it is retried in an hour
            logger.exception("Tidying did not succeed; it is tried again in an hour.")
        finally:
            connections.close_all()
        time.sleep(EVERY)
