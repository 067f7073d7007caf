"""A cellar: what happens at a table besides games works without a net as well, and goes out in order, once each."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from scoring.club.actions import Actor
from scoring.evenings.actions import close_evening
from scoring.models import Change, LateEntry, Player, Table, Verb
from scoring.play.queries import read_records, read_sheet
from scoring.table.actions.late import enter_late_entry
from scoring.table.actions.seats import change_line_up
from tests.factories import Cast, make_player, make_table
from tests.network import Net
from tests.stories.offline import address, come_in, find_net, guest, heads, line_up, play, soon, stored, waits
from tests.stories.table import TablePage

pytestmark = [pytest.mark.browser, pytest.mark.browser_context_args(service_workers="allow")]


@pytest.fixture
def table(cast: Cast) -> Table:
    return make_table(cast.club, 4)


def tiles(opened: TablePage) -> list[str]:
    return opened.page.locator(".tile .pill").all_inner_texts()


@pytest.mark.soak
def test_two_change_places_without_a_net_and_who_comes_is_taken_back(page: Page, net: Net, cast: Cast, table: Table) -> None:
    make_player(cast.club, "Željko")
    opened = come_in(page, net, cast, table)
    net.cut()
    guest(opened, " çelik\u200b")
    expect(page.get_by_text("Unter diesem Namen sitzt schon jemand am Tisch.")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#seating")).to_have_count(0)
    opened.tap_beside("Jemand geht")
    opened.tap(page.get_by_role("button", name="Zwei tauschen die Sitze"))
    for name in ("Ärmel", "Özlem"):
        opened.tap(page.get_by_role("group", name="Welche zwei tauschen?").get_by_role("button", name=name))
    swapped = ["Özlem", "Bodo", "Çelik", "Ärmel"]
    assert tiles(opened) == swapped
    play(opened, "Özlem", "Bodo")
    opened.tap_beside("Gast kommt")
    opened.tap(page.locator("#seating").get_by_role("button", name="Željko", exact=True))
    expect(page.locator(".tile .pill")).to_have_text([*swapped, "Željko"])
    opened.tap(page.locator("#undo-button"))
    expect(opened.message).to_contain_text("Zurückgenommen")
    assert tiles(opened) == swapped
    told = heads(opened)
    find_net(net, page)
    soon(lambda: [line_up(game) for game in stored(table)], [swapped])
    assert Change.objects.filter(table=table, verb=Verb.TABLE_SEATED).count() == 1
    other = TablePage(page.context.new_page(), net.url, table).open()
    assert (heads(other), other.totals()) == (told, [1, 1, -1, -1])


def test_others_sat_down_while_this_phone_had_no_net(page: Page, net: Net, cast: Cast, table: Table) -> None:
    """It is asked, and what was played stays whoever's it was."""
    opened = come_in(page, net, cast, table)
    net.cut()
    guest(opened, "Horst")
    play(opened, "Horst", "Bodo")
    late = make_player(cast.club, "Željko")
    change_line_up(table=table, actor=Actor(cast.scorer), players=[*read_records(table).current, late])
    find_net(net, page)
    box = page.get_by_role("alert").filter(has_text="Dort sitzen jetzt: Ärmel, Bodo, Çelik, Özlem, Željko.")
    expect(box).to_contain_text("Hier angetippt: Ärmel, Bodo, Çelik, Özlem, Horst.")
    expect(box.get_by_role("button")).to_have_text(["Trotzdem so setzen"])
    expect(box).to_be_in_viewport()
    opened.tap(box.get_by_role("button"))
    soon(lambda: [line_up(game) for game in stored(table)], [["Ärmel", "Bodo", "Çelik", "Özlem", "Horst"]])
    assert read_sheet(table).next is not None


@pytest.mark.soak
def test_the_evening_was_closed_while_others_sat_down_without_a_net(page: Page, net: Net, cast: Cast, table: Table) -> None:
    """Somebody else closed it: what they played arrives late, once, and is said to be with whoever decides, when the page is
    opened again."""
    opened = come_in(page, net, cast, table)
    net.cut()
    guest(opened, "Horst")
    play(opened, "Horst", "Bodo")
    # Ärmel has dealt, and Bodo is next.
    play(opened, "Horst", "Çelik")
    expect(waits(opened)).to_have_text("3 warten auf Versand")
    page.goto("about:blank")
    close_evening(evening=table.evening, actor=Actor(cast.admin))
    net.mend()
    page.goto(f"{net.url}{address(table)}")
    soon(lambda: LateEntry.objects.filter(table=table).count(), 2)
    expect(page.get_by_role("heading", name="2 Spiele kamen zu spät an")).to_be_visible()
    expect(page.locator("#unsent p")).to_have_count(0)
    entries = list(LateEntry.objects.filter(table=table).order_by("arrived_at"))
    assert stored(table) == []
    for late in entries:
        enter_late_entry(table=table, actor=Actor(cast.admin, admin=True), key=late.key)
    assert [line_up(game) for game in stored(table)] == 2 * [["Ärmel", "Bodo", "Çelik", "Özlem", "Horst"]]
    assert [game.key for game in stored(table)] == [late.key for late in entries]
    assert Player.objects.filter(name="Horst", guest=True).count() == 1


def test_with_a_net_whoever_comes_sits_there_at_once(page: Page, net: Net, cast: Cast, table: Table) -> None:
    """What is half typed stays for those who sat there; of four one takes the place of another."""
    make_player(cast.club, "Željko")
    opened = come_in(page, net, cast, table)
    opened.tap(opened.pill(opened.group("Wer ist Re?"), "Bodo"))
    opened.tap_beside("Jemand geht")
    drawer: Any = page.locator("#seating")
    opened.tap(drawer.get_by_role("group", name="Wer geht?").get_by_role("button", name="Çelik"))
    opened.tap(drawer.get_by_role("group", name="Wer kommt für Çelik?").get_by_role("button", name="Željko"))
    soon(lambda: [player.name for player in read_records(table).current], ["Ärmel", "Bodo", "Željko", "Özlem"])
    assert tiles(opened) == ["Ärmel", "Bodo", "Çelik", "Özlem"]
    opened.tap(opened.pill(opened.group("Wer ist Re?"), "Çelik"))
    opened.band("121-150")
    opened.save()
    soon(lambda: [line_up(game) for game in stored(table)], [["Ärmel", "Bodo", "Çelik", "Özlem"]])
    expect(page.locator(".tile .pill")).to_have_text(["Ärmel", "Bodo", "Željko", "Özlem"])
