"""What goes wrong at a table, and how it is put right: corrections and deletions that show their effects first, undo, a new
deal, a refused entry, two phones at once, no net. Nothing typed is ever lost, and nothing is booked twice."""

from __future__ import annotations

import datetime
import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer
from pytest_playwright import CreateContextCallback

from scoring.models import Club, Game, Table
from tests.factories import add_game, make_club, make_table, make_user
from tests.stories.table import TablePage, number, sit_down

BOTH_SAID = {"kind": "normal", "re": [0, 1], "band": "120", "re_said": "said", "kontra_said": "said"}


@pytest.fixture
def club(db: None) -> Club:
    return make_club()


@pytest.fixture
def scorer(club: Club) -> User:
    return make_user("schorsch", club, ["scorer"])


@pytest.fixture
def bock_table(club: Club) -> Table:
    """Five people, four games, no Bock yet: a lost Ansage in the first would make the others Bock games."""
    table = make_table(club, 5, preset="anleitung")
    for re_seats in ([1, 2], [0, 2], [1, 4], [0, 1]):
        add_game(table, re=re_seats, eyes=135)
    return table


def values(table: TablePage) -> dict[str, int]:
    return {line.label.split()[0]: line.value for line in table.lines()}


def effects(page: Page) -> tuple[dict[str, tuple[str, str]], dict[str, tuple[int, int]]]:
    """ "Das ändert sich": what each game was and will be worth, and everybody's sum before and after."""
    expect(page.locator("#effects")).to_be_visible()
    games, sums = {}, {}
    page.wait_for_load_state()
    for text in page.locator("#effects li").all_inner_texts():
        name, change = text.split(": ", 1)
        before, after = change.removeprefix("Summe ").split(" → ")
        if change.startswith("Summe"):
            sums[name] = (number(before), number(after))
        else:
            games[name.removeprefix("Spiel ")] = (before, after)
    return games, sums


def worth(text: str) -> int | None:
    """The number in "6 (Bock ×2)"; None for a game that is struck out."""
    return None if text == "gestrichen" else number(text.split()[0])


def expect_as_announced(
    table: TablePage, before: dict[str, int], totals: list[int], announced: tuple[dict[str, Any], dict[str, Any]]
) -> None:
    """What was announced happened, and nothing else did."""
    games, sums = announced
    assert games
    assert sums
    after = values(table)
    for label, value in before.items():
        was, is_now = games.get(label, (str(value), str(value)))
        assert worth(was) == value
        assert worth(is_now) == after.get(label)
    for place, name in enumerate(table.people):
        assert sums.get(name, (totals[place], totals[place])) == (totals[place], table.totals()[place])


# --- Correcting and deleting ----------------------------------------------------------------------------------------


def test_a_correction_shows_its_effects_and_then_has_them(
    page: Page, live_server: LiveServer, scorer: User, bock_table: Table
) -> None:
    table = sit_down(page, live_server.url, scorer, bock_table)
    before, totals = values(table), table.totals()
    table.open_game(1)
    table.key("eyes", "back")
    table.key("eyes", "back")
    table.keys("eyes", 13)  # 135 has become 113
    table.say("re", "said")
    table.save()
    announced = effects(page)
    assert announced[0]["2"][1].endswith("(Bock ×2)")
    assert set(announced[0]) == {"1", "2", "3", "4"}
    assert values(TablePage(page.context.new_page(), table.site, bock_table).open()) == before, (
        "saved before it was asked"
    )
    table.save()
    expect(page.get_by_text("Berichtigt.")).to_be_visible()
    expect_as_announced(table, before, totals, announced)
    expect(page.locator('[data-head="bock"]')).to_have_text("Bock: noch 2 aus Spiel 1")


def test_a_deletion_shows_its_effects_and_then_has_them(
    page: Page, live_server: LiveServer, scorer: User, bock_table: Table
) -> None:
    add_game(bock_table, re=[0, 1], eyes=100, re_said="said")
    for re_seats in ([1, 2], [0, 2]):
        add_game(bock_table, re=re_seats, eyes=155)
    table = sit_down(page, live_server.url, scorer, bock_table)
    before, totals = values(table), table.totals()
    table.open_game(5)
    page.get_by_role("link", name="Streichen …").tap()
    announced = effects(page)
    assert announced[0]["5"][1] == "gestrichen"
    assert "Bock" in announced[0]["6"][0]
    page.get_by_role("button", name="Streichen", exact=True).tap()
    expect(page.get_by_text("Gestrichen.")).to_be_visible()
    # The games behind it move up by one number.
    after = values(table)
    games, sums = announced
    for label in ("6", "7"):
        assert worth(games[label][1]) == after[str(int(label) - 1)]
    assert table.totals() == [sums.get(name, (0, total))[1] for name, total in zip(table.people, totals, strict=True)]
    assert len(after) == len(before) - 1


