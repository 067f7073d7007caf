"""No net at all: the table opens cold on a phone that had it open once, the evening is played on there, and what was entered
goes out in order when the net is back. A phone shows nobody what somebody else had open on it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles.storage import staticfiles_storage
from django.urls import reverse
from playwright.sync_api import BrowserContext, BrowserType, Page, expect
from pytest_django.live_server_helper import LiveServer
from pytest_playwright import CreateContextCallback

from scoring.evenings.actions import close_evening
from scoring.models import Game, Membership, Table
from scoring.play.queries.sheet import read_sheet
from scoring.rules.refused import Refused, Sentence
from scoring.table.actions.games import add_game as add_game_action
from scoring.table.views import games
from tests.browser.fit import THUMB, THUMB_AT_THE_TABLE, barriers, misfits
from tests.chromium import PATIENCE
from tests.factories import PASSWORD, Cast, add_game, make_player, make_table
from tests.net import Net
from tests.phones import log_in
from tests.stories.table import TablePage

pytestmark = [pytest.mark.browser, pytest.mark.browser_context_args(service_workers="allow")]

FIRST = {"kind": "normal", "re": [0, 1], "eyes": 153}
SECOND = {"kind": "normal", "re": [0, 2], "band": "90-119", "re_said": "said"}


def find_net(net: Net, page: Page) -> None:
    """The net is back, and the phone is taken up again."""
    net.mend()
    page.evaluate("dispatchEvent(new Event('online')); document.dispatchEvent(new Event('visibilitychange'))")


def waits(table: TablePage) -> Any:
    return table.page.locator('[data-head="waiting"]')


def heads(table: TablePage) -> list[str]:
    """Number, cycle, dealer, who leads and who sits out."""
    return table.page.locator(".facts-line [data-head]").all_inner_texts()[:5]


def stored(table: Table) -> list[Game]:
    return [row.game for row in read_sheet(table).rows]


def soon(answer: Callable[[], Any], wanted: Any) -> None:
    """What a phone does in the background is done by and by."""
    deadline = time.monotonic() + PATIENCE / 1000
    while (found := answer()) != wanted:
        assert time.monotonic() < deadline, f"{found} instead of {wanted}"
        time.sleep(0.05)


def kept_urls(page: Page) -> list[str]:
    """Everything this phone keeps for somebody."""
    urls: list[str] = page.evaluate(
        """async () => {
            const names = (await caches.keys()).filter(name => name.startsWith("table "));
            const keys = await Promise.all(names.map(async name => (await caches.open(name)).keys()));
            return keys.flat().map(key => key.url);
        }"""
    )
    return urls


def kept(page: Page) -> list[str]:
    """The same without the files of the pages, by the path behind /c/."""
    return [url.partition("/c/")[2] for url in kept_urls(page) if "/static/" not in url]


def copied(page: Page) -> int | None:
    """How many lines the copy on the phone has."""
    lines: int | None = page.evaluate(
        "async () => (await (await caches.match(`${location.pathname}kept`))?.json())?.lines.length ?? null"
    )
    return lines


def address(table: Table) -> str:
    return reverse("table", args=[table.evening.club.slug, table.pk])


def visit(page: Page, site: str, table: Table) -> TablePage:
    """One visit: the phone has had the page open until it could be opened without a net."""
    opened = TablePage(page, site, table).open()
    soon(lambda: address(table).removeprefix("/c/") in kept(page), True)
    return opened


@pytest.fixture
def phone(new_context: CreateContextCallback) -> BrowserContext:
    return new_context()


@pytest.fixture
def net(live_server: LiveServer) -> Iterator[Net]:
    between = Net(live_server.url)
    yield between
    between.cut()


@pytest.fixture
def table(cast: Cast) -> Table:
    return make_table(cast.club, 4)


@pytest.fixture
def restarted(
    tmp_path: Path,
    browser_type: BrowserType,
    browser_type_launch_args: dict[str, Any],
    browser_context_args: dict[str, Any],
) -> Callable[[], AbstractContextManager[Page]]:
    """The browser of one phone: started each time it is asked for, shut afterwards, and what it keeps is on its disk."""

    @contextmanager
    def started() -> Iterator[Page]:
        options = {**browser_type_launch_args, **browser_context_args, "service_workers": "allow"}
        context = browser_type.launch_persistent_context(tmp_path / "phone", **options)
        context.set_default_timeout(PATIENCE)
        try:
            yield context.pages[0]
        finally:
            context.close()

    return started


def come_in(page: Page, net: Net, cast: Cast, table: Table) -> TablePage:
    """The first visit, by the page of the login, until the table could be opened without a net."""
    page.goto(f"{net.url}{reverse('login')}?next={address(table)}")
    page.get_by_label("Name").fill(cast.scorer.username)
    page.get_by_label("Passwort").fill(PASSWORD)
    page.get_by_role("button", name="Anmelden").tap()
    page.wait_for_url(net.url + address(table))
    soon(lambda: address(table).removeprefix("/c/") in kept(page), True)
    return TablePage(page, net.url, table)


class Losing:
    """A net that loses a third of the answers to what was stored."""

    def __init__(self) -> None:
        self.saved = self.lost = 0

    def __call__(self, data: bytes) -> bool:
        if not data.startswith(b"HTTP/1.1 201"):
            return True
        self.saved += 1
        is_lost = self.saved % 3 == 0
        self.lost += is_lost
        return not is_lost


def test_thirty_games_without_a_net_are_stored_once_and_in_order(
    net: Net,
    cast: Cast,
    table: Table,
    restarted: Callable[[], AbstractContextManager[Page]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two reloads, the browser shut and started again, every third answer lost after the server committed, one game refused
    and mended."""

    def play(opened: TablePage, numbers: range) -> None:
        for number in numbers:
            re = [number % 4, (number + 1 + number // 4 % 3) % 4]
            opened.enter({"kind": "normal", "re": re, "eyes": 100 + number})
            opened.save()
            expect(opened.message).to_contain_text("wartet auf Versand")

    with restarted() as page:
        opened = come_in(page, net, cast, table)
        net.cut()
        play(opened, range(10))
        page.reload()
        expect(waits(opened)).to_have_text("10 warten auf Versand")
        play(opened, range(10, 15))

    refused: list[Any] = []

    def picky(**asked: Any) -> Any:
        if asked["typed"].facts["eyes"] == 115 and not refused:
            refused.append(asked)
            raise Refused({"eyes": Sentence("Diese Augen gibt es nicht.")})
        return add_game_action(**asked)

    monkeypatch.setattr(games, "add_game", picky)
    net.passes = losing = Losing()
    with restarted() as page:
        opened = TablePage(page, net.url, table).open()
        expect(waits(opened)).to_have_text("15 warten auf Versand")
        play(opened, range(15, 20))
        page.reload()
        expect(waits(opened)).to_have_text("20 warten auf Versand")
        play(opened, range(20, 30))
        seen = opened.lines(), opened.totals()
        net.mend()
        change = page.get_by_role("button", name="Ändern")
        go_on_sending(page, change.is_visible)
        change.tap()
        opened.save()
        go_on_sending(page, waits(opened).is_hidden)
        assert refused
        assert losing.lost >= 10
        assert [game.facts["eyes"] for game in stored(table)] == list(range(100, 130))
        assert Game.objects.filter(round__table=table).count() == 30
        assert (opened.lines(), opened.totals()) == seen
        page.reload()
        assert (opened.lines(), opened.totals()) == seen


def go_on_sending(page: Page, until: Callable[[], bool]) -> None:
    """The phone is taken up again and again."""
    deadline = time.monotonic() + 4 * PATIENCE / 1000
    while not until():
        assert time.monotonic() < deadline
        page.evaluate("dispatchEvent(new Event('online'))")
        page.wait_for_timeout(150)


def test_an_evening_is_played_on_through_a_restart_without_a_net(
    net: Net, cast: Cast, restarted: Callable[[], AbstractContextManager[Page]]
) -> None:
    """Five people, Bock, one visit: a game with the net, some without, the browser shut and started again."""
    people = [make_player(cast.club, f"Gast {n}") for n in range(5)]
    club_table = make_table(cast.club, people, preset="anleitung")

    def play(table: TablePage, first: int, last: int) -> None:
        for number in range(first, last + 1):
            playing = [seat for seat in range(5) if seat != (number - 1) % 5]
            lost = {"eyes": 100, "re_said": "said"} if number == 3 else {"eyes": 140}
            table.enter({"kind": "normal", "re": playing[:2], **lost})
            table.save()
            expect(table.page.locator("#rows tr")).to_have_count(number)

    with restarted() as page:
        table = come_in(page, net, cast, club_table)
        play(table, 1, 2)
        table.expect_saved()
        expect(table.page.locator("#rows tr.waiting")).to_have_count(0)
        net.cut()
        play(table, 3, 4)
        seen = table.lines(), table.totals(), heads(table)
        soon(lambda: copied(table.page), 2)

    with restarted() as page:
        table = TablePage(page, net.url, club_table).open()
        expect(waits(table)).to_have_text("2 warten auf Versand")
        expect(table.page.locator("#from-phone")).to_be_visible()
        assert (table.lines(), table.totals(), heads(table)) == seen
        expect(table.page.locator('[data-head="bock"]')).to_be_visible()
        play(table, 5, 8)
        table.page.reload()
        expect(waits(table)).to_have_text("6 warten auf Versand")
        play(table, 9, 10)
        seen = table.lines(), table.totals(), heads(table)
        assert len(stored(club_table)) == 2
        # Logging in elsewhere makes another token: what stands in the page that was kept is stale.
        [token] = [one for one in table.page.context.cookies() if one["name"] == "csrftoken"]
        table.page.context.add_cookies([{**token, "value": "a" * 32}])
        find_net(net, table.page)
        expect(waits(table)).to_be_hidden()
        expect(table.page.locator("#from-phone")).to_be_hidden()
        expect(table.page.locator("#conflict, #outbox")).to_have_text(["", ""])
        assert (table.lines(), table.totals(), heads(table)) == seen
        assert [game.facts["eyes"] for game in stored(club_table)] == [140, 140, 100, *[140] * 7]
        assert table.totals() == [total for _player, total in read_sheet(club_table).columns]


def test_another_page_says_that_there_is_no_net_and_leads_to_the_table(
    phone: BrowserContext, net: Net, cast: Cast, table: Table
) -> None:
    log_in(phone, net.url, cast.scorer)
    opened = visit(phone.new_page(), net.url, table)
    page = opened.page
    net.cut()
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{net.url}{reverse('standings', args=['karo'])}")
    expect(page.get_by_role("heading", name="Keine Verbindung")).to_be_visible()
    assert misfits(page, THUMB) + barriers(page) == []
    page.get_by_role("link", name="Weiter am Tisch 6. März 2026").tap()
    expect(opened.message).to_be_visible()
    assert page.url == net.url + address(table)
    # The short form has not been open here; with the net back it is one tap away, and the page of no net speaks English then.
    opened.open("?form=short")
    expect(page.get_by_role("heading", name="Keine Verbindung")).to_be_visible()
    net.mend()
    page.get_by_role("link", name="Noch einmal versuchen").tap()
    expect(page.locator("#base-label")).to_be_visible()
    page.goto(f"{net.url}{reverse('more', args=['karo'])}")
    page.get_by_role("button", name="English").tap()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    language = "async () => (await caches.match('/offline/', {ignoreVary: true})).headers.get('Content-Language')"
    soon(lambda: page.evaluate(language), "en")


def test_the_sheet_is_the_one_seen_last_and_the_server_is_always_right(
    phone: BrowserContext, net: Net, cast: Cast, table: Table
) -> None:
    log_in(phone, net.url, cast.scorer)
    opened = visit(phone.new_page(), net.url, table)
    page, rows = opened.page, opened.page.locator("#rows tr")
    kept_rows = "async () => (await (await caches.match(location.pathname)).text()).split('data-key=').length - 1"

    # What others entered while the page was open.
    add_game(table, re=[2, 3], eyes=200)
    expect(rows).to_have_count(1)
    soon(lambda: copied(page), 1)
    net.cut()
    opened.open()
    expect(rows).to_have_count(1)
    expect(page.locator("#undo")).to_be_hidden()
    find_net(net, page)
    expect(page.locator("#from-phone")).to_be_hidden()
    opened.enter_and_save(FIRST)
    soon(lambda: copied(page), 2)

    # What others entered while it was not: the page is newer than the copy.
    page.goto("about:blank")
    add_game(table, re=[1, 3], eyes=201)
    opened.open()
    expect(page.locator("#from-phone")).to_be_hidden()
    soon(lambda: page.evaluate(kept_rows), 3)
    net.cut()
    opened.open()
    expect(page.locator("#from-phone")).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert [line.label for line in opened.lines()] == ["3", "2", "1"]
    # The net is back and nothing is new.
    expect(page.locator("#undo")).to_be_hidden()
    find_net(net, page)
    expect(page.locator("#from-phone")).to_be_hidden()
    expect(page.locator("#undo")).to_be_visible()

    # Whoever only reads.
    log_in(phone, net.url, cast.reader)
    visit(page, net.url, table)
    add_game(table, re=[0, 2], eyes=202)
    expect(rows).to_have_count(4)
    soon(lambda: page.evaluate(kept_rows), 4)
    net.cut()
    opened.open()
    expect(page.locator("#from-phone")).to_be_visible()
    assert [line.label for line in opened.lines()] == ["4", "3", "2", "1"]


def test_a_server_that_takes_too_long_is_not_waited_for(
    phone: BrowserContext, net: Net, cast: Cast, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    log_in(phone, net.url, cast.scorer)
    opened = visit(phone.new_page(), net.url, table)
    answering, answered = threading.Event(), threading.Event()

    def slow(asked: Table) -> Any:
        answering.wait(2 * PATIENCE / 1000)
        answered.set()
        return read_sheet(asked)

    monkeypatch.setattr(games, "read_sheet", slow)
    opened.open()
    assert not answered.is_set(), "the page is there, and the server has said nothing yet"
    expect(opened.page.locator("#from-phone")).to_be_visible()
    expect(opened.page.locator("#save")).to_be_visible()
    answering.set()
    soon(answered.is_set, True)
    # What was waited for in vain says nothing against the page.
    opened.enter_and_save(FIRST)


def test_nobody_finds_what_somebody_else_had_open(
    phone: BrowserContext, net: Net, cast: Cast, table: Table, page_complaints: list[str]
) -> None:
    def nothing_is_kept() -> None:
        soon(lambda: kept(page), [])
        net.cut()
        page.goto(net.url + address(table))
        expect(page.get_by_role("heading", name="Keine Verbindung")).to_be_visible()
        expect(page.get_by_role("link", name="Weiter am Tisch")).to_have_count(0)
        net.mend()

    page = phone.new_page()
    log_in(phone, net.url, cast.scorer)
    visit(page, net.url, table)
    # Logging out.
    page.goto(f"{net.url}{reverse('more', args=['karo'])}")
    page.get_by_role("button", name="Abmelden").tap()
    expect(page.get_by_role("heading", name="Anmelden")).to_be_visible()
    nothing_is_kept()
    # Another login, however it came about.
    log_in(phone, net.url, cast.scorer)
    visit(page, net.url, table)
    log_in(phone, net.url, cast.stranger)
    page.goto(f"{net.url}{reverse('home')}")
    nothing_is_kept()
    # Whoever is let in no more: the table itself says so.
    log_in(phone, net.url, cast.scorer)
    visit(page, net.url, table)
    Membership.objects.filter(user=cast.scorer).delete()
    page.goto(net.url + address(table))
    nothing_is_kept()
    assert all("status of 404" in complaint for complaint in page_complaints)
    page_complaints.clear()


def test_old_evenings_and_old_files_go(
    phone: BrowserContext, net: Net, cast: Cast, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    log_in(phone, net.url, cast.admin)
    page = phone.new_page()
    visit(page, net.url, table)
    # An open page would find out by itself, and load anew.
    page.goto("about:blank")
    close_evening(evening=table.evening, actor=cast.admin)
    TablePage(page, net.url, table).open()
    soon(lambda: kept(page), [])
    evenings = [make_table(cast.club, 4) for _ in range(6)]
    for evening in evenings:
        visit(page, net.url, evening)
    soon(lambda: kept(page), [address(one).removeprefix("/c/") for one in evenings[2:]])

    # The site has changed: other files, another worker.
    page.evaluate(
        """async () => {
            const cache = await caches.open((await caches.keys()).find(name => name.startsWith("table ")));
            const [now] = (await cache.keys()).filter(one => one.url.includes("/entry."));
            await cache.put("/static/scoring/table/entry.000000000000.js", await cache.match(now));
            await cache.delete(now);
        }"""
    )
    monkeypatch.setattr(staticfiles_storage._wrapped, "manifest_hash", "new")
    opened = visit(page, net.url, evenings[0])
    soon(lambda: kept(page), [address(evenings[0]).removeprefix("/c/")])
    soon(lambda: [n for n in page.evaluate("caches.keys()") if n.startswith("offline ")], ["offline new"])
    assert not [url for url in kept_urls(page) if "000000000000" in url]
    net.cut()
    opened.open()
    expect(opened.message).not_to_be_empty()


def test_the_screen_stays_awake_at_the_table(phone: BrowserContext, net: Net, cast: Cast) -> None:
    log_in(phone, net.url, cast.scorer)
    phone.add_init_script(
        """if (isSecureContext) {
            globalThis.locks = [];
            const { request } = WakeLock.prototype;
            WakeLock.prototype.request = async function (kind) {
                const lock = await request.call(this, kind);
                locks.push(lock);
                return lock;
            };
        }"""
    )
    page = TablePage(phone.new_page(), net.url, cast.table).open().page
    held = "() => locks.filter(lock => lock.type === 'screen' && !lock.released).length"
    soon(lambda: page.evaluate(held), 1)
    page.evaluate("locks[0].release()")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    soon(lambda: page.evaluate(held), 1)


def test_without_https_the_page_says_what_is_missing_and_still_queues(
    phone: BrowserContext,
    net: Net,
    cast: Cast,
    table: Table,
    settings: Any,
    page_complaints: list[str],
) -> None:
    settings.ALLOWED_HOSTS = ["club.test"]
    site = net.url.replace("localhost", "club.test")
    log_in(phone, site, cast.scorer)
    page = phone.new_page()
    page.emulate_media(reduced_motion="reduce")
    opened = TablePage(page, site, table).open()
    assert not page.evaluate("isSecureContext")
    net.cut()
    opened.enter(FIRST)
    opened.save()
    expect(waits(opened)).to_have_text("1 wartet auf Versand")
    assert page.evaluate("scrollY") == 0
    opened.enter(SECOND)
    opened.save()
    expect(waits(opened)).to_have_text("2 warten auf Versand")
    find_net(net, page)
    expect(waits(opened)).to_be_hidden()
    assert [game.facts["re"] for game in stored(table)] == [[0, 1], [0, 2]]
    page.get_by_text("Ohne Netz: diese Seite offen lassen").tap()
    expect(page.get_by_text("Mit HTTPS ließe sie sich auch ohne Netz öffnen")).to_be_visible()
    assert misfits(page, THUMB_AT_THE_TABLE) + barriers(page) == []
    # The browser says the same on its console, of a header that has no meaning there.
    assert all("the URL's origin was untrustworthy" in complaint for complaint in page_complaints)
    page_complaints.clear()
