"""A refused entry, a hasty tap, two phones at once: nothing typed is ever lost, and nothing is booked twice."""

from __future__ import annotations

import datetime
import re

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer
from pytest_playwright import CreateContextCallback

from scoring.models import Club, Game, Table
from tests.factories import make_bock_table, make_club, make_table, make_user
from tests.stories.table import TablePage, sit_down


@pytest.fixture
def club(db: None) -> Club:
    return make_club()


@pytest.fixture
def scorer(club: Club) -> User:
    return make_user("schorsch", club, ["scorer"])


@pytest.fixture
def bock_table(club: Club) -> Table:
    return make_bock_table(club)


# --- Refused, without net, hasty ------------------------------------------------------------------------------------


def test_a_refused_entry_says_why_and_loses_nothing(
    page: Page, live_server: LiveServer, scorer: User, club: Club
) -> None:
    table = sit_down(page, live_server.url, scorer, make_table(club, 4))
    table.mark("Wer ist Re?", [0, 3])
    table.keys("eyes", 241)
    table.say("kontra", "no60")
    table.special("kontra", "fuchs", 2)
    table.unfold("Mehr")
    page.get_by_label("Bemerkung").fill("falsch gezählt")
    table.save()
    expect(page.locator("#fault-eyes")).to_have_text(re.compile("ganze Zahl von 0 bis 240"))
    expect(table.message).to_have_text(re.compile("ganze Zahl von 0 bis 240"))
    expect(page.locator("#eyes")).to_have_attribute("aria-invalid", "true")
    assert table.lines() == []
    assert table.marked("Wer ist Re?") == ["Ärmel", "Özlem"]
    expect(page.get_by_label("Bemerkung")).to_have_value("falsch gezählt")
    table.key("eyes", "back")
    expect(table.message).to_contain_text("Re 24 : 216 Kontra")
    table.save()
    table.expect_saved()
    expect(page.locator("#fault-eyes")).to_be_hidden()
    game = Game.objects.get()
    assert game.facts == {
        "kind": "normal",
        "re": [0, 3],
        "eyes": 24,
        "kontra_said": "no60",
        "kontra_specials": {"fuchs": 2},
    }
    assert game.note == "falsch gezählt"


def test_what_is_missing_is_said_before_the_button_is_pressed(
    page: Page, live_server: LiveServer, scorer: User, club: Club
) -> None:
    table = sit_down(page, live_server.url, scorer, make_table(club, 4))
    expect(table.message).to_have_text("Es fehlt: wer Re ist, Augen")
    table.mark("Wer ist Re?", [0])
    expect(table.message).to_have_text("Es fehlt: wer noch Re ist, Augen")
    table.mark("Wer ist Re?", [0, 3])
    expect(table.message).to_have_text("Es fehlt: Augen")
    table.save()
    expect(page.locator("#fault-eyes")).to_have_text("Es fehlt: Augen")
    assert table.lines() == []
    assert table.marked("Wer ist Re?") == ["Ärmel", "Özlem"]


# What every click hits, noted at once: later the page has moved on.
COUNT_HITS = """() => {
    window.hits = [];
    document.addEventListener('click', event => window.hits.push(event.target.id), true);
}"""


def test_a_double_tap_books_once(page: Page, live_server: LiveServer, scorer: User, club: Club) -> None:
    table = sit_down(page, live_server.url, scorer, make_table(club, 4))
    table.enter({"kind": "normal", "re": [0, 1], "eyes": 153, "re_said": "said"})
    # The page gives its thumb six tenths of a second, however slow this machine is.
    page.clock.install()
    page.clock.pause_at(datetime.datetime.now() + datetime.timedelta(minutes=1))
    page.evaluate(COUNT_HITS)
    page.locator("#save").dblclick()
    table.expect_saved()
    assert page.evaluate("window.hits") == ["save", "save"], "it stayed under the thumb"
    page.clock.run_for(1000)
    expect(page.locator("#head")).to_be_in_viewport(ratio=1)
    table.save()
    page.clock.resume()
    page.wait_for_timeout(200)
    table.expect_saved()
    assert [line.label for line in table.lines()] == ["1"]
    assert Game.objects.count() == 1


