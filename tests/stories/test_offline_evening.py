"""No net at all for a whole evening: it is played on through restarts of the phone, and what was entered goes out once and
in order when the net is back."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest
from playwright.sync_api import Page, expect

from scoring.play.queries import read_sheet
from tests.factories import Cast, make_player, make_table
from tests.network import Net
from tests.stories.offline import come_in, copied, find_net, heads, soon, stored, waits
from tests.stories.table import TablePage

pytestmark = [pytest.mark.browser, pytest.mark.browser_context_args(service_workers="allow")]


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
