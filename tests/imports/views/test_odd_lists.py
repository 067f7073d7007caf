"""Lists that looked right and came in wrong: totals that begin somewhere, or anew, sums that look like evenings, names where nobody
expects them. Each comes in right, is asked about, or is refused with a sentence; and what is odd about its days is said."""

from __future__ import annotations

import datetime
from collections.abc import Sequence

import pytest

from scoring.models import Evening, Import, Player, TableResult
from tests.desk import Desk
from tests.effort import some
from tests.factories import make_club, make_user
from tests.imports.views.test_nasty import CELLS, DAYS, HEADS, NAMES, ROWS, SAID, TRUTH, sheets, sums, text
from tests.pages import flat

pytestmark = pytest.mark.django_db

STANDS = [sums(ROWS[: nth + 1]) for nth in range(len(ROWS))]
RUNNING = [[day, *cells] for day, cells in zip(SAID, STANDS, strict=True)]
START = (100, -50, -30, -20, 0)
BEGUN = [[day, *(str(int(cell) + start) for cell, start in zip(cells, START, strict=True))] for day, *cells in RUNNING]
# Of the year before: what each evening brought, and the totals after it.
EARLIER = [[35, -33, 2, -4, 0], [37, -17, -21, 1, 0], [28, -12, -12, -4, 0]]
DAYS_BEFORE = [datetime.date(2022, 12, day) for day in (2, 9, 16)]
SAID_BEFORE = [f"{day:%d.%m.%Y}" for day in DAYS_BEFORE]
STANDS_BEFORE = [[sum(row[who] for row in EARLIER[: nth + 1]) for who in range(5)] for nth in range(3)]
TRUTH_BEFORE = {
    (day, name, points)
    for day, row in zip(DAYS_BEFORE, EARLIER, strict=True)
    for name, points in zip(NAMES, row, strict=True)
    if points
}


def written(days: Sequence[str], rows: Sequence[Sequence[int]]) -> list[list[str]]:
    return [[day, *map(str, row)] for day, row in zip(days, rows, strict=True)]


def across(days: Sequence[str], rows: Sequence[Sequence[object]]) -> list[list[str]]:
    """Names down, days across."""
    return [["Name", *days], *([name, *(str(row[who]) for row in rows)] for who, name in enumerate(NAMES))]


LONG = [
    (name, day, cells[who])
    for who, name in enumerate(NAMES)
    for day, cells in zip(SAID, CELLS, strict=True)
    if cells[who]
]
RIGHT: dict[str, str] = {
    "totals with a row of how everybody stood before": text(HEADS, ["Übertrag", *map(str, START)], *BEGUN),
    "such a row with its day": text(HEADS, ["31.12.2022 Stand", *map(str, START)], *BEGUN),
    "a row of how everybody stands now, on top": text(HEADS, ["Stand", *STANDS[-1]], *RUNNING),
    "a sum with a day of its own": text(HEADS, *ROWS[:3], ["11.02.2023 Quartal 1", *STANDS[2]], *ROWS[3:]),
    "a sum called by its year": text(HEADS, *ROWS, ["2023", *STANDS[-1]]),
    "sums of half years": text(HEADS, *ROWS[:3], ["1. Halbjahr", *STANDS[2]], *ROWS[3:]),
    "each name once above the evenings of that person": text(
        ["Name", "Datum", "Punkte"],
        *(["" if nth and LONG[nth - 1][0] == name else name, day, cell] for nth, (name, day, cell) in enumerate(LONG)),
    ),
    "days below their months": text(
        ["Name", "Januar 2023", "", "Februar 2023", "", "März 2023", ""],
        ["", *(f"{day.day}." for day in DAYS)],
        *across(SAID, CELLS)[1:],
    ),
    "names down, with what everybody began with": text(
        ["Name", "Start", *SAID],
        *([name, str(START[who]), *(row[who + 1] for row in BEGUN)] for who, name in enumerate(NAMES)),
    ),
    "names down, some days below the others": text(
        *across(SAID[:3], CELLS[:3]), [], ["ab Februar"], *across(SAID[3:], CELLS[3:])
    ),
}


@pytest.fixture
def desk(db: None) -> Desk:
    club = make_club(slug="karo")
    return Desk(club, make_user("anna", club, ["admin"]))


def file() -> set[tuple[datetime.date, str, int]]:
    return set(TableResult.objects.values_list("table__evening__held_on", "player__name", "points"))


@pytest.mark.parametrize("name", some(RIGHT, 6))
def test_it_comes_in_right(desk: Desk, name: str) -> None:
    desk.bring_and_take(RIGHT[name])
    assert file() == TRUTH and TableResult.objects.count() == len(TRUTH)


