"""The limit on hashing at once, and which new passwords are refused as easy to guess."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from threading import Barrier
from typing import Any

import pytest
from django.contrib.auth.hashers import PBKDF2PasswordHasher, check_password
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.test import Client

from scoring.accounts import passwords
from scoring.accounts.actions import build_reset_path
from scoring.accounts.passwords import MAX_HASHES, MAX_PASSWORD, MAX_RATED_LENGTH, MAX_WAITING, Hasher
from scoring.club.actions import Actor, TooManyPasswords, add_new_login
from scoring.core.limits import acquire_slot
from tests.factories import PASSWORD, Cast, make_club, make_join_link, make_player, make_user

HASHER = "scoring.accounts.passwords.Hasher"


@pytest.fixture
def real_hasher(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Hasher, "iterations", 1000)
    settings.PASSWORD_HASHERS = [HASHER, "django.contrib.auth.hashers.MD5PasswordHasher"]


@contextmanager
def all_slots_taken() -> Iterator[None]:
    with ExitStack() as stack:
        for _ in range(MAX_HASHES + MAX_WAITING):
            stack.enter_context(passwords._running_or_waiting)
        yield


def test_a_password_stored_by_djangos_hasher_stays_valid(settings: Any) -> None:
    stored = PBKDF2PasswordHasher().encode("richtig", "salz", 1000)
    settings.PASSWORD_HASHERS = [HASHER]
    assert check_password("richtig", stored)
    assert not check_password("falsch", stored)


def test_of_many_at_once_some_are_hashed_and_the_others_refused() -> None:
    crowd = 5 * (MAX_HASHES + MAX_WAITING)
    together = Barrier(crowd)

    def hash_one(number: int) -> bool:
        together.wait()
        try:
            return bool(Hasher().encode(f"{number}", "salz", 200_000))
        except TooManyPasswords:
            return False

    with ThreadPoolExecutor(crowd) as pool:
        done = list(pool.map(hash_one, range(crowd)))
    assert MAX_HASHES <= sum(done) < crowd
    assert Hasher().encode("danach", "salz", 1000)


def test_all_processes_of_a_machine_share_the_slots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords, "MAX_WAIT", 0.1)
    with ExitStack() as other_process:
        assert all(other_process.enter_context(acquire_slot("hashing", MAX_HASHES)) for _ in range(MAX_HASHES))
        with pytest.raises(TooManyPasswords):
            Hasher().encode("jetzt", "salz", 1000)
    assert Hasher().encode("danach", "salz", 1000)


def assert_busy(response: HttpResponse) -> str:
    assert (response.status_code, response.headers["Retry-After"]) == (503, "2")
    page: str = response.content.decode()
    assert "Gerade melden sich zu viele auf einmal an" in page
    return page


NEW = "grüner kaktus tanzt nachts"
TWICE = {"new_password1": NEW, "new_password2": NEW}


def test_every_form_with_a_password_is_answered_busy_and_keeps_the_input(cast: Cast, real_hasher: None) -> None:
    """Known and unknown logins get the same answer; no answer contains a password."""
    back = "/c/karo/people/"
    link, reset = make_join_link(cast.club, cast.admin), build_reset_path(cast.stranger)
    for user, opened, address, typed, shown, status in (
        (None, "", "/login/", {"username": "rita", "password": PASSWORD, "next": back}, "rita", 302),
        (None, "", "/login/", {"username": "niemand", "password": PASSWORD, "next": back}, "niemand", 422),
        (cast.treasurer, "", "/password/", {"old_password": PASSWORD, **TWICE}, "", 302),
        (cast.admin, "", "/c/karo/rights/new/", {"login": "neu", "scorer": "on"}, "neu", 201),
        (None, reset, "", TWICE, "", 302),
        (None, f"/j/{link.token}/open/", "", {"login": "neuer", **TWICE, "person": "none"}, "neuer", 302),
        (cast.scorer, "", "/login/mail/", {"email": "rita@example.org", "password": PASSWORD}, "rita@example.org", 302),
    ):
        client = Client()
        if user:
            client.force_login(user)
        address = address or client.get(opened).headers["Location"]
        with all_slots_taken():
            page = assert_busy(client.post(address, typed))
        assert PASSWORD not in page and NEW not in page
        assert not shown or f'value="{shown}"' in page
        assert f'name="next" value="{back}"' in page or "next" not in typed
        assert client.post(address, typed).status_code == status, address
        if address == "/password/":
            assert client.get("/c/karo/").status_code == 200


@pytest.fixture
def vera(db: None) -> User:
    club = make_club("Karo Eins e.V.")
    make_player(club, "Änne Özdemir")
    return make_user("vera", club)


@pytest.mark.parametrize(
    "weak",
    [
        "Doppelkopf2024", "KaroEins12", "vera1234567", "vera!2839471650", "2839471650karo-eins-e.v.", "ÄNNE99887766",
        "Özdemir 1955!", "Passwort2024!", "Kreuz-Dame-12", "Aenne-Oezdemir-7", "Doppelkopfrunde1", "DokoRunde2026",
        "Sommer2026!!", "Weihnachten2025", "ich liebe dich", "1234567890", "qwertzuiop", "aaaaaaaaaaaaaaa",
        "schokolade", "zu kurz", "\n" * 12,
    ],
)  # fmt: skip
def test_a_password_that_is_easy_to_guess_is_refused(vera: User, weak: str) -> None:
    with pytest.raises(ValidationError):
        validate_password(weak, vera)


@pytest.mark.parametrize(
    "strong",
    [
        "grüner kaktus tanzt nachts", "sonne mond tisch regen", "der Postbote mag Kartoffeln",
        "hund katze maus " * 50, "7263859104726381", PASSWORD,
    ],
)  # fmt: skip
def test_a_long_password_is_accepted(vera: User, strong: str) -> None:
    validate_password(strong, vera)


def test_the_first_passwords_we_make_are_accepted(vera: User) -> None:
    club = make_club("Pik Dame")
    for number in range(5):
        member, password = add_new_login(club=club, actor=Actor(), login=f"neu-{number}", roles=[])
        validate_password(password, member.user)


def test_the_longest_password_can_be_rated(vera: User) -> None:
    """zxcvbn refuses more than 72 characters, and tries all readings of signs that stand for letters."""
    assert MAX_RATED_LENGTH < 72
    validate_password("4@8({[<369!1|7$5+0%2xs" * (MAX_PASSWORD // 22), vera)


def test_a_login_that_is_not_stored_yet_is_validated(db: None) -> None:
    validate_password("grüner kaktus tanzt nachts", User(username="neu"))
    validate_password("grüner kaktus tanzt nachts")
