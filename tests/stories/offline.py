"""What a phone keeps for the time without a net, and how tests read it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from django.urls import reverse
from playwright.sync_api import Page, expect

from scoring.models import Game, Table
from scoring.play.queries import read_records, read_sheet
from tests.chromium import PATIENCE
from tests.factories import PASSWORD, Cast
from tests.network import Net
from tests.stories.table import TablePage


def find_net(net: Net, page: Page) -> None:
    """The net is back, and the phone is taken up again."""
    net.mend()
    page.evaluate("dispatchEvent(new Event('online')); document.dispatchEvent(new Event('visibilitychange'))")


def waits(table: TablePage) -> Any:
    return table.page.locator('[data-head="waiting"]')


def heads(table: TablePage) -> list[str]:
    """Number, cycle, dealer, who leads and who sits out."""
    parts = ("number", "cycle", "dealer", "leader", "out")
    return [table.page.locator(f'[data-head="{part}"]').text_content().strip() for part in parts]


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


def guest(opened: TablePage, name: str) -> None:
    opened.tap_beside("Gast kommt")
    opened.page.get_by_label("Neuer Name").fill(name)
    opened.tap(opened.page.get_by_role("button", name="Dazusetzen"))


def leaves(opened: TablePage, name: str) -> None:
    opened.tap_beside("Jemand geht")
    who = opened.page.locator("#seating").get_by_role("group", name="Wer geht?")
    opened.tap(who.get_by_role("button", name=name, exact=True))


def play(opened: TablePage, *names: str, band: str = "121-150") -> None:
    """Save a game of which these are Re."""
    for name in names:
        opened.tap(opened.pill(opened.group("Wer ist Re?"), name))
    opened.band(band)
    opened.save()
    expect(opened.message).to_contain_text("wartet auf Versand")


def line_up(game: Game) -> list[str]:
    records = read_records(game.round.table)
    return [player.name for player in records.line_up(records.find(game.key))]


def re_of(game: Game) -> list[str]:
    people = line_up(game)
    return [people[seat] for seat in game.facts["re"]]


def address(table: Table) -> str:
    return reverse("table", args=[table.evening.club.slug, table.pk])


def visit(page: Page, site: str, table: Table) -> TablePage:
    """One visit: the phone has had the page open until it could be opened without a net."""
    opened = TablePage(page, site, table, is_surely_in_reach=True).open()
    soon(lambda: address(table).removeprefix("/c/") in kept(page), True)
    return opened


def come_in(page: Page, net: Net, cast: Cast, table: Table) -> TablePage:
    """The first visit, by the page of the login, until the table could be opened without a net."""
    page.goto(f"{net.url}{reverse('login')}?next={address(table)}")
    page.get_by_label("Name").fill(cast.scorer.username)
    page.get_by_label("Passwort").fill(PASSWORD)
    page.get_by_role("button", name="Anmelden").tap()
    page.wait_for_url(net.url + address(table))
    soon(lambda: address(table).removeprefix("/c/") in kept(page), True)
    return TablePage(page, net.url, table, is_surely_in_reach=True)
