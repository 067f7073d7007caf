"""What is typed stands on the sheet as waiting until the server has it; it survives a reload and goes out in order, once each."""

from __future__ import annotations

import json

import pytest
from django.urls import reverse
from playwright.sync_api import Page, Route, expect
from pytest_django.live_server_helper import LiveServer
from pytest_playwright import CreateContextCallback

from scoring.club.actions import Actor
from scoring.evenings.actions import close_evening
from scoring.models import LateEntry
from scoring.table.actions.tables import renew_link
from tests.browser.fit import THUMB_AT_THE_TABLE, barriers, misfits
from tests.browser_page import log_in
from tests.chromium import PATIENCE
from tests.factories import Cast, add_game, make_table
from tests.stories.offline import soon
from tests.stories.outbox.phone import (
    FIRST,
    GAMES,
    OFFLINE,
    SECOND,
    THIRD,
    expect_sent,
    find_net,
    hold_answers,
    keep,
    let_through,
    lose_net,
    stored,
    totals,
    waits,
)
from tests.stories.table import TablePage, sit_down


def test_games_wait_and_go_out_in_order(page: Page, table: TablePage) -> None:
    lose_net(page)
    for facts in (FIRST, SECOND, THIRD):
        keep(table, facts)
    expect(waits(table)).to_have_text("3 warten auf Versand")
    expect(page.locator("#rows tr.waiting")).to_have_count(3)
    seen = table.lines(), table.totals(), table.dealer
    assert [line.label for line in seen[0]] == ["3", "2", "1"]
    assert stored(table) == []
    # A row stays under a thumb, however often it is tried in vain.
    page.locator("#rows tr").evaluate_all("rows => rows.forEach(row => { row.isOld = true })")
    with page.expect_event("requestfailed", lambda request: request.method == "POST"):
        page.evaluate("dispatchEvent(new Event('online'))")
    table.expect_out_of_reach()
    assert page.locator("#rows tr").evaluate_all("rows => rows.map(row => row.isOld)") == [True] * 3
    find_net(page)
    expect(waits(table)).to_be_hidden()
    expect(page.locator("#rows tr.waiting")).to_have_count(0)
    assert (table.lines(), table.totals(), table.dealer) == seen, "the server says what the phone had computed"
    assert [game.facts["re"] for game in stored(table)] == [[0, 1], [0, 2], [3]]
    assert totals(table) == table.totals()
    page.reload()
    assert (table.lines(), table.totals(), table.dealer) == seen
    table.enter_and_save(FIRST)
    assert len(stored(table)) == 4


def test_answers_that_got_lost_book_once(page: Page, table: TablePage) -> None:
    """Every first try arrives and is committed, and the phone never hears of it."""
    tried: set[str] = set()

    def swallow(route: Route) -> None:
        key = json.loads(route.request.post_data)["key"]
        if key not in tried:
            tried.add(key)
            assert route.fetch().status == 201
        route.abort(OFFLINE)

    table.hear_nothing()
    page.route(GAMES, swallow)
    keep(table, FIRST)
    expect(waits(table)).to_have_text("1 wartet auf Versand")
    find_net(page)
    expect(waits(table)).to_be_hidden()
    table.hear_nothing()
    page.route(GAMES, swallow)
    keep(table, SECOND)
    let_through(page)
    page.reload()
    expect(waits(table)).to_be_hidden()
    assert [line.label for line in table.lines()] == ["2", "1"]
    assert len(stored(table)) == 2


@pytest.mark.soak
def test_a_game_whose_answer_got_lost_is_called_saved_where_the_page_has_heard_of_it(page: Page, table: TablePage) -> None:
    """Asked what is new meanwhile, the server has told of it."""
    held = hold_answers(page)

    def arrives(route: Route) -> None:
        assert route.fetch().status == 201
        route.fallback()

    page.route(GAMES, arrives)
    table.enter(FIRST)
    table.save()
    expect(page.locator("#rows tr:not(.waiting)")).to_have_count(1)
    expect_sent(page, held, 1)
    lose_net(page)
    held.pop().abort(OFFLINE)
    expect(table.message).to_contain_text("Gespeichert: Spiel 1.")
    find_net(page)
    expect(waits(table)).to_be_hidden()
    assert len(stored(table)) == 1


@pytest.mark.soak
def test_a_server_that_is_busy_is_asked_again_by_itself(page: Page, table: TablePage, page_complaints: list[str]) -> None:
    answers = [(503, '{"error": "Gerade ist zu viel los."}'), (503, "")]

    def busy(route: Route) -> None:
        if answers:
            status, body = answers.pop()
            route.fulfill(status=status, content_type="application/json" if body else "text/html", body=body)
        else:
            route.fallback()

    page.route(GAMES, busy)
    keep(table, FIRST)
    expect(waits(table)).to_be_hidden(timeout=2 * PATIENCE)
    assert len(stored(table)) == 1
    assert [complaint for complaint in page_complaints if "503" not in complaint] == []
    page_complaints.clear()


@pytest.mark.soak
def test_which_game_brought_which_bock_is_known_without_a_net(page: Page, live_server: LiveServer, cast: Cast) -> None:
    """What was open before the net was lost, and what is started without it."""
    lost, told = {"kind": "normal", "re": [0, 1], "eyes": 100, "re_said": "said"}, "Bock: noch 5: 1 aus Spiel 1, 4 aus Spiel 3"
    table = make_table(cast.club, 4, preset="anleitung")
    add_game(table, **lost)
    phone = sit_down(page, live_server.url, cast.scorer, table)
    head = page.locator('[data-head="bock"]')
    expect(head).to_have_text("Bock: noch 4 aus Spiel 1")
    lose_net(page)
    for facts in (FIRST, lost, FIRST):
        keep(phone, facts)
    expect(head).to_have_text(told)
    assert misfits(page, THUMB_AT_THE_TABLE) == []
    page.locator("#rows tr.waiting").last.locator("a").tap()
    expect(head).to_have_text("Bock: noch 4 aus Spiel 1")
    page.get_by_role("button", name="Unverändert lassen").tap()
    expect(head).to_have_text(told)
    find_net(page)
    expect(waits(phone)).to_be_hidden()
    expect(head).to_have_text(told)
    page.reload()
    expect(head).to_have_text(told)


