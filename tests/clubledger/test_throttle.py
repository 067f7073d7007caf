"""Passwords cannot be guessed by trying: five wrong ones lock a name and thirty an address, where they came from and nowhere
else. What is kept of them is small, whatever was sent."""

import datetime

import pytest
from axes.models import AccessAttempt
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView
from django.core.management import call_command
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import path
from django.utils import timezone

from clubledger.web.throttle import MAX_FAILURES_PER_ADDRESS, counted_address
from tests import fake_clock

urlpatterns = [path("login", LoginView.as_view(template_name="error_base.html"), name="login")]
pytestmark = [pytest.mark.django_db, pytest.mark.urls(__name__)]

PUB, HOME = "203.0.113.5", "198.51.100.9"


def log_in(password: str, *, name: str = "anna", address: str = PUB, forwarded: str = "") -> HttpResponse:
    headers = {"x-forwarded-for": forwarded} if forwarded else {}
    client = Client(REMOTE_ADDR=address, headers=headers)
    response: HttpResponse = client.post("/login", {"username": name, "password": password})
    return response


@pytest.fixture(autouse=True)
def members() -> None:
    for name in ("anna", "bo"):
        User.objects.create_user(name, password="richtig und lang")


def test_five_wrong_passwords_lock_the_name_at_this_address_only() -> None:
    assert [log_in(f"falsch {n}").status_code for n in range(5)] == [200, 200, 200, 200, 429]
    assert log_in("richtig und lang").status_code == 429
    said = log_in("richtig und lang")
    assert "Unter diesem Namen wurde es zu oft versucht. Bitte in 15 Minuten" in said.content.decode()
    assert said.headers["Retry-After"] == "900"
    assert log_in("richtig und lang", address=HOME).status_code == 302
    assert log_in("richtig und lang", name="bo").status_code == 302


def test_the_commands_of_the_recipe_lift_locks() -> None:
    for command in (["axes_reset"], ["axes_reset_ip", PUB]):
        assert [log_in(f"falsch {n}").status_code for n in range(5)][-1] == 429
        call_command(*command)
        assert log_in("richtig und lang").status_code == 302


def test_no_lock_is_counted_from_the_future(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a clock that was ahead for a while, five may be wrong again."""
    real = timezone.now()
    fake_clock.begin(monkeypatch, (real + datetime.timedelta(days=3000)).date())
    assert [log_in(f"falsch {n}").status_code for n in range(5)] == [200, 200, 200, 200, 429]
    fake_clock.begin(monkeypatch, real.date(), f"{real:%H:%M:%S}+00:00")
    assert log_in("richtig und lang").status_code == 302

    fake_clock.begin(monkeypatch, (real + datetime.timedelta(days=3000)).date())
    assert [log_in(f"falsch {n}").status_code for n in range(5)] == [200, 200, 200, 200, 429]
    fake_clock.begin(monkeypatch, real.date(), f"{real:%H:%M:%S}+00:00")
    assert [log_in(f"falsch {n}").status_code for n in range(5)] == [200, 200, 200, 200, 429]


def test_failures_of_a_clock_that_differs_by_seconds_count() -> None:
    for n in range(4):
        log_in(f"falsch {n}")
    AccessAttempt.objects.update(attempt_time=timezone.now() + datetime.timedelta(seconds=30))
    assert log_in("falsch").status_code == 429


def test_a_right_password_clears_the_count() -> None:
    for _ in range(2):
        assert [log_in(f"falsch {n}").status_code for n in range(4)] == [200] * 4
        assert log_in("richtig und lang").status_code == 302


def test_another_address_in_a_header_does_not_help_to_guess_on(settings: object) -> None:
    for n in range(5):
        log_in(f"falsch {n}", forwarded=f"192.0.2.{n}")
    assert log_in("richtig und lang", forwarded="192.0.2.99").status_code == 429

    settings.TRUSTED_PROXIES = 1
    for n in range(5):
        log_in(f"falsch {n}", name="bo", address="127.0.0.1", forwarded=f"192.0.2.{n}, {PUB}")
    assert log_in("richtig und lang", name="bo", address="127.0.0.1", forwarded=f"192.0.2.99, {PUB}").status_code == 429
    assert log_in("richtig und lang", name="bo", address="127.0.0.1", forwarded=HOME).status_code == 302


def test_thirty_wrong_passwords_lock_an_address_whatever_the_names() -> None:
    wrong = [log_in("falsch", name=f"jemand {n}") for n in range(MAX_FAILURES_PER_ADDRESS)]
    assert [answer.status_code for answer in wrong] == [200] * (MAX_FAILURES_PER_ADDRESS - 1) + [429]
    said = log_in("richtig und lang")
    assert said.status_code == 429
    assert "Von diesem Internetanschluss kamen zu viele falsche Passwörter. Bitte in 15 Minuten" in said.content.decode()
    assert log_in("richtig und lang", address=HOME).status_code == 302


def test_a_login_of_ones_own_does_not_help_to_guess_others() -> None:
    for n in range(MAX_FAILURES_PER_ADDRESS - 1):
        log_in("falsch", name=f"jemand {n}")
    assert log_in("richtig und lang", name="bo").status_code == 302
    assert log_in("falsch", name="noch jemand").status_code == 429


def test_all_addresses_of_a_home_with_ipv6_are_one() -> None:
    for n in range(5):
        log_in(f"falsch {n}", address=f"2001:db8:0:7:{n}::1")
    assert log_in("richtig und lang", address="2001:db8:0:7:ffff::9").status_code == 429
    assert log_in("richtig und lang", address="2001:db8:0:8::1").status_code == 302


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("203.0.113.5", "203.0.113.5"),
        ("::ffff:203.0.113.5", "203.0.113.5"),
        ("2001:db8:0:7:1:2:3:4", "2001:db8:0:7::"),
        ("fe80::1%eth0", "fe80::"),
        ("::1", "::"),
        ("", "0.0.0.0"),
        ("unknown", "0.0.0.0"),
    ],
)
def test_from_where_guesses_are_counted(address: str, counted: str) -> None:
    assert counted_address(RequestFactory().get("/", REMOTE_ADDR=address)) == counted


def test_what_a_proxy_says_that_is_no_address_locks_all_of_them(settings: object) -> None:
    settings.TRUSTED_PROXIES = 1
    answers = [log_in("falsch", forwarded="x" * 5000).status_code for _ in range(5)]
    assert answers == [200, 200, 200, 200, 429]


def test_what_is_kept_of_a_failure_is_small_whatever_was_sent() -> None:
    big = "x" * 100_000
    client = Client(REMOTE_ADDR=PUB, headers={"user-agent": big, "accept": big})
    for _ in range(4):
        client.post(f"/login?next={big}", {"username": big, "password": big, "other": big})
    (kept,) = AccessAttempt.objects.values()
    assert sum(len(str(value)) for value in kept.values()) < 12_000


def test_nothing_that_was_typed_as_a_name_is_kept_as_it_was() -> None:
    log_in("falsch", name="mein Passwort im falschen Feld")
    assert "falschen Feld" not in str(AccessAttempt.objects.values())
