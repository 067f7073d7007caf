"""Limits how many passwords are hashed at once. A hash is slow on purpose and keeps a core busy, so a handful of wrong logins
must not take all threads and cores from those who write down a game. The limit stands where the hash is made, so it holds for
logging in, for names that nobody has, and for setting or giving out a password."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from threading import BoundedSemaphore
from typing import Final

from django.contrib.auth.hashers import PBKDF2PasswordHasher

from scoring.club.errors import TooManyPasswords
from scoring.core.limits import acquire_slot

# On a machine this many are hashed. In each process of the server this many wait, and this many seconds at most; they look so
# often whether it is their turn. So eight people who sit down and log in all get in, on a slow machine as well, and four of the
# twelve threads (clubledger/server/bounds.py) are always left for the table.
AT_ONCE: Final = 2
WAITING: Final = 6
PATIENCE: Final = 20.0
LOOK: Final = 0.02

_let_in = BoundedSemaphore(AT_ONCE + WAITING)


class Hasher(PBKDF2PasswordHasher):
    """Django's own hash, after waiting one's turn. Raises TooManyPasswords."""

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        """Comparing a password encodes it, too."""
        with _a_turn():
            return super().encode(password, salt, iterations)


@contextmanager
def _a_turn() -> Iterator[None]:
    if not _let_in.acquire(blocking=False):
        raise TooManyPasswords
    give_up = time.monotonic() + PATIENCE
    with ExitStack() as turn:
        turn.callback(_let_in.release)
        while not turn.enter_context(acquire_slot("hashing", AT_ONCE)):
            if time.monotonic() > give_up:
                raise TooManyPasswords
            time.sleep(LOOK)
        yield
