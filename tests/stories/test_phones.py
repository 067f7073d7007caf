"""Several phones at one table: the link on the first phone lets others in, everybody sees within moments what somebody
entered, and nobody loses what they are typing."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, Request, expect
from pytest_django.live_server_helper import LiveServer
from pytest_playwright import CreateContextCallback

from scoring.actions.evenings import close_evening
from scoring.actions.links import renew_link
from scoring.models import Change, Game, Table, Verb
from tests.browser.fit import THUMB_AT_THE_TABLE, barriers, misfits
from tests.factories import add_game, make_club, make_player, make_table, make_user
from tests.qr import read_image
from tests.stories.table import TablePage, sit_down

pytestmark = pytest.mark.postgres

GAME = {"kind": "normal", "re": [0, 1], "band": "121-150"}
# A new game is on the other phones within two seconds; a slow machine may take longer to show it.
SOON = 15_000
SECONDS = 2


@pytest.fixture
def table(db: None) -> Table:
    return make_table(make_club())


@pytest.fixture
def scorer(table: Table) -> User:
    return make_user("schorsch", table.evening.club, ["scorer"])


@pytest.fixture
def first(page: Page, live_server: LiveServer, table: Table, scorer: User) -> TablePage:
    """The first phone."""
    return sit_down(page, live_server.url, scorer, table)


def join(new_context: CreateContextCallback, live_server: LiveServer, table: Table, who: str) -> TablePage:
    """Another phone, which reads the code of the link."""
    link = table.links.filter(ended_at=None).first() or renew_link(table=table, actor=None)
    page = new_context().new_page()
    page.goto(f"{live_server.url}/t/{link.token}/")
    page.get_by_role("button", name=f"Ich bin {who}").tap()
    page.wait_for_url("**/tables/*/")
    return TablePage(page, live_server.url, table)


def rows(table: TablePage) -> list[str]:
    return [line.label.split()[0] for line in table.lines()]


def test_the_code_lets_a_phone_in_with_three_taps(
    first: TablePage, new_context: CreateContextCallback, live_server: LiveServer
) -> None:
    first.page.get_by_role("link", name="Link für den Tisch").tap()
    first.page.get_by_role("button", name="Link anlegen").tap()
    address = first.page.get_by_label("Oder diese Adresse weitergeben:").input_value()
    assert read_image(first.page.get_by_role("img", name="QR-Code")) == [address]
    assert misfits(first.page, 44) == []
    assert barriers(first.page) == []
    phone = new_context().new_page()
    phone.goto(address)
    assert phone.url == f"{live_server.url}/t/"
    assert misfits(phone, THUMB_AT_THE_TABLE) == []
    assert barriers(phone) == []
    phone.get_by_role("button", name="Ich bin Çelik").tap()
    other = TablePage(phone, live_server.url, first.table)
    expect(phone.get_by_role("link", name="Ich bin Çelik")).to_be_visible()
    assert misfits(phone, THUMB_AT_THE_TABLE) == []
    assert barriers(phone) == []
    other.enter_and_save(GAME)
    assert Change.objects.latest("id").spoken_as.name == "Çelik"


def test_what_one_typed_does_not_go_out_as_anothers(
    new_context: CreateContextCallback, live_server: LiveServer, table: Table
) -> None:
    """The phone changes hands while a game waits on it."""
    phone = join(new_context, live_server, table, "Bodo")
    page, waiting = phone.page, phone.page.locator('[data-head="waiting"]')
    page.route("**/games/", lambda route: route.abort("internetdisconnected"))
    phone.enter(GAME)
    phone.save()
    expect(waiting).to_have_text("1 wartet auf Versand")
    page.get_by_role("link", name="Ich bin Bodo").tap()
    page.get_by_role("button", name="Ich bin Çelik").tap()
    expect(page.get_by_role("link", name="Ich bin Çelik")).to_be_visible()
    expect(page.locator("#outbox").get_by_role("status")).to_contain_text("was Bodo hier eingetippt hat (1)")
    page.unroute("**/games/")
    page.evaluate("dispatchEvent(new Event('online'))")
    phone.enter_and_save({**GAME, "re": [2, 3]})
    assert [change.spoken_as.name for change in Change.objects.filter(verb=Verb.GAME_ADDED)] == ["Çelik"]

    page.get_by_role("link", name="Ich bin Çelik").tap()
    page.get_by_role("button", name="Ich bin Bodo").tap()
    page.get_by_role("button", name="Nein, mein Spiel kam danach").tap()
    expect(waiting).to_be_hidden()
    entered = Change.objects.filter(verb=Verb.GAME_ADDED).order_by("id")
    assert [change.spoken_as.name for change in entered] == ["Çelik", "Bodo"]


def test_a_long_name_fits_a_narrow_phone(new_context: CreateContextCallback, live_server: LiveServer) -> None:
    club = make_club()
    names = ("Annegret Oberwiesenmüller", "Friedrich-Wilhelm", "Bo", "Željko")
    other = join(new_context, live_server, make_table(club, [make_player(club, name) for name in names]), names[0])
    other.page.set_viewport_size({"width": 320, "height": 640})
    assert misfits(other.page, THUMB_AT_THE_TABLE) == []


def test_a_new_game_stands_on_the_others_within_two_seconds(
    first: TablePage, new_context: CreateContextCallback, live_server: LiveServer
) -> None:
    other = join(new_context, live_server, first.table, "Bodo")
    loads: list[Request] = []
    asked: list[float] = []
    other.page.on("request", lambda request: loads.append(request) if request.is_navigation_request() else None)
    other.page.on("request", lambda request: asked.append(time.monotonic()) if "/state/" in request.url else None)
    first.enter_and_save(GAME)
    asked.clear()
    expect(other.page.locator("#rows tr")).to_have_count(1, timeout=SOON)
    assert len(asked) <= 2, "the next question brings it, or the one after, where one was on its way"
    assert other.lines() == first.lines()
    assert other.totals() == first.totals()
    assert other.dealer == first.dealer == "Bodo"
    other.enter_and_save(GAME)
    expect(first.page.locator("#rows tr")).to_have_count(2, timeout=SOON)
    assert first.lines() == other.lines()
    assert not loads
    while len(asked) < 4:
        other.page.wait_for_timeout(200)
    assert min(later - earlier for earlier, later in pairwise(asked)) < SECONDS
    assert Game.objects.count() == 2


def test_corrections_deletions_and_undo_arrive_as_well(
    first: TablePage, new_context: CreateContextCallback, live_server: LiveServer
) -> None:
    for _ in range(3):
        add_game(first.table)
    first.open()
    other = join(new_context, live_server, first.table, "Bodo")
    first.open_game(2)
    first.page.get_by_role("link", name="Streichen …").tap()
    first.page.get_by_role("button", name="Streichen").tap()
    expect(other.page.locator("#rows tr")).to_have_count(2, timeout=SOON)
    assert other.totals() == first.totals()
    assert rows(other) == ["2", "1"]
    expect(other.page.locator("#undo-what")).to_have_text("(Spiel gestrichen)")
    other.page.get_by_role("button", name="Rückgängig").tap()
    expect(first.page.locator("#rows tr")).to_have_count(3, timeout=SOON)
    expect(first.page.locator("#undo")).to_be_hidden()
    assert rows(first) == ["3", "2", "1"]


def test_what_is_being_typed_stays_and_asks_whether_it_is_the_same_game(
    first: TablePage, new_context: CreateContextCallback, live_server: LiveServer
) -> None:
    other = join(new_context, live_server, first.table, "Bodo")
    other.mark("Wer ist Re?", [2, 3])
    other.band("151-180")
    first.enter_and_save(GAME)
    expect(other.page.locator("#rows tr")).to_have_count(1, timeout=SOON)
    expect(other.page.locator('[data-head="number"]')).to_have_text("Spiel 2")
    assert other.marked("Wer ist Re?") == ["Çelik", "Özlem"]
    other.save()
    other.page.get_by_role("button", name="Nein, mein Spiel kam danach: auch eintragen").tap()
    other.expect_saved()
    assert [game.facts["re"] for game in Game.objects.order_by("position")] == [[0, 1], [2, 3]]


def test_a_game_struck_out_meanwhile_asks_nothing(
    first: TablePage, new_context: CreateContextCallback, live_server: LiveServer
) -> None:
    add_game(first.table)
    first.open()
    other = join(new_context, live_server, first.table, "Bodo")
    other.mark("Wer ist Re?", [2, 3])
    first.page.get_by_role("button", name="Rückgängig").tap()
    expect(other.page.locator("#rows tr")).to_have_count(0, timeout=SOON)
    assert other.marked("Wer ist Re?") == ["Çelik", "Özlem"]
    other.band("151-180")
    other.save()
    other.expect_saved()
    assert rows(other) == ["1"]


def test_who_only_reads_sees_it_as_well(
    first: TablePage, new_context: CreateContextCallback, live_server: LiveServer
) -> None:
    page = new_context().new_page()
    reader = sit_down(page, live_server.url, make_user("rita", first.table.evening.club), first.table)
    first.enter_and_save(GAME)
    expect(page.locator("#rows tr")).to_have_count(1, timeout=SOON)
    assert reader.lines() == first.lines()
    assert reader.dealer == "Bodo"


def test_a_page_out_of_sight_asks_nothing(first: TablePage) -> None:
    asked: list[str] = []
    first.page.on("request", lambda request: asked.append(request.url))
    hide = "value => { Object.defineProperty(document, 'hidden', {value, configurable: true});"
    first.page.evaluate(hide + "document.dispatchEvent(new Event('visibilitychange')) }", True)
    first.page.wait_for_timeout(2500)
    assert len(asked) <= 1
    add_game(first.table)
    first.page.evaluate(hide + "document.dispatchEvent(new Event('visibilitychange')) }", False)
    expect(first.page.locator("#rows tr")).to_have_count(1, timeout=SOON)


def test_without_a_net_it_asks_less_often_and_finds_back(first: TablePage) -> None:
    asked: list[str] = []
    first.page.on("request", lambda request: asked.append(request.url))
    first.page.context.set_offline(True)
    first.page.wait_for_timeout(6000)
    assert 1 <= len(asked) <= 3
    first.page.context.set_offline(False)
    add_game(first.table)
    expect(first.page.locator("#rows tr")).to_have_count(1, timeout=60_000)


def test_the_end_of_the_evening_ends_the_link_and_says_so(
    first: TablePage, new_context: CreateContextCallback, live_server: LiveServer, page_complaints: list[str]
) -> None:
    other = join(new_context, live_server, first.table, "Bodo")
    other.mark("Wer ist Re?", [0, 1])
    close_evening(evening=first.table.evening, actor=None)
    expect(other.message).to_contain_text("Der Link für den Tisch gilt nicht mehr", timeout=SOON)
    expect(first.page.get_by_text("Der Abend ist abgeschlossen.")).to_be_visible(timeout=SOON)
    assert other.marked("Wer ist Re?") == ["Ärmel", "Bodo"]
    assert all("status of 401" in said for said in page_complaints)
    page_complaints.clear()
