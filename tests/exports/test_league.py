"""A month as a file: the figures of the page for every way of counting, a check row that shows 0 and would show more, and
every calculation on a sheet of its own."""

from __future__ import annotations

import datetime
from decimal import Decimal
from io import BytesIO
from typing import Any

import pytest
from openpyxl import Workbook, load_workbook

from scoring.exports.league import month_workbook
from scoring.models import Club, Season
from scoring.rules.league import ROOT
from tests.exports.formulas import evaluate, formulas
from tests.factories import add_game, make_club, make_player, make_table
from tests.league import close, make_season, shown, supplement

pytestmark = pytest.mark.django_db

HEAD = 4
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
    """Two evenings of five people, one of whom missed the second; names that look like formulas."""
    club = make_club()
    people = [make_player(club, name) for name in ("=HYPERLINK(0)", "Bodo", "@Cem", "-Dora", "Emil")]
    first = make_table(club, people, held_on=datetime.date(2026, 3, 6))
    add_game(first, dealer=4)
    add_game(first, dealer=0, kind="damensolo", re=[2], eyes=180)
    add_game(make_table(club, people[:4], held_on=datetime.date(2026, 3, 13)), eyes=200)
    return club


def written(season: Season, month: str = "2026-03") -> Workbook:
    return load_workbook(BytesIO(month_workbook(shown(season, month)).as_bytes()))


@pytest.mark.parametrize("settings", WAYS)
def test_the_file_has_the_figures_of_the_page(club: Club, settings: dict[str, Any]) -> None:
    season = make_season(club, **settings)
    book, content = written(season), shown(season, "2026-03")
    sheet = book.worksheets[0]
    assert [cell.value for cell in sheet[HEAD]][:6] == ["Platz", "Vormonat", "Name", "Ergebnis", "06.03.", "13.03."]
    for line, row in enumerate(content["rows"], start=HEAD + 1):
        rank, _before, name, result = (cell.value for cell in sheet[line][:4])
        assert (rank, name) == (row["rank"], row["name"])
        assert Decimal(str(result)) == Decimal(row["result"]) / 100
        assert sheet.cell(line, 3).data_type == "s"
    assert {evaluate(book, formula) for formula in formulas(sheet)} == {0}


@pytest.mark.parametrize("settings", WAYS)
def test_the_check_row_would_show_a_wrong_figure(club: Club, settings: dict[str, Any]) -> None:
    book = written(make_season(club, **settings))
    sheet = book.worksheets[0]
    counted = next(cell for row in sheet.iter_rows(min_row=HEAD + 1, min_col=5, max_col=5) for cell in row
                   if cell.data_type == "n" and cell.value)  # fmt: skip
    counted.value += 1
    assert any(evaluate(book, formula) for formula in formulas(sheet))


def test_what_does_not_count_is_in_brackets(club: Club) -> None:
    sheet = written(make_season(club, best=1)).worksheets[0]
    cells = [
        cell.value for row in sheet.iter_rows(min_row=HEAD + 1, max_row=HEAD + 5, min_col=5, max_col=6) for cell in row
    ]
    assert [value for value in cells if isinstance(value, str)] != []
    assert all(value.startswith("(") and value.endswith(")") for value in cells if isinstance(value, str))


def test_calculations_stand_on_a_sheet_of_their_own(club: Club) -> None:
    sheet = written(make_season(club, few_games={"games": 5, "hundredths": 50})).worksheets[1]
    lines = [[cell.value for cell in row] for row in sheet.iter_rows(min_row=3)]
    assert ["Emil", "Summe aus 1 Abend", "−2,00"] in lines
    assert ["Emil", "4 fehlende Spiele zu je 0,50", "−2,00"] in lines
    assert ["Emil", "Ergebnis", "−4,00"] in lines


def test_a_closed_month_says_so_and_a_supplement_has_its_column(club: Club) -> None:
    season = make_season(club)
    closing = close(season, "2026-03")
    book = load_workbook(BytesIO(bytes(closing.file)))
    assert book.active["A2"].value.startswith("abgeschlossen am ")
    assert closing.content_sha256 in book.active["A3"].value
    add_game(make_table(club, list(club.players.order_by("pk")[:4]), held_on=datetime.date(2026, 3, 27)))
    supplement(season, "2026-03")
    later = load_workbook(BytesIO(bytes(close(season, "2026-04").file)))
    assert "Nachtrag März 2026" in [cell.value for cell in later.active[HEAD + 1]]
    assert {evaluate(later, formula) for formula in formulas(later.active)} == {0}


def test_a_month_without_anybody_is_a_file_as_well(club: Club) -> None:
    book = written(make_season(club), "2026-07")
    assert {evaluate(book, formula) for formula in formulas(book.active)} == {0}