def test_a_correction_that_changes_no_points_says_so(
    page: Page, live_server: LiveServer, scorer: User, bock_table: Table
) -> None:
    table = sit_down(page, live_server.url, scorer, bock_table).open_game(2)
    table.unfold("Mehr")
    page.get_by_label("Bemerkung").fill("mit Kaffee")
    table.save()
    expect(page.locator("#effects")).to_contain_text("An den Punkten ändert sich nichts.")
    table.save()
    table.open_game(2)
    expect(page.locator(".facts")).to_contain_text("mit Kaffee")


def test_the_last_change_can_be_taken_back(
    page: Page, live_server: LiveServer, scorer: User, bock_table: Table
) -> None:
    table = sit_down(page, live_server.url, scorer, bock_table)
    before, totals = table.lines(), table.totals()
    undo = page.get_by_role("button", name="Rückgängig")
    table.enter_and_save({"kind": "normal", "re": [0, 2], "eyes": 90})
    expect(undo).to_contain_text("Spiel 5")
    undo.tap()
    expect(page.get_by_text("Zurückgenommen.")).to_be_visible()
    assert (table.lines(), table.totals()) == (before, totals)
    expect(undo).to_be_hidden()

    table.open_game(3)
    page.get_by_role("link", name="Streichen …").tap()
    page.get_by_role("button", name="Streichen", exact=True).tap()
    expect(page.get_by_text("Gestrichen.")).to_be_visible()
    assert len(table.lines()) == 3
    undo.tap()
    expect(page.get_by_text("Zurückgenommen.")).to_be_visible()
    assert (table.lines(), table.totals()) == (before, totals)


def test_what_somebody_else_did_since_is_not_taken_back(
    page: Page, live_server: LiveServer, scorer: User, bock_table: Table
) -> None:
    table = sit_down(page, live_server.url, scorer, bock_table)
    # Else it may show at once that there is nothing left to take back.
    table.hear_nothing()
    table.enter_and_save({"kind": "normal", "re": [0, 2], "eyes": 90})
    add_game(bock_table, re=[1, 2])
    page.get_by_role("button", name="Rückgängig").tap()
    expect(page.get_by_text("Das lässt sich nicht mehr rückgängig machen")).to_be_visible()
    assert [line.label for line in table.lines()] == ["6", "5", "4", "3", "2", "1"]


# --- Other things that happen at a table ----------------------------------------------------------------------------


def test_a_new_deal_is_a_line_of_its_own(page: Page, live_server: LiveServer, scorer: User, club: Club) -> None:
    table = sit_down(page, live_server.url, scorer, make_table(club, 4))
    table.tap(page.get_by_role("button", name="Neu gegeben"))
    expect(page.locator("#rows tr")).to_have_count(1)
    [line] = table.lines()
    assert (line.label, line.totals, line.value) == ("Neu gegeben", [0, 0, 0, 0], 0)
    expect(page.locator('[data-head="number"]')).to_have_text("Spiel 1")
    table.enter_and_save({"kind": "normal", "re": [0, 1], "band": "151-180"})
    assert [line.label for line in table.lines()] == ["1", "Neu gegeben"]


def test_the_deal_stays_after_a_pflichtsolo(page: Page, live_server: LiveServer, scorer: User, club: Club) -> None:
    table = sit_down(page, live_server.url, scorer, make_table(club, 5))
    owing = page.locator('[data-head="owing"]')
    expect(owing).to_have_text(", ".join(table.people))
    table.enter_and_save({"kind": "damensolo", "duty": True, "re": [2], "eyes": 131})
    assert table.dealer == table.people[0]
    expect(owing).to_have_text(", ".join([*table.people[:2], *table.people[3:]]))
    table.enter_and_save({"kind": "damensolo", "re": [2], "eyes": 131})
    assert table.dealer == table.people[1]
    assert [line.totals for line in table.lines()] == [[None, -2, 6, -2, -2], [None, -1, 3, -1, -1]]


def test_another_dealer_counts_for_one_game_only(page: Page, live_server: LiveServer, scorer: User, club: Club) -> None:
    table = sit_down(page, live_server.url, scorer, make_table(club, 5))
    table.enter_and_save({"dealer": 3, "kind": "normal", "re": [0, 1], "band": "121-150"})
    odd = page.locator("#rows tr").first.get_by_role("img", name="gibt außer der Reihe")
    for _ in range(2):
        assert table.lines()[0].totals == [1, 1, -1, None, -1]
        assert table.dealer == table.people[4]
        expect(odd).to_have_text("G!")
        expect(page.locator('[data-head="turn"]')).to_be_hidden()
        page.reload()