def test_a_total_that_stays_is_somebody_there_where_others_are_blank(desk: Desk) -> None:
    """Where the list leaves whoever was away blank, a total that is no other one is an evening that brought nothing."""
    blank = [
        [day, *(stand if cell else "" for cell, stand in zip(cells, stands, strict=True))]
        for (day, *cells), stands in zip(ROWS, STANDS, strict=True)
    ]
    blank[1][3] = blank[0][3]
    html = flat(desk.look(address := desk.bring(text(HEADS, *blank))))
    assert "heißt: nicht dabei. Derselbe Punktestand wie vorher heißt: dabei, mit 0." in html
    desk.take(address)
    assert file() == TRUTH | {(DAYS[1], "Cäsar", 0)}


def test_a_zero_may_be_somebody_who_was_away(desk: Desk) -> None:
    said = text(HEADS, *([day, *(cell or "0" for cell in cells)] for day, *cells in ROWS))
    for given in ({}, {"cells": "no_zeros"}):
        address = desk.bring(said)
        html = flat(desk.look(address, **given))
        assert ("Niemand fehlt je, und 7-mal steht 0: Eine 0 gilt als dabei." in html) is not bool(given)
        desk.take(address, **given)
        assert {entry for entry in file() if entry[2]} == TRUTH
        assert TableResult.objects.count() == len(TRUTH) + (0 if given else 7)
        desk.undo(Import.objects.get(undone_at=None))


def test_how_everybody_stood_before_is_said(desk: Desk) -> None:
    html = flat(desk.look(desk.bring(RIGHT["totals with a row of how everybody stood before"])))
    assert "Zeile 2 gilt als Punktestand davor und zählt zu keinem Abend (Anton 100, Berta -50, Cäsar -30, Dora -20" in html


def test_totals_that_begin_anew_in_each_year(desk: Desk) -> None:
    both = {2022: [HEADS, *written(SAID_BEFORE, STANDS_BEFORE)], 2023: [HEADS, *RUNNING]}
    desk.bring_and_take(text(*both[2022], *both[2023][1:]))
    assert file() == TRUTH | TRUTH_BEFORE
    desk.undo(Import.objects.get())
    # A sheet for each year, the last one first.
    desk.bring_and_take(sheets(**{str(year): both[year] for year in (2023, 2022)}))
    assert file() == TRUTH | TRUTH_BEFORE


def test_sheets_of_totals_that_go_on_are_read_in_the_order_of_their_days(desk: Desk) -> None:
    start = STANDS_BEFORE[-1]
    later = [[day, *(int(cell) + start[who] for who, cell in enumerate(cells))] for day, *cells in RUNNING]
    both = {"2023": [HEADS, *later], "2022": [HEADS, *written(SAID_BEFORE, STANDS_BEFORE)]}
    desk.bring_and_take(sheets(**both))
    assert file() == TRUTH | TRUTH_BEFORE


def test_where_totals_may_begin_anew_it_is_asked(desk: Desk) -> None:
    few = [[5, -3, 2, -4, 0], [12, -10, 1, -3, 0], [10, -8, 5, -7, 0]]
    address = desk.bring(text(HEADS, *written(SAID_BEFORE, few), *RUNNING))
    html = flat(desk.look(address))
    assert 'name="take"' not in html
    assert "Punktestand nach dem Abend: Anton kommt auf 15" in html
    assert "Punktestand nach dem Abend, jedes Jahr von vorn: Anton kommt auf 25" in html
    assert desk.take(address, cells="by_year").status_code == 302
    assert file() >= TRUTH and TableResult.objects.filter(table__evening__held_on__year=2022).count() == 12


def test_of_few_evenings_it_is_asked_whether_they_are_totals(desk: Desk) -> None:
    html = flat(desk.look(desk.bring(text(HEADS, *RUNNING[:3]))))
    assert "Das lässt sich der Datei nicht sicher ansehen." in html and 'name="take"' not in html
    assert 'name="take"' in flat(desk.look(desk.bring(text(HEADS, *ROWS[:3]))))


def test_rising_points_of_everybody_are_asked_about(desk: Desk) -> None:
    """They look like totals by their size, whatever they are: only somebody knows."""
    rising = written(SAID[:5], [(5, 3, 2), (10, 7, 4), (18, 10, 9), (25, 16, 12), (31, 22, 15)])
    for rows in (rising, rising[:2]):
        address = desk.bring(text(["Datum", *NAMES[:3]], *rows))
        html = flat(desk.look(address))
        assert "Das lässt sich der Datei nicht sicher ansehen. Bitte wählen." in html and 'name="take"' not in html
    assert desk.take(address, cells="totals").status_code == 302
    assert list(TableResult.objects.filter(player__name="Anton").values_list("points", flat=True)) == [5, 5]


