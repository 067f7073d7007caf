"""Decides how many passwords are hashed at once. A hash is slow on purpose and takes a core for as long as it lasts, so a
handful of wrong logins must not take all threads of the server and all cores of the machine from those who write down a
game. It is decided where the hash is made, and so holds for logging in, for names that nobody has, for setting a password
and for giving one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore
from typing import Final

from django.contrib.auth.hashers import PBKDF2PasswordHasher

from scoring.club.errors import TooManyPasswords

# In each process of the server: this many are hashed, this many wait, and this many seconds at most.
AT_ONCE: Final = 2
WAITING: Final = 2
PATIENCE: Final = 5.0

_let_in = BoundedSemaphore(AT_ONCE + WAITING)
_hashing = BoundedSemaphore(AT_ONCE)


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
    try:
        if not _hashing.acquire(timeout=PATIENCE):
            raise TooManyPasswords
        try:
            yield
        finally:
            _hashing.release()
    finally:
        _let_in.release()
