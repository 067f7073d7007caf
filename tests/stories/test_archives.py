"""A club moves to another server on a phone: the archive is uploaded, looked at, becomes a club, and goes again."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.archive.queries import build_archive
from scoring.models import Club, Game
from tests.browser.fit import misfits
from tests.browser_page import log_in
from tests.factories import make_club, make_user

pytestmark = pytest.mark.django_db(transaction=True)

FIXTURES = Path(__file__).parents[2] / "fixtures"
ARCHIVE, REAL = FIXTURES / "archive.json", FIXTURES / "real/ewige_liste.csv"


def test_a_club_comes_along_and_goes_again(page: Page, live_server: LiveServer) -> None:
    admin = make_user("anna", make_club("Herz Zwei", slug="herz"), ["admin"])
    log_in(page.context, live_server.url, admin)
    page.goto(f"{live_server.url}/c/herz/more/")
    page.get_by_role("link", name="Alte Datei mitbringen").click()
    # A list is looked at in the same way.
    page.get_by_label("Datei").set_input_files(REAL)
    page.get_by_role("button", name="Datei ansehen").click()
    expect(page.get_by_text("90 Abende vom 20.03.2022 bis 03.11.2024")).to_be_visible()
    page.go_back()
    page.get_by_role("link", name="Archiv einlesen").click()
    page.get_by_label("Archiv").set_input_files(ARCHIVE)
    page.get_by_role("button", name="Datei ansehen").click()

    expect(page.get_by_role("heading", name="Karo Eins")).to_be_visible()
    expect(page.get_by_text("Verwalten wird ihn anna")).to_be_visible()
    assert misfits(page) == []
    assert Club.objects.count() == 1
    page.get_by_role("button", name="Als eigenen Club einlesen").click()

    expect(page.get_by_text("Karo Eins ist eingelesen.")).to_be_visible()
    assert misfits(page) == []
    assert build_archive(Club.objects.get(slug="karo")) == ARCHIVE.read_bytes()
    page.get_by_role("navigation").get_by_role("link", name="Liste").click()
    expect(page.get_by_role("row", name="Özlem")).to_be_visible()
    page.go_back()
    page.get_by_role("button", name="Zurücknehmen").click()
    expect(page.get_by_text("Der Club Karo Eins ist nicht mehr hier.")).to_be_visible()
    assert Club.objects.get().slug == "herz"
    assert not Game.objects.exists()
