"""Penalties and points by hand wait among the games, and leave alone what is being typed."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.fit import THUMB_AT_THE_TABLE, barriers, misfits
from tests.browser.test_seats import AT_REST
from tests.stories.outbox.phone import FIRST, SECOND, find_net, keep, lose_net, stored, waits
from tests.stories.table import TablePage


@pytest.fixture
def table(table: TablePage) -> TablePage:
    """Penalties have a drawer, which lies over the form until it is tapped."""
    table.is_surely_in_reach = False
    return table


def punish(table: TablePage, name: str, reason: str = "Regelverstoß") -> None:
    """Two taps on the table page."""
    table.tap_beside("Strafpunkte")
    group = table.page.get_by_role("group", name=reason)
    table.tap(group.get_by_role("button", name=name))


def test_a_penalty_waits_among_the_games_and_what_is_typed_stays(page: Page, table: TablePage) -> None:
    lose_net(page)
    keep(table, FIRST)
    dealer = table.dealer
    table.enter(SECOND)
    punish(table, "Bodo")
    expect(page.locator("#rows tr.waiting")).to_have_count(2)
    expect(page.locator("#rows tr").first).to_contain_text("Straf\u00adpunkte")
    assert table.marked("Wer ist Re?") == ["Ärmel", "Çelik"]
    assert table.dealer == dealer
    table.save()
    expect(waits(table)).to_have_text("3 warten auf Versand")
    seen = table.lines(), table.totals(), table.dealer
    assert [line.label for line in seen[0]] == ["2", "Straf\u00adpunkte", "1"]
    expect(page.locator("#penalties")).to_have_count(0)

    find_net(page)

    expect(waits(table)).to_be_hidden()
    assert (table.lines(), table.totals(), table.dealer) == seen, "the server says what the phone had computed"
    assert [(game.form, game.dealer) for game in stored(table)] == [("played", 0), ("penalty", None), ("played", 1)]
    assert stored(table)[1].facts == {"points": [1, -3, 1, 1], "reason": "Regelverstoß"}


@pytest.mark.soak
def test_a_penalty_that_ends_a_game_uses_its_deal_up(page: Page, table: TablePage) -> None:
    table.enter(SECOND)
    lose_net(page)
    punish(table, "Ärmel", "Spiel ungültig")
    expect(table.message).to_contain_text("Strafpunkte ist noch nicht gespeichert")
    expect(page.locator("#penalties")).to_have_count(0)
    assert table.marked("Wer ist Re?") == []
    assert table.dealer == "Bodo"
    seen = table.lines(), table.totals()
    find_net(page)
    expect(waits(table)).to_be_hidden()
    assert (table.lines(), table.totals(), table.dealer) == (*seen, "Bodo")
    assert [(game.dealer, game.facts["points"]) for game in stored(table)] == [(0, [-12, 4, 4, 4])]


def test_a_hasty_second_tap_punishes_once(page: Page, table: TablePage) -> None:
    page.get_by_role("link", name="Strafpunkte").tap()
    # While the drawer rises, a tap may fall beside it.
    page.evaluate(AT_REST)
    page.get_by_role("group", name="Regelverstoß").get_by_role("button", name="Bodo").dblclick()
    expect(table.message).to_have_text("Gespeichert: Strafpunkte.")
    expect(page.locator("#penalties")).to_have_count(0)
    assert len(stored(table)) == 1


@pytest.mark.soak
def test_other_points_have_a_page_of_their_own(page: Page, table: TablePage) -> None:
    page.get_by_role("link", name="Strafpunkte").tap()
    expect(page.get_by_role("group", name="Regelverstoß")).to_be_visible()
    assert misfits(page, THUMB_AT_THE_TABLE) == []
    assert barriers(page) == []
    page.get_by_role("link", name="Andere Punkte oder ein anderer Grund").tap()
    page.wait_for_url("**/?form=penalty")
    page.get_by_label("Bodo").fill("-5")
    page.get_by_label("Grund").fill("zu spät")
    page.get_by_role("button", name="Eintragen und weiter").tap()
    expect(table.message).to_have_text("Gespeichert: Strafpunkte.")
    assert stored(table)[0].facts == {"points": [0, -5, 0, 0], "reason": "zu spät"}
    # It is the penalty that keeps the sheet from adding up to 0, and the next game changes nothing about that.
    table.enter(SECOND)
    table.save()
    expect(page.locator("#rows tr")).to_have_count(2)
    expect(page.locator("#uneven-others")).to_be_visible()
    expect(page.locator("#uneven-games")).to_be_hidden()
