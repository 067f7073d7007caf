"""Passwords cannot be guessed by trying: five wrong ones lock a name, where they came from and nowhere else."""

import pytest
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView
from django.http import HttpResponse
from django.test import Client
from django.urls import path

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
    assert "Zu viele Versuche" in log_in("richtig und lang").content.decode()
    assert log_in("richtig und lang", address=HOME).status_code == 302
    assert log_in("richtig und lang", name="bo").status_code == 302


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


def test_a_session_can_be_made_by_the_tests() -> None:
    client = Client()
    client.force_login(User.objects.get(username="anna"))
    assert client.session["_auth_user_id"]
