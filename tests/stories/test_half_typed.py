"""A game that is half typed survives whatever happens to its page: it comes back, says so, and one tap throws it away. It is never
entered twice, and nobody else at this phone sees it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer
from pytest_playwright import CreateContextCallback

from scoring.club.actions import Actor
from scoring.play.queries import read_records
from scoring.table.actions.seats import change_line_up
from tests.browser.fit import THUMB_AT_THE_TABLE, barriers, misfits
from tests.browser_page import another_page, log_in
from tests.factories import Cast, add_game, make_table, own_rules
from tests.network import Net
from tests.stories.offline import come_in, find_net, stored, waits
from tests.stories.outbox.phone import FIRST
from tests.stories.table import TablePage, sit_down

pytestmark = [pytest.mark.browser]

SAYS = "Von vorhin, noch nicht eingetragen."
# All that is typed, but for what the server makes anew each time.
TYPED = """() => [...new FormData(document.getElementById("entry"))].filter(([name]) => name !== "csrfmiddlewaretoken").join(" ")"""
DRAFTS = "() => Object.keys(localStorage).filter((name) => name.startsWith('typed '))"


def half_type(table: TablePage) -> None:
    """Who is Re, and one of two digits."""
    table.mark("Wer ist Re?", [1, 3])
    table.key("eyes", "9")


def typed(table: TablePage) -> str:
    found: str = table.loaded.evaluate(TYPED)
    return found


def expect_back(table: TablePage, wanted: str, says: str = SAYS) -> None:
    expect(table.message).to_contain_text(says)
    expect(table.page.get_by_role("button", name="Verwerfen")).to_be_visible()
    assert typed(table) == wanted
    expect(table.page.locator("#entry details[open]")).to_have_count(0)


def expect_blank(table: TablePage) -> None:
    expect(table.message).to_have_text("Es fehlt: wer Re ist, Augen")
    expect(table.page.locator("#drop")).to_have_count(0)
    assert (table.page.locator("#entry .tile :checked").count(), table.page.evaluate(DRAFTS)) == (0, [])


def test_it_comes_back_however_the_page_was_left(
    net: Net, cast: Cast, restarted: Callable[[], AbstractContextManager[Page]]
) -> None:
    """By rules with words of their own; and at last the browser is shut, and started again without a net."""
    club_table = make_table(cast.club, rule_set=own_rules(cast.club))
    with restarted() as page:
        table = come_in(page, net, cast, club_table)
        table.is_surely_in_reach = False
        table.enter_and_save(FIRST)
        table.dealt_by(2)
        table.tap(table.pill(table.group("Spielart"), "Kleine Armut"))
        table.mark("Wer ist Re?", [1, 3])
        table.chip("Re", "Gans", 2)
        table.chip("Spiel", "Hirsch", 1) if table.group("Spiel").count() else table.tap(table.page.get_by_label("Hirsch"))
        table.say("kontra", "no90")
        table.unfold("Mehr").get_by_label("Bemerkung").fill("Özlem zählt noch")
        table.side("kontra")
        table.key("eyes", "9")
        half = typed(table)
        assert "kleine_armut" in half and "Özlem zählt noch" in half

        page.reload()
        expect_back(table, half)
        assert misfits(page, THUMB_AT_THE_TABLE) + barriers(page) == []
        table.open_game(1)
        page.get_by_role("link", name="Zurück zum Tisch").tap()
        expect_back(table, half)
        table.open_game(1)
        page.go_back()
        expect_back(table, half)
        table.unfold("Sonderpunkte")
        expect(table.message).to_contain_text("gewinnt")
        expect(table.message).not_to_contain_text(SAYS)
        page.reload()
        expect_back(table, half)
        table.tap_beside("Gast kommt")
        with another_page(page):
            page.get_by_role("link", name="Sitze neu ordnen").tap()
        with another_page(page):
            page.get_by_role("link", name="Zurück zum Tisch").tap()
        expect_back(table, half)
        # Another app for so long that the phone has taken the page away.
        page.context.new_page()
        page.close()
        page = page.context.pages[-1]
        table = TablePage(page, net.url, club_table).open()
        expect_back(table, half)
        # It goes on as it began.
        table.key("eyes", "5")
        expect(table.message).to_contain_text("Re 145 : 95 Kontra")
        half = typed(table)
        net.cut()

    with restarted() as page:
        table = TablePage(page, net.url, club_table).open()
        expect_back(table, half)
        table.save()
        expect(waits(table)).to_have_text("1 wartet auf Versand")
        page.reload()
        expect(waits(table)).to_have_text("1 wartet auf Versand")
        expect(page.locator("#drop")).to_have_count(0)
        assert page.evaluate(DRAFTS) == []
        find_net(net, page)
        expect(waits(table)).to_be_hidden()
        page.reload()
        expect(page.locator("#rows tr")).to_have_count(2)
        expect_blank(table)
    [_, game] = stored(club_table)
    assert (game.dealer, game.note, game.facts["eyes"]) == (2, "Özlem zählt noch", 145)
    assert game.facts["re_specials"] == {"gans": 2}


@pytest.fixture
def table(page: Page, live_server: LiveServer, cast: Cast) -> TablePage:
    """Of four, with one game on the sheet."""
    paper = make_table(cast.club, 4)
    add_game(paper)
    return sit_down(page, live_server.url, cast.scorer, paper)


def test_one_tap_throws_it_away_and_a_hasty_second_one_nothing_else(page: Page, table: TablePage) -> None:
    half_type(table)
    page.reload()
    expect(page.locator("#undo-button")).to_be_hidden()
    page.locator("#drop").dblclick()
    expect_blank(table)
    page.reload()
    expect_blank(table)
    assert len(stored(table.table)) == 1
    table.enter_and_save(FIRST)
    page.reload()
    expect_blank(table)


@pytest.mark.soak
def test_a_correction_comes_back_as_long_as_nobody_else_corrected_the_line(page: Page, table: TablePage) -> None:
    says = "Von vorhin, noch nicht gespeichert."
    table.correct_game(1)
    table.chip("Re", "Fuchs gefangen", 1)
    half = typed(table)
    table.open()
    assert table.marked("Wer ist Re?") == [], "of a correction the table knows nothing"
    table.open_game(1)
    expect_back(table, half, says)
    assert misfits(page, THUMB_AT_THE_TABLE) == []
    with another_page(page):
        table.save()
    # What was sent is in the form, and nothing comes back.
    expect(page.locator("#effects")).to_be_visible()
    expect(page.locator("#drop")).to_have_count(0)
    page.go_back()
    expect_back(table, half, says)
    with another_page(page):
        page.locator("#drop").tap()
    expect(page.locator("#drop")).to_have_count(0)
    assert typed(table) != half
    table.chip("Re", "Fuchs gefangen", 1)
    with another_page(page):
        table.save()
    page.get_by_role("button", name="Berichtigung speichern").tap()
    expect(page.get_by_text("Berichtigt.")).to_be_visible()
    table.open_game(1)
    expect(page.locator("#entry [data-specials] .more[data-count]")).to_have_count(1)
    expect(page.locator("#drop")).to_have_count(0)
    assert page.evaluate(DRAFTS) == []


@pytest.mark.soak
def test_two_windows_enter_it_once(page: Page, table: TablePage) -> None:
    half_type(table)
    other = TablePage(page.context.new_page(), table.site, table.table).open()
    expect_back(other, typed(table))
    other.key("eyes", "5")
    other.save()
    other.expect_saved()
    expect(table.message).to_have_text("Dieses Spiel war schon gespeichert.")
    expect(page.locator("#entry .tile :checked")).to_have_count(0)
    assert len(stored(table.table)) == 2


def test_nobody_else_at_this_phone_sees_it(
    page: Page, live_server: LiveServer, cast: Cast, table: TablePage, new_context: CreateContextCallback
) -> None:
    half_type(table)
    half = typed(table)
    log_in(page.context, live_server.url, cast.admin)
    table.open()
    expect_blank(table)
    log_in(page.context, live_server.url, cast.scorer)
    table.open()
    expect_blank(table)
    # Whoever was logged out meanwhile finds it again.
    half_type(table)
    half = typed(table)
    # An open table would be told that nobody is logged in.
    page.goto("about:blank")
    page.context.clear_cookies()
    page.goto(f"{live_server.url}/login/")
    expect(page.get_by_role("heading", name="Anmelden")).to_be_visible()
    log_in(page.context, live_server.url, cast.scorer)
    add_game(table.table)
    table.open()
    expect_back(table, half)
    change_line_up(table=table.table, actor=Actor(cast.scorer), players=read_records(table.table).current[::-1])
    page.reload()
    expect_back(table, half, "Von vorhin, für die, die da am Tisch saßen.")
    expect(page.locator(".tile .pill")).to_have_text(["Ärmel", "Bodo", "Çelik", "Özlem"])
    table.key("eyes", "5")
    table.save()
    expect(page.get_by_role("alert").filter(has_text="dasselbe Spiel")).to_be_visible()


@pytest.mark.soak
def test_it_arrives_although_its_round_had_no_game(page: Page, live_server: LiveServer, cast: Cast) -> None:
    """Others sat down before the first game, so the round it was typed for is gone; the page was loaded anew meanwhile."""
    paper = make_table(cast.club, 4)
    table = sit_down(page, live_server.url, cast.scorer, paper)
    half_type(table)
    half = typed(table)
    seated = read_records(paper).current
    change_line_up(table=paper, actor=Actor(cast.scorer), players=seated[::-1])
    page.reload()
    expect_back(table, half, "Von vorhin, für die, die da am Tisch saßen.")
    table.key("eyes", "5")
    table.save()
    expect(page.locator("#rows tr:not(.waiting)")).to_have_count(1)
    expect(page.locator("#outbox .conflict")).to_have_count(0)
    [game] = stored(paper)
    assert read_records(paper).line_up(game) == seated