def test_an_incomplete_game_is_not_kept(page: Page, table: TablePage) -> None:
    """What is missing or cannot be is said at its field, without a net as well, and stays in the form."""
    lose_net(page)
    table.mark("Wer ist Re?", [0, 1])
    table.save()
    expect(page.locator("#fault-eyes")).to_have_text("Es fehlt: Augen")
    table.keys("eyes", 241)
    table.save()
    expect(table.message).to_have_text("Keine Verbindung Das passt noch nicht zusammen.")
    expect(waits(table)).to_be_hidden()
    assert table.lines() == []
    assert table.marked("Wer ist Re?") == ["Ärmel", "Bodo"]


def test_what_can_not_be_sent_there_is_told_and_discarded(page: Page, table: TablePage, cast: Cast) -> None:
    lose_net(page)
    keep(table, FIRST)
    close_evening(evening=table.table.evening, actor=Actor(cast.admin))
    # Before what is lost: in between a page that is open would send it to the server itself.
    page.route(
        GAMES,
        lambda route: route.fulfill(
            status=422, content_type="application/json", body='{"errors": {"eyes": "Diese Augen gibt es nicht."}}'
        ),
    )
    table.open()
    box = page.locator("#unsent .panel")
    expect(box).to_contain_text("was nicht gespeichert wurde (1)")
    expect(box).to_contain_text("Diese Augen gibt es nicht.")
    assert misfits(page, THUMB_AT_THE_TABLE) == []
    box.get_by_role("button", name="Verwerfen").tap()
    expect(box).to_have_count(0)
    assert not LateEntry.objects.exists()


@pytest.mark.soak
def test_a_guest_whose_link_has_ended_hands_in_what_waited(
    page: Page, new_context: CreateContextCallback, live_server: LiveServer, cast: Cast, page_complaints: list[str]
) -> None:
    """Çelik came by the link of a table, and a game waits on the phone."""
    at_table = make_table(cast.club, 4)
    page.goto(f"{live_server.url}/t/{renew_link(table=at_table, actor=Actor(cast.scorer)).token}/open/")
    page.get_by_role("button", name="Ich bin Çelik").tap()
    expect(page.locator("#save")).to_be_visible()
    table = TablePage(page, live_server.url, at_table)
    lose_net(page)
    keep(table, FIRST)
    add_game(at_table, eyes=140)
    renew_link(table=at_table, actor=Actor(cast.scorer))
    page.unroute(GAMES)
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.get_by_role("heading", level=1)).to_have_text("Der Link gilt nicht mehr")
    expect(page.locator(".late")).to_contain_text("Çelik, über den Link für den Tisch")
    expect(page.locator(".late .pills")).to_contain_text("Ärmel +2")
    assert misfits(page, THUMB_AT_THE_TABLE) + barriers(page) == []
    assert LateEntry.objects.get().spoken_as.name == "Çelik"
    page_complaints[:] = [one for one in page_complaints if "status of 410" not in one]
    scorer = sit_down(new_context().new_page(), live_server.url, cast.scorer, at_table)
    scorer.page.get_by_role("link", name="1 Spiel kam zu spät an").tap()
    scorer.page.get_by_role("button", name="Eintragen …", exact=True).tap()
    expect(scorer.page.locator("#effects")).to_contain_text("Spiel, neu: Wert 2")
    assert misfits(scorer.page, THUMB_AT_THE_TABLE) + barriers(scorer.page) == []
    scorer.page.get_by_role("button", name="Einfügen").tap()
    expect(scorer.page.get_by_text("Gespeichert: Spiel 1.")).to_be_visible()
    assert scorer.totals() == totals(table)
    assert [game.facts["eyes"] for game in stored(table)] == [153, 140]


@pytest.mark.soak
def test_no_page_forgets_what_waits(page: Page, live_server: LiveServer, cast: Cast, table: TablePage) -> None:
    pages = [reverse("club", args=["karo"]), reverse("evening_close", args=["karo", table.table.evening_id])]
    lose_net(page)
    keep(table, FIRST)
    keep(table, SECOND)
    line = page.locator("#waits p")
    for address in pages:
        page.goto(live_server.url + address)
        expect(line).to_contain_text("Auf diesem Telefon sind 2 Einträge noch nicht gespeichert.")
        assert misfits(page, 44) + barriers(page) == []
        expect(page.locator("[data-waits]:visible")).to_have_count(0 if address == pages[0] else 1)
    page.get_by_role("link", name="Zum Tisch").tap()
    expect(waits(table)).to_have_text("2 warten auf Versand")
    expect(page.locator("#waits")).to_have_count(0)

    log_in(page.context, table.site, cast.admin)
    page.goto(live_server.url + pages[1])
    expect(page.locator("#waits")).to_be_attached()
    page.wait_for_timeout(500)
    expect(page.locator("#waits p, [data-waits]:visible")).to_have_count(0)

    log_in(page.context, table.site, cast.scorer)
    let_through(page)
    table.open()
    soon(lambda: len(stored(table)), 2)
    expect(waits(table)).to_be_hidden()
    page.goto(live_server.url + pages[1])
    page.wait_for_timeout(500)
    expect(page.locator("#waits p, [data-waits]:visible")).to_have_count(0)
