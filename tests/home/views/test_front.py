"""What strangers see at /: what this is and where to go on, or the only club where it shows itself."""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.test import Client

from scoring.models import Club
from tests.factories import Cast, make_club
from tests.pages import flat

pytestmark = pytest.mark.django_db


def ways() -> list[str]:
    """Where the front page leads, in its order."""
    html = flat(Client().get("/")).partition('<div class="two-buttons">')[2].partition("</section>")[0]
    return re.findall(r'(?:href|action)="([^"]+)"', html)


def test_a_stranger_reads_what_this_is_in_either_language() -> None:
    for language, said, button in (
        ("de", "Doppelkopf am Tisch aufschreiben", "Anmelden"),
        ("en", "Keep score of Doppelkopf at the table", "Log in"),
    ):
        page = Client().get("/", headers={"accept-language": language})
        html = flat(page)
        assert page.status_code == 200
        assert f"<h1>{said}" in html
        assert f'href="/login/">{button}</a>' in html
        assert re.search(rf'<source srcset="/static/scoring/help/table-{language}-dark\.\w+\.webp"', html)
        assert html.count("<li>") == 3
        assert not page.cookies.keys() - {"csrftoken"}


def test_the_buttons_are_those_that_the_owner_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "DEMO", False)
    assert ways() == ["/login/"]
    monkeypatch.setattr(settings, "FOUNDING", "open")
    assert ways() == ["/found/", "/login/"]
    monkeypatch.setattr(settings, "DEMO", True)
    assert ways() == ["/demo/", "/found/", "/login/"]
    monkeypatch.setattr(settings, "FRONT_LOGIN", False)
    assert ways() == ["/demo/", "/found/"]


def test_an_owner_can_do_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "FRONT_PAGE", False)
    assert Client().get("/").headers["Location"] == "/login/?next=/"


def test_the_installed_app_leads_to_the_login(cast: Cast) -> None:
    client = Client()
    start = client.get("/manifest.webmanifest").json()["start_url"]
    assert client.get(start).headers["Location"] == "/login/?next=/%3Fapp%3D1"
    client.force_login(cast.reader)
    assert client.get(start).headers["Location"] == "/c/karo/"


def test_the_only_club_is_shown_there_where_it_shows_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    def is_shown() -> bool:
        page = Client().get("/")
        assert page.status_code == 200
        return "Karo Eins" in flat(page)

    monkeypatch.setattr(settings, "DEMO", False)
    make_club(slug="karo")
    assert not is_shown(), "it is private: not even its name"
    Club.objects.update(shows_months=True)
    assert is_shown()
    monkeypatch.setattr(settings, "DEMO", True)
    assert not is_shown()
    monkeypatch.setattr(settings, "DEMO", False)
    make_club("Pik Dame", shows_list=True)
    assert not is_shown(), "one of two"