def test_a_sheet_for_each_evening_holds_games_and_their_sum(desk: Desk) -> None:
    games = [["Spiel", *NAMES[:4]], [1, 3, 3, -3, -3], [2, -1, 1, -1, 1], ["Summe", 2, 4, -4, -2]]
    desk.bring_and_take(sheets(**{f"{day:%d.%m.%y}": games for day in DAYS[:2]}))
    evenings = Evening.objects.order_by("held_on")
    assert [(evening.held_on, evening.tables.get().rounds.get().games.count()) for evening in evenings] == [
        (day, 2) for day in DAYS[:2]
    ]
    assert file() == {
        (day, name, points) for day in DAYS[:2] for name, points in zip(NAMES, (2, 4, -4, -2), strict=False)
    }


def test_two_games_of_a_day_are_no_two_evenings(desk: Desk) -> None:
    games = [["3", "3", "-3", "-3"], ["-1", "1", "-1", "1"]]
    rows = [[day, *game] for day in SAID[:2] for game in games]
    desk.bring_and_take(text(["Datum", *NAMES[:4]], *rows))
    assert Evening.objects.count() == 2
    assert set(TableResult.objects.filter(player__name="Berta").values_list("points", flat=True)) == {4}


def test_evenings_are_numbered_from_the_last_one_as_well(desk: Desk) -> None:
    rows = [[str(nth + 1), *CELLS[nth]] for nth in range(6)][::-1]
    desk.bring_and_take(text(["Abend", *NAMES], *rows), first="2023-01-13", rhythm="fortnight")
    assert file() == TRUTH


def test_names_that_come_again_have_their_first_names_above(desk: Desk) -> None:
    rows = (["1.3.24", "3", "3", "-3", "-3"], ["8.3.24", "1", "-1", "1", "-1"])
    desk.bring_and_take(
        text(["", "Anton", "Berta", "Anton", "Dora"], ["Datum", *["Müller"] * 2, *["Meier"] * 2], *rows)
    )
    assert {player.name for player in Player.objects.all()} == {
        "Anton Müller",
        "Berta Müller",
        "Anton Meier",
        "Dora Meier",
    }


def test_names_in_the_rows_come_in_with_the_points_behind_them(desk: Desk) -> None:
    rows = (["1.3.24", "Anton", "3", "Berta", "-3"], ["8.3.24", "Cäsar", "2", "Dora", "-2"])
    desk.bring_and_take(text(["Datum", "Spieler 1", "Punkte 1", "Spieler 2", "Punkte 2"], *rows))
    assert {(day.day, name, points) for day, name, points in file()} == {
        (1, "Anton", 3), (1, "Berta", -3), (8, "Cäsar", 2), (8, "Dora", -2),
    }  # fmt: skip
    response = desk.upload(text(["Datum", "Erste", "Rechts", "Zweite", "Links"], *rows))
    assert response.status_code == 422
    assert "Die Namen stehen in den Zeilen vor ihren Punkten." in response.content.decode()


def test_odd_days_are_named_and_can_be_left_out(desk: Desk) -> None:
    """An evening that stands there twice, another one of a day that was there, and a day that is years away."""
    assert "Bitte nachsehen" not in flat(desk.look(desk.bring(text(HEADS, *ROWS))))
    rows = [*ROWS[:3], ["24.02.2013", *CELLS[3]], *ROWS[4:], ROWS[2], [SAID[5], "1", "-1", "", "", ""]]
    address = desk.bring(text(HEADS, *rows))
    html = flat(desk.look(address))
    for sentence in (
        "Zeile 8: noch einmal der 10.02.2023 mit denselben Punkten, wie Zeile 4",
        "Zeile 9: noch einmal der 24.03.2023, wie Zeile 7",
        "Zeile 5: der 24.02.2013 liegt weit vor oder hinter den Tagen daneben",
    ):
        assert sentence in html, sentence
    last = flat(desk.look(desk.bring(text(HEADS, *ROWS[:5], ["24.03.2013", *CELLS[5]]))))
    assert "Zeile 7: der 24.03.2013 liegt weit vor oder hinter den Tagen daneben" in last
    address = desk.bring(text(HEADS, *rows))
    desk.take(address, leave_8="on", leave_9="on", leave_5="on")
    assert file() == {entry for entry in TRUTH if entry[0] != DAYS[3]}


def test_a_sheet_that_is_not_chosen_is_named(desk: Desk) -> None:
    both = {"Januar 2023": [HEADS, *ROWS[:2]], "2023": [HEADS, *ROWS]}
    html = flat(desk.look(desk.bring(sheets(**both))))
    assert "Blatt „2023“: ist nicht angekreuzt" in html
