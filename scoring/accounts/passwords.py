"""Limit how many passwords are hashed at once, and refuse those that are easy to guess, by zxcvbn and the names of the club.
A hash keeps a core busy. The limit is in the hasher, so it also holds for unknown names and for setting a password."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from threading import BoundedSemaphore
from typing import Final

from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.auth.password_validation import get_default_password_validators, validate_password
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from zxcvbn import zxcvbn

from scoring.club.actions import TooManyPasswords
from scoring.club.models import Club, Player
from scoring.core.limits import acquire_slot
from scoring.core.text import ASCII_SPELLINGS, text_key

# Hashes at once on a machine; requests that may wait in each process; seconds they wait, and between two tries. Eight people
# who log in together all get in, on a slow machine as well; four of the twelve threads (clubledger/server/bounds.py) stay free.
MAX_HASHES: Final = 2
MAX_WAITING: Final = 6
MAX_WAIT: Final = 20.0
RETRY_EVERY: Final = 0.02

# The lowest accepted score of zxcvbn: 10**8 guesses. Each guess costs a slow hash, and thirty lock the address.
MIN_SCORE: Final = 3
MAX_RATED_LENGTH: Final = 32  # the time of zxcvbn grows fast with the length: up to a second for this many characters
SENTENCE_WORDS: Final = 4  # known words in a row that are accepted as a sentence
MAX_PASSWORD: Final = 1000  # longer passwords are refused without hashing, at the login as well
# Common German passwords, which the English lists of zxcvbn lack.
GERMAN: Final = (
    "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November", "Dezember",
    "Frühling", "Sommer", "Herbst", "Winter", "Weihnachten", "Ostern", "Silvester", "Karneval", "Fasching", "Montag",
    "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag", "Urlaub", "Ferien", "Geheim", "ich liebe dich",
)  # fmt: skip
# Words of the game and of this program, which are tried first.
GAME: Final = (
    "Doppelkopf", "Doko", "Club Ledger", "Kartenclub", "Kartenspiel", "Karte", "Karten", "Stammtisch", "Spielabend",
    "Kreuz", "Pik", "Herz", "Karo", "Bube", "Dame", "König", "Zehn", "Ass", "Trumpf", "Fehl", "Fuchs", "Karlchen",
    "Dulle", "Schweinchen", "Charlie", "Re", "Kontra", "Hochzeit", "Armut", "Solo", "Bock", "Bockrunde", "Schwarz",
    "Passwort", "Kennwort", "Runde", "Abend", "Verein", "Club", "Skat", "Spieler", "Doppelköpfe", "Doppelkopfrunde",
)  # fmt: skip

_running_or_waiting = BoundedSemaphore(MAX_HASHES + MAX_WAITING)


class Hasher(PBKDF2PasswordHasher):
    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        with _acquire_hash_slot():
            return super().encode(password, salt, iterations)


@contextmanager
def _acquire_hash_slot() -> Iterator[None]:
    if not _running_or_waiting.acquire(blocking=False):
        raise TooManyPasswords
    give_up = time.monotonic() + MAX_WAIT
    with ExitStack() as stack:
        stack.callback(_running_or_waiting.release)
        while not stack.enter_context(acquire_slot("hashing", MAX_HASHES)):
            if time.monotonic() > give_up:
                raise TooManyPasswords
            time.sleep(RETRY_EVERY)
        yield


class GuessableValidator:
    """A Django password validator. `names` are refused besides those of the user's clubs."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self.names = tuple(names)

    def validate(self, password: str, user: User | AnonymousUser | None = None) -> None:
        words = set(_list_spellings([*GAME, *GERMAN, *_list_own_names(user), *self.names]))
        if _is_made_of(words, _strip_to_letters(password)):
            raise ValidationError(
                _("Das versuchen andere zuerst. Bitte einen Satz aus vier Wörtern nehmen."), code="password_is_a_name"
            )
        rated = text_key(password)[:MAX_RATED_LENGTH]
        if not rated or zxcvbn(rated, user_inputs=sorted(words))["score"] < MIN_SCORE:
            raise ValidationError(
                _("Das ist zu leicht zu erraten. Bitte mehr Wörter nehmen: Ein Satz aus vier Wörtern ist gut."),
                code="password_guessable",
            )

    def get_help_text(self) -> str:
        return _(
            "Mindestens zehn Zeichen, am besten ein Satz aus vier Wörtern: Länge zählt mehr als Ziffern und Zeichen. "
            "Namen vom Spiel und aus dem Club errät man auch mit einer Zahl dahinter."
        )


def validate_first_password(password: str, login: str, names: Iterable[str]) -> None:
    """Validate the password of a login that is not stored yet; `names` are those of its future club. Raise ValidationError."""
    others = [one for one in get_default_password_validators() if not isinstance(one, GuessableValidator)]
    validate_password(password, User(username=login), [*others, GuessableValidator(names)])


def _list_own_names(user: User | AnonymousUser | None) -> Iterator[str]:
    if user is None or not user.get_username():
        return
    yield user.get_username()
    if user.pk:
        yield from list_club_names(list(Club.objects.filter(memberships__user=user.pk)))


def list_club_names(clubs: list[Club]) -> Iterator[str]:
    for club in clubs:
        yield from (club.name, club.slug)
    yield from Player.objects.filter(club__in=clubs).values_list("name", flat=True)
    yield from User.objects.filter(memberships__club__in=clubs).values_list("username", flat=True)


def _list_spellings(names: Iterable[str]) -> Iterator[str]:
    """Yield each name as one word, and each of its words, with ä and with ae."""
    for name in names:
        for spelling in {name, name.translate(ASCII_SPELLINGS)}:
            for text in (spelling, *re.split(r"[\W\d_]+", spelling)):
                if len(letters := _strip_to_letters(text)) > 1:
                    yield letters


def _is_made_of(words: Iterable[str], letters: str) -> bool:
    """Return whether the letters are a sequence of known words, fewer than make a sentence."""
    fewest = {0: 0}
    for start in range(len(letters)):
        if start in fewest:
            for word in words:
                if letters.startswith(word, start):
                    end = start + len(word)
                    fewest[end] = min(fewest.get(end, SENTENCE_WORDS), fewest[start] + 1)
    return bool(letters) and fewest.get(len(letters), SENTENCE_WORDS) < SENTENCE_WORDS


def _strip_to_letters(text: str) -> str:
    return re.sub(r"[\W\d_]+", "", text_key(text))
