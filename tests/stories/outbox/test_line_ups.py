"""Others sat down while a phone had no net: its games stay those of the people they were typed for."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from scoring.play.queries import read_records
from tests.browser.fit import THUMB_AT_THE_TABLE, barriers, misfits
from tests.effort import in_soak
from tests.factories import add_game
from tests.stories.outbox.phone import FIRST, SECOND, find_net, keep, lose_net, one_goes, stored, totals, waits
from tests.stories.table import STATE, TablePage, number


def line_ups(table: TablePage) -> list[int]:
    """How many sat at the table, line by line."""
    return [len(read_records(table.table).line_up(game)) for game in stored(table)]


@pytest.mark.soak
def test_games_of_those_who_sat_here_before_stand_among_them(page: Page, five: TablePage) -> None:
    """The phone hears of it with the answer to its first game."""
    lose_net(page)
    keep(five, {**FIRST, "re": [2, 3]})
    keep(five, {**SECOND, "re": [0, 1]})
    one_goes(five)
    add_game(five.table, re=[0, 1])
    find_net(page)
    expect(page.locator("#rows tr:not(.waiting)")).to_have_count(4)
    expect(waits(five)).to_be_hidden()
    expect(page.locator("#outbox .conflict")).to_have_count(0)
    assert [game.facts["re"] for game in stored(five)] == [[1, 2], [2, 3], [0, 1], [0, 1]]
    assert line_ups(five) == [5, 5, 5, 4]
    expect(page.locator('[data-pick="re"] :enabled')).to_have_count(4)
    assert [line.label for line in five.lines()] == ["4", "3", "2", "1"]
    assert {number(cell) for cell in page.locator("[data-total]").all_inner_texts()} == set(totals(five))


@pytest.mark.parametrize("have_played", [in_soak(False), True])
def test_what_was_typed_before_others_sat_down_never_becomes_theirs(page: Page, five: TablePage, have_played: bool) -> None:
    """The phone knows of them, and the games still wait."""
    lose_net(page)
    keep(five, {**FIRST, "re": [2, 3]})
    keep(five, {**SECOND, "re": [0, 1]})
    one_goes(five)
    if have_played:
        add_game(five.table, re=[0, 1])
    page.unroute(STATE)
    page.reload()
    expect(page.locator('[data-pick="re"] :enabled')).to_have_count(4)
    expect(page.locator("#rows tr.waiting")).to_have_count(2)
    seen = [line.label for line in five.lines()]
    assert seen == (["davor", "davor", "2", "1"] if have_played else ["3", "2", "1"])
    expect(page.get_by_role("img", name="gibt außer der Reihe")).to_have_count(0)
    expect(page.locator('[data-head="number"]')).to_have_text("Spiel 5" if have_played else "Spiel 4")
    page.locator("#rows tr.waiting").last.locator("a").tap()
    box = page.locator("#outbox .conflict")
    expect(box).to_contain_text("Getippt ist es für die, die vorher am Tisch saßen")
    expect(box.get_by_role("button")).to_have_text(["Verwerfen", "Unverändert lassen"])
    assert five.marked("Wer ist Re?") == []
    assert misfits(page, THUMB_AT_THE_TABLE) + barriers(page) == []
    page.get_by_role("button", name="Unverändert lassen").tap()
    five.enter({**SECOND, "re": [0, 2]})
    five.save()
    expect(page.locator("#rows tr.waiting")).to_have_count(3)
    find_net(page)
    expect(page.locator("#rows tr:not(.waiting)")).to_have_count(5 if have_played else 4)
    expect(page.locator("#outbox .conflict")).to_have_count(0)
    expect(waits(five)).to_be_hidden()
    assert line_ups(five) == [5, 5, 5, 4, 4] if have_played else [5, 5, 5, 4]
    assert [game.facts["re"] for game in stored(five)][1:3] == [[2, 3], [0, 1]]
    assert {number(cell) for cell in page.locator("[data-total]").all_inner_texts()} == set(totals(five))
