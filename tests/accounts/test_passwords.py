"""Few passwords are hashed at once: some wait, the others hear when to come again, with what they typed."""

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

from scoring.accounts import passwords as hashing
from scoring.accounts.actions import reset_path
from scoring.accounts.passwords import AT_ONCE, JUDGED, LONGEST, WAITING, Hasher
from scoring.club.actions.history import Actor
from scoring.club.actions.people import add_new_login
from scoring.club.errors import TooManyPasswords
from scoring.core.limits import acquire_slot
from tests.factories import PASSWORD, Cast, make_club, make_player, make_user
from tests.keys import make_join_link

OURS = "scoring.accounts.passwords.Hasher"


@pytest.fixture
def really_hashed(settings: Any) -> None:
    settings.PASSWORD_HASHERS = [OURS, "django.contrib.auth.hashers.MD5PasswordHasher"]


@contextmanager
def all_busy() -> Iterator[None]:
    """As many passwords are being hashed as are let in."""
    with ExitStack() as held:
        for _ in range(AT_ONCE + WAITING):
            held.enter_context(hashing._let_in)
        yield


def test_a_password_that_was_stored_before_still_counts(settings: Any) -> None:
    stored = PBKDF2PasswordHasher().encode("richtig", "salz", 1000)
    settings.PASSWORD_HASHERS = [OURS]
    assert check_password("richtig", stored)
    assert not check_password("falsch", stored)


def test_no_more_are_hashed_at_once_and_none_waits_for_ever() -> None:
    crowd = 5 * (AT_ONCE + WAITING)
    together = Barrier(crowd)

    def one(number: int) -> bool:
        together.wait()
        try:
            return bool(Hasher().encode(f"{number}", "salz"))
        except TooManyPasswords:
            return False

    with ThreadPoolExecutor(crowd) as pool:
        done = list(pool.map(one, range(crowd)))
    assert AT_ONCE <= sum(done) < crowd
    assert Hasher().encode("danach", "salz", 1000)


def test_all_processes_of_a_machine_share_the_places(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hashing, "PATIENCE", 0.1)
    with ExitStack() as elsewhere:
        assert all(elsewhere.enter_context(acquire_slot("hashing", AT_ONCE)) for _ in range(AT_ONCE))
        with pytest.raises(TooManyPasswords):
            Hasher().encode("jetzt", "salz", 1000)
    assert Hasher().encode("danach", "salz", 1000)


def refused(response: HttpResponse) -> str:
    assert (response.status_code, response.headers["Retry-After"]) == (503, "2")
    page: str = response.content.decode()
    assert "Gerade melden sich zu viele auf einmal an" in page
    return page


@pytest.mark.parametrize("name", ["rita", "niemand"])
def test_a_login_has_to_wait_whether_the_name_is_known_or_not(
    client: Client, cast: Cast, really_hashed: None, name: str
) -> None:
    typed = {"username": name, "password": PASSWORD, "next": "/c/karo/people/"}
    with all_busy():
        page = refused(client.post("/login/", typed))
    assert f'value="{name}"' in page
    assert 'name="next" value="/c/karo/people/"' in page
    assert PASSWORD not in page
    assert client.post("/login/", typed).status_code == (302 if name == "rita" else 422)


def test_a_new_password_has_to_wait(client: Client, cast: Cast, really_hashed: None) -> None:
    client.force_login(cast.reader)
    new = "grüner kaktus tanzt nachts"
    typed = {"old_password": PASSWORD, "new_password1": new, "new_password2": new}
    with all_busy():
        assert new not in refused(client.post("/password/", typed))
    assert client.post("/password/", typed).status_code == 302
    assert client.get("/c/karo/").status_code == 200


def test_a_new_login_has_to_wait_and_what_was_typed_stays(client: Client, cast: Cast, really_hashed: None) -> None:
    client.force_login(cast.admin)
    typed = {"login": "neu", "scorer": "on"}
    with all_busy():
        assert 'value="neu"' in refused(client.post("/c/karo/rights/new/", typed))
    assert client.post("/c/karo/rights/new/", typed).status_code == 201


def test_a_password_by_a_link_has_to_wait(client: Client, cast: Cast, really_hashed: None) -> None:
    new = "grüner kaktus tanzt nachts"
    typed = {"new_password1": new, "new_password2": new}
    clean = client.get(reset_path(cast.reader)).headers["Location"]
    with all_busy():
        assert new not in refused(client.post(clean, typed))
    assert client.post(clean, typed).status_code == 302


def test_whoever_joins_has_to_wait_and_what_was_typed_stays(client: Client, cast: Cast, really_hashed: None) -> None:
    link, new = make_join_link(cast.club, cast.admin), "grüner kaktus tanzt nachts"
    client.get(f"/j/{link.token}/open/")
    typed = {"login": "neu", "new_password1": new, "new_password2": new, "person": "none"}
    with all_busy():
        page = refused(client.post("/j/", typed))
    assert 'value="neu"' in page
    assert new not in page
    assert client.post("/j/", typed).status_code == 302


def test_another_address_of_mail_has_to_wait(client: Client, cast: Cast, really_hashed: None) -> None:
    client.force_login(cast.reader)
    typed = {"email": "rita@example.org", "password": PASSWORD}
    with all_busy():
        assert 'value="rita@example.org"' in refused(client.post("/login/mail/", typed))
    assert client.post("/login/mail/", typed).status_code == 302


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
