"""Limits how much slow work runs at once: files to take home, imports, archives, lists by other rules. Such work shares the
machine with the tables at which somebody is entering a game, so there are few places for it, shared by all processes of a
machine. A request that finds none is told when to come again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from django.utils.translation import gettext as _

from .places import place

PLACES: Final = 2
# Seconds after which one of them may be free.
COME_AGAIN: Final = 10


class NoPlace(Exception):
    """All places are taken: 503 for whoever asked. Nothing was done, and a form that was sent can be sent once more."""

    come_again = COME_AGAIN

    def __str__(self) -> str:
        return _(
            "Gerade werden schon andere Dateien oder lange Listen erstellt oder eingelesen. "
            "Bitte in ein paar Sekunden noch einmal."
        )


@contextmanager
def heavy() -> Iterator[None]:
    """What is done inside has one of the places. Ask for one when it is certain that somebody may do it. Raises NoPlace."""
    with place("heavy", PLACES) as found:
        if not found:
            raise NoPlace
        yield
