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
from tests.factories import PASSWORD, Cast, make_club, make_player, make_user
from tests.keys import make_join_link

HASHER = "scoring.accounts.passwords.Hasher"


@pytest.fixture
def real_hasher(settings: Any) -> None:
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
            return bool(Hasher().encode(f"{number}", "salz"))
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


@pytest.mark.parametrize("name", ["rita", "niemand"])
def test_a_login_is_answered_busy_for_known_and_unknown_names(
    client: Client, cast: Cast, real_hasher: None, name: str
) -> None:
    typed = {"username": name, "password": PASSWORD, "next": "/c/karo/people/"}
    with all_slots_taken():
        page = assert_busy(client.post("/login/", typed))
    assert f'value="{name}"' in page
    assert 'name="next" value="/c/karo/people/"' in page
    assert PASSWORD not in page
    assert client.post("/login/", typed).status_code == (302 if name == "rita" else 422)


def test_changing_the_password_is_answered_busy(client: Client, cast: Cast, real_hasher: None) -> None:
    client.force_login(cast.reader)
    new = "grüner kaktus tanzt nachts"
    typed = {"old_password": PASSWORD, "new_password1": new, "new_password2": new}
    with all_slots_taken():
        assert new not in assert_busy(client.post("/password/", typed))
    assert client.post("/password/", typed).status_code == 302
    assert client.get("/c/karo/").status_code == 200


def test_a_new_login_is_answered_busy_and_keeps_the_input(client: Client, cast: Cast, real_hasher: None) -> None:
    client.force_login(cast.admin)
    typed = {"login": "neu", "scorer": "on"}
    with all_slots_taken():
        assert 'value="neu"' in assert_busy(client.post("/c/karo/rights/new/", typed))
    assert client.post("/c/karo/rights/new/", typed).status_code == 201


def test_a_password_by_a_link_is_answered_busy(client: Client, cast: Cast, real_hasher: None) -> None:
    new = "grüner kaktus tanzt nachts"
    typed = {"new_password1": new, "new_password2": new}
    clean = client.get(build_reset_path(cast.reader)).headers["Location"]
    with all_slots_taken():
        assert new not in assert_busy(client.post(clean, typed))
    assert client.post(clean, typed).status_code == 302


def test_joining_is_answered_busy_and_keeps_the_input(client: Client, cast: Cast, real_hasher: None) -> None:
    link, new = make_join_link(cast.club, cast.admin), "grüner kaktus tanzt nachts"
    client.get(f"/j/{link.token}/open/")
    typed = {"login": "neu", "new_password1": new, "new_password2": new, "person": "none"}
    with all_slots_taken():
        page = assert_busy(client.post("/j/", typed))
    assert 'value="neu"' in page
    assert new not in page
    assert client.post("/j/", typed).status_code == 302


def test_changing_the_mail_address_is_answered_busy(client: Client, cast: Cast, real_hasher: None) -> None:
    client.force_login(cast.reader)
    typed = {"email": "rita@example.org", "password": PASSWORD}
    with all_slots_taken():
        assert 'value="rita@example.org"' in assert_busy(client.post("/login/mail/", typed))
    assert client.post("/login/mail/", typed).status_code == 302


@pytest.fixture
def vera(db: None) -> User:
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
def test_a_password_that_is_easy_to_guess_is_refused(vera: User, weak: str) -> None:
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
def test_a_long_password_is_accepted(vera: User, strong: str) -> None:
    validate_password(strong, vera)


def test_the_first_passwords_we_make_are_accepted(vera: User) -> None:
    club = make_club("Pik Dame")
    for number in range(20):
        member, password = add_new_login(club=club, actor=Actor(), login=f"neu-{number}", roles=[])
        validate_password(password, member.user)


def test_the_longest_password_can_be_rated(vera: User) -> None:
    """zxcvbn refuses more than 72 characters, and tries all readings of signs that stand for letters."""
    assert MAX_RATED_LENGTH < 72
    validate_password("4@8({[<369!1|7$5+0%2xs" * (MAX_PASSWORD // 22), vera)


def test_a_login_that_is_not_stored_yet_is_validated(db: None) -> None:
    validate_password("grüner kaktus tanzt nachts", User(username="neu"))
    validate_password("grüner kaktus tanzt nachts")
