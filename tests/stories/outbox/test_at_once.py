"""What is saved stands on the sheet before the server has answered, and is called saved only afterwards."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser_page import log_in
from tests.chromium import PATIENCE
from tests.factories import Cast
from tests.stories.outbox.phone import (
    FIRST,
    SECOND,
    THIRD,
    expect_sent,
    hold_answers,
    let_go,
    refuse_first,
    stored,
    waits,
)
from tests.stories.table import STATE, TablePage


def test_a_game_stands_at_once_and_is_saved_only_when_the_server_says_so(page: Page, table: TablePage) -> None:
    held = hold_answers(page)
    # Asked what is new, the server would tell in its own words what was done last.
    page.route(STATE, lambda route: route.fulfill(status=304))
    table.enter(FIRST)
    table.save()
    expect(page.locator("#rows tr.waiting")).to_contain_text("wartet auf Versand")
    expect(table.message).to_have_text("Wird gespeichert …")
    assert ([line.label for line in table.lines()], table.totals(), table.dealer) == (["1"], [2, 2, -2, -2], "Bodo")
    table.enter(SECOND)
    table.save()
    expect(page.locator("#rows tr.waiting")).to_have_count(2)
    expect(table.message).to_have_text("Wird gespeichert …")
    expect_sent(page, held, 1)
    assert stored(table) == [], "the second waits for the answer to the first"
    seen = table.lines(), table.totals()
    let_go(page, held)
    table.expect_saved()
    expect(table.message).to_have_text(f"Gespeichert: Spiel 2. Kontra gewinnt 4. Jetzt gibt {table.people[2]}.")
    expect(page.locator("#rows tr.waiting")).to_have_count(0)
    assert (table.lines(), table.totals()) == seen
    expect(page.locator("#undo-what")).to_have_text("Spiel 2")
    assert [game.facts["re"] for game in stored(table)] == [[0, 1], [0, 2]]


@pytest.mark.soak
def test_a_page_that_is_killed_loses_nothing(page: Page, table: TablePage) -> None:
    hold_answers(page)
    table.enter(FIRST)
    table.save()
    expect(page.locator("#rows tr.waiting")).to_have_count(1)
    again = page.context.new_page()
    page.close()
    other = TablePage(again, table.site, table.table).open()
    expect(again.locator("#rows tr:not(.waiting)")).to_have_count(1)
    expect(waits(other)).to_be_hidden()
    assert [game.facts["re"] for game in stored(table)] == [[0, 1]]


def test_what_is_refused_at_once_is_in_the_form_again(page: Page, table: TablePage) -> None:
    refuse_first(page)
    table.enter(THIRD | {"kontra_said": "said"})
    table.save()
    expect(page.locator("#fault-eyes")).to_have_text("Diese Augen gibt es nicht.")
    expect(table.message).to_have_text("Diese Augen gibt es nicht.")
    assert table.marked("Wer spielt?") == ["Özlem"]
    expect(page.locator("#solo-button")).to_have_text("Damensolo")
    table.save()
    expect(table.message).to_contain_text("Bitte erst ändern, was oben bemängelt ist")
    assert stored(table) == [], "the same again would be refused again"
    table.key("eyes", "back")
    table.save()
    table.expect_saved()
    expect(page.locator("#outbox .conflict")).to_have_count(0)
    [game] = stored(table)
    assert game.facts == {"kind": "damensolo", "re": [3], "duty": True, "eyes": 13, "kontra_said": "said"}


def test_who_was_logged_out_logs_in_elsewhere_and_everything_goes_out(
    page: Page, table: TablePage, cast: Cast, page_complaints: list[str]
) -> None:
    page.context.clear_cookies(name="sessionid")
    table.enter(FIRST)
    table.save()
    expect(table.message).to_contain_text("Nicht gespeichert: bitte in einem anderen Fenster neu anmelden.")
    table.enter(SECOND)
    table.save()
    expect(waits(table)).to_have_text("2 warten auf Versand")
    expect(page.locator("#outbox .conflict")).to_have_count(0)
    log_in(page.context, table.site, cast.scorer)
    expect(waits(table)).to_be_hidden(timeout=2 * PATIENCE)
    expect(table.message).not_to_contain_text("Nicht gespeichert")
    assert [game.facts["re"] for game in stored(table)] == [[0, 1], [0, 2]]
    assert all("401" in said for said in page_complaints)
    page_complaints.clear()


