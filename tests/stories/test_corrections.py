"""Corrections and deletions show their effects first, and the last change can be taken back."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.models import Club, Table
from tests.effort import in_soak
from tests.factories import add_game, make_bock_table, make_club, make_user
from tests.stories.table import TablePage, number, sit_down


@pytest.fixture
def club(db: None) -> Club:
    return make_club()


@pytest.fixture
def scorer(club: Club) -> User:
    return make_user("schorsch", club, ["scorer"])


@pytest.fixture
def bock_table(club: Club) -> Table:
    return make_bock_table(club)


def values(table: TablePage) -> dict[str, int]:
    return {line.label.split()[0]: line.value for line in table.lines()}


def effects(page: Page) -> tuple[dict[str, tuple[str, str]], dict[str, tuple[int, int]]]:
    """ "Das ändert sich": what each game was and will be worth, and everybody's sum before and after."""
    expect(page.locator("#effects")).to_be_visible()
    games, sums = {}, {}
    page.wait_for_load_state()
    for text in page.locator("#effects li:not(:has([aria-hidden]))").all_text_contents():
        name, change = text.split(": ", 1)
        if change.startswith("Summe"):
            before, after = change.removeprefix("Summe ").split(" → ")
            sums[name] = (number(before), number(after))
        else:
            before, after = change.removeprefix("bisher ").split(", jetzt ")
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


def test_a_correction_shows_its_effects_and_then_has_them(
    page: Page, live_server: LiveServer, scorer: User, bock_table: Table
) -> None:
    table = sit_down(page, live_server.url, scorer, bock_table)
    before, totals = values(table), table.totals()
    table.correct_game(1)
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


@pytest.mark.soak
def test_a_deletion_shows_its_effects_and_then_has_them(
    page: Page, live_server: LiveServer, scorer: User, bock_table: Table
) -> None:
    add_game(bock_table, re=[0, 1], eyes=100, re_said="said")
    for re_seats in ([1, 2], [0, 2]):
        add_game(bock_table, re=re_seats, eyes=155)
    table = sit_down(page, live_server.url, scorer, bock_table)
    before, totals = values(table), table.totals()
    table.open_game(5)
    page.get_by_label("Mehr zu dieser Zeile").tap()
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


@pytest.mark.soak
def test_a_correction_that_changes_no_points_says_so(
    page: Page, live_server: LiveServer, scorer: User, bock_table: Table
) -> None:
    table = sit_down(page, live_server.url, scorer, bock_table).correct_game(2)
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
    page.get_by_label("Mehr zu dieser Zeile").tap()
    page.get_by_role("link", name="Streichen …").tap()
    page.get_by_role("button", name="Streichen", exact=True).tap()
    expect(page.get_by_text("Gestrichen.")).to_be_visible()
    assert len(table.lines()) == 3
    undo.tap()
    expect(page.get_by_text("Zurückgenommen.")).to_be_visible()
    assert (table.lines(), table.totals()) == (before, totals)


@pytest.mark.soak
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


@pytest.mark.parametrize(
    ("tapped", "question", "answer"),
    [
        ("Streichen …", "Spiel streichen?", "Streichen"),
        in_soak("Nach vorn …", "Nach vorn verschieben:", "Verschieben"),
        ("Nach hinten …", "Nach hinten verschieben:", "Verschieben"),
    ],
)
def test_what_is_asked_about_a_line_appears_in_view(
    page: Page, live_server: LiveServer, scorer: User, bock_table: Table, tapped: str, question: str, answer: str
) -> None:
    """However many games change with it."""
    seats = len(TablePage(page, live_server.url, bock_table).people)
    for dealer in range(12):
        add_game(bock_table, dealer=dealer % seats, re=[(dealer + 1) % seats, (dealer + 2) % seats], eyes=120)
    page.set_viewport_size({"width": 360, "height": 640})
    table = sit_down(page, live_server.url, scorer, bock_table)
    table.open_game(3)
    page.get_by_label("Mehr zu dieser Zeile").tap()
    page.get_by_role("link", name=tapped).tap()
    expect(page.get_by_role("heading", name=question)).to_be_in_viewport(ratio=1)
    expect(page.locator("#effects h2")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name=answer, exact=True)).to_be_in_viewport(ratio=1)


def test_a_line_and_the_preview_of_its_correction_fit_a_phone(
    page: Page, live_server: LiveServer, scorer: User, bock_table: Table
) -> None:
    """The last step and the sum; then what changes, beside the eyes that were chosen and the button."""
    add_game(bock_table, dealer=0, re=[1, 2], eyes=155, re_said="no90", re_specials={"fuchs": 1})
    page.set_viewport_size({"width": 360, "height": 640})
    table = sit_down(page, live_server.url, scorer, bock_table)
    page.locator("#rows a").first.tap()
    last = page.locator(".steps tr").last
    expect(last).to_be_in_viewport(ratio=1)
    expect(page.get_by_text("hat mehr als 120 Augen")).to_have_count(0)
    button = page.get_by_role("link", name="Berichtigen")
    assert last.bounding_box()["y"] + last.bounding_box()["height"] <= button.bounding_box()["y"]
    button.tap()
    table.band("181-210")
    table.save()
    expect(page.locator("#effects li").first).to_be_in_viewport(ratio=1)
    expect(page.locator("#save")).to_be_in_viewport(ratio=1)
    chosen, told = page.locator(".bands .pill:has(:checked)"), page.locator("#effects")
    expect(chosen).to_be_in_viewport(ratio=1)
    assert chosen.bounding_box()["y"] + chosen.bounding_box()["height"] <= told.bounding_box()["y"]
    # Two people a line, the new figures below one another.
    figures = told.locator(".num > b").evaluate_all("all => all.map(one => one.getBoundingClientRect().toJSON())")
    assert len(figures) == 4
    assert len({figure["top"] for figure in figures}) == len({figure["right"] for figure in figures}) == 2
