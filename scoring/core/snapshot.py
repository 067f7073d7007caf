"""One consistent view for a page that reads several tables: a transaction that sees no later commit and never takes the
write lock, so that reading never makes a table in the pub wait."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def snapshot() -> Iterator[None]:
    """Everything read inside belongs to one moment. Inside another transaction that one's view holds."""
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "sqlite":
        # Writers begin IMMEDIATE by default; a reader must not. The mode is read when the connection is made.
        connection.ensure_connection()
        mode = connection.transaction_mode  # type: ignore[attr-defined]  # only the connections of SQLite have it
        connection.transaction_mode = "DEFERRED"  # type: ignore[attr-defined]  # as above
        try:
            with transaction.atomic():
                yield
        finally:
            connection.transaction_mode = mode  # type: ignore[attr-defined]  # as above
    else:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
