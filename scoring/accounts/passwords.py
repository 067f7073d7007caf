"""Limits how many passwords are hashed at once. A hash is slow on purpose and keeps a core busy, so a handful of wrong logins
must not take all threads and cores from those who write down a game. The limit stands where the hash is made, so it holds for
logging in, for names that nobody has, and for setting or giving out a password."""

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

from scoring.club.errors import TooManyPasswords
from scoring.club.models.people import Club, Player
from scoring.core.limits import acquire_slot
from scoring.core.text import ASCII_SPELLINGS, text_key

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


# A hundred million guesses and more: enough where every guess costs a slow hash, and thirty are the end of it.
WANTED: Final = 3
# The time zxcvbn takes grows fast with the length: up to a second for this much, which is long enough to be judged by.
JUDGED: Final = 32
# So many words are a sentence.
A_SENTENCE: Final = 4
# Longer passwords are refused unread, for logging in as well.
LONGEST: Final = 1000
# What people take in German, and no English list knows.
GERMAN: Final = (
    "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November", "Dezember",
    "Frühling", "Sommer", "Herbst", "Winter", "Weihnachten", "Ostern", "Silvester", "Karneval", "Fasching", "Montag",
    "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag", "Urlaub", "Ferien", "Geheim", "ich liebe dich",
)  # fmt: skip
# What anybody who knows what this program is for would try first.
GAME: Final = (
    "Doppelkopf", "Doko", "Club Ledger", "Kartenclub", "Kartenspiel", "Karte", "Karten", "Stammtisch", "Spielabend",
    "Kreuz", "Pik", "Herz", "Karo", "Bube", "Dame", "König", "Zehn", "Ass", "Trumpf", "Fehl", "Fuchs", "Karlchen",
    "Dulle", "Schweinchen", "Charlie", "Re", "Kontra", "Hochzeit", "Armut", "Solo", "Bock", "Bockrunde", "Schwarz",
    "Passwort", "Kennwort", "Runde", "Abend", "Verein", "Club", "Skat", "Spieler", "Doppelköpfe", "Doppelkopfrunde",
)  # fmt: skip


class GuessableValidator:
    """A password validator of Django's. `around`: names around the login besides those of its own clubs."""

    def __init__(self, around: Iterable[str] = ()) -> None:
        self.around = tuple(around)

    def validate(self, password: str, user: User | AnonymousUser | None = None) -> None:
        """Raises ValidationError."""
        known = set(_spellings([*GAME, *GERMAN, *_own_names(user), *self.around]))
        if _is_made_of(known, _letters(password)):
            raise ValidationError(
                _("Das versuchen andere zuerst. Bitte einen Satz aus vier Wörtern nehmen."),
                code="password_is_a_name",
            )
        judged = text_key(password)[:JUDGED]
        if not judged or zxcvbn(judged, user_inputs=sorted(known))["score"] < WANTED:
            raise ValidationError(
                _("Das ist zu leicht zu erraten. Bitte mehr Wörter nehmen: Ein Satz aus vier Wörtern ist gut."),
                code="password_guessable",
            )

    def get_help_text(self) -> str:
        return _(
            "Mindestens zehn Zeichen, am besten ein Satz aus vier Wörtern: Länge zählt mehr als Ziffern und Zeichen. "
            "Namen vom Spiel und aus dem Club errät man auch mit einer Zahl dahinter."
        )


def refuse_weak(password: str, login: str, around: Iterable[str]) -> None:
    """What is asked of the first password of a login that is not kept yet; `around` are the names in the club to which it
    will belong. Raises ValidationError."""
    others = [one for one in get_default_password_validators() if not isinstance(one, GuessableValidator)]
    validate_password(password, User(username=login), [*others, GuessableValidator(around)])


def _own_names(user: User | AnonymousUser | None) -> Iterator[str]:
    if user is None or not user.get_username():
        return
    yield user.get_username()
    if user.pk:
        yield from names_in(list(Club.objects.filter(memberships__user=user.pk)))


def names_in(clubs: list[Club]) -> Iterator[str]:
    """What clubs are called, the people in them, and their logins."""
    for club in clubs:
        yield from (club.name, club.slug)
    yield from Player.objects.filter(club__in=clubs).values_list("name", flat=True)
    yield from User.objects.filter(memberships__club__in=clubs).values_list("username", flat=True)


def _spellings(names: Iterable[str]) -> Iterator[str]:
    """Each name in one word, and each word of it; ä as it is and as ae."""
    for name in names:
        for spelt in {name, name.translate(ASCII_SPELLINGS)}:
            for text in (spelt, *re.split(r"[\W\d_]+", spelt)):
                if len(letters := _letters(text)) > 1:
                    yield letters


def _is_made_of(known: Iterable[str], letters: str) -> bool:
    """Whether these letters are known words and nothing else, one behind the other, and fewer of them than make a sentence."""
    fewest = {0: 0}
    for start in range(len(letters)):
        if start in fewest:
            for word in known:
                if letters.startswith(word, start):
                    end = start + len(word)
                    fewest[end] = min(fewest.get(end, A_SENTENCE), fewest[start] + 1)
    return bool(letters) and fewest.get(len(letters), A_SENTENCE) < A_SENTENCE


def _letters(text: str) -> str:
    """What is left of a text without digits and signs, as names are compared."""
    return re.sub(r"[\W\d_]+", "", text_key(text))
