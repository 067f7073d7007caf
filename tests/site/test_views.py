"""The front page, the start page of a club, and the files that make the site an app."""

from __future__ import annotations

import datetime
import json
import re
import struct

import pytest
from django.conf import settings
from django.test import Client

from scoring.club.actions import Actor
from scoring.evenings.actions import close_evening
from scoring.models import Club, Evening
from tests import fake_clock
from tests.client import visit
from tests.factories import Cast, make_club, make_player, make_table, make_user
from tests.html import flat

pytestmark = pytest.mark.django_db


def ways() -> list[str]:
    """Return the addresses of the buttons of the front page."""
    html = flat(Client().get("/")).partition('<div class="two-buttons">')[2].partition("</section>")[0]
    return re.findall(r'(?:href|action)="([^"]+)"', html)


def test_the_front_page_is_in_the_language_of_the_visitor() -> None:
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


def test_the_buttons_follow_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "DEMO", False)
    assert ways() == ["/login/"]
    monkeypatch.setattr(settings, "FOUNDING", "open")
    assert ways() == ["/found/", "/login/"]
    monkeypatch.setattr(settings, "DEMO", True)
    assert ways() == ["/demo/", "/found/", "/login/"]
    monkeypatch.setattr(settings, "FRONT_LOGIN", False)
    assert ways() == ["/demo/", "/found/"]


def test_the_front_page_can_be_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "FRONT_PAGE", False)
    assert Client().get("/").headers["Location"] == "/login/?next=/"


def test_the_installed_app_leads_to_the_login(cast: Cast) -> None:
    client = Client()
    start = client.get("/manifest.webmanifest").json()["start_url"]
    assert client.get(start).headers["Location"] == "/login/?next=/%3Fapp%3D1"
    client.force_login(cast.reader)
    assert client.get(start).headers["Location"] == "/c/karo/"


def test_the_only_club_is_the_front_page_if_it_shows_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    def is_shown() -> bool:
        page = Client().get("/")
        assert page.status_code == 200
        return "Karo Eins" in flat(page)

    monkeypatch.setattr(settings, "DEMO", False)
    make_club(slug="karo")
    assert not is_shown(), "it is private: not even its name"
    Club.objects.update(shows_months=True)
    assert is_shown()
    for setting, value in (("DEMO", True), ("FOUNDING", "open")):
        with monkeypatch.context() as other:
            other.setattr(settings, setting, value)
            assert not is_shown(), "strangers have to find the demo, or how to found a club"
    make_club("Pik Dame", shows_list=True)
    assert not is_shown(), "one of two"


