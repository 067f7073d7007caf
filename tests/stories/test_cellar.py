"""A cellar: games, people who come and go, and lines that are corrected, struck out or forgotten work without a net as well, and go
out in order, once each. What somebody else did meanwhile is asked about afterwards."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from playwright.sync_api import Error, Locator, Page, expect

from scoring.club.actions import Actor
from scoring.evenings.actions import close_evening
from scoring.models import Change, LateEntry, Player, Table, Verb
from scoring.play.queries import read_records, read_sheet
from scoring.table.actions.games import Typed, correct_game, delete_game
from scoring.table.actions.late import enter_late_entry
from scoring.table.actions.seats import change_line_up
from scoring.table.actions.tables import renew_link
from tests.browser.fit import THUMB_AT_THE_TABLE, barriers, misfits
from tests.chromium import PATIENCE
from tests.factories import Cast, add_game, make_player, make_rule_set, make_table
from tests.network import Net
from tests.stories.offline import (
    address,
    come_in,
    find_net,
    guest,
    heads,
    leaves,
    line_up,
    play,
    re_of,
    soon,
    stored,
    visit,
    waits,
)
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


@pytest.fixture
def five(cast: Cast) -> Table:
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


@pytest.mark.postgres
def test_an_evening_in_a_cellar(page: Page, net: Net, cast: Cast, five: Table) -> None:
    opened = come_in(page, net, cast, five)
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
    go_on(page, lambda: Change.objects.filter(table=five).count() == 3 + 8 and waits(opened).is_hidden())
    # Each at least once; whatever the page, loading itself anew, did not read comes again.
    assert losing.lost >= 8
    expect(page.locator("#outbox .conflict")).to_have_count(0)
    net.passes = lambda path, data: True
    assert {game.form for game in stored(five)} == {"played"}
    re = [["Çelik", "Özlem"], ["Bodo", "Özlem"], ["Ärmel", "Bodo"], ["Ärmel", "Željko"], ["Ärmel", "Horst"], ["Çelik", "Özlem"]]
    assert [re_of(game) for game in stored(five)] == re
    assert stored(five)[0].facts["eyes"] == 141
    assert Player.objects.filter(name="Horst", guest=True).count() == 1
    done = list(Change.objects.filter(table=five).order_by("id").values_list("verb", flat=True))[3:]
    seated = [Verb.TABLE_SEATED, Verb.TABLE_SEATED, Verb.GAME_ADDED, Verb.GAME_INSERTED, Verb.GAME_DELETED, Verb.GAME_ADDED]
    assert done == [Verb.GAME_ADDED, Verb.GAME_CORRECTED, *seated]
    page.reload()
    expect(page.locator("#rows tr")).to_have_count(6)
    assert (heads(opened), opened.totals()) == (told, seen[1])
    # The line that was struck out is gone; all others say what the phone had foreseen.
    assert opened.lines() == [line for line in seen[0] if line in opened.lines()]
    assert len(seen[0]) == 7


@pytest.fixture
def three(cast: Cast) -> Table:
    """Four people, three games, of which the second starts a Bock."""
    table = make_table(cast.club, 4, preset="anleitung")
    add_game(table, re=[0, 1], eyes=130)
    add_game(table, re=[1, 2], eyes=100, re_said="said")
    add_game(table, re=[0, 2], eyes=150)
    return table


def row(opened: TablePage, label: str) -> Locator:
    name = re.compile(rf"^{label}\b")
    return opened.page.locator("#rows tr").filter(has=opened.page.get_by_role("rowheader", name=name)).first


def note(opened: TablePage, label: str) -> Locator:
    """What the page tells and offers at a line that is tapped without a net."""
    opened.tap(row(opened, label).locator("a"))
    found = opened.page.locator(".unreached")
    expect(found).to_contain_text("Keine Verbindung")
    return found


def choose(opened: TablePage, label: str, button: str) -> None:
    opened.tap(note(opened, label).get_by_role("button", name=button, exact=True))


def strike(opened: TablePage, label: str) -> None:
    choose(opened, label, "Streichen")
    asked = opened.page.locator(".unreached")
    expect(asked).to_contain_text(f"Spiel {label} streichen?")
    opened.tap(asked.get_by_role("button", name="Streichen", exact=True))


def eyes(opened: TablePage, count: int) -> None:
    for _ in range(3):
        opened.key("eyes", "back")
    opened.keys("eyes", count)


def facts(table: Table) -> list[Any]:
    return [(game.facts.get("re"), game.facts.get("eyes")) for game in stored(table)]


def shown(opened: TablePage, table: Table) -> tuple[Any, ...]:
    return opened.lines(), opened.totals(), heads(opened)


def anew(page: Page, net: Net, table: Table) -> tuple[Any, ...]:
    """What a page shows that has heard it all from the server."""
    return shown(TablePage(page.context.new_page(), net.url, table).open(), table)


@pytest.mark.soak
def test_lines_are_corrected_struck_out_and_inserted_without_a_net(page: Page, net: Net, cast: Cast, three: Table) -> None:
    page.set_viewport_size({"width": 360, "height": 640})
    opened = come_in(page, net, cast, three)
    net.cut()
    found = note(opened, "2")
    expect(found).to_contain_text("Spiel 2: Re Bodo, Çelik · Re 100 : 140 Kontra")
    expect(found.get_by_role("button")).to_have_text(["Berichtigen", "Davor einfügen", "Streichen"])
    assert misfits(page, THUMB_AT_THE_TABLE) + barriers(page) == []
    opened.tap(found.get_by_role("button", name="Berichtigen"))
    expect(page.locator("#outbox")).to_contain_text("Spiel 2 wird berichtigt.")
    assert opened.marked("Wer ist Re?") == ["Bodo", "Çelik"]
    assert heads(opened)[:3] == ["Spiel 2", "Umlauf 1", "Bodo"]
    assert misfits(page, THUMB_AT_THE_TABLE) == []
    eyes(opened, 140)
    opened.save()
    # The Bock that it had started is gone.
    expect(opened.message).to_contain_text("Damit ändern sich auch: Spiel 3.")
    expect(page.locator("#rows tr.waiting")).to_have_count(1)
    choose(opened, "3", "Davor einfügen")
    expect(page.locator("#outbox")).to_contain_text("Kommt auf den Zettel vor Spiel 3.")
    assert heads(opened)[0] == "Spiel 3"
    opened.enter({"kind": "normal", "re": [2, 3], "eyes": 120})
    opened.save()
    assert [line.label for line in opened.lines()] == ["4", "3", "2", "1"]
    choose(opened, "1", "Streichen")
    assert misfits(page, THUMB_AT_THE_TABLE) + barriers(page) == []
    opened.tap(page.locator(".unreached").get_by_role("button", name="Streichen", exact=True))
    expect(page.locator("#undo-what")).to_have_text("Streichung von Spiel 1")
    opened.enter({"kind": "normal", "re": [0, 3], "eyes": 160})
    opened.save()
    expect(waits(opened)).to_have_text("4 warten auf Versand")
    seen = shown(opened, three)
    page.reload()
    expect(waits(opened)).to_have_text("4 warten auf Versand")
    assert shown(opened, three) == seen
    find_net(net, page)
    expect(waits(opened)).to_be_hidden()
    assert facts(three) == [([1, 2], 140), ([2, 3], 120), ([0, 2], 150), ([0, 3], 160)]
    expect(page.locator("#rows tr")).to_have_count(4)
    assert shown(opened, three) == anew(page, net, three)
    done = Change.objects.filter(table=three).order_by("id").values_list("verb", flat=True)
    assert list(done)[3:] == [Verb.GAME_CORRECTED, Verb.GAME_INSERTED, Verb.GAME_DELETED, Verb.GAME_ADDED]


def test_what_is_half_typed_about_a_line_survives_a_reload(page: Page, net: Net, cast: Cast, three: Table) -> None:
    """And behind it what was half typed before. A line that somebody else has corrected since is not taken up again."""
    says = "Von vorhin, noch nicht eingetragen."
    opened = come_in(page, net, cast, three)
    net.cut()
    opened.mark("Wer ist Re?", [1, 3])
    half = opened.marked("Wer ist Re?")
    choose(opened, "2", "Berichtigen")
    eyes(opened, 140)
    page.reload()
    expect(opened.message).to_contain_text(says)
    expect(page.locator("#outbox")).to_contain_text("Spiel 2 wird berichtigt.")
    assert (opened.marked("Wer ist Re?"), heads(opened)[0]) == (["Bodo", "Çelik"], "Spiel 2")
    opened.save()
    expect(waits(opened)).to_have_text("1 wartet auf Versand")
    assert (opened.marked("Wer ist Re?"), heads(opened)[0]) == (half, "Spiel 4")
    choose(opened, "3", "Davor einfügen")
    opened.mark("Wer ist Re?", [2, 3])
    page.reload()
    expect(page.locator("#outbox")).to_contain_text("Kommt auf den Zettel vor Spiel 3.")
    assert opened.marked("Wer ist Re?") == ["Çelik", "Özlem"]
    eyes(opened, 120)
    opened.save()
    expect(waits(opened)).to_have_text("2 warten auf Versand")
    choose(opened, "1", "Berichtigen")
    eyes(opened, 150)
    other(three, 1, eyes=125)
    find_net(net, page)
    expect(waits(opened)).to_be_hidden()
    page.reload()
    expect(opened.message).to_contain_text(says)
    expect(page.locator("#outbox")).to_be_empty()
    assert opened.marked("Wer ist Re?") == half
    opened.tap(page.get_by_role("button", name="Verwerfen"))
    page.reload()
    expect(opened.message).to_have_text("Es fehlt: wer Re ist, Augen")
    assert facts(three) == [([0, 1], 125), ([1, 2], 140), ([2, 3], 120), ([0, 2], 150)]


def test_lines_that_are_no_games_are_mended_without_a_net(page: Page, net: Net, cast: Cast, three: Table) -> None:
    add_game(three, form="penalty", points=[-3, 1, 1, 1], reason="falsch bedient")
    add_game(three, form="correction", points=[5, 0, 0, 0], reason="verrechnet")
    add_game(three, form="redeal", dealer=3, seat=1, reason="fünf Könige")
    page.set_viewport_size({"width": 360, "height": 640})
    opened = come_in(page, net, cast, three)
    net.cut()
    drawer = page.locator("#by-hand")
    choose(opened, "Strafpunkte", "Berichtigen")
    expect(drawer.get_by_label("Grund")).to_have_value("falsch bedient")
    assert misfits(page, THUMB_AT_THE_TABLE) + barriers(page) == []
    drawer.get_by_label("Ärmel").fill("1")
    drawer.get_by_label("Bodo").fill("")
    opened.tap(drawer.get_by_role("button", name="Berichtigen"))
    expect(drawer).to_be_visible()
    drawer.get_by_label("Bodo").fill("-3")
    opened.tap(drawer.get_by_role("button", name="Berichtigen"))
    expect(drawer).to_have_count(0)
    expect(opened.message).to_contain_text("Berichtigung von Strafpunkte ist noch nicht gespeichert")
    choose(opened, "Berichtigung", "Berichtigen")
    drawer.get_by_label("Grund").fill("doch nur 4")
    drawer.get_by_label("Ärmel").fill("4")
    drawer.get_by_label("Ärmel").press("Enter")
    choose(opened, "Neu gegeben", "Berichtigen")
    opened.tap(drawer.get_by_role("button", name="Çelik"))
    drawer.get_by_label("Grund").fill("")
    opened.tap(drawer.get_by_role("button", name="Berichtigen"))
    expect(waits(opened)).to_have_text("3 warten auf Versand")
    expect(page.locator("#uneven-others")).to_be_visible()
    seen = opened.totals()
    find_net(net, page)
    expect(waits(opened)).to_be_hidden()
    assert [game.facts for game in stored(three)[3:]] == [
        {"points": [1, -3, 1, 1], "reason": "falsch bedient"},
        {"points": [4, 0, 0, 0], "reason": "doch nur 4"},
        {"seat": 2},
    ]
    assert stored(three)[5].dealer == 3
    assert opened.totals() == seen == anew(page, net, three)[1]


def other(table: Table, number: int, **typed: Any) -> None:
    """Somebody else corrects a game meanwhile."""
    game = stored(table)[number - 1]
    line = Typed(form=game.form, facts={**game.facts, **typed}, dealer=game.dealer)
    correct_game(table=table, actor=Actor(), key=game.key, version=game.version, typed=line)


def box(page: Page) -> Locator:
    return page.locator("#outbox").get_by_role("alert")


def corrected(opened: TablePage, label: str, count: int) -> None:
    choose(opened, label, "Berichtigen")
    eyes(opened, count)
    opened.save()
    expect(opened.message).to_contain_text(f"Berichtigung von Spiel {label} ist noch nicht gespeichert")


@pytest.mark.postgres
def test_a_line_that_somebody_else_corrected_is_asked_about(page: Page, net: Net, cast: Cast, three: Table) -> None:
    """What was typed behind it waits for the answer, and goes out after it."""
    opened = come_in(page, net, cast, three)
    net.cut()
    corrected(opened, "3", 160)
    opened.enter({"kind": "normal", "re": [1, 3], "eyes": 125})
    opened.save()
    other(three, 3, eyes=180)
    find_net(net, page)
    asked = box(page)
    expect(asked).to_contain_text("Jemand anderes hat dieses Spiel inzwischen geändert.")
    expect(asked).to_contain_text("Hier eingetippt: Re Ärmel, Çelik · Re 160 : 80 Kontra")
    expect(asked).to_contain_text("Auf dem Zettel als Spiel 3: Re Ärmel, Çelik · Re 180 : 60 Kontra")
    expect(asked.get_by_role("button")).to_have_text(["Meine Fassung eintragen", "Ändern", "Unverändert lassen"])
    assert misfits(page, THUMB_AT_THE_TABLE) + barriers(page) == []
    assert len(stored(three)) == 3
    opened.tap(asked.get_by_role("button", name="Meine Fassung eintragen"))
    expect(waits(opened)).to_be_hidden()
    expect(asked).to_have_count(0)
    assert facts(three)[2:] == [([0, 2], 160), ([1, 3], 125)]
    assert shown(opened, three) == anew(page, net, three)


def test_a_line_that_is_struck_out_by_others_is_not_corrected(page: Page, net: Net, cast: Cast, three: Table) -> None:
    """What was typed is not lost: it can be entered as a new game."""
    opened = come_in(page, net, cast, three)
    net.cut()
    corrected(opened, "3", 160)
    last = stored(three)[2]
    delete_game(table=three, actor=Actor(), key=last.key, version=1)
    find_net(net, page)
    asked = box(page)
    expect(asked).to_contain_text("Dieses Spiel wurde inzwischen gestrichen.")
    expect(asked).to_contain_text("Hier eingetippt: Re Ärmel, Çelik · Re 160 : 80 Kontra")
    opened.tap(asked.get_by_role("button", name="Als neues Spiel eintragen"))
    expect(waits(opened)).to_be_hidden()
    soon(lambda: facts(three)[2:], [([0, 2], 160)])
    assert stored(three)[2].key != last.key


@pytest.mark.soak
def test_a_line_that_changed_is_struck_out_only_when_that_is_meant(page: Page, net: Net, cast: Cast, three: Table) -> None:
    opened = come_in(page, net, cast, three)
    net.cut()
    strike(opened, "3")
    opened.enter({"kind": "normal", "re": [1, 3], "eyes": 125})
    opened.save()
    other(three, 3, eyes=180)
    find_net(net, page)
    asked = box(page)
    expect(asked).to_contain_text("Hier eingetippt: Streichung von Spiel 3")
    expect(asked.get_by_role("button")).to_have_text(["Streichen", "Unverändert lassen"])
    opened.tap(asked.get_by_role("button", name="Unverändert lassen"))
    expect(waits(opened)).to_be_hidden()
    assert facts(three)[2:] == [([0, 2], 180), ([1, 3], 125)]


@pytest.mark.soak
def test_what_waits_is_taken_back_on_the_phone(page: Page, net: Net, cast: Cast, three: Table) -> None:
    """By the button, and by a tap on its line; what the server has last is taken back without a net as well."""
    opened = come_in(page, net, cast, three)
    seen = shown(opened, three)
    net.cut()
    for _ in range(2):
        opened.tap(page.locator("#undo-button"))
        expect(page.locator("#undo-what")).to_have_text("Streichung von Spiel 3")
        opened.tap(page.locator("#undo-button"))
        expect(page.locator("#rows tr.waiting")).to_have_count(0)
    assert shown(opened, three)[:2] == seen[:2]
    corrected(opened, "2", 160)
    opened.tap(row(opened, "2").locator("a"))
    held = page.locator("#outbox").get_by_role("status")
    expect(held).to_contain_text("Berichtigung von Spiel 2 wartet noch auf Versand.")
    eyes(opened, 155)
    opened.save()
    expect(page.locator("#rows tr.waiting")).to_have_count(1)
    opened.tap(page.locator("#undo-button"))
    expect(page.locator("#rows tr.waiting")).to_have_count(0)
    assert shown(opened, three)[:2] == seen[:2]
    opened.tap(page.locator("#undo-button"))
    opened.enter({"kind": "normal", "re": [1, 3], "eyes": 125})
    opened.save()
    find_net(net, page)
    expect(waits(opened)).to_be_hidden()
    assert facts(three)[2:] == [([1, 3], 125)]
    assert shown(opened, three) == anew(page, net, three)


@pytest.mark.soak
def test_a_guest_corrects_without_a_net_until_the_evening_is_closed(
    page: Page, net: Net, cast: Cast, three: Table, page_complaints: list[str]
) -> None:
    """Whoever came by the link puts no line before others. What is refused at the end keeps nothing of what was played behind."""
    page.goto(f"{net.url}/t/{renew_link(table=three, actor=Actor(cast.scorer)).token}/open/")
    page.get_by_role("button", name="Ich bin Bodo").tap()
    page.wait_for_url("**/tables/*/")
    opened = visit(page, net.url, three)
    net.cut()
    found = note(opened, "3")
    expect(found.get_by_role("button")).to_have_text(["Berichtigen", "Streichen"])
    opened.tap(found.get_by_role("button", name="Berichtigen"))
    eyes(opened, 160)
    opened.save()
    opened.enter({"kind": "normal", "re": [1, 3], "eyes": 125})
    opened.save()
    close_evening(evening=three.evening, actor=Actor(cast.admin))
    find_net(net, page)
    expect(page.get_by_text("Der Link für den Tisch gilt nicht mehr")).to_be_visible()
    discard = page.get_by_role("button", name="Verwerfen")
    expect(discard).to_be_visible()
    opened.tap(discard)
    soon(lambda: LateEntry.objects.filter(table=three).count(), 1)
    assert facts(three) == [([0, 1], 130), ([1, 2], 100), ([0, 2], 150)]
    page_complaints.clear()
