"""From the club's page to the blank form of the table, every tap counted: as last time, or person by person, new names typed
in place. The same by keyboard and without a script, and the page looked at while it is used."""

from __future__ import annotations

from math import atan2, tau
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer
from pytest_playwright import CreateContextCallback

from scoring.models import Club, Evening, Seat, Table
from tests.browser.fit import THUMB_AT_THE_TABLE, barriers, misfits
from tests.browser_page import another_page, log_in
from tests.factories import add_game, make_club, make_player, make_rule_set, make_table, make_user

LAST = ["Ärmel", "Bodo", "Çelik", "Özlem", "Željko"]


class Phone:
    """A phone on the club's page, whose taps are counted."""

    def __init__(self, page: Page, site: str) -> None:
        self.page, self.taps = page, 0
        page.goto(f"{site}/c/karo/")

    def tap(self, target: Locator) -> None:
        self.page.wait_for_load_state()
        target.tap()
        self.taps += 1

    def go(self, target: Locator) -> None:
        with another_page(self.page):
            self.tap(target)

    def new_evening(self) -> None:
        self.go(self.page.get_by_role("link", name="Neuer Abend"))

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name)

    def sit(self, *names: str) -> None:
        for name in names:
            self.tap(self.button(name))

    def begin(self, button: str = "Abend beginnen") -> list[str]:
        """Who sits at the table that is there then, with its form blank."""
        self.go(self.button(button))
        expect(self.page.locator("#entry")).to_be_visible()
        seats = Seat.objects.filter(round__table=Table.objects.latest("pk")).order_by("place")
        return list(seats.values_list("player__name", flat=True))


@pytest.fixture
def club(db: None) -> Club:
    club = make_club(slug="karo")
    make_table(club, 5)
    for name in ("Käthe", "Uwe"):
        make_player(club, name)
    return club


@pytest.fixture
def phone(page: Page, live_server: LiveServer, club: Club) -> Phone:
    log_in(page.context, live_server.url, make_user("schorsch", club, ["scorer"]))
    return Phone(page, live_server.url)


def said(phone: Phone, text: str) -> None:
    expect(phone.page.locator("#said")).to_have_text(text)


def clockwise(boxes: list[Any]) -> bool:
    """Do they lie around their middle, the first at the top, each further to the right hand of the one before?"""
    spots = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes]
    middle = [sum(spot[axis] for spot in spots) / len(spots) for axis in (0, 1)]
    turns = [atan2(x - middle[0], middle[1] - y) % tau for x, y in spots]
    turns[0] = min(turns[0], tau - turns[0])
    return turns == sorted(turns) and min(y for _, y in spots) == spots[0][1]


def test_others_take_two_taps_and_one_for_each(phone: Phone) -> None:
    phone.page.emulate_media(reduced_motion="reduce")
    phone.page.set_viewport_size({"width": 320, "height": 740})
    phone.new_evening()
    assert misfits(phone.page, THUMB_AT_THE_TABLE) + barriers(phone.page) == []
    foot = phone.page.locator(".seating-foot")
    expect(foot).to_be_hidden()
    phone.sit("Uwe", "Bodo")
    expect(foot).to_have_css("position", "sticky")
    expect(foot).to_be_in_viewport(ratio=1)
    assert misfits(phone.page, THUMB_AT_THE_TABLE) + barriers(phone.page) == []
    phone.sit("Käthe", "Ärmel", "Özlem")
    said(phone, "Uwe gibt, dann Bodo, Käthe, Ärmel, Özlem.")
    seats = phone.page.locator("#round > li")
    expect(seats.locator(".cut")).to_have_text(["Uwe", "Bodo", "Käthe", "Ärmel", "Özlem"])
    assert clockwise([seat.bounding_box() for seat in seats.all()])
    expect(phone.button("Käthe")).to_have_accessible_name("Käthe Sitz 3")
    assert phone.begin() == ["Uwe", "Bodo", "Käthe", "Ärmel", "Özlem"]
    assert phone.taps == 2 + 5


@pytest.mark.soak
def test_an_evening_that_runs_already_is_named_while_its_people_are_tapped(phone: Phone) -> None:
    """As last time, or tapped in any order; not for others, nor for another day. Begun all the same, it is asked about."""
    phone.new_evening()
    assert (phone.begin("Mit diesen anfangen"), phone.taps) == (LAST, 2)
    running, table = phone.page.get_by_text("Heute läuft schon ein Abend mit diesen fünfen:"), phone.page.url
    phone.page.go_back()
    phone.page.reload()
    expect(running).to_be_visible()
    phone.sit("Uwe")
    expect(running).to_be_hidden()
    phone.sit("Uwe", *reversed(LAST))
    expect(running).to_be_visible()
    phone.tap(phone.page.locator(".setting summary"))
    phone.page.get_by_label("Datum").fill("2026-03-07")
    phone.page.get_by_label("Ort").focus()
    expect(phone.page.locator(".setting summary")).to_contain_text("7. März 2026")
    expect(running).to_be_hidden()
    phone.page.reload()
    phone.go(phone.button("Mit diesen anfangen"))
    expect(running).to_be_visible()
    assert misfits(phone.page) == []
    phone.go(phone.page.get_by_role("link", name="Weiter am Tisch"))
    assert phone.page.url == table
    assert Evening.objects.count() == 2


