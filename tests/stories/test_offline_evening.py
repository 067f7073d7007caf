"""No net at all for a whole evening: it is played on through restarts of the phone, and what was entered goes out once and
in order when the net is back."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from scoring.models import Game, Table
from scoring.play.queries import read_sheet
from scoring.rules.validation import Refused, Sentence
from scoring.table.actions import games
from scoring.table.actions.games import add_game as add_game_action
from tests.chromium import PATIENCE
from tests.factories import Cast, make_player, make_table
from tests.net import Net
from tests.stories.offline import come_in, copied, find_net, heads, soon, stored, waits
from tests.stories.table import TablePage

pytestmark = [pytest.mark.browser, pytest.mark.browser_context_args(service_workers="allow")]


@pytest.fixture
def table(cast: Cast) -> Table:
    return make_table(cast.club, 4)


class Losing:
    """A net that loses a third of the answers to what was stored."""

    def __init__(self) -> None:
        self.saved = self.lost = 0

    def __call__(self, path: str, data: bytes) -> bool:
        if not data.startswith(b"HTTP/1.1 201"):
            return True
        self.saved += 1
        is_lost = self.saved % 3 == 0
        self.lost += is_lost
        return not is_lost


@pytest.mark.soak
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
