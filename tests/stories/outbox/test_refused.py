"""What the server refuses, or what another phone was faster with, stays until somebody mends or discards it."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from playwright.sync_api import Page, Route, expect
from pytest_django.live_server_helper import LiveServer
from pytest_playwright import CreateContextCallback

from scoring.club.actions import Actor
from scoring.evenings.actions import close_evening
from scoring.models import Change, Verb
from scoring.play.queries import read_records
from tests.browser.fit import CONTRAST, THUMB_AT_THE_TABLE, barriers, misfits
from tests.browser_page import log_in
from tests.effort import in_soak
from tests.factories import Cast, add_game, make_user
from tests.stories.outbox.phone import (
    FIRST,
    GAMES,
    OFFLINE,
    SECOND,
    THIRD,
    find_net,
    keep,
    let_through,
    lose_net,
    one_goes,
    refuse_first,
    stored,
    totals,
    waits,
)
from tests.stories.table import STATE, TablePage, number, sit_down


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


@pytest.fixture
def other(cast: Cast) -> User:
    return make_user("Berta", cast.club, ["scorer"])


def box_of_others(page: Page) -> Any:
    return page.locator("#outbox").get_by_role("status")


def entered_by(table: TablePage) -> list[str]:
    """Who entered the games that stand, in the order in which they came."""
    added = Change.objects.filter(table=table.table, verb=Verb.GAME_ADDED).order_by("id")
    return [change.actor.username for change in added]


def test_what_waits_waits_for_whoever_typed_it(
    page: Page, table: TablePage, cast: Cast, other: User, page_complaints: list[str]
) -> None:
    lose_net(page)
    keep(table, FIRST)
    keep(table, SECOND)
    log_in(page.context, table.site, other)
    find_net(page)
    expect(table.message).to_contain_text("hier trägt jetzt jemand anders ein")
    table.open()
    expect(box_of_others(page)).to_contain_text(f"was {cast.scorer.username} hier eingetippt hat (2)")
    expect(waits(table)).to_be_hidden()
    table.enter_and_save(THIRD)
    assert misfits(page, THUMB_AT_THE_TABLE) + barriers(page) == []
    assert [game.facts["re"] for game in stored(table)] == [[3]], "nothing of the other's went along"

    log_in(page.context, table.site, cast.scorer)
    table.open()
    expect(box_of_others(page)).to_have_count(0)
    page.get_by_role("button", name="Nein, mein Spiel kam danach").tap()
    expect(waits(table)).to_be_hidden()
    assert [game.facts["re"] for game in stored(table)] == [[3], [0, 1], [0, 2]]
    assert all("401" in said for said in page_complaints)
    page_complaints.clear()
    assert entered_by(table) == [other.username, cast.scorer.username, cast.scorer.username]


@pytest.mark.soak
def test_what_somebody_else_typed_is_taken_over_once(page: Page, table: TablePage, cast: Cast, other: User) -> None:
    """The first had arrived and only its answer was lost: it stays under the name of whoever typed it."""
    lose_net(page)

    def swallow(route: Route) -> None:
        assert route.fetch().status == 201
        route.abort(OFFLINE)

    page.route(GAMES, swallow, times=1)
    keep(table, FIRST)
    keep(table, SECOND)
    page.goto("about:blank")
    let_through(page)
    log_in(page.context, table.site, other)
    table.open()
    page.get_by_role("button", name="Unter meinem Namen eintragen").tap()
    expect(box_of_others(page)).to_have_count(0)
    expect(waits(table)).to_be_hidden()
    table.expect_saved()
    assert [game.facts["re"] for game in stored(table)] == [[0, 1], [0, 2]]
    assert entered_by(table) == [cast.scorer.username, other.username]
    assert table.dealer == "Çelik", "the form is for the next game"
    page.reload()
    expect(box_of_others(page)).to_have_count(0)


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


# Each use of IndexedDB fails, as on an iPhone that comes back from the background.
NO_DATABASE = {
    "open": """indexedDB.open = () => { throw new DOMException("Connection to Indexed Database server lost.", "UnknownError"); };
        IDBDatabase.prototype.transaction = indexedDB.open;""",
    "put": """IDBObjectStore.prototype.put = () => { throw new DOMException("No room.", "QuotaExceededError"); };""",
}
ONCE_CLOSED = """const begin = IDBDatabase.prototype.transaction;
    IDBDatabase.prototype.transaction = function () {
        IDBDatabase.prototype.transaction = begin;
        throw new DOMException("The database connection is closing.", "InvalidStateError");
    };"""
NO_ROOM_BESIDE = """Storage.prototype.setItem = () => { throw new DOMException("No room.", "QuotaExceededError"); };"""
IN_LOCAL_STORAGE = "Object.keys(localStorage).filter((name) => name.startsWith('entry ')).length"
ONLY_HERE = "nur auf dieser Seite: bitte offen lassen"


def labels(table: TablePage) -> list[str]:
    return [line.label for line in table.lines()]


def test_a_connection_that_was_lost_is_opened_again_and_tables_do_not_mix(page: Page, table: TablePage, cast: Cast) -> None:
    lose_net(page)
    page.evaluate(f"() => {{ {ONCE_CLOSED} }}")
    keep(table, FIRST)
    assert page.evaluate(IN_LOCAL_STORAGE) == 0
    other = TablePage(page, table.site, cast.table).open()
    expect(waits(other)).to_be_hidden()
    table.open()
    expect(waits(table)).to_have_text("1 wartet auf Versand")


@pytest.mark.parametrize("failing", ["open", in_soak("put")])
def test_an_entry_that_the_database_refuses_survives_a_reload_and_is_sent_once(page: Page, table: TablePage, failing: str) -> None:
    lose_net(page)
    page.evaluate(f"() => {{ {NO_DATABASE[failing]} }}")
    keep(table, FIRST)
    keep(table, SECOND)
    assert page.evaluate(IN_LOCAL_STORAGE) == 2
    expect(table.message).not_to_contain_text(ONLY_HERE)
    page.reload()
    expect(waits(table)).to_have_text("2 warten auf Versand")
    assert labels(table) == ["2", "1"]
    find_net(page)
    expect(waits(table)).to_be_hidden()
    assert [game.facts["re"] for game in stored(table)] == [[0, 1], [0, 2]]
    page.wait_for_function(f"{IN_LOCAL_STORAGE} === 0")
    page.reload()
    expect(page.locator("#rows tr")).to_have_count(2)
    expect(waits(table)).to_be_hidden()
    assert len(stored(table)) == 2


def test_an_entry_that_no_store_takes_asks_before_the_page_is_left(page: Page, table: TablePage) -> None:
    lose_net(page)
    page.evaluate(f"() => {{ {NO_DATABASE['put']} {NO_ROOM_BESIDE} }}")
    table.enter(FIRST)
    table.save()
    expect(table.message).to_contain_text(ONLY_HERE)
    expect(table.message).to_contain_text("Spiel 1 ist noch nicht gespeichert.")
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    page.close(run_before_unload=True)
    page.wait_for_timeout(200)
    assert asked == ["beforeunload"]
    find_net(page)
    expect(waits(table)).to_be_hidden()
    expect(table.message).not_to_contain_text(ONLY_HERE)
    assert len(stored(table)) == 1


@pytest.mark.soak
def test_what_is_half_typed_and_cannot_be_kept_is_said(page: Page, table: TablePage) -> None:
    page.evaluate(f"() => {{ {NO_ROOM_BESIDE} }}")
    table.enter(FIRST)
    expect(table.message).to_contain_text(ONLY_HERE)
    table.save()
    expect(table.message).to_contain_text("Gespeichert")
    expect(table.message).not_to_contain_text(ONLY_HERE)


def test_what_waits_and_cannot_be_read_is_said(page: Page, table: TablePage) -> None:
    """At the table, and on every other page, with what warns of leaving."""
    page.add_init_script(NO_DATABASE["open"])
    page.reload()
    expect(table.message).to_contain_text("gerade nicht lesbar")
    page.goto(table.site + reverse("evening_close", args=[table.slug, table.table.evening_id]))
    expect(page.locator("#waits")).to_contain_text("Einträge auf diesem Telefon sind gerade nicht lesbar.")
    expect(page.locator("[data-waits]")).to_be_visible()
