"""No net at all: a phone that had the table open once opens it cold, the server is right afterwards, and a phone shows nobody
what somebody else had open on it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
from django.contrib.staticfiles.storage import staticfiles_storage
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page, expect
from pytest_playwright import CreateContextCallback

from scoring.club.actions import Actor
from scoring.evenings.actions import close_evening
from scoring.models import Membership, Table
from scoring.play.queries import read_sheet
from scoring.table.views import games
from tests.browser.fit import THUMB, THUMB_AT_THE_TABLE, barriers, misfits
from tests.browser_page import log_in
from tests.chromium import PATIENCE
from tests.factories import Cast, add_game, make_player, make_table
from tests.network import Net
from tests.stories.offline import address, come_in, copied, find_net, heads, kept, kept_urls, soon, stored, visit, waits
from tests.stories.table import TablePage

pytestmark = [pytest.mark.browser, pytest.mark.browser_context_args(service_workers="allow")]

FIRST = {"kind": "normal", "re": [0, 1], "eyes": 153}
SECOND = {"kind": "normal", "re": [0, 2], "band": "90-119", "re_said": "said"}


@pytest.fixture
def phone(new_context: CreateContextCallback) -> BrowserContext:
    return new_context()


@pytest.fixture
def table(cast: Cast) -> Table:
    return make_table(cast.club, 4)


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
    kept_rows = "async () => (await (await caches.match(location.pathname)).text()).split('<th scope=\"row\"><a').length - 2"

    # What others entered while the page was open.
    add_game(table, re=[2, 3], eyes=200)
    expect(rows).to_have_count(1)
    soon(lambda: copied(page), 1)
    net.cut()
    opened.open()
    expect(rows).to_have_count(1)
    expect(page.locator("#undo-button")).to_be_hidden()
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
    expect(page.locator("#undo-button")).to_be_hidden()
    find_net(net, page)
    expect(page.locator("#from-phone")).to_be_hidden()
    expect(page.locator("#undo-button")).to_be_visible()

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


@pytest.mark.soak
def test_old_evenings_and_old_files_go(
    phone: BrowserContext, net: Net, cast: Cast, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    log_in(phone, net.url, cast.admin)
    page = phone.new_page()
    visit(page, net.url, table)
    # An open page would find out by itself, and load anew.
    page.goto("about:blank")
    close_evening(evening=table.evening, actor=Actor(cast.admin))
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


@pytest.mark.soak
def test_the_screen_stays_awake_at_the_table(phone: BrowserContext, net: Net, cast: Cast) -> None:
    log_in(phone, net.url, cast.scorer)
    phone.grant_permissions(["screen-wake-lock"])
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


@pytest.mark.soak
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
        # What waits and what the phone keeps of the sheet are read by and by.
        expect(table.page.locator("#rows tr")).to_have_count(4)
        assert (table.lines(), table.totals(), heads(table)) == seen
        expect(table.page.locator('[data-head="bock_left"]')).to_be_visible()
        play(table, 5, 8)
        table.page.reload()
        expect(waits(table)).to_have_text("6 warten auf Versand")
        expect(table.page.locator("#rows tr")).to_have_count(8)
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
