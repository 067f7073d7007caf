"""Penalties and points by hand wait among the games, and leave alone what is being typed."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_seats import AT_REST
from tests.stories.outbox.phone import FIRST, SECOND, find_net, keep, lose_net, stored, waits
from tests.stories.table import TablePage


@pytest.fixture
def table(table: TablePage) -> TablePage:
    """Penalties have a drawer, which lies over the form until it is tapped."""
    table.is_surely_in_reach = False
    return table


def test_a_penalty_waits_among_the_games_and_what_is_typed_stays(page: Page, table: TablePage) -> None:
    """A hasty second tap punishes nobody again."""
    lose_net(page)
    keep(table, FIRST)
    dealer = table.dealer
    table.enter(SECOND)
    table.tap_beside("Strafpunkte")
    # While the drawer rises, a tap may fall beside it.
    page.evaluate(AT_REST)
    page.get_by_role("group", name="Regelverstoß").get_by_role("button", name="Bodo").dblclick()
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

    # An invalid game uses up the deal, once.
    table.tap_beside("Strafpunkte")
    page.evaluate(AT_REST)
    page.get_by_role("group", name="Spiel ungültig").get_by_role("button", name="Ärmel").dblclick()
    expect(table.message).to_have_text("Gespeichert: Strafpunkte.")
    assert table.dealer == table.people[3]
    assert [(game.dealer, game.facts["points"]) for game in stored(table)[3:]] == [(2, [-12, 4, 4, 4])]
