"""From five questions to the books: a tariff, an evening by it, what it costs, and a game that is corrected three weeks later."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.cash.ledger.queries import compute_hash
from scoring.cash.months.queries import build_statements
from scoring.models import Club, Entry, Evening, Period, Player
from tests.factories import PEOPLE, make_club, make_player, make_table, make_user
from tests.stories.table import sit_down


@pytest.fixture
def club(db: None) -> Club:
    return make_club()


def test_from_five_questions_to_a_corrected_game(page: Page, live_server: LiveServer, club: Club) -> None:
    user = make_user("thea", club, ["scorer", "treasurer", "admin"])
    people = [make_player(club, name) for name in PEOPLE[:4]]
    make_player(club, "Greta")
    first = sit_down(page, live_server.url, user, make_table(club, people))
    home = f"{live_server.url}/c/{club.slug}"

    # The tariff: 10 ct for a minus point, 2 € for a guest, 3 € for whoever is absent.
    page.goto(f"{home}/cash/tariff/")
    page.get_by_role("link", name="Tarif in fünf Fragen").click()
    page.get_by_label("Euro für einen Gast").fill("zwei")
    page.get_by_role("button", name="Zeigen, was das kostet").click()
    expect(page.get_by_text("Bitte einen Betrag wie 3,50 eingeben.")).to_be_visible()
    page.get_by_label("Euro für einen Gast").fill("2")
    page.get_by_label("Einen festen Betrag").check()
    page.get_by_label("Euro, wenn jemand fehlt").fill("3")
    page.get_by_label(re.compile("Zu spät")).check()
    page.get_by_role("button", name="Zeigen, was das kostet").click()
    expect(page.get_by_text("So sähe der Tarif aus")).to_be_visible()
    page.get_by_role("button", name="Speichern").click()
    expect(page.get_by_text("10 ct je Minuspunkt in die Kasse.")).to_be_visible()

    # An evening by it, with a fine, is closed.
    table = make_table(club, people)
    assert (first.table.evening.tariff, table.evening.tariff) == (None, club.tariffs.get())
    at_table = type(first)(page, live_server.url, table).open()
    at_table.mark("Wer ist Re?", [0, 1])
    at_table.keys("eyes", 130)
    at_table.save()
    at_table.expect_saved()
    cash = f"{home}/evenings/{table.evening_id}/cash/"
    page.goto(cash)
    expect(page.get_by_text("Der Abend läuft noch")).to_be_visible()
    page.get_by_text("Strafgeld eintragen").click()
    page.get_by_role("group", name="Wer", exact=True).get_by_role("radio", name="Bodo").check()
    page.get_by_role("textbox", name="Minuten", exact=True).fill("7")
    page.get_by_role("button", name="Eintragen").click()
    expect(page.get_by_text("Bodo: Zu spät, 7 Minuten")).to_be_visible()
    page.goto(f"{home}/evenings/{table.evening_id}/close/")
    page.get_by_role("button", name="Abend abschließen").click()
    page.get_by_role("link", name="Was der Abend kostet").click()
    expect(page.get_by_text("Nr. 2026-001")).to_be_visible()
    expect(page.locator(".bills li", has_text="Greta")).to_contain_text("zahlt 3,00")
    expect(page.locator(".bills li", has_text="Çelik")).to_contain_text("zahlt 0,10")

    # Its month is closed; then a game turns out to be wrong. The preview says what it costs.
    text = next(build_statements(club, ["2026-03"], before="", slug=club.slug))
    Period.objects.create(club=club, month="2026-03", statement=text, sha256=compute_hash(text))
    at_table.open().correct_game(1)
    for _digit in range(2):
        at_table.key("eyes", "back")
    at_table.keys("eyes", 60)
    at_table.save()
    expect(page.locator("#effects")).to_contain_text("Çelik zahlt 0,20")
    at_table.save()
    expect(page.get_by_text("Berichtigt.")).to_be_visible()
    page.goto(cash)
    expect(page.get_by_text("Nachtrag für März 2026")).to_be_visible()
    expect(page.get_by_text("Grund: Spiel 1 berichtigt.")).to_be_visible()
    row = page.locator(".changes div", has_text="Çelik")
    expect(row).to_contain_text("war: zahlt 0,10")
    expect(row).to_contain_text("ist: zahlt 0,20")
    assert list(Entry.objects.order_by("pk").values_list("kind", flat=True)) == ["evening", "reversal", "evening"]

    # Everybody paid at the table; Greta was not there.
    page.get_by_text("Bar kassieren").click()
    expect(page.locator("[name=players]:not(:checked)")).to_have_count(1)
    page.get_by_role("button", name="Alles bar kassiert").click()
    expect(page.get_by_text("Kassiert und gebucht.")).to_be_visible()
    expect(page.locator("[name=players]")).to_have_count(1)
    page.get_by_role("checkbox", name="Greta").check()
    page.get_by_role("button", name="Alles bar kassiert").click()
    expect(page.get_by_text("Bar kassieren")).to_have_count(0)
    page.goto(f"{cash}people/")
    page.goto(f"{home}/cash/tariff/edit/")
    assert Evening.objects.count() == 2 and Player.objects.count() == 5
