"""The preview of an old list on a phone: totals follow each choice, by keyboard, and without a script after the button."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.models import Evening
from tests.browser.fit import faults_of
from tests.browser_page import another_page, log_in
from tests.factories import make_club, make_import, make_user
from tests.imports.examples import HEADS, ROWS

pytestmark = pytest.mark.django_db(transaction=True)

APRIL = [[f"{day:02}.04.2023", "3", "-3", "", "", ""] for day in range(1, 21)]
# A row below the names that looks like headings, and a remark.
COLORS = [["", "grün", "blau", "rot", "gelb", "grau", ""], *([*row, "im Garten" * (nth == 1)] for nth, row in enumerate(ROWS))]
ODD = [HEADS, ["06.01.2023", "1", "2", "-4", "0", "0"], *ROWS, *APRIL]


def open_preview(page: Page, live_server: LiveServer, rows: list[list[str]] = ODD) -> None:
    club = make_club(slug="karo")
    user = make_user("anna", club, ["admin"])
    log_in(page.context, live_server.url, user)
    page.goto(f"{live_server.url}/c/karo/imports/{make_import(club, rows, user).pk}/")


def test_totals_follow_each_choice_which_can_be_taken_back(page: Page, live_server: LiveServer) -> None:
    open_preview(page, live_server)
    assert [*faults_of(page)] == []
    totals = page.get_by_role("table", name="Damit kommen alle auf")
    expect(totals.get_by_role("row", name="Anton 76 26")).to_be_visible()
    expect(page.get_by_role("cell", name="… 15 Zeilen …")).to_be_visible()
    expect(page.get_by_text("Zeile 2: Die Zeile ergibt −1 und nicht 0.")).to_be_visible()
    column = page.get_by_role("combobox", name="Emil")
    column.focus()
    page.keyboard.press("ArrowDown")
    expect(totals.get_by_role("row", name="Emil")).to_have_count(0)
    expect(column).to_be_focused()
    page.get_by_role("checkbox", name="Zeile 2 auslassen").check()
    expect(totals.get_by_role("row", name="Anton 75 25")).to_be_visible()
    for row in ("Anton 76 26", "Emil 2 3"):
        page.get_by_role("button", name="Letzte Wahl zurücknehmen").click()
        expect(totals.get_by_role("row", name=row)).to_be_visible()
    expect(page.get_by_role("button", name="Letzte Wahl zurücknehmen")).to_have_count(0)
    page.get_by_role("button", name="Übernehmen").click()
    expect(page.get_by_text("Die Datei ist übernommen.")).to_be_visible()


def test_folded_questions_say_where_the_list_begins(page: Page, live_server: LiveServer) -> None:
    open_preview(page, live_server, [[*HEADS, "Bemerkung"], *COLORS])
    assert [*faults_of(page)] == []
    width = page.locator("#row-3 > th").evaluate("cell => cell.getBoundingClientRect().width")
    assert width <= 72, "the column that stays leaves room for the others"
    totals = page.get_by_role("table", name="Damit kommen alle auf")
    expect(totals.get_by_role("row", name="grün 15 5")).to_be_visible()
    head = page.get_by_role("combobox", name="Wo stehen die Überschriften?")
    expect(head).to_be_hidden()
    page.get_by_text("Mehr Wahlmöglichkeiten").click()
    head.focus()
    page.keyboard.press("ArrowUp")
    expect(totals.get_by_role("row", name="Anton 15 5")).to_be_visible()
    expect(head).to_be_focused()
    begin = page.get_by_role("combobox", name="Wo beginnt die Liste?")
    begin.select_option(label="Zeile 4: 27.01.2023 · -8 · 20 · -12 · im Garten")
    expect(totals.get_by_role("row", name="Anton 3 4")).to_be_visible()
    assert [*faults_of(page)] == []
    page.get_by_role("button", name="Letzte Wahl zurücknehmen").click()
    expect(totals.get_by_role("row", name="Anton 15 5")).to_be_visible()
    expect(page.get_by_role("list", name="Farben").get_by_text("Bemerkung")).to_be_visible()
    page.get_by_role("button", name="Übernehmen").click()
    expect(page.get_by_text("Die Datei ist übernommen.")).to_be_visible()
    assert set(Evening.objects.values_list("note", flat=True)) == {"", "im Garten"}


def test_without_a_script_a_button_shows_and_another_takes_back(browser: Browser, live_server: LiveServer) -> None:
    page = browser.new_context(java_script_enabled=False, locale="de-DE").new_page()
    open_preview(page, live_server)
    page.get_by_role("combobox", name="Emil").select_option("auslassen")
    with another_page(page):
        page.get_by_role("button", name="Geändertes ansehen").click()
    totals = page.get_by_role("table", name="Damit kommen alle auf")
    expect(totals.get_by_role("row", name="Emil")).to_have_count(0)
    with another_page(page):
        page.get_by_role("button", name="Letzte Wahl zurücknehmen").click()
    expect(totals.get_by_role("row", name="Emil 2 3")).to_be_visible()
    page.context.close()
