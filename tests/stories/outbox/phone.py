"""A phone whose games do not get through, or are answered late or with a refusal; and what then waits on it."""

from __future__ import annotations

import time
from typing import Any

from playwright.sync_api import Page, Route, expect

from scoring.club.actions import Actor
from scoring.models import Game
from scoring.play.queries import read_records, read_sheet
from scoring.table.actions.seats import change_line_up
from tests.chromium import PATIENCE
from tests.stories.table import STATE, TablePage

GAMES = "**/games/"
OFFLINE = "internetdisconnected"
FIRST = {"kind": "normal", "re": [0, 1], "eyes": 153}
SECOND = {"kind": "normal", "re": [0, 2], "band": "90-119", "re_said": "said"}
THIRD = {"kind": "damensolo", "re": [3], "duty": True, "eyes": 130}


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


def one_goes(table: TablePage) -> None:
    """Another phone says that Bodo went home."""
    ärmel, _bodo, *others = read_records(table.table).current
    change_line_up(table=table.table, actor=Actor(), players=[ärmel, *others])
