"""Decides how processes tell each other that something is new. PostgreSQL notifies all that listen, on any machine, at the
moment of the commit; after a rollback it notifies nobody."""

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


def announce(topic: str, change: str) -> None:
    """This is new there, if this transaction comes to its end."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, f"{topic} {change}"])


def hear(tell: Callable[[str | None, str], None]) -> None:
    """Tell every topic of which something is said, and what, for ever; None where something may have been missed. Takes a
    thread."""
    while True:
        try:
            with closing(connections.create_connection("default")) as line:
                with line.cursor() as cursor:
                    cursor.execute(f"LISTEN {CHANNEL}")
                tell(None, "")
                for news in line.connection.notifies():
                    topic, _, change = news.payload.partition(" ")
                    tell(topic, change)
        except (DatabaseError, psycopg.Error):
            time.sleep(AGAIN)
