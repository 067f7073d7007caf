"""An evening of five in a cellar: games, a guest, somebody who leaves, a correction, a deletion, a forgotten game and the steps of
a line without a net, through a reload; then the net comes back, loses answers, and everything is stored once and in order."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from contextlib import suppress

import pytest
from playwright.sync_api import Error, Locator, Page, expect

from scoring.models import Change, Player, Table, Verb
from tests.chromium import PATIENCE
from tests.factories import Cast, add_game, make_player, make_table
from tests.network import Net
from tests.stories.offline import come_in, find_net, guest, heads, leaves, play, re_of, stored, waits
from tests.stories.table import TablePage

pytestmark = [pytest.mark.browser, pytest.mark.postgres, pytest.mark.browser_context_args(service_workers="allow")]

# Whoever deals sits out.
FIVE = ["Ärmel", "Bodo", "Çelik", "Özlem", "Željko"]


@pytest.fixture
def table(cast: Cast) -> Table:
    make_player(cast.club, "Željko")
    people = [Player.objects.get(club=cast.club, name=name) for name in FIVE]
    table = make_table(cast.club, people, preset="anleitung")
    add_game(table, dealer=0, re=[1, 2], eyes=130)
    add_game(table, dealer=1, re=[2, 3], eyes=100, re_said="said")
    add_game(table, dealer=2, re=[0, 1], eyes=150)
    return table


class LosingEverySecond:
    """A net in which every second thing that is done at the table is answered to nobody."""

    def __init__(self) -> None:
        self.answered = self.lost = 0

    def __call__(self, path: str, data: bytes) -> bool:
        is_done = re.search(r"/(games|seats|delete|insert|[0-9a-f-]{36})/$", path)
        if not (is_done and re.match(rb"HTTP/1\.1 20[01] ", data)):
            return True
        self.answered += 1
        self.lost += self.answered % 2
        return not self.answered % 2


def at_line(opened: TablePage, label: str) -> Locator:
    """What is told and offered at a line that is tapped without a net."""
    name = re.compile(rf"^{label}\b")
    line = opened.page.locator("#rows tr:not(.struck)").filter(has=opened.page.get_by_role("rowheader", name=name)).first
    opened.tap(line.locator("a"))
    note = opened.page.locator(".unreached")
    expect(note).to_contain_text("Keine Verbindung")
    return note


def go_on(page: Page, until: Callable[[], bool]) -> None:
    """The phone is taken up again and again; the page may just be loading itself anew for those who sat down."""
    deadline = time.monotonic() + 4 * PATIENCE / 1000
    while not until():
        assert time.monotonic() < deadline
        with suppress(Error):
            page.evaluate("dispatchEvent(new Event('online'))")
        page.wait_for_timeout(150)


def test_an_evening_in_a_cellar(page: Page, net: Net, cast: Cast, table: Table) -> None:
    opened = come_in(page, net, cast, table)
    net.cut()
    # Game 4 by Özlem's deal.
    play(opened, "Ärmel", "Željko")
    note = at_line(opened, "2")
    expect(note.locator(".story")).to_contain_text("Spiel 2: Re Çelik, Özlem · Re 100 : 140 Kontra · Re angesagt")
    opened.tap(note.get_by_role("button", name="Berichtigen"))
    for _ in range(3):
        opened.key("eyes", "back")
    opened.keys("eyes", 141)
    opened.save()
    expect(opened.message).to_contain_text("Damit ändern sich auch: Spiel 3, Spiel 4.")
    # Bodo goes, and a guest comes.
    leaves(opened, "Bodo")
    expect(page.locator(".tile .pill")).to_have_text(["Ärmel", "Çelik", "Özlem", "Željko"])
    # The drawer in which he was tapped goes after a moment, the next one stays.
    opened.tap_beside("Gast kommt")
    page.wait_for_timeout(700)
    expect(page.get_by_label("Neuer Name")).to_be_visible()
    opened.tap_beside("Gast kommt")
    guest(opened, "Horst")
    expect(page.locator(".tile .pill")).to_have_text(["Ärmel", "Çelik", "Özlem", "Željko", "Horst"])
    play(opened, "Horst", "Ärmel")
    # A game of those who sat here before was forgotten: they are in the form for it, and then the others again.
    opened.tap(at_line(opened, "3").get_by_role("button", name="Davor einfügen"))
    expect(page.locator("#outbox")).to_contain_text("Kommt auf den Zettel vor Spiel 3.")
    expect(page.locator(".tile .pill")).to_have_text(FIVE)
    play(opened, "Bodo", "Özlem", band="151-180")
    expect(page.locator(".tile .pill")).to_have_text(["Ärmel", "Çelik", "Özlem", "Željko", "Horst"])
    note = at_line(opened, "1")
    opened.tap(note.get_by_role("button", name="Streichen"))
    opened.tap(page.locator(".unreached").get_by_role("button", name="Streichen"))
    play(opened, "Çelik", "Özlem")
    expect(waits(opened)).to_have_text("8 warten auf Versand")
    page.reload()
    expect(waits(opened)).to_have_text("8 warten auf Versand")
    told, seen = heads(opened), (opened.lines(), opened.totals())

    net.passes = losing = LosingEverySecond()
    find_net(net, page)
    # Three games were there; a page that is just loading shows nothing that waits.
    go_on(page, lambda: Change.objects.filter(table=table).count() == 3 + 8 and waits(opened).is_hidden())
    # Each at least once; whatever the page, loading itself anew, did not read comes again.
    assert losing.lost >= 8
    expect(page.locator("#outbox .conflict")).to_have_count(0)
    net.passes = lambda path, data: True
    assert {game.form for game in stored(table)} == {"played"}
    re = [["Çelik", "Özlem"], ["Bodo", "Özlem"], ["Ärmel", "Bodo"], ["Ärmel", "Željko"], ["Ärmel", "Horst"], ["Çelik", "Özlem"]]
    assert [re_of(game) for game in stored(table)] == re
    assert stored(table)[0].facts["eyes"] == 141
    assert Player.objects.filter(name="Horst", guest=True).count() == 1
    done = list(Change.objects.filter(table=table).order_by("id").values_list("verb", flat=True))[3:]
    seated = [Verb.TABLE_SEATED, Verb.TABLE_SEATED, Verb.GAME_ADDED, Verb.GAME_INSERTED, Verb.GAME_DELETED, Verb.GAME_ADDED]
    assert done == [Verb.GAME_ADDED, Verb.GAME_CORRECTED, *seated]
    page.reload()
    expect(page.locator("#rows tr")).to_have_count(6)
    assert (heads(opened), opened.totals()) == (told, seen[1])
    # The line that was struck out is gone; all others say what the phone had foreseen.
    assert opened.lines() == [line for line in seen[0] if line in opened.lines()]
    assert len(seen[0]) == 7
