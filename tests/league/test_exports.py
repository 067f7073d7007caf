"""The workbook of a month: the figures of the page for each counting, a row of checks, and the steps of results."""

from __future__ import annotations

import datetime
from decimal import Decimal
from io import BytesIO
from typing import Any

import pytest
from openpyxl import Workbook, load_workbook

from scoring.core.workbook import CsvWorkbook
from scoring.league.exports import build_month_workbook, write_month
from scoring.league.rules import ROOT
from scoring.models import Club, Season
from tests.database import made_once
from tests.exports.formulas import evaluate, formulas
from tests.factories import add_game, make_club, make_import, make_player, make_table, take_import
from tests.months import add_supplement_to, close, make_season, read_month

pytestmark = pytest.mark.django_db

HEAD = 4
DAYS = [datetime.datetime(2026, 3, 6), datetime.datetime(2026, 3, 13)]
PLACES = {"counting": "places", "places": [5, 3, 2]}
WAYS = [
    {},
    {"best": 1},
    {"few_games": {"games": 5, "hundredths": 25}, "min_evenings": 2},
    {"counting": "average"},
    {"counting": "average", "few_games": ROOT, "best": 1},
    PLACES,
    {**PLACES, "best": 1, "few_games": {"games": 3, "hundredths": 33}},
]


@pytest.fixture
def club() -> Club:
    return made_once(_club)


def _club() -> Club:
    """Two evenings of five people, one of whom missed the second; names that look like formulas."""
    club = make_club()
    people = [make_player(club, name) for name in ("=HYPERLINK(0)", "Bodo", "@Cem", "-Dora", "Emil")]
    first = make_table(club, people, held_on=datetime.date(2026, 3, 6))
    add_game(first, dealer=4)
    add_game(first, dealer=0, kind="damensolo", re=[2], eyes=180)
    add_game(make_table(club, people[:4], held_on=datetime.date(2026, 3, 13)), eyes=200)
    return club


def load_file(season: Season, month: str = "2026-03") -> Workbook:
    return load_workbook(BytesIO(build_month_workbook(read_month(season, month)).as_bytes()))


@pytest.mark.parametrize("settings", WAYS)
def test_the_file_has_the_figures_of_the_page_and_its_checks_find_a_wrong_one(club: Club, settings: dict[str, Any]) -> None:
    season = make_season(club, **settings)
    book, content = load_file(season), read_month(season, "2026-03")
    sheet = book.worksheets[0]
    assert [cell.value for cell in sheet[HEAD]][:6] == ["Platz", "Vormonat", "Name", "Ergebnis", *DAYS]
    for line, row in enumerate(content["rows"], start=HEAD + 1):
        rank, _before, name, result = (cell.value for cell in sheet[line][:4])
        assert (rank, name) == (row["rank"], row["name"])
        assert Decimal(str(result)) == Decimal(row["result"]) / 100
        assert sheet.cell(line, 3).data_type == "s"
    assert {evaluate(book, formula) for formula in formulas(sheet)} == {0}
    points = (cell for (cell,) in sheet.iter_rows(min_row=HEAD + 1, min_col=5, max_col=5))
    next(cell for cell in points if cell.data_type == "n" and cell.value).value += 1
    assert any(evaluate(book, formula) for formula in formulas(sheet))


@pytest.mark.parametrize("settings", [{}, {"counting": "average"}, PLACES])
def test_what_does_not_count_is_a_number_in_brackets(club: Club, settings: dict[str, Any]) -> None:
    """Of two evenings the better one counts; the other is in no sum, has no color, and is named in the remark."""
    season = make_season(club, best=1, **settings)
    book, content = load_file(season), read_month(season, "2026-03")
    sheet = book.worksheets[0]
    last = HEAD + len(content["rows"])
    dropped = [
        cell
        for row in sheet.iter_rows(min_row=HEAD + 1, max_row=last, min_col=5, max_col=6)
        for cell in row
        if "(" in cell.number_format
    ]
    assert len(dropped) == 4
    for cell in dropped:
        assert cell.data_type == "n"
        assert cell.number_format in ('"("0")";"(-"0")"', '"("0.00")";"(-"0.00")"')
        assert cell.font.color.rgb == "006B6B6B"
        assert not any(cell.coordinate in area.sqref for area in sheet.conditional_formatting)
        day = DAYS[cell.column - 5]
        assert sheet.cell(cell.row, sheet.max_column).value == f"zählt nicht: {day:%d.%m.}"
    for column in (5, 6):
        column_of = [sheet.cell(row, column) for row in range(HEAD + 1, last + 1)]
        counting = [cell.value for cell in column_of if cell.value is not None and cell not in dropped]
        assert sheet.cell(last + 1, column).value == pytest.approx(sum(counting))
        assert all(
            any(cell.coordinate in area.sqref for area in sheet.conditional_formatting)
            for cell in column_of
            if cell not in dropped
        )


