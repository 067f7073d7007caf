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
from scoring.models import Game, LateEntry
from scoring.table.actions.tables import renew_link
from tests.browser.fit import THUMB_AT_THE_TABLE, barriers, misfits
from tests.browser.test_table import AT_REST
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
    let_go,
    let_through,
    lose_net,
    refuse_first,
    stored,
    totals,
    waits,
)
from tests.stories.table import STATE, TablePage, sit_down


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


def test_a_penalty_waits_among_the_games_and_what_is_typed_stays(page: Page, table: TablePage) -> None:
    """A hasty second tap punishes nobody again."""
    # Penalties have a drawer, which lies over the form until it is tapped.
    table.is_surely_in_reach = False
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