def test_an_open_evening_shows_another_year_and_its_age_from_two_days(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_clock.begin(monkeypatch, "2026-03-06")
    for held_on, says in (
        ("2026-03-06", "Läuft gerade Freitag, 6. März Spiel"),
        ("2026-03-05", "Läuft gerade Donnerstag, 5. März Spiel"),
        ("2026-03-04", "Läuft seit 2 Tagen Mittwoch, 4. März Spiel"),
        ("2025-12-31", "Läuft seit 65 Tagen Mittwoch, 31. Dezember 2025 Spiel"),
    ):
        Evening.objects.filter(club=cast.other_club).update(held_on=held_on)
        page = flat(visit(cast.stranger).get(f"/c/{cast.other_club.slug}/"))
        (hero,) = re.findall(r'<section class="hero".*?Spiel', page)
        assert " ".join(re.sub(r"<[^>]+>", " ", hero).split()) == says


def test_an_open_evening_is_not_repeated_among_the_last_evenings(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_clock.begin(monkeypatch, "2026-03-06")
    closed = make_table(cast.other_club, held_on=datetime.date(2026, 2, 20)).evening
    make_table(cast.other_club, held_on=datetime.date(2025, 12, 31))
    close_evening(evening=closed, actor=Actor())
    page = flat(visit(cast.stranger).get(f"/c/{cast.other_club.slug}/"))
    days = re.findall(r"<strong>(\w\w, [^<]*)</strong>", page.partition("Letzte Abende")[2])
    assert days == ["Fr, 20. Februar", "Mi, 31. Dezember 2025"]


def test_a_club_without_an_evening_leads_those_who_may_score_to_the_first(cast: Cast) -> None:
    empty = make_club("Herz Bube", slug="herz")
    make_player(empty, "Zora")
    for roles, leads in ((["scorer"], True), ([], False)):
        page = flat(visit(make_user(f"zora{len(roles)}", empty, roles)).get("/c/herz/"))
        assert ("Der erste Abend" in page, "Noch gab es keinen Abend." in page) == (leads, not leads)
        assert page.count('href="/c/herz/evenings/new/"') == leads
        assert page.count('href="/c/herz/rules/"') == leads and "/c/herz/imports/" not in page
    assert "Der erste Abend" not in flat(visit(cast.scorer).get("/c/karo/"))


def fetched(address: str) -> bytes:
    """Return a static file, as a browser gets it."""
    answer = Client().get(address)
    assert answer.status_code == 200, address
    assert "immutable" in answer.headers["Cache-Control"]
    assert "Permissions-Policy" not in answer.headers, "which is about pages, and each module would carry it"
    return bytes(answer.content)


def measured(png: bytes) -> str:
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", png[16:24])
    return f"{width}x{height}"


@pytest.mark.parametrize("language", ["de", "en"])
def test_the_site_can_be_installed(language: str) -> None:
    page = Client().get("/login/", headers={"accept-language": language}).content.decode()
    address = re.search(r'<link rel="manifest" href="([^"]+)"', page)[1]
    answer = Client().get(address, headers={"accept-language": language})
    assert answer.headers["Content-Type"] == "application/manifest+json"
    manifest = json.loads(answer.content)
    assert manifest["lang"] == language
    assert manifest["name"] == manifest["short_name"] == "Club Ledger"
    assert manifest["description"]
    assert (manifest["start_url"], manifest["scope"], manifest["display"]) == ("/?app=1", "/", "standalone")
    icons = [(icon["sizes"], icon["purpose"]) for icon in manifest["icons"]]
    assert icons == [("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")]
    for icon in manifest["icons"]:
        assert icon["type"] == "image/png"
        assert measured(fetched(icon["src"])) == icon["sizes"]
    assert measured(fetched(re.search(r'<link rel="apple-touch-icon" href="([^"]+)"', page)[1])) == "180x180"
    assert re.findall(r'<meta name="theme-color" content="(#\w{6})" media="\(prefers-color-scheme: (\w+)\)"', page) == [
        (manifest["theme_color"], "light"),
        ("#12402c", "dark"),
    ]


def test_the_worker_is_at_the_root_and_revalidated() -> None:
    answer = Client().get("/sw.js")
    assert answer.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert answer.headers["Cache-Control"] == "no-cache"
    assert "Set-Cookie" not in answer.headers
    assert "default-src 'self'" in answer.headers["Content-Security-Policy"], "which rules what the worker loads"
    script = answer.content.decode()
    site = json.loads(re.search(r"const SITE = (\{.*\});", script)[1])
    assert 'addEventListener("fetch"' in script
    assert [bool(fetched(file)) for file in site["files"]] == [True] * 3
    again = Client().get("/sw.js", headers={"if-none-match": answer.headers["ETag"]})
    assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", answer.headers["ETag"])
    every = {"Cache-Control", "Content-Length", "ETag", "Vary", "X-Content-Type-Options"}
    assert again.headers.keys() == every, "the rest is known"
    assert answer.headers.keys() == every | {"Content-Type", "Content-Security-Policy"}
    assert site["version"]
    assert site["leaving"] == ["/login/", "/logout/", "/j/"]


def test_the_offline_page_has_no_data_of_a_user() -> None:
    answer = Client().get("/offline/")
    assert answer.headers["Content-Language"] == "de"
    assert "Keine Verbindung" in answer.content.decode()
    assert not answer.cookies
    assert "csrf" not in answer.content.decode()


def test_a_page_names_the_id_of_its_user(client: Client) -> None:
    """The phone deletes the kept pages of other users by it."""
    assert 'data-who=""' in client.get("/login/").content.decode()
    user = make_user("anna")
    client.force_login(user)
    assert f'data-who="{user.pk}"' in client.get("/login/").content.decode()