def test_averages_are_not_added_up(club: Club) -> None:
    sheet = load_file(make_season(club, counting="average")).worksheets[0]
    (summed,) = [row for row in sheet.iter_rows(min_row=HEAD) if row[2].value == "Summe"]
    assert [cell.value for cell in summed[3:7]] == [None, 0, 0, 0]


def test_two_evenings_of_one_day_are_numbered(club: Club) -> None:
    """Both are dates in Excel and texts in CSV."""
    add_game(make_table(club, list(club.players.order_by("pk")[:4]), held_on=datetime.date(2026, 3, 6)))
    season = make_season(club)
    heads = load_file(season).worksheets[0][HEAD][4:7]
    assert [(cell.value, cell.number_format) for cell in heads] == [
        (DAYS[0], "dd.mm."), (DAYS[0], 'dd.mm." (2)"'), (DAYS[1], "dd.mm."),
    ]  # fmt: skip
    text = CsvWorkbook()
    write_month(text, read_month(season, "2026-03"))
    assert "Ergebnis;06.03.2026;06.03.2026 (2);13.03.2026;" in text.sheets[0].as_bytes().decode()


def test_an_evening_without_games_leaves_no_points_in_the_check(club: Club) -> None:
    """Without a number of games an average or a deduction is unknown: there is no result, and nothing counts."""
    people = [player.name for player in club.players.order_by("pk")[1:4]]
    take_import(make_import(club, [["Datum", *people], ["20.03.26", "12", "-4", "-8"]]))
    season = make_season(club, counting="average", few_games={"games": 9, "hundredths": 25})
    assert any(row["result"] is None and row["steps"] for row in read_month(season, "2026-03")["rows"])
    book = load_file(season)
    assert {evaluate(book, formula) for formula in formulas(book.worksheets[0])} == {0}


def test_the_steps_of_results_are_on_a_second_sheet(club: Club) -> None:
    sheet = load_file(make_season(club, few_games={"games": 5, "hundredths": 50})).worksheets[1]
    lines = [[cell.value for cell in row] for row in sheet.iter_rows(min_row=3)]
    assert ["Emil", "Summe aus 1 Abend", -2] in lines
    assert ["Emil", "4 fehlende Spiele zu je 0,50", -2] in lines
    assert ["Emil", "Ergebnis", -4] in lines


def test_the_file_shows_that_a_month_is_closed_and_its_supplement(club: Club) -> None:
    season = make_season(club)
    closing = close(season, "2026-03")
    book = load_workbook(BytesIO(bytes(closing.file)))
    assert book.active["A2"].value.startswith("abgeschlossen am ")
    assert closing.content_sha256 in book.active["A3"].value
    add_game(make_table(club, list(club.players.order_by("pk")[:4]), held_on=datetime.date(2026, 3, 27)))
    add_supplement_to(season, "2026-03")
    later = load_workbook(BytesIO(bytes(close(season, "2026-04").file)))
    assert "Nachtrag März 2026" in [cell.value for cell in later.active[HEAD + 1]]
    assert {evaluate(later, formula) for formula in formulas(later.active)} == {0}


def test_a_month_without_rows_has_sums_of_0(club: Club) -> None:
    """Guests alone do not count, but their evenings have columns."""
    club.players.update(guest=True)
    season = make_season(club)
    for month in ("2026-03", "2026-07"):
        book = load_file(season, month)
        assert {evaluate(book, formula) for formula in formulas(book.active)} == {0}
        assert [cell.value for cell in book.active[HEAD]][4:6] == DAYS or month == "2026-07"
