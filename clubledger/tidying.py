"""Decides when the running server deletes what nobody needs any more: at its start and every hour, in a thread of its own.
What is deleted is decided by the game (`manage.py tidy`)."""

from __future__ import annotations

import logging
import time
from threading import Thread
from typing import Final

from django.conf import settings
from django.core.management import call_command
from django.db import connection, connections

from clubledger.server.occupied import hold

logger = logging.getLogger(__name__)

EVERY: Final = 3600.0  # seconds


def begin() -> None:
    """Tidy every hour as long as this process lives. Of the processes on one machine the one that holds the lock does it; on two
    machines one of each, and both may."""
    Thread(target=_repeat, name="tidying", daemon=True).start()


def _repeat() -> None:
    folder, lock = settings.VAR / "tidying", None
    while True:
        try:
            folder.mkdir(exist_ok=True)
            lock = lock or hold(folder, alone=True)
        except OSError:  # another process has it, or there is no room
            time.sleep(EVERY)
            continue
        try:
            call_command("tidy", verbosity=0)
            if connection.vendor == "sqlite":  # what was deleted stands in its write-ahead log until then
                with connection.cursor() as cursor:
                    cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except Exception:  # whatever it is, the evening goes on, and in an hour it is tried again
            logger.exception("Tidying did not succeed; it is tried again in an hour.")
        finally:
            connections.close_all()
        time.sleep(EVERY)
