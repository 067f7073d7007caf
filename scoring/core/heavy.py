"""Decides how much of what takes long is done at once: files to take home, imports, archives, lists by other rules. They share
the machine with the tables at which somebody is entering a game, so there are few places for them, in all processes of
an installation together. Who finds none hears when to come again."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final

from django.conf import settings
from django.utils.translation import gettext as _

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
    """What is done inside has one of the places. Ask for one when it is certain that somebody may do it. Each is the lock
    of a file, which ends with its process, however that ends. Raises NoPlace."""
    folder = Path(settings.VAR) / "heavy"
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as opened:
        for number in range(PLACES):
            with suppress(BlockingIOError):
                place = opened.enter_context((folder / str(number)).open("w"))
                fcntl.flock(place, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
        else:
            raise NoPlace
        yield
