"""Decides how processes hear from each other that something is new: PostgreSQL says it to all that listen, on whichever machine,
in the moment in which it is stored, and to nobody if it is not."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from typing import Final

import psycopg
from django.db import DatabaseError, connection, connections

CHANNEL: Final = "clubledger_news"
# Seconds until a connection that was lost is asked for again.
AGAIN: Final = 1.0


def announce(topic: str) -> None:
    """Something is new there, if this transaction comes to its end."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, topic])


def hear(tell: Callable[[str | None], None]) -> None:
    """Tell every topic of which something is said, for ever; None where something may have been missed. Takes a thread."""
    while True:
        try:
            with closing(connections.create_connection("default")) as line:
                with line.cursor() as cursor:
                    cursor.execute(f"LISTEN {CHANNEL}")
                tell(None)
                for news in line.connection.notifies():
                    tell(news.payload)
        except (DatabaseError, psycopg.Error):
            time.sleep(AGAIN)
