"""Several who do something at the same moment, each with a connection of their own."""

from __future__ import annotations

import threading
from collections.abc import Callable

from django.db import connection


def at_once(*works: Callable[[], None]) -> None:
    """All of them, each with a connection of its own, begun together."""
    ready = threading.Barrier(len(works))

    def run(work: Callable[[], None]) -> None:
        try:
            ready.wait()
            work()
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
