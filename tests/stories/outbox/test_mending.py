"""What waits is taken back, mended and thrown away without a net; what the server has needs the server."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from scoring.models import Game
from tests.browser.fit import THUMB_AT_THE_TABLE, misfits
from tests.factories import add_game
from tests.stories.outbox.phone import (
    FIRST,
    SECOND,
    THIRD,
    expect_sent,
    find_net,
    hold_answers,
    keep,
    let_go,
    lose_net,
    stored,
    totals,
    waits,
)
from tests.stories.table import TablePage


def test_what_waits_is_taken_back_without_a_net(page: Page, table: TablePage) -> None:
    lose_net(page)
    keep(table, FIRST)
    keep(table, SECOND)
    expect(page.locator("#undo-what")).to_have_text("Spiel 2")
    page.get_by_role("button", name="Rückgängig").tap()
    expect(table.message).to_have_text("Keine Verbindung Zurückgenommen.")
    expect(page.locator("#rows tr")).to_have_count(1)
    assert table.dealer == "Bodo"
    keep(table, THIRD)
    keep(table, SECOND)
    page.locator("#rows a").first.tap()
    page.get_by_role("button", name="Verwerfen").tap()
    expect(page.locator("#entry .tile :checked")).to_have_count(0)
    find_net(page)
    expect(waits(table)).to_be_hidden()
    assert [game.facts["re"] for game in stored(table)] == [[0, 1], [3]]


def test_what_is_just_on_its_way_is_answered_and_then_taken_back(page: Page, table: TablePage) -> None:
    held = hold_answers(page)
    table.enter(FIRST)
    table.save()
    expect_sent(page, held, 1)
    page.get_by_role("button", name="Rückgängig").tap()
    let_go(page, held)
    expect(page.get_by_text("Zurückgenommen.")).to_be_visible()
    assert (table.lines(), stored(table)) == ([], [])
    assert Game.objects.filter(round__table=table.table).count() == 1, "it arrived, and was struck out"


def test_a_line_that_waits_is_mended_in_its_place(page: Page, table: TablePage) -> None:
    """And the game that was being typed meanwhile is there again afterwards."""
    lose_net(page)
    keep(table, SECOND)
    keep(table, THIRD)
    table.mark("Wer ist Re?", [1, 2])
    page.locator("#rows tr").last.locator("a").tap()
    box = page.locator("#outbox").get_by_role("status")
    expect(box).to_contain_text("Spiel 1 wartet noch auf Versand.")
    assert table.marked("Wer ist Re?") == ["Ärmel", "Çelik"]
    assert misfits(page, THUMB_AT_THE_TABLE) == []
    page.reload()
    expect(table.message).to_contain_text("Von vorhin")
    assert table.marked("Wer ist Re?") == ["Bodo", "Çelik"]
    page.locator("#rows tr").last.locator("a").tap()
    expect(box).to_contain_text("Spiel 1 wartet noch auf Versand.")
    find_net(page)
    page.wait_for_timeout(500)
    assert stored(table) == [], "what is being mended does not go out"
    table.keys("eyes", 100)
    table.save()
    expect(waits(table)).to_be_hidden()
    assert [(game.facts.get("eyes"), game.facts["re"]) for game in stored(table)] == [(100, [0, 2]), (130, [3])]
    assert table.totals() == totals(table)
    assert table.marked("Wer ist Re?") == ["Bodo", "Çelik"]
    table.band("121-150")
    table.save()
    table.expect_saved()
    assert [line.label for line in table.lines()] == ["3", "2", "1"]


@pytest.mark.soak
def test_what_the_server_has_needs_the_server(page: Page, table: TablePage) -> None:
    """Opening a line, taking back, correcting: without a net a sentence says so, and what was typed stays."""
    table.enter_and_save(FIRST)
    table.correct_game(1)
    page.locator("summary", has_text="Mehr").tap()
    page.get_by_label("Bemerkung").fill("Bodo hat es gemerkt")
    page.context.set_offline(True)
    page.locator("#save").tap()
    expect(page.get_by_text("Keine Verbindung: nichts ist abgeschickt.")).to_be_visible()
    expect(page.get_by_label("Bemerkung")).to_have_value("Bodo hat es gemerkt")
    page.context.set_offline(False)
    page.locator("#save").tap()
    page.get_by_role("button", name="Berichtigung speichern").tap()
    expect(page.get_by_text("Berichtigt.")).to_be_visible()

    table.loaded.context.set_offline(True)
    page.get_by_role("button", name="Rückgängig").tap()
    expect(page.get_by_role("alert")).to_contain_text("Keine Verbindung")
    page.locator("#rows a").tap()
    expect(page.get_by_role("alert")).to_contain_text("Keine Verbindung")
    page.context.set_offline(False)
    page.get_by_role("button", name="Rückgängig").tap()
    expect(page.get_by_text("Zurückgenommen.")).to_be_visible()
    assert [game.note for game in stored(table)] == [""]


@pytest.mark.soak
def test_a_line_opens_as_soon_as_the_net_is_back(page: Page, table: TablePage) -> None:
    """The phone, which had begun to ask more and more seldom, believes the server and not what it last heard."""
    add_game(table.table, re=[0, 1])
    add_game(table.table, re=[1, 2])
    table.open()
    page.context.set_offline(True)
    table.expect_out_of_reach()
    page.locator("#rows a").first.tap()
    expect(page.get_by_role("alert")).to_contain_text("Keine Verbindung")
    # Nothing tells the page of it: its own events of being online are not to be relied upon.
    page.evaluate("addEventListener('online', event => event.stopImmediatePropagation(), true)")
    page.context.set_offline(False)
    page.locator("#rows a").first.tap()
    page.wait_for_url("**/games/*/")