# --- Two phones -----------------------------------------------------------------------------------------------------


@pytest.fixture
def phones(
    page: Page, live_server: LiveServer, new_context: CreateContextCallback, club: Club, scorer: User, bock_table: Table
) -> tuple[TablePage, TablePage]:
    """Two people with the same table before them."""
    second = make_user("sieglinde", club, ["scorer"])
    return (
        sit_down(page, live_server.url, scorer, bock_table),
        sit_down(new_context().new_page(), live_server.url, second, bock_table),
    )


GAME = {"kind": "normal", "re": [0, 2], "eyes": 125}


def conflict(table: TablePage) -> Locator:
    box = table.page.get_by_role("alert")
    expect(box).to_contain_text("Inzwischen steht schon ein anderes Spiel auf dem Zettel. Ist das dasselbe Spiel?")
    return box


@pytest.mark.soak
def test_two_enter_the_same_game(phones: tuple[TablePage, TablePage]) -> None:
    first, second = phones
    first.enter(GAME)
    second.enter(GAME)
    first.save()
    first.expect_saved()
    second.save()
    box = conflict(second)
    expect(box).to_contain_text("Auf dem Zettel als Spiel 5: Re Ärmel, Çelik · Re 125 : 115 Kontra · Ärmel +1, Bodo −1")
    assert second.lines()[1:] == first.lines(), "what was typed stands behind it, and asks"
    second.tap(box.get_by_role("button", name="Ja, dasselbe Spiel"))
    expect(second.page.get_by_role("alert")).to_have_count(0)
    expect(second.page.locator('[data-head="number"]')).to_have_text("Spiel 6")
    assert second.marked("Wer ist Re?") == []
    assert Game.objects.count() == 5
    second.enter_and_save({"kind": "normal", "re": [1, 2], "eyes": 125})
    assert [line.label for line in second.lines()][:2] == ["6", "5"]


@pytest.mark.soak
def test_the_second_game_came_after_the_first(phones: tuple[TablePage, TablePage]) -> None:
    first, second = phones
    second.enter({**GAME, "re": [1, 2], "eyes": 190})
    first.enter_and_save(GAME)
    second.save()
    box = conflict(second)
    assert second.marked("Wer ist Re?") == ["Bodo", "Çelik"]
    second.tap(box.get_by_role("button", name="Nein, mein Spiel kam danach"))
    second.expect_saved()
    first.open()
    assert [line.label for line in first.lines()][:2] == ["6", "5"]
    assert second.lines() == first.lines()
    assert second.totals() == first.totals()


def test_two_correct_the_same_game(phones: tuple[TablePage, TablePage]) -> None:
    """Who was slower sees what stands now and what they typed, and decides."""
    first, second = phones
    for table, said in ((first, "said"), (second, "no90")):
        table.correct_game(2)
        table.say("re", said)
        table.save()
        expect(table.page.locator("#effects")).to_be_visible()
    first.save()
    expect(first.page.get_by_text("Berichtigt.")).to_be_visible()
    second.save()
    expect(second.page.get_by_role("alert")).to_contain_text("Jemand anderes hat dieses Spiel inzwischen geändert.")
    expect(second.page.get_by_role("alert")).to_contain_text("Spiel 2: Ärmel +2, ")
    expect(second.page.locator('input[name="re_said"][value="no90"]')).to_be_checked()
    second.save()
    expect(second.page.get_by_role("alert")).to_have_count(0)
    expect(second.page.locator("#effects")).to_be_visible()
    second.save()
    expect(second.page.get_by_text("Berichtigt.")).to_be_visible()
    assert Game.objects.get(facts__re_said="no90").version == 3