@pytest.mark.soak
def test_chips_count_themselves_and_nothing_moves(phone: Phone) -> None:
    phone.new_evening()
    chips = phone.page.locator(".chips > button.chip")
    before = [chip.bounding_box() for chip in chips.all()]
    phone.sit("Uwe", "Bodo", "Käthe", "Bodo", "Ärmel")
    expect(chips.locator(".at")).to_have_text(["3", "B", "Ç", "Ö", "Ž", "2", "1"])
    assert [chip.bounding_box() for chip in chips.all()] == before
    phone.button("Abend beginnen").tap(force=True)
    expect(phone.page.locator("#said .fault")).to_have_text("Noch eine Person, dann geht es los.")
    phone.sit("Çelik", "Özlem", "Željko", "Bodo")
    phone.tap(phone.page.locator("summary").filter(has_text="Neuer Name"))
    phone.page.keyboard.type("Sabine\n")
    expect(phone.button("Sabine Sitz 8")).to_be_enabled()
    phone.sit("Bodo")
    phone.page.keyboard.type("bodo\n")
    expect(phone.button("Bodo")).to_have_accessible_name("Bodo Sitz 8")


def test_a_name_that_cannot_be_is_what_to_look_at(phone: Phone) -> None:
    phone.new_evening()
    phone.sit(*LAST)
    phone.tap(phone.page.locator("summary").filter(has_text="Neuer Name"))
    phone.page.get_by_label("Neuer Name").fill("ver\u202ekehrt")
    phone.go(phone.button("Abend beginnen"))
    name = phone.page.get_by_label("Neuer Name")
    expect(name).to_be_focused()
    expect(name).to_have_value("ver\u202ekehrt")
    expect(name).to_have_accessible_description("Bitte nur sichtbare Zeichen verwenden.")
    expect(phone.button("Željko Sitz 5")).to_be_visible()
    assert misfits(phone.page, THUMB_AT_THE_TABLE) + barriers(phone.page) == []
    # A second tap on the button begins nothing.
    name.fill("Sabine")
    phone.button("Abend beginnen").dblclick()
    phone.page.wait_for_url("**/tables/*/")
    assert Evening.objects.count() == 2


@pytest.mark.soak
def test_others_are_not_asked_about_bocks_that_are_not_theirs(phone: Phone, club: Club) -> None:
    table = make_table(club, 4, rule_set=make_rule_set(club, "anleitung", "Wir", bock={"carry": True}))
    add_game(table, eyes=100, re_said="said")
    phone.new_evening()
    expect(phone.page.get_by_label("gehen weiter")).to_be_checked()
    phone.sit("Uwe", "Bodo", "Käthe", "Ärmel")
    phone.begin()
    assert Table.objects.latest("pk").carries_on is None


def test_by_keyboard_alone(phone: Phone) -> None:
    phone.new_evening()
    phone.button("Özlem").focus()
    for key in (" ", "Shift+Tab", "Enter", "Shift+Tab", " ", "Shift+Tab", " "):
        phone.page.keyboard.press(key)
    said(phone, "Özlem gibt, dann Çelik, Bodo, Ärmel.")
    phone.button("Abend beginnen").focus()
    with another_page(phone.page):
        phone.page.keyboard.press("Enter")
    expect(phone.page.locator("#entry")).to_be_visible()


def test_the_same_without_a_script(new_context: CreateContextCallback, live_server: LiveServer, club: Club) -> None:
    context = new_context(java_script_enabled=False)
    log_in(context, live_server.url, make_user("schorsch", club, ["scorer"]))
    phone = Phone(context.new_page(), live_server.url)
    phone.new_evening()
    for name in ("Uwe", "Bodo", "Käthe"):
        phone.go(phone.button(name))
    said(phone, "Uwe gibt, dann Bodo, Käthe. Noch eine Person, dann geht es los.")
    phone.tap(phone.page.locator("summary").filter(has_text="Neuer Name"))
    phone.page.get_by_label("Neuer Name").fill("Sabine")
    with another_page(phone.page):
        phone.page.keyboard.press("Enter")
    assert Evening.objects.count() == 1, "Enter in a field begins nothing"
    expect(phone.button("Sabine Sitz 4")).to_be_visible()
    assert phone.begin() == ["Uwe", "Bodo", "Käthe", "Sabine"]
