"""Which new passwords are refused: whatever somebody who knows the club would try first. What is long is taken."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

from scoring.club.actions.history import Actor
from scoring.club.actions.people import add_new_login
from scoring.logins.forms.passwords import JUDGED, LONGEST
from tests.factories import PASSWORD, make_club, make_player, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def vera() -> User:
    club = make_club("Karo Eins e.V.")
    make_player(club, "Änne Özdemir")
    return make_user("vera", club)


@pytest.mark.parametrize(
    "weak",
    [
        "Doppelkopf2024",
        "KaroEins12",
        "vera1234567",
        "vera!2839471650",
        "2839471650karo-eins-e.v.",
        "ÄNNE99887766",
        "Özdemir 1955!",
        "Passwort2024!",
        "Kreuz-Dame-12",
        "Aenne-Oezdemir-7",
        "Doppelkopfrunde1",
        "DokoRunde2026",
        "Sommer2026!!",
        "Weihnachten2025",
        "ich liebe dich",
        "1234567890",
        "qwertzuiop",
        "aaaaaaaaaaaaaaa",
        "schokolade",
        "zu kurz",
        "\n" * 12,
    ],
)
def test_what_is_guessed_first_is_refused(vera: User, weak: str) -> None:
    with pytest.raises(ValidationError):
        validate_password(weak, vera)


@pytest.mark.parametrize(
    "strong",
    [
        "grüner kaktus tanzt nachts",
        "sonne mond tisch regen",
        "der Postbote mag Kartoffeln",
        "hund katze maus " * 50,
        "7263859104726381",
        PASSWORD,
    ],
)
def test_what_is_long_is_taken(vera: User, strong: str) -> None:
    validate_password(strong, vera)


def test_first_passwords_are_taken(vera: User) -> None:
    club = make_club("Pik Dame")
    for number in range(20):
        member, password = add_new_login(club=club, actor=Actor(), login=f"neu-{number}", roles=[])
        validate_password(password, member.user)


def test_no_password_takes_long_to_judge(vera: User) -> None:
    """Beyond 72 characters the library refuses to judge, and signs that stand for letters make it try them all."""
    assert JUDGED < 72
    validate_password("4@8({[<369!1|7$5+0%2xs" * (LONGEST // 22), vera)


def test_somebody_who_is_nobody_yet(db: None) -> None:
    validate_password("grüner kaktus tanzt nachts", User(username="neu"))
    validate_password("grüner kaktus tanzt nachts")
