"""Decides when the running server deletes what nobody needs any more: at its start and every hour, in a thread of its own.
What is deleted is decided by the game (`manage.py tidy`)."""

from __future__ import annotations

import logging
import time
from threading import Thread
from typing import Final

from django.core.management import call_command
from django.db import connection, connections

logger = logging.getLogger(__name__)

EVERY: Final = 3600.0  # seconds


def begin() -> None:
    """Tidy from now on, as long as this process lives. Of several on one machine one is asked to; on two machines each has one,
    and both may."""
    Thread(target=_for_ever, name="tidying", daemon=True).start()


def _for_ever() -> None:
    while True:
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
