"""What the server refuses, or what another phone was faster with, stays until somebody mends or discards it."""

from __future__ import annotations

from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer
from pytest_playwright import CreateContextCallback

from scoring.club.actions import Actor
from scoring.evenings.actions import close_evening
from tests.browser.fit import CONTRAST, THUMB_AT_THE_TABLE, barriers, misfits
from tests.factories import Cast, add_game
from tests.stories.outbox.phone import (
    FIRST,
    GAMES,
    SECOND,
    THIRD,
    find_net,
    keep,
    lose_net,
    refuse_first,
    stored,
    totals,
    waits,
)
from tests.stories.table import TablePage, sit_down


def test_another_phones_game_is_asked_about_and_both_stand(page: Page, table: TablePage) -> None:
    lose_net(page)
    keep(table, FIRST)
    keep(table, SECOND)
    add_game(table.table, re=[2, 3], eyes=200)
    find_net(page)
    box = page.locator("#outbox .conflict")
    expect(box).to_contain_text("Inzwischen steht schon ein anderes Spiel auf dem Zettel.")
    expect(waits(table)).to_have_text("2 warten auf Antwort")
    assert [line.label for line in table.lines()] == ["3", "2", "1"]
    page.get_by_role("button", name="Nein, mein Spiel kam danach").tap()
    expect(waits(table)).to_be_hidden()
    expect(box).to_have_count(0)
    assert [game.facts["re"] for game in stored(table)] == [[2, 3], [0, 1], [0, 2]]


def test_the_same_game_of_another_phone_is_thrown_away(page: Page, table: TablePage) -> None:
    lose_net(page)
    keep(table, FIRST)
    keep(table, SECOND)
    add_game(table.table, re=[0, 1], eyes=153)
    find_net(page)
    told = page.locator("#outbox .conflict p")
    expect(told.first).to_contain_text("Ist das dasselbe Spiel?")
    _, mine, theirs = told.all_inner_texts()
    assert theirs == f"Auf dem Zettel als Spiel 1: {mine.removeprefix('Hier eingetippt: ')}"
    page.get_by_role("button", name="Ja, dasselbe Spiel").tap()
    expect(waits(table)).to_be_hidden()
    assert [game.facts["re"] for game in stored(table)] == [[0, 1], [0, 2]]
    assert [line.label for line in table.lines()] == ["2", "1"]


def test_a_refused_game_is_mended_in_its_place(page: Page, table: TablePage) -> None:
    lose_net(page)
    keep(table, SECOND)
    keep(table, THIRD)
    refuse_first(page)
    box = page.locator("#outbox .conflict")
    expect(box).to_contain_text("Spiel 1 wurde nicht angenommen.")
    expect(box).to_contain_text("Diese Augen gibt es nicht.")
    assert misfits(page, THUMB_AT_THE_TABLE) + barriers(page) == []
    page.emulate_media(color_scheme="dark")
    assert barriers(page, CONTRAST) == []
    assert stored(table) == []
    page.reload()
    expect(box).to_contain_text("Diese Augen gibt es nicht.")
    page.get_by_role("button", name="Ändern").tap()
    expect(page.locator('[data-head="dealer"]')).to_have_text("Ärmel")
    assert table.marked("Wer ist Re?") == ["Ärmel", "Çelik"]
    table.keys("eyes", 100)
    table.save()
    expect(waits(table)).to_be_hidden()
    assert [(game.facts.get("eyes"), game.facts.get("re_said")) for game in stored(table)] == [(100, "said"), (130, None)]
    assert table.totals() == totals(table)


def test_a_game_for_an_evening_that_was_closed_waits_for_the_admin(
    page: Page, table: TablePage, cast: Cast, live_server: LiveServer, new_context: CreateContextCallback
) -> None:
    lose_net(page)
    keep(table, FIRST)
    keep(table, SECOND)
    close_evening(evening=table.table.evening, actor=Actor(cast.admin))
    # The phone hears of it from the answer to its games, not before.
    page.unroute(GAMES)
    page.evaluate("dispatchEvent(new Event('online'))")
    late = page.locator(".late")
    expect(late.get_by_role("heading")).to_have_text("2 Spiele kamen zu spät an")
    expect(late).to_contain_text("Re: Ärmel, Bodo")
    expect(late.get_by_role("button")).to_have_count(0)
    expect(page.locator("#unsent .panel")).to_have_count(0)
    assert stored(table) == []
    admin = sit_down(new_context().new_page(), live_server.url, cast.admin, table.table)
    expect(admin.page.locator(".late .panel").first.locator(".pills")).to_contain_text("Ärmel +2")
    assert misfits(admin.page, THUMB_AT_THE_TABLE) + barriers(admin.page) == []
    admin.page.get_by_role("button", name="Eintragen", exact=True).first.tap()
    expect(admin.page.get_by_text("Gespeichert: Spiel 1.")).to_be_visible()
    expect(admin.page.locator(".late .panel")).to_have_count(1)
    admin.page.locator(".late").get_by_role("button", name="Verwerfen").tap()
    expect(admin.page.get_by_text("Verworfen.")).to_be_visible()
    assert [(game.facts["re"], game.entered_by) for game in stored(table)] == [([0, 1], cast.scorer)]
