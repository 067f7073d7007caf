"""What else happens at a table: a new deal, another dealer, the short form, a game at 120 eyes."""

from __future__ import annotations

from django.contrib.auth.models import User
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.models import Club, Table
from scoring.play.queries import read_sheet
from tests.factories import make_table
from tests.stories.table import sit_down

BOTH_SAID = {"kind": "normal", "re": [0, 1], "band": "120", "re_said": "said", "kontra_said": "said"}


def test_a_new_deal_tapped_twice_is_one_line_of_its_own(page: Page, live_server: LiveServer, scorer: User, club: Club) -> None:
    table = sit_down(page, live_server.url, scorer, make_table(club, 4))
    page.get_by_role("button", name="Neu gegeben").evaluate("button => { button.click(); button.click(); }")
    expect(page.locator("#rows tr")).to_have_count(1)
    [line] = table.lines()
    assert (line.label, line.totals, line.value) == ("Neu gegeben", [0, 0, 0, 0], 0)
    expect(table.message).to_have_text(f"Gespeichert: Neu gegeben. Jetzt gibt {table.people[0]}.")
    expect(page.locator('[data-head="number"]')).to_have_text("Spiel 1")
    table.enter_and_save({"kind": "normal", "re": [0, 1], "band": "151-180"})
    assert [line.label for line in table.lines()] == ["1", "Neu gegeben"]
    assert [row.game.form for row in read_sheet(table.table).rows] == ["redeal", "played"]


def test_another_dealer_loses_nothing_typed(page: Page, live_server: LiveServer, scorer: User, bock_table: Table) -> None:
    table = sit_down(page, live_server.url, scorer, bock_table)
    table.tap(table.pill(page.locator(".bands"), "151–180"))
    in_turn = table.dealer
    dealer = table.people[0] if in_turn != table.people[0] else table.people[1]

    table.dealt_by(table.people.index(dealer))

    expect(page.locator('[data-head="out"]')).to_have_text(dealer)
    expect(page.locator('[data-head="turn"]')).to_have_text(in_turn)
    expect(page.locator(".bands input:checked")).to_have_value("151-180")
    expect(page.get_by_role("group", name="Wer ist Re?").get_by_label(dealer)).to_be_disabled()


def test_the_short_form(page: Page, live_server: LiveServer, scorer: User, bock_table: Table) -> None:
    table = sit_down(page, live_server.url, scorer, bock_table)
    table.unfold("Mehr").get_by_role("link", name="Nur Punkte eintragen").tap()
    page.wait_for_url("**form=short")
    totals = table.totals()
    table.enter({"winners": [0, 1, 2], "base": 12, "solo": True})
    # Half typed, it is found again by the address of the table.
    table.open()
    table.expect_live_points(dict(zip(table.people[:4], (12, 12, 12, -12), strict=True)))
    table.save()
    table.expect_saved()
    assert table.totals() == [a + b for a, b in zip(totals, (12, 12, 12, -12, 0), strict=True)]
    # Two winners, one digit and the button.
    before = table.taps
    table.enter_and_save({"winners": [1, 2], "base": 7, "solo": False})
    assert table.taps - before == 4
    page.goto(page.url.split("?")[0])
    expect(page.get_by_role("group", name="Wer hat gewonnen?")).to_be_visible()
    table.unfold("Mehr").get_by_role("link", name="Mit Ansagen und Augen").tap()
    expect(page.get_by_role("group", name="Wer ist Re?")).to_be_visible()


def test_at_120_the_last_ansage_decides(page: Page, live_server: LiveServer, scorer: User, club: Club) -> None:
    """Whose Ansage came last is asked only where it decides, and asked for before the button is pressed."""
    table = sit_down(page, live_server.url, scorer, make_table(club, 4, preset="vln"))
    question = page.locator("#last-said")
    table.unfold("Ansagen")
    expect(question).to_be_hidden()
    table.enter(BOTH_SAID)
    expect(question).to_be_visible()
    expect(table.message).to_have_text("Es fehlt: letzte Ansage (bei 120 zu 120)")
    table.last_said("kontra")
    table.expect_live_points(dict(zip(table.people, [4, 4, -4, -4], strict=True)))
    table.last_said("re")
    live = [-5, -5, 5, 5]
    table.expect_live_points(dict(zip(table.people, live, strict=True)))
    table.save()
    table.expect_saved()
    assert table.totals() == live
