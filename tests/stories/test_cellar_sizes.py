"""Without a net a table becomes one of six or more, and one of fewer again: the page draws what so many are asked by itself,
games for them are typed at once, and go out in order, once each."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from scoring.models import Player, Table
from scoring.play.queries import read_records
from tests.browser.fit import THUMB_AT_THE_TABLE, barriers, misfits
from tests.factories import Cast, make_player, make_rule_set, make_table
from tests.network import Net
from tests.stories.offline import come_in, find_net, guest, heads, leaves, line_up, re_of, soon, stored, waits
from tests.stories.table import TablePage

pytestmark = [pytest.mark.browser, pytest.mark.browser_context_args(service_workers="allow")]

FIVE = ["Ärmel", "Bodo", "Çelik", "Özlem", "Željko"]
ROWS = ["Ärmel, Çelik, Željko", "Bodo, Özlem, Horst"]


def seat(cast: Cast, names: list[str], preset: str) -> Table:
    for name in names:
        if not Player.objects.filter(club=cast.club, name=name).exists():
            make_player(cast.club, name)
    people = [Player.objects.get(club=cast.club, name=name) for name in names]
    return make_table(cast.club, people, rule_set=make_rule_set(cast.club, preset))


def save(opened: TablePage, waiting: int) -> None:
    opened.band("121-150")
    opened.save()
    expect(waits(opened)).to_have_text(f"{waiting} warten auf Versand")


def test_five_become_six_and_five_again_without_a_net(page: Page, net: Net, cast: Cast) -> None:
    """By the rules of which six play in two rows, and have fewer kinds of game."""
    table = seat(cast, FIVE, "klassisch")
    opened = come_in(page, net, cast, table)
    net.cut()
    guest(opened, "Horst")
    expect(page.locator(".tile .pill")).to_have_text([*FIVE, "Horst"])
    side = opened.group("Welche Seite ist Re?")
    expect(side.locator(".pill")).to_have_text(ROWS)
    expect(page.get_by_role("radio", name="Hochzeit", exact=True)).to_be_hidden()
    assert misfits(page, THUMB_AT_THE_TABLE) + barriers(page) == []
    opened.tap(opened.pill(side, ROWS[1]))
    opened.band("121-150")
    opened.save()
    page.reload()
    expect(waits(opened)).to_have_text("2 warten auf Versand")
    # Half typed, and kept with the form that it was typed in.
    opened.tap(opened.pill(side, ROWS[0]))
    page.reload()
    expect(side.get_by_role("radio", name=ROWS[0])).to_be_checked()
    opened.kind("trumpfsolo")
    expect(side).to_be_hidden()
    opened.tap(opened.pill(opened.group("Wer spielt?"), "Horst"))
    save(opened, 3)
    leaves(opened, "Horst")
    expect(page.locator(".tile .pill")).to_have_text(FIVE)
    expect(side).to_have_count(0)
    expect(page.get_by_role("radio", name="Hochzeit", exact=True)).to_be_enabled()
    # Çelik deals and sits out.
    for name in ("Bodo", "Özlem"):
        opened.tap(opened.pill(opened.group("Wer ist Re?"), name))
    opened.kind("hochzeit")
    save(opened, 5)
    told, totals = heads(opened), opened.totals()

    find_net(net, page)
    played = [(6, ["Bodo", "Özlem", "Horst"]), (6, ["Horst"]), (5, ["Bodo", "Özlem"])]
    soon(lambda: [(len(line_up(game)), re_of(game)) for game in stored(table)], played)
    expect(waits(opened)).to_be_hidden()
    assert [game.facts["kind"] for game in stored(table)] == ["normal", "trumpfsolo", "hochzeit"]
    other = TablePage(page.context.new_page(), net.url, table).open()
    assert (heads(other), other.totals()) == (told, totals)


def test_eight_say_who_sits_out(page: Page, net: Net, cast: Cast) -> None:
    """Where nothing in the rules says it."""
    table = seat(cast, [*FIVE, "Horst", "Inge"], "ddv")
    opened = come_in(page, net, cast, table)
    net.cut()
    expect(page.locator("[data-out]")).to_have_count(0)
    guest(opened, "Jonas")
    out = opened.group("Wer setzt aus?")
    expect(out.locator(".pill")).to_have_text([*FIVE, "Horst", "Inge", "Jonas"])
    for name in ("Ärmel", "Bodo", "Horst", "Inge"):
        opened.tap(opened.pill(out, name))
    expect(opened.pill(opened.group("Wer ist Re?"), "Inge")).to_be_disabled()
    for name in ("Çelik", "Jonas"):
        opened.tap(opened.pill(opened.group("Wer ist Re?"), name))
    save(opened, 2)
    # A drawer that is done closes by and by.
    expect(page.locator("#seating")).to_have_count(0)
    leaves(opened, "Jonas")
    expect(out).to_have_count(0)
    find_net(net, page)
    played = [(8, ["Çelik", "Jonas"], [0, 1, 5, 6])]
    soon(lambda: [(len(line_up(game)), re_of(game), game.facts["out"]) for game in stored(table)], played)
    soon(lambda: len(read_records(table).current), 7)
