"""What is typed stands on the sheet as waiting until the server has it: before its answer, and as long as there is no
reception. Games survive a reload and go out in order, once each; what the server refuses stays until somebody mends or
discards it."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from playwright.sync_api import Page, Route, expect
from pytest_django.live_server_helper import LiveServer
from pytest_playwright import CreateContextCallback

from scoring.club.actions.history import Actor
from scoring.evenings.actions import close_evening
from scoring.models import Change, Game, LateEntry, Verb
from scoring.play.queries.records import read_records
from scoring.play.queries.sheet import read_sheet
from scoring.table.actions.links import renew_link
from scoring.table.actions.seats import change_line_up
from tests.browser.fit import THUMB_AT_THE_TABLE, barriers, misfits
from tests.chromium import PATIENCE
from tests.factories import Cast, add_game, make_player, make_rule_set, make_table, make_user
from tests.phones import log_in
from tests.stories.table import STATE, TablePage, number, sit_down

GAMES = "**/games/"
OFFLINE = "internetdisconnected"
DECIDE = "Bitte erst ändern, was oben bemängelt ist, oder dort einen Knopf antippen."
FIRST = {"kind": "normal", "re": [0, 1], "eyes": 153}
SECOND = {"kind": "normal", "re": [0, 2], "band": "90-119", "re_said": "said"}
THIRD = {"kind": "damensolo", "re": [3], "eyes": 130}


@pytest.fixture
def table(page: Page, live_server: LiveServer, cast: Cast) -> TablePage:
    return sit_down(page, live_server.url, cast.scorer, make_table(cast.club, 4))


def lose_net(page: Page) -> None:
    """Neither what is entered nor the question for what is new gets through."""
    for address in (GAMES, STATE):
        page.route(address, lambda route: route.abort(OFFLINE))


def let_through(page: Page) -> None:
    for address in (GAMES, STATE):
        page.unroute(address)


def find_net(page: Page) -> None:
    """The net is back, and the phone is taken up again."""
    let_through(page)
    page.evaluate("dispatchEvent(new Event('online'))")


def keep(table: TablePage, facts: dict[str, Any]) -> None:
    table.enter(facts)
    table.save()
    expect(table.message).to_contain_text("wartet auf Versand")


def waits(table: TablePage) -> Any:
    return table.page.locator('[data-head="waiting"]')


def stored(table: TablePage) -> list[Game]:
    return [row.game for row in read_sheet(table.table).rows]


def totals(table: TablePage) -> list[int]:
    return [total for _player, total in read_sheet(table.table).columns]


def test_games_wait_and_go_out_in_order(page: Page, table: TablePage) -> None:
    lose_net(page)
    for facts in (FIRST, SECOND, THIRD):
        keep(table, facts)
    expect(waits(table)).to_have_text("3 warten auf Versand")
    expect(page.locator("#rows tr.waiting")).to_have_count(3)
    seen = table.lines(), table.totals(), table.dealer
    assert [line.label for line in seen[0]] == ["3", "2", "1"]
    assert stored(table) == []

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


def test_what_waits_survives_a_reload(page: Page, table: TablePage) -> None:
    lose_net(page)
    keep(table, FIRST)
    keep(table, {**SECOND, "dealer": 3})
    seen = table.lines()
    odd = page.get_by_role("img", name="gibt außer der Reihe")
    expect(odd).to_have_count(1)
    page.reload()
    expect(waits(table)).to_have_text("2 warten auf Versand")
    assert table.lines() == seen
    expect(odd).to_have_count(1)
    keep(table, THIRD)
    find_net(page)
    expect(waits(table)).to_be_hidden()
    assert [game.facts["re"] for game in stored(table)] == [[0, 1], [0, 2], [3]]
    expect(odd).to_have_count(1)


def test_answers_that_got_lost_book_once(page: Page, table: TablePage) -> None:
    """Every first try arrives and is committed, and the phone never hears of it."""
    tried: set[str] = set()

    def swallow(route: Route) -> None:
        key = json.loads(route.request.post_data)["key"]
        if key not in tried:
            tried.add(key)
            assert route.fetch().status == 201
        route.abort(OFFLINE)

    page.route(GAMES, swallow)
    keep(table, FIRST)
    expect(waits(table)).to_have_text("1 wartet auf Versand")
    find_net(page)
    expect(waits(table)).to_be_hidden()
    page.route(GAMES, swallow)
    keep(table, SECOND)
    page.unroute(GAMES)
    page.reload()
    expect(waits(table)).to_be_hidden()
    assert [line.label for line in table.lines()] == ["2", "1"]
    assert len(stored(table)) == 2


def test_a_server_that_is_busy_is_asked_again_by_itself(
    page: Page, table: TablePage, page_complaints: list[str]
) -> None:
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


def test_bock_and_totals_are_computed_on_the_phone(
    page: Page, live_server: LiveServer, cast: Cast, new_context: CreateContextCallback
) -> None:
    people = [make_player(cast.club, f"Gast {n}") for n in range(5)]
    table = sit_down(page, live_server.url, cast.scorer, make_table(cast.club, people, preset="anleitung"))
    lose_net(page)
    lost = {"kind": "normal", "re": [1, 2], "eyes": 100, "re_said": "said"}
    keep(table, lost)
    assert page.locator('[data-head="bock"]').is_visible()
    for dealer in range(1, 6):
        playing = [seat for seat in range(5) if seat != dealer % 5]
        keep(table, {"kind": "normal", "re": playing[:2], "eyes": 140})
    heads = page.locator(".facts-line [data-head]").all_inner_texts()
    seen = table.lines(), table.totals()
    find_net(page)
    expect(waits(table)).to_be_hidden()
    assert (table.lines(), table.totals()) == seen
    assert page.locator(".facts-line [data-head]").all_inner_texts()[:7] == heads[:7]
    page.reload()
    assert (table.lines(), table.totals()) == seen


@pytest.mark.parametrize(
    ("overlap", "told"),
    [
        ("append", "Bock: noch 5: 1 aus Spiel 1, 4 aus Spiel 3"),
        ("stack", "Bock: noch 3 (×4) aus den Spielen 1, 3"),
        ("extend", "Bock: noch 3 aus Spiel 3"),
        ("ignore", "Bock: noch 1 aus Spiel 1"),
    ],
)
def test_which_game_brought_which_bock_is_known_without_a_net(
    page: Page, live_server: LiveServer, cast: Cast, overlap: str, told: str
) -> None:
    """What was open before the net was lost, and what is started without it."""
    lost = {"kind": "normal", "re": [0, 1], "eyes": 100, "re_said": "said"}
    rules = make_rule_set(cast.club, "anleitung", bock={"overlap": overlap, "cap": 4})
    table = make_table(cast.club, 4, rule_set=rules)
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
    page.get_by_role("button", name="So lassen, wie es ist").tap()
    expect(head).to_have_text(told)
    find_net(page)
    expect(waits(phone)).to_be_hidden()
    expect(head).to_have_text(told)
    page.reload()
    expect(head).to_have_text(told)


def test_a_new_deal_waits_among_the_games(page: Page, table: TablePage) -> None:
    lose_net(page)
    keep(table, FIRST)
    table.unfold("Mehr")
    page.get_by_role("button", name="Neu gegeben").tap()
    expect(table.message).to_contain_text("Neu gegeben ist noch nicht gespeichert")
    keep(table, SECOND)
    find_net(page)
    expect(waits(table)).to_be_hidden()
    assert [game.form for game in stored(table)] == ["played", "redeal", "played"]


def test_an_incomplete_game_is_not_kept(page: Page, table: TablePage) -> None:
    """What is missing or cannot be is said at its field, without a net as well, and stays in the form."""
    lose_net(page)
    table.mark("Wer ist Re?", [0, 1])
    table.save()
    expect(page.locator("#fault-eyes")).to_have_text("Es fehlt noch das Ergebnis.")
    table.keys("eyes", 241)
    table.save()
    expect(table.message).to_have_text("Das passt noch nicht zusammen.")
    expect(waits(table)).to_be_hidden()
    assert table.lines() == []
    assert table.marked("Wer ist Re?") == ["Ärmel", "Bodo"]


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
    page.get_by_role("button", name="Ja, dasselbe Spiel").tap()
    expect(waits(table)).to_be_hidden()
    assert [game.facts["re"] for game in stored(table)] == [[0, 1], [0, 2]]
    assert [line.label for line in table.lines()] == ["2", "1"]


def test_the_same_game_looks_the_same_where_it_is_asked_about(page: Page, live_server: LiveServer, cast: Cast) -> None:
    """Behind the other one it would be played in its Bock, and bear a number that nobody typed."""
    table = sit_down(page, live_server.url, cast.scorer, make_table(cast.club, 4, preset="anleitung"))
    lost = {"kind": "normal", "re": [0, 1], "eyes": 100, "re_said": "said"}
    table.hear_nothing()
    add_game(table.table, **lost)
    table.enter(lost)
    table.save()
    told = page.locator("#outbox .conflict p")
    expect(told.first).to_contain_text("Ist das dasselbe Spiel?")
    _, mine, theirs = told.all_inner_texts()
    game = mine.removeprefix("Hier eingetippt: ")
    assert theirs == f"Auf dem Zettel als Spiel 1: {game}"
    assert game.startswith("Re Ärmel, Bodo · Re 100 : 140 Kontra · Re angesagt · Ärmel −")
    expect(table.message).to_have_text(DECIDE)
    expect(waits(table)).to_have_text("1 wartet auf Antwort")
    expect(page.locator("#rows tr.waiting")).to_contain_text("wartet auf Antwort")
    assert misfits(page, THUMB_AT_THE_TABLE) + barriers(page) == []
    page.get_by_role("button", name="Ja, dasselbe Spiel").tap()
    expect(page.locator("#rows tr.waiting")).to_have_count(0)
    assert len(stored(table)) == 1


def refuse_first(page: Page) -> None:
    """The server finds fault with the first entry that comes, once."""
    refused = []

    def fault(route: Route) -> None:
        if refused:
            return route.fallback()
        refused.append(route)
        return route.fulfill(
            status=422, content_type="application/json", body='{"errors": {"eyes": "Diese Augen gibt es nicht."}}'
        )

    let_through(page)
    page.route(GAMES, fault)
    page.evaluate("dispatchEvent(new Event('online'))")


def test_a_refused_game_is_mended_in_its_place(page: Page, table: TablePage) -> None:
    lose_net(page)
    keep(table, SECOND)
    keep(table, THIRD)
    refuse_first(page)
    box = page.locator("#outbox .conflict")
    expect(box).to_contain_text("Spiel 1 wurde nicht angenommen.")
    expect(box).to_contain_text("Diese Augen gibt es nicht.")
    assert stored(table) == []
    page.reload()
    expect(box).to_contain_text("Diese Augen gibt es nicht.")
    page.get_by_role("button", name="Ändern").tap()
    expect(page.locator('[data-head="dealer"]')).to_have_text("Ärmel")
    assert table.marked("Wer ist Re?") == ["Ärmel", "Çelik"]
    table.keys("eyes", 100)
    table.save()
    expect(waits(table)).to_be_hidden()
    assert [(game.facts.get("eyes"), game.facts.get("re_said")) for game in stored(table)] == [
        (100, "said"),
        (130, None),
    ]
    assert table.totals() == totals(table)


def test_a_refused_game_is_discarded(page: Page, table: TablePage) -> None:
    lose_net(page)
    keep(table, SECOND)
    keep(table, THIRD)
    refuse_first(page)
    page.get_by_role("button", name="Verwerfen").tap()
    expect(waits(table)).to_be_hidden()
    assert [game.facts["re"] for game in stored(table)] == [[3]]
    assert [line.label for line in table.lines()] == ["1"]


def test_a_game_for_an_evening_that_was_closed_waits_for_the_admin(
    page: Page, table: TablePage, cast: Cast, live_server: LiveServer, new_context: CreateContextCallback
) -> None:
    lose_net(page)
    keep(table, FIRST)
    keep(table, SECOND)
    close_evening(evening=table.table.evening, actor=cast.admin)
    # The phone hears of it from the answer to its games, not before.
    page.unroute(GAMES)
    page.evaluate("dispatchEvent(new Event('online'))")
    late = page.locator(".late")
    expect(late.get_by_role("heading")).to_have_text("2 Nachzügler warten")
    expect(late).to_contain_text("schorsch")
    expect(late).to_contain_text("Re: Ärmel, Bodo")
    expect(late.get_by_role("button")).to_have_count(0)
    expect(page.locator("#unsent .panel")).to_have_count(0)
    assert stored(table) == []
    admin = sit_down(new_context().new_page(), live_server.url, cast.admin, table.table)
    expect(admin.page.locator(".late .panel").first.locator(".live")).to_contain_text("Ärmel +2")
    assert misfits(admin.page, THUMB_AT_THE_TABLE) == []
    assert barriers(admin.page) == []
    admin.page.get_by_role("button", name="Eintragen", exact=True).first.tap()
    expect(admin.page.get_by_text("Gespeichert: Spiel 1.")).to_be_visible()
    expect(admin.page.locator(".late .panel")).to_have_count(1)
    admin.page.locator(".late").get_by_role("button", name="Verwerfen").tap()
    expect(admin.page.get_by_text("Verworfen.")).to_be_visible()
    assert [(game.facts["re"], game.entered_by) for game in stored(table)] == [([0, 1], cast.scorer)]


def test_what_waited_while_the_page_was_closed_goes_out_when_it_is_opened(
    page: Page, table: TablePage, cast: Cast
) -> None:
    lose_net(page)
    keep(table, FIRST)
    page.goto("about:blank")
    close_evening(evening=table.table.evening, actor=cast.admin)
    let_through(page)
    table.open()
    expect(page.locator(".late")).to_contain_text("Re: Ärmel, Bodo")
    expect(page.locator("#unsent .panel")).to_have_count(0)


def test_what_can_not_be_sent_there_is_told_and_discarded(page: Page, table: TablePage, cast: Cast) -> None:
    lose_net(page)
    keep(table, FIRST)
    close_evening(evening=table.table.evening, actor=cast.admin)
    page.unroute(GAMES)
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


def a_guest_who_waits(new_context: CreateContextCallback, live_server: LiveServer, cast: Cast) -> TablePage:
    """Çelik came by the link of a table, and a game waits on the phone."""
    table = make_table(cast.club, 4)
    phone = new_context().new_page()
    phone.goto(f"{live_server.url}/t/{renew_link(table=table, actor=cast.scorer).token}/")
    phone.get_by_role("button", name="Ich bin Çelik").tap()
    expect(phone.locator("#save")).to_be_visible()
    guest = TablePage(phone, live_server.url, table)
    lose_net(phone)
    keep(guest, FIRST)
    return guest


def test_a_guest_who_comes_back_to_the_page_hands_it_in_as_well(
    new_context: CreateContextCallback, live_server: LiveServer, cast: Cast, page_complaints: list[str]
) -> None:
    table = a_guest_who_waits(new_context, live_server, cast)
    phone, at_table = table.page, table.table
    phone.goto("about:blank")
    close_evening(evening=at_table.evening, actor=cast.admin)
    let_through(phone)
    table.open()
    expect(phone.locator(".late")).to_contain_text("Re: Ärmel, Bodo")
    expect(phone.locator("#unsent .panel")).to_have_count(0)
    page_complaints[:] = [one for one in page_complaints if "status of 410" not in one]


@pytest.mark.parametrize("is_closed", [True, False], ids=["closed", "renewed"])
def test_a_guest_whose_link_has_ended_hands_in_what_waited(
    new_context: CreateContextCallback,
    live_server: LiveServer,
    cast: Cast,
    page_complaints: list[str],
    is_closed: bool,
) -> None:
    table = a_guest_who_waits(new_context, live_server, cast)
    phone, at_table = table.page, table.table
    if is_closed:
        close_evening(evening=at_table.evening, actor=cast.admin)
    else:
        add_game(at_table, eyes=140)
        renew_link(table=at_table, actor=cast.scorer)
    phone.unroute(GAMES)
    phone.evaluate("dispatchEvent(new Event('online'))")
    heading = "Der Abend ist abgeschlossen" if is_closed else "Der Link gilt nicht mehr"
    expect(phone.get_by_role("heading", level=1)).to_have_text(heading)
    expect(phone.locator(".late")).to_contain_text("Çelik, über den Link für den Tisch")
    expect(phone.locator(".late .live")).to_contain_text("Ärmel +2")
    assert misfits(phone, THUMB_AT_THE_TABLE) == []
    assert barriers(phone) == []
    assert LateEntry.objects.get().spoken_as.name == "Çelik"
    page_complaints[:] = [one for one in page_complaints if "status of 410" not in one]
    if is_closed:
        return
    scorer = sit_down(new_context().new_page(), live_server.url, cast.scorer, at_table)
    scorer.page.get_by_role("link", name="1 Nachzügler wartet").tap()
    scorer.page.get_by_role("button", name="Eintragen …", exact=True).tap()
    expect(scorer.page.locator("#effects")).to_contain_text("Spiel, neu: Wert 2")
    assert misfits(scorer.page, THUMB_AT_THE_TABLE) == []
    assert barriers(scorer.page) == []
    scorer.page.get_by_role("button", name="So einfügen").tap()
    expect(scorer.page.get_by_text("Gespeichert: Spiel 1.")).to_be_visible()
    assert scorer.totals() == totals(table)
    assert [game.facts["eyes"] for game in stored(table)] == [153, 140]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_waits_and_what_was_refused_can_be_read_by_everybody(page: Page, table: TablePage, scheme: Any) -> None:
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    lose_net(page)
    keep(table, SECOND)
    keep(table, THIRD)
    refuse_first(page)
    expect(page.locator("#outbox .conflict")).to_be_visible()
    assert misfits(page, THUMB_AT_THE_TABLE) == []
    assert barriers(page) == []


def test_tables_do_not_mix_what_waits(page: Page, live_server: LiveServer, cast: Cast, table: TablePage) -> None:
    lose_net(page)
    keep(table, FIRST)
    other = TablePage(page, live_server.url, cast.table).open()
    expect(waits(other)).to_be_hidden()
    table.open()
    expect(waits(table)).to_have_text("1 wartet auf Versand")


def test_no_page_forgets_what_waits(page: Page, live_server: LiveServer, cast: Cast, table: TablePage) -> None:
    evening = table.table.evening
    pages = [
        reverse("club", args=["karo"]),
        reverse("more", args=["karo"]),
        reverse("evening_close", args=["karo", evening.pk]),
    ]
    lose_net(page)
    keep(table, FIRST)
    keep(table, SECOND)
    line = page.locator("#waits p")
    for address in pages:
        page.goto(live_server.url + address)
        expect(line).to_contain_text("Auf diesem Telefon sind 2 Einträge noch nicht gespeichert.")
        assert misfits(page, 44) + barriers(page) == []
        expect(page.locator("[data-waits]")).to_have_count(0 if address == pages[0] else 1)
        expect(page.locator("[data-waits]:visible")).to_have_count(0 if address == pages[0] else 1)
    page.get_by_role("link", name="Zum Tisch").tap()
    expect(waits(table)).to_have_text("2 warten auf Versand")
    expect(page.locator("#waits")).to_have_count(0)

    log_in(page.context, table.site, cast.admin)
    page.goto(live_server.url + pages[2])
    expect(page.locator("#waits")).to_be_attached()
    page.wait_for_timeout(500)
    expect(page.locator("#waits p, [data-waits]:visible")).to_have_count(0)

    log_in(page.context, table.site, cast.scorer)
    let_through(page)
    table.open()
    expect(waits(table)).to_be_hidden()
    page.goto(live_server.url + pages[2])
    page.wait_for_timeout(500)
    expect(page.locator("#waits p, [data-waits]:visible")).to_have_count(0)


# --- Penalties ------------------------------------------------------------------------------------------------------


def punish(table: TablePage, name: str, reason: str = "Regelverstoß") -> None:
    """Two taps on the table page."""
    table.tap(table.page.get_by_role("link", name="Strafe"))
    group = table.page.get_by_role("group", name=reason)
    table.tap(group.get_by_role("button", name=name))


def test_a_penalty_waits_among_the_games_and_what_is_typed_stays(page: Page, table: TablePage) -> None:
    lose_net(page)
    keep(table, FIRST)
    dealer = table.dealer
    table.enter(SECOND)
    punish(table, "Bodo")
    expect(page.locator("#rows tr.waiting")).to_have_count(2)
    expect(page.locator("#rows tr").first).to_contain_text("Strafe")
    assert table.marked("Wer ist Re?") == ["Ärmel", "Çelik"]
    assert table.dealer == dealer
    table.save()
    expect(waits(table)).to_have_text("3 warten auf Versand")
    seen = table.lines(), table.totals(), table.dealer
    assert [line.label for line in seen[0]] == ["2", "Strafe", "1"]
    expect(page.locator("#penalties")).to_have_count(0)

    find_net(page)

    expect(waits(table)).to_be_hidden()
    assert (table.lines(), table.totals(), table.dealer) == seen, "the server says what the phone had computed"
    assert [(game.form, game.dealer) for game in stored(table)] == [("played", 0), ("penalty", None), ("played", 1)]
    assert stored(table)[1].facts == {"points": [1, -3, 1, 1], "reason": "Regelverstoß"}


def test_a_penalty_that_ends_a_game_uses_its_deal_up(page: Page, table: TablePage) -> None:
    table.enter(SECOND)
    lose_net(page)
    punish(table, "Ärmel", "Spiel ungültig")
    expect(table.message).to_contain_text("Strafe ist noch nicht gespeichert")
    expect(page.locator("#penalties")).to_have_count(0)
    assert table.marked("Wer ist Re?") == []
    assert table.dealer == "Bodo"
    seen = table.lines(), table.totals()
    find_net(page)
    expect(waits(table)).to_be_hidden()
    assert (table.lines(), table.totals(), table.dealer) == (*seen, "Bodo")
    assert [(game.dealer, game.facts["points"]) for game in stored(table)] == [(0, [-12, 4, 4, 4])]


def test_a_hasty_second_tap_punishes_once(page: Page, table: TablePage) -> None:
    page.get_by_role("link", name="Strafe").tap()
    page.get_by_role("group", name="Regelverstoß").get_by_role("button", name="Bodo").dblclick()
    expect(table.message).to_have_text("Gespeichert: Strafe.")
    expect(page.locator("#penalties")).to_have_count(0)
    assert len(stored(table)) == 1


def test_other_points_have_a_page_of_their_own(page: Page, table: TablePage) -> None:
    page.get_by_role("link", name="Strafe").tap()
    expect(page.get_by_role("group", name="Regelverstoß")).to_be_visible()
    assert misfits(page, THUMB_AT_THE_TABLE) == []
    assert barriers(page) == []
    page.get_by_role("link", name="Andere Punkte oder ein anderer Grund").tap()
    page.wait_for_url("**/?form=penalty")
    page.get_by_label("Bodo").fill("-5")
    page.get_by_label("Grund").fill("zu spät")
    page.get_by_role("button", name="Eintragen und weiter").tap()
    expect(page.get_by_role("status").first).to_have_text("Gespeichert: Strafe.")
    assert stored(table)[0].facts == {"points": [0, -5, 0, 0], "reason": "zu spät"}
    # It is the penalty that keeps the sheet from adding up to 0, and the next game changes nothing about that.
    table.enter(SECOND)
    table.save()
    expect(page.locator("#rows tr")).to_have_count(2)
    expect(page.locator("#uneven-others")).to_be_visible()
    expect(page.locator("#uneven-games")).to_be_hidden()


# --- Before the server has answered ---------------------------------------------------------------------------------


def hold_answers(page: Page) -> list[Route]:
    """The server is slow: what is sent stays on its way until the test lets it go, and the phone has the patience for it
    that a busy machine needs."""
    held: list[Route] = []
    page.evaluate("AbortSignal.timeout = () => new AbortController().signal")
    page.route(GAMES, lambda route: held.append(route))
    return held


def let_go(page: Page, held: list[Route]) -> None:
    page.unroute(GAMES)
    for route in held:
        route.fallback()
    held.clear()


def expect_sent(page: Page, held: list[Route], count: int) -> None:
    give_up = time.monotonic() + PATIENCE / 1000
    while len(held) < count and time.monotonic() < give_up:
        page.wait_for_timeout(20)
    assert len(held) == count


def test_a_game_stands_at_once_and_is_saved_only_when_the_server_says_so(page: Page, table: TablePage) -> None:
    held = hold_answers(page)
    # Asked what is new, the server would tell in its own words what was done last.
    page.route(STATE, lambda _: None)
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
    expect(table.message).to_have_text("Gespeichert: Spiel 2.")
    expect(page.locator("#rows tr.waiting")).to_have_count(0)
    assert (table.lines(), table.totals()) == seen
    expect(page.locator("#undo-what")).to_have_text("(Spiel 2)")
    assert [game.facts["re"] for game in stored(table)] == [[0, 1], [0, 2]]


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
    expect(table.message).to_have_text("Nicht gespeichert. Bitte die markierten Angaben prüfen.")
    assert table.marked("Wer ist Re?") == ["Özlem"]
    expect(page.locator("#solo-button")).to_have_text("Damensolo")
    table.save()
    expect(table.message).to_contain_text("Bitte erst ändern, was oben bemängelt ist")
    assert stored(table) == [], "the same again would be refused again"
    table.key("eyes", "back")
    table.save()
    table.expect_saved()
    expect(page.locator("#outbox .conflict")).to_have_count(0)
    [game] = stored(table)
    assert game.facts == {"kind": "damensolo", "re": [3], "eyes": 13, "kontra_said": "said"}


def test_a_new_deal_tapped_twice_is_one(page: Page, table: TablePage) -> None:
    table.unfold("Mehr")
    page.get_by_role("button", name="Neu gegeben").evaluate("button => { button.click(); button.click(); }")
    table.expect_saved()
    table.enter_and_save(FIRST)
    assert [game.form for game in stored(table)] == ["redeal", "played"]


def test_who_was_logged_out_logs_in_elsewhere_and_everything_goes_out(
    page: Page, table: TablePage, cast: Cast, page_complaints: list[str]
) -> None:
    page.context.clear_cookies(name="sessionid")
    table.enter(FIRST)
    table.save()
    alert = page.locator("#outbox").get_by_role("alert")
    expect(alert).to_have_text("Nicht gespeichert: bitte in einem anderen Fenster neu anmelden.")
    table.enter(SECOND)
    table.save()
    expect(waits(table)).to_have_text("2 warten auf Versand")
    expect(page.locator("#outbox .conflict")).to_have_count(0)
    log_in(page.context, table.site, cast.scorer)
    expect(waits(table)).to_be_hidden(timeout=2 * PATIENCE)
    expect(alert).to_have_count(0)
    assert [game.facts["re"] for game in stored(table)] == [[0, 1], [0, 2]]
    assert all("401" in said for said in page_complaints)
    page_complaints.clear()


# --- Others sat down meanwhile ---------------------------------------------------------------------------------------


@pytest.fixture
def five(page: Page, live_server: LiveServer, cast: Cast) -> TablePage:
    """Five at the table, one game on the sheet."""
    table = make_table(cast.club, 5)
    add_game(table, re=[1, 2])
    return sit_down(page, live_server.url, cast.scorer, table)


def one_goes(table: TablePage) -> None:
    """Another phone says that Bodo went home."""
    ärmel, _bodo, *others = read_records(table.table).current
    change_line_up(table=table.table, actor=Actor(), players=[ärmel, *others])


def line_ups(table: TablePage) -> list[int]:
    """How many sat at the table, line by line."""
    return [len(read_records(table.table).line_up(game)) for game in stored(table)]


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
    expect(page.locator('[data-pick="re"] .pill')).to_have_count(4)
    assert [line.label for line in five.lines()] == ["4", "3", "2", "1"]
    assert {number(cell) for cell in page.locator("[data-total]").all_inner_texts()} == set(totals(five))


def test_games_of_those_of_whom_the_server_had_none_arrive_as_well(
    page: Page, live_server: LiveServer, cast: Cast
) -> None:
    five = sit_down(page, live_server.url, cast.scorer, make_table(cast.club, 5))
    lose_net(page)
    keep(five, {**FIRST, "re": [2, 3]})
    keep(five, {**SECOND, "re": [0, 2]})
    one_goes(five)
    add_game(five.table, re=[0, 1])
    page.unroute(STATE)
    page.reload()
    expect(page.locator("#rows tr.waiting")).to_have_count(2)
    find_net(page)
    expect(page.locator("#rows tr:not(.waiting)")).to_have_count(3)
    expect(page.locator("#outbox .conflict")).to_have_count(0)
    expect(waits(five)).to_be_hidden()
    assert line_ups(five) == [5, 5, 4]
    expect(page.locator('[data-pick="re"] .pill')).to_have_count(4)


@pytest.mark.parametrize("have_played", [False, True])
def test_what_was_typed_before_others_sat_down_never_becomes_theirs(
    page: Page, five: TablePage, have_played: bool
) -> None:
    """The phone knows of them, and the games still wait."""
    lose_net(page)
    keep(five, {**FIRST, "re": [2, 3]})
    keep(five, {**SECOND, "re": [0, 1]})
    one_goes(five)
    if have_played:
        add_game(five.table, re=[0, 1])
    page.unroute(STATE)
    page.reload()
    expect(page.locator('[data-pick="re"] .pill')).to_have_count(4)
    expect(page.locator("#rows tr.waiting")).to_have_count(2)
    seen = [line.label for line in five.lines()]
    assert seen == (["davor", "davor", "2", "1"] if have_played else ["3", "2", "1"])
    expect(page.get_by_role("img", name="gibt außer der Reihe")).to_have_count(0)
    expect(page.locator('[data-head="number"]')).to_have_text("Spiel 5" if have_played else "Spiel 4")
    page.locator("#rows tr.waiting").last.locator("a").tap()
    box = page.locator("#outbox .conflict")
    expect(box).to_contain_text("Getippt ist es für die, die vorher am Tisch saßen")
    expect(box.get_by_role("button")).to_have_text(["Verwerfen", "So lassen, wie es ist"])
    assert five.marked("Wer ist Re?") == []
    assert misfits(page, THUMB_AT_THE_TABLE) + barriers(page) == []
    page.get_by_role("button", name="So lassen, wie es ist").tap()
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


def test_another_game_of_those_who_sat_here_before_is_asked_about(page: Page, five: TablePage) -> None:
    lose_net(page)
    keep(five, {**FIRST, "re": [2, 3]})
    add_game(five.table, re=[0, 4])
    one_goes(five)
    add_game(five.table, re=[0, 1])
    find_net(page)
    page.get_by_role("button", name="Nein, mein Spiel kam danach").tap()
    expect(waits(five)).to_be_hidden()
    assert line_ups(five) == [5, 5, 5, 4]
    assert [game.facts["re"] for game in stored(five)] == [[1, 2], [0, 4], [2, 3], [0, 1]]


# --- Whose it is -----------------------------------------------------------------------------------------------------


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
    expect(page.locator("#outbox").get_by_role("alert")).to_contain_text("hier trägt jetzt jemand anders ein")
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
    page.reload()
    expect(box_of_others(page)).to_have_count(0)


def test_after_taking_over_the_form_is_for_the_next_game(
    page: Page, live_server: LiveServer, cast: Cast, other: User
) -> None:
    """Five at the table: another one deals and sits out behind the game that was taken over."""
    table = sit_down(page, live_server.url, cast.scorer, make_table(cast.club, 5))
    lose_net(page)
    keep(table, {**FIRST, "re": [1, 2]})
    page.goto("about:blank")
    page.unroute(STATE)
    log_in(page.context, table.site, other)
    table.open()
    page.get_by_role("button", name="Unter meinem Namen eintragen").tap()
    expect(page.locator("#rows tr.waiting")).to_have_count(1)
    assert table.dealer == "Bodo"
    keep(table, {**SECOND, "re": [0, 2]})
    find_net(page)
    expect(waits(table)).to_be_hidden()
    expect(page.locator("#outbox .conflict")).to_have_count(0)
    assert [(game.dealer, game.facts["re"]) for game in stored(table)] == [(0, [1, 2]), (1, [0, 2])]


# --- Taking back and mending what waits ------------------------------------------------------------------------------


def test_what_waits_is_taken_back_without_a_net(page: Page, table: TablePage) -> None:
    lose_net(page)
    keep(table, FIRST)
    keep(table, SECOND)
    expect(page.locator("#undo-what")).to_have_text("(Spiel 2)")
    page.get_by_role("button", name="Rückgängig").tap()
    expect(table.message).to_have_text("Zurückgenommen.")
    expect(page.locator("#rows tr")).to_have_count(1)
    assert table.dealer == "Bodo"
    keep(table, THIRD)
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


def heads(page: Page, *parts: str) -> list[str]:
    return [page.locator(f'[data-head="{part}"]').inner_text() for part in parts]


def test_the_head_tells_of_the_game_in_the_form(page: Page, five: TablePage) -> None:
    """A waiting line that is tapped; then the next game again."""
    parts = ("number", "dealer", "leader", "out")
    lose_net(page)
    seen = heads(page, *parts)
    keep(five, {**FIRST, "re": [2, 3]})
    keep(five, {**SECOND, "re": [0, 1]})
    after = heads(page, *parts)
    page.locator("#rows tr.waiting").last.locator("a").tap()
    expect(page.locator("#outbox .conflict")).to_be_visible()
    assert heads(page, *parts) == seen == ["Spiel 2", "Bodo", "Çelik", "Bodo"]
    assert five.marked("Wer ist Re?") == ["Çelik", "Özlem"]
    five.dealt_by(3)
    assert heads(page, *parts, "turn") == ["Spiel 2", "Özlem", "Željko", "Özlem", "Bodo"]
    page.get_by_role("button", name="So lassen, wie es ist").tap()
    assert heads(page, *parts) == after == ["Spiel 4", "Özlem", "Željko", "Özlem"]


def test_a_row_stays_the_same_under_a_thumb(page: Page, table: TablePage) -> None:
    """However often it is tried in vain, and once it is saved and everybody has heard of it."""
    rows = page.locator("#rows tr")
    lose_net(page)
    keep(table, FIRST)
    keep(table, SECOND)
    rows.evaluate_all("rows => rows.forEach(row => { row.isOld = true })")
    with page.expect_event("requestfailed", lambda request: request.method == "POST"):
        page.evaluate("dispatchEvent(new Event('online'))")
    table.expect_out_of_reach()
    assert rows.evaluate_all("rows => rows.map(row => row.isOld)") == [True, True]
    with page.expect_response(lambda answer: "/state/" in answer.url and answer.status == 200):
        find_net(page)
    expect(page.locator("#rows tr:not(.waiting)")).to_have_count(2)
    rows.evaluate_all("rows => rows.forEach(row => { row.isOld = true })")
    with page.expect_response(lambda answer: "/state/" in answer.url and answer.status == 304):
        pass
    assert rows.evaluate_all("rows => rows.map(row => row.isOld)") == [True, True]


def test_a_line_that_waits_is_left_or_thrown_away(page: Page, table: TablePage) -> None:
    lose_net(page)
    keep(table, FIRST)
    keep(table, SECOND)
    page.locator("#rows tr").last.locator("a").tap()
    page.get_by_role("button", name="So lassen, wie es ist").tap()
    expect(page.locator("#outbox .conflict")).to_have_count(0)
    assert (table.marked("Wer ist Re?"), len(table.lines())) == ([], 2)
    page.locator("#rows tr").last.locator("a").tap()
    page.get_by_role("button", name="Verwerfen").tap()
    find_net(page)
    expect(waits(table)).to_be_hidden()
    assert [game.facts["re"] for game in stored(table)] == [[0, 2]]


def test_what_the_server_has_needs_the_server(page: Page, table: TablePage) -> None:
    """Opening a line, taking back, correcting: without a net a sentence says so, and what was typed stays."""
    table.enter_and_save(FIRST)
    table.open_game(1)
    page.locator("summary", has_text="Mehr").tap()
    page.get_by_label("Bemerkung").fill("Bodo hat es gemerkt")
    page.context.set_offline(True)
    page.locator("#save").tap()
    expect(page.get_by_text("Keine Verbindung: nichts ist abgeschickt.")).to_be_visible()
    expect(page.get_by_label("Bemerkung")).to_have_value("Bodo hat es gemerkt")
    page.context.set_offline(False)
    page.locator("#save").tap()
    page.get_by_role("button", name="So speichern").tap()
    expect(page.get_by_text("Berichtigt.")).to_be_visible()

    table.loaded.context.set_offline(True)
    page.get_by_role("button", name="Rückgängig").tap()
    expect(page.locator("#undo").get_by_role("alert")).to_contain_text("Keine Verbindung")
    table.expect_out_of_reach()
    page.locator("#rows a").tap()
    expect(table.message).to_have_text("Ohne Verbindung lässt sich nur ändern, was noch auf Versand wartet.")
    page.context.set_offline(False)
    page.get_by_role("button", name="Rückgängig").tap()
    expect(page.get_by_text("Zurückgenommen.")).to_be_visible()
    assert [game.note for game in stored(table)] == [""]


def test_a_line_opens_as_soon_as_the_net_is_back(page: Page, table: TablePage) -> None:
    """The phone, which had begun to ask more and more seldom, believes the server and not what it last heard."""
    add_game(table.table, re=[0, 1])
    add_game(table.table, re=[1, 2])
    table.open()
    page.context.set_offline(True)
    table.expect_out_of_reach()
    page.locator("#rows a").first.tap()
    expect(table.message).to_have_text("Ohne Verbindung lässt sich nur ändern, was noch auf Versand wartet.")
    # Nothing tells the page of it: its own events of being online are not to be relied upon.
    page.evaluate("addEventListener('online', event => event.stopImmediatePropagation(), true)")
    page.context.set_offline(False)
    page.locator("#rows a").first.tap()
    page.wait_for_url("**/games/*/")