def test_another_dealer_loses_nothing_typed(
    page: Page, live_server: LiveServer, scorer: User, bock_table: Table
) -> None:
    table = sit_down(page, live_server.url, scorer, bock_table)
    table.tap(table.pill(page.locator(".bands"), "151–180"))
    in_turn = table.dealer
    dealer = table.people[0] if in_turn != table.people[0] else table.people[1]

    table.dealt_by(table.people.index(dealer))

    expect(page.locator('[data-head="out"]')).to_have_text(dealer)
    expect(page.locator('[data-head="turn"]')).to_have_text(in_turn)
    expect(page.locator(".bands input:checked")).to_have_value("151-180")
    assert dealer not in page.locator("[data-pick=re]").inner_text()


def test_the_dealer_of_an_old_game_can_be_corrected(
    page: Page, live_server: LiveServer, scorer: User, bock_table: Table
) -> None:
    table = sit_down(page, live_server.url, scorer, bock_table)
    table.open_game(2)
    page.locator("summary", has_text="Mehr").tap()
    page.locator("#dealers").get_by_role("link", name=table.people[0], exact=True).tap()
    page.wait_for_url("**dealer=0*")
    table.mark("Wer ist Re?", [1, 2])
    page.get_by_role("button", name="Zeigen, was sich ändert").tap()
    page.get_by_role("button", name="So speichern").tap()

    expect(page.get_by_text("Berichtigt.")).to_be_visible()
    game = Game.objects.filter(round__table=bock_table).order_by("position")[1]
    assert (game.dealer, game.facts["re"]) == (0, [1, 2])


def test_the_short_form(page: Page, live_server: LiveServer, scorer: User, bock_table: Table) -> None:
    table = sit_down(page, live_server.url, scorer, bock_table)
    table.unfold("Mehr").get_by_role("link", name="Kurzform").tap()
    page.wait_for_url("**form=short")
    totals = table.totals()
    table.enter({"winners": [0, 1, 2], "base": 12, "solo": True})
    table.expect_live_points(dict(zip(table.people[:4], (12, 12, 12, -12), strict=True)))
    table.save()
    table.expect_saved()
    assert table.totals() == [a + b for a, b in zip(totals, (12, 12, 12, -12, 0), strict=True)]
    page.goto(page.url.split("?")[0])
    expect(page.get_by_role("group", name="Wer hat gewonnen?")).to_be_visible()
    table.unfold("Mehr").get_by_role("link", name="Mit Ansagen und Augen").tap()
    expect(page.get_by_role("group", name="Wer ist Re?")).to_be_visible()


@pytest.mark.parametrize(("last", "first_seat"), [("re", -5), ("kontra", 4)])
def test_at_120_the_last_ansage_decides(
    page: Page, live_server: LiveServer, scorer: User, club: Club, last: str, first_seat: int
) -> None:
    """Whose Ansage came last is asked only where it decides, and asked for before the button is pressed."""
    table = sit_down(page, live_server.url, scorer, make_table(club, 4, preset="vln"))
    question = page.locator("#last-said")
    table.unfold("Ansagen")
    expect(question).to_be_hidden()
    table.enter(BOTH_SAID)
    expect(question).to_be_visible()
    expect(table.message).to_have_text("Bei 120 zu 120: Welche Ansage kam zuletzt?")
    table.last_said(last)
    live = [first_seat, first_seat, -first_seat, -first_seat]
    table.expect_live_points(dict(zip(table.people, live, strict=True)))
    table.save()
    table.expect_saved()
    assert table.totals() == live


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
    expect(table.message).to_have_text("Nicht gespeichert. Bitte die markierten Angaben prüfen.")
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
    expect(table.message).to_have_text("Noch antippen, wer Re ist.")
    table.mark("Wer ist Re?", [0, 3])
    expect(table.message).to_have_text("Es fehlt noch das Ergebnis.")
    table.save()
    expect(page.locator("#fault-eyes")).to_have_text("Es fehlt noch das Ergebnis.")
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


def test_nothing_moves_under_a_finger(page: Page, live_server: LiveServer, scorer: User, club: Club) -> None:
    """The page goes up to its top for the next game, but not while a finger is down: it would lift off another pill."""
    table = sit_down(page, live_server.url, scorer, make_table(club, 4))
    table.enter({"kind": "normal", "re": [0, 1], "eyes": 153, "re_said": "no30", "re_specials": {"fuchs": 1}})
    page.clock.install()
    page.clock.pause_at(datetime.datetime.now() + datetime.timedelta(minutes=1))
    table.save()
    table.expect_saved()
    height = page.evaluate("scrollY")
    assert height > 0
    page.mouse.move(180, 300)
    page.mouse.down()
    page.clock.run_for(2000)
    page.wait_for_timeout(200)
    assert page.evaluate("scrollY") == height
    page.mouse.up()
    page.clock.run_for(2000)
    assert page.evaluate("scrollY") == 0


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
        table.open_game(2)
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
