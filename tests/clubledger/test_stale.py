"""A form whose token was too old comes back as it was typed; one of another site does not."""

from __future__ import annotations

import re
from html import unescape

import pytest
from axes.models import AccessAttempt
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.models import Player
from tests.browser_page import log_in
from tests.factories import PASSWORD, Cast
from tests.html import assert_strict

OWN = {"Sec-Fetch-Site": "same-origin"}


def typed_again(html: str) -> dict[str, str]:
    found = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', html)
    return {name: unescape(value) for name, value in found if name != "csrfmiddlewaretoken"}


@pytest.mark.parametrize("headers", [OWN, {"Origin": "http://testserver"}], ids=["named site", "origin alone"])
def test_what_was_typed_comes_back(cast: Cast, headers: dict[str, str]) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(cast.admin)
    typed = {"name": '"Änne" & <Co>', "notes": "zwei\nZeilen", "csrfmiddlewaretoken": "x" * 32}
    answer = client.post(f"{reverse('player_new', args=['karo'])}?page=2", typed, headers=headers)
    html = answer.content.decode()
    assert answer.status_code == 403
    assert typed_again(html) == {"name": '"Änne" & <Co>', "notes": "zwei\nZeilen"}
    assert 'action="/c/karo/people/new/?page=2"' in html


def test_a_password_and_a_file_are_asked_for_again(db: None) -> None:
    file = SimpleUploadedFile("liste.csv", b"Datum;Anna")
    typed = {"username": "anna", "password": PASSWORD, "file": file}
    html = Client(enforce_csrf_checks=True).post(reverse("login"), typed, headers=OWN).content.decode()
    assert PASSWORD not in html
    assert typed_again(html) == {"username": "anna"}
    assert '<input class="form-control" type="password" id="again-password" name="password" required>' in html
    assert '<input class="form-control" type="file" id="again-file" name="file" required>' in html


@pytest.mark.parametrize(
    "headers",
    [{}, {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site", "Origin": "http://testserver"}, {"Origin": "http://evil.test"}],
)
def test_a_form_of_another_site_does_not_come_back(db: None, headers: dict[str, str]) -> None:
    answer = Client(enforce_csrf_checks=True).post(reverse("login"), {"username": "anna"}, headers=headers)
    assert answer.status_code == 403
    assert "anna" not in answer.content.decode()


def test_one_tap_sends_it_again(page: Page, live_server: LiveServer, cast: Cast, page_complaints: list[str]) -> None:
    log_in(page.context, live_server.url, cast.admin)
    page.goto(f"{live_server.url}{reverse('player_new', args=['karo'])}")
    page.locator("[name=name]").first.fill("Wilhelmine")
    # Another window has logged in since.
    page.context.clear_cookies(name="csrftoken")
    page.locator("form:has([name=name])").first.evaluate("form => form.requestSubmit()")
    expect(page.get_by_role("heading", name="Die Seite war zu alt")).to_be_visible()
    assert not Player.objects.filter(name="Wilhelmine").exists()
    assert "403" in page_complaints.pop()
    page.get_by_role("button", name="Noch einmal senden").click()
    expect(page.get_by_text("Wilhelmine").first).to_be_visible()
    assert Player.objects.filter(name="Wilhelmine").count() == 1


@pytest.mark.parametrize("path", ["/login/", "/password/", "/login/mail/"])
def test_a_form_of_another_site_is_refused_before_its_password_is_looked_at(
    cast: Cast, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where its CSRF token is good."""
    client = Client(enforce_csrf_checks=True, headers={"origin": "http://evil.test"})
    client.get("/login/")
    typed = {"username": "rita", "password": PASSWORD, "csrfmiddlewaretoken": client.cookies["csrftoken"].value}
    monkeypatch.setattr("django.contrib.auth.authenticate", None)
    answers = [client.post(path, typed) for _ in range(6)]
    assert {answer.status_code for answer in answers} == {403}
    assert_strict(answers[0])
    assert not AccessAttempt.objects.exists()
    monkeypatch.undo()
    assert client.post("/login/", typed, headers={"origin": "http://testserver"}).status_code == 302
