"""Several who do something at the same moment, each with a connection of their own."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial

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


def get_outcomes(*attempts: Callable[[], object]) -> list[type]:
    """Start all attempts together; return the type of each result or error."""
    outcomes = []

    def run(attempt: Callable[[], object]) -> None:
        try:
            outcomes.append(type(attempt()))
        except Exception as error:
            outcomes.append(type(error))

    at_once(*(partial(run, attempt) for attempt in attempts))
    return outcomes
