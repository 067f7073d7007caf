"""The preview of a cash book on a phone: totals follow each choice, by keyboard, and without a script after the button."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.models import Entry
from tests.browser.fit import faults_of
from tests.browser_page import another_page, log_in
from tests.factories import make_club, make_user
from tests.imports.examples import ROOT, waiting_kasse

pytestmark = pytest.mark.django_db(transaction=True)

BOOK = (ROOT / "fixtures/strangers/kassenbuch_einnahmen_ausgaben_bestand.csv").read_text()


def open_preview(page: Page, live_server: LiveServer) -> None:
    club = make_club(slug="karo")
    user = make_user("thea", club, ["treasurer"])
    log_in(page.context, live_server.url, user)
    page.goto(f"{live_server.url}/c/karo/cash/old/{waiting_kasse(club, user, BOOK).pk}/")


def test_a_cash_book_is_looked_at_changed_and_booked_on_a_phone(page: Page, live_server: LiveServer) -> None:
    open_preview(page, live_server)
    assert [*faults_of(page)] == []
    totals = page.get_by_role("table", name="Zeilen vom")
    expect(totals.get_by_role("row", name="in die Kasse 20,50")).to_be_visible()
    expect(page.get_by_role("button", name="Buchen")).to_have_count(0)
    page.get_by_label("Vor der ersten Zeile waren 100,00").select_option("Ja, als Anfangsbestand buchen")
    expect(totals.get_by_role("row", name="In der Kasse macht das 110,51")).to_be_visible()
    column = page.get_by_role("combobox", name="Ausgaben")
    column.focus()
    page.keyboard.press("ArrowUp")
    expect(column).to_have_value("in")
    expect(page.get_by_text("Zeile 3: Der Bestand ist 102,51")).to_be_visible()
    expect(page.get_by_role("combobox", name="Ausgaben")).to_be_focused()
    assert [*faults_of(page)] == []
    page.get_by_role("button", name="Letzte Wahl zurücknehmen").click()
    expect(page.get_by_role("combobox", name="Ausgaben")).to_have_value("out")
    page.get_by_role("checkbox", name="Zeile 4 auslassen").check()
    expect(page.get_by_role("row", name="in die Kasse 12,50")).to_be_visible()
    page.get_by_role("button", name="Letzte Wahl zurücknehmen").click()
    expect(totals.get_by_role("row", name="in die Kasse 20,50")).to_be_visible()
    page.get_by_role("button", name="Buchen").click()
    expect(page.get_by_text("Die alte Kasse ist gebucht.")).to_be_visible()
    assert [*Entry.objects.order_by("pk").values_list("kind", "reason")] == [
        ("opening", ""), ("income", "Abend"), ("expense", "Karten"), ("income", "Abend"),
    ]  # fmt: skip


def test_without_a_script_a_button_shows_and_another_takes_back(browser: Browser, live_server: LiveServer) -> None:
    page = browser.new_context(java_script_enabled=False, locale="de-DE").new_page()
    open_preview(page, live_server)
    page.get_by_role("combobox", name="Bestand").select_option("auslassen")
    with another_page(page):
        page.get_by_role("button", name="Geändertes ansehen").click()
    expect(page.get_by_label("Vor der ersten Zeile waren 100,00")).to_have_count(0)
    expect(page.get_by_role("button", name="Buchen")).to_be_visible()
    with another_page(page):
        page.get_by_role("button", name="Letzte Wahl zurücknehmen").click()
    expect(page.get_by_label("Vor der ersten Zeile waren 100,00")).to_be_visible()
    page.context.close()
