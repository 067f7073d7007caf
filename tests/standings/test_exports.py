"""The eternal list as a file: the figures of the page, and a check row that shows 0."""

from __future__ import annotations

import datetime
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from io import BytesIO

import pytest
from openpyxl import load_workbook
from openpyxl.worksheet.worksheet import Worksheet

from scoring.models import Club
from scoring.standings.exports import build_standings_workbook
from scoring.standings.metrics import METRICS, MORE, Metric, list_metrics
from scoring.standings.queries.selection import Selection
from scoring.standings.queries.standings import list_standings, read_list
from tests.exports.formulas import evaluate, formulas
from tests.factories import add_game, make_club, make_player, make_table

pytestmark = pytest.mark.django_db

HEAD = 3


def written(club: Club, selection: Selection | None = None) -> Worksheet:
    book = build_standings_workbook(club, list_standings(club, selection), list_metrics("points"), "alle Jahre")
    return load_workbook(BytesIO(book.as_bytes())).active


def exactly(figure: Fraction) -> object:
    """As exactly as a file keeps a number: sixteen digits."""
    return pytest.approx(float(figure), rel=1e-15, abs=0)


def played() -> Club:
    club = make_club()
    people = [make_player(club, name) for name in ("=HYPERLINK(0)", "Bodo", "@Cem", "-Dora")]
    table = make_table(club, people, held_on=datetime.date(2026, 1, 9))
    add_game(table)
    add_game(table, kind="damensolo", re=[2], eyes=180)
    add_game(table, kind="bubensolo", re=[3], eyes=70)
    return club


def test_the_file_has_the_figures_of_the_list() -> None:
    club = played()
    sheet = written(club)
    assert [cell.value for cell in sheet[HEAD]] == ["Platz", "Name", *(str(metric.label) for metric in METRICS)]
    rows = [[cell.value for cell in row] for row in sheet.iter_rows(min_row=HEAD + 1, max_row=HEAD + 4)]
    expected = [[row.rank, row.name, *(row.figures[metric.key] for metric in METRICS)] for row in list_standings(club)]
    assert rows == [[exactly(v) if isinstance(v, Fraction) else v for v in row] for row in expected]
    names = {cell.value: cell.data_type for (cell,) in sheet.iter_rows(HEAD + 1, HEAD + 4, 2, 2)}
    assert names == dict.fromkeys(["=HYPERLINK(0)", "Bodo", "@Cem", "-Dora"], "s")
    assert {cell.data_type for cell in sheet[HEAD + 1][2:]} == {"n"}
    # The filter leaves the sums out.
    assert dict(sheet.tables.items()) == {"Ewige_Liste": f"A{HEAD}:K{HEAD + 4}"}
    assert sheet.freeze_panes == f"C{HEAD + 1}"
    assert sheet.cell(HEAD + 5, 2).value == "Summe"


def test_a_rate_is_kept_exactly_and_shown_as_on_the_page() -> None:
    """A third has no end, and a half is rounded away from zero in Excel as it is here."""
    club = make_club()
    people = [make_player(club, name) for name in ("Anna", "Bodo", "Cem", "Dora")]
    table = make_table(club, people)
    for re in ([0, 1], [0, 2], [0, 3]):
        add_game(table, re=re, eyes=90 if re == [0, 3] else 130)
    sheet = written(club)
    found = {
        name.value: (average, rate) for _, name, _, _, _, average, _, rate, *_ in sheet.iter_rows(HEAD + 1, HEAD + 4)
    }
    average, rate = found["Bodo"]
    row = next(row for row in list_standings(club) if row.name == "Bodo")
    assert average.value == exactly(row.figures["average"])
    assert rate.value == exactly(Fraction(2, 3)) != float(METRICS[5].round(row.figures["win_rate"]))
    assert (average.number_format, rate.number_format) == ("0.00", "0.0%")


@pytest.mark.parametrize("metric", [metric for metric in METRICS if metric.part is not None], ids=lambda m: m.key)
def test_the_format_of_a_cell_shows_what_the_page_shows(metric: Metric) -> None:
    """Excel rounds the fifteen digits that it knows of a number, a half away from zero."""
    digits = metric.digits + 2 * metric.percent
    for whole in range(1, 65):
        for part in range(-2 * whole, 2 * whole + 1):
            known = Decimal(f"{float(Fraction(part, whole)):.15g}")
            assert known.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP) == metric.round(Fraction(part, whole))


def test_the_check_row_shows_0_and_would_show_more() -> None:
    sheet = written(played())
    found = formulas(sheet)
    assert len(found) == sum(metric.total is not None for metric in METRICS)
    assert [evaluate(sheet.parent, formula) for formula in found] == [0] * len(found)
    sheet.cell(HEAD + 1, 5).value += 1
    assert sum(evaluate(sheet.parent, formula) for formula in found) == 1


def test_an_empty_list_is_a_file_as_well() -> None:
    sheet = written(make_club())
    assert {evaluate(sheet.parent, formula) for formula in formulas(sheet)} == {0}


def test_the_more_seldom_figures_are_in_the_file_as_well() -> None:
    club = played()
    metrics, rows = list_metrics("points", more=True), list_standings(club, more=True)
    book = build_standings_workbook(club, rows, metrics, "alle Jahre", ["Ein Hinweis."])
    sheet = load_workbook(BytesIO(book.as_bytes())).active
    heads = [cell.value for cell in sheet[HEAD + 1]]
    assert heads == ["Platz", "Name", *(str(metric.label) for metric in METRICS + MORE)]
    assert "Ein Hinweis." in [sheet.cell(row, 1).value for row in range(1, HEAD + 1)]
    first = dict(zip(heads, [cell.value for cell in sheet[HEAD + 2]], strict=True))
    assert first["Letzter Abend"] == datetime.datetime(2026, 1, 9)
    assert first["Bester Abend"] == rows[0].points


def test_the_places_before_the_last_evening_are_its_last_column() -> None:
    club = played()
    add_game(make_table(club, list(club.players.all())[:4], held_on=datetime.date(2026, 2, 6)))
    rows, _hidden, last_day = read_list(club)
    book = build_standings_workbook(club, rows, METRICS, "alle Jahre", "", last_day)
    sheet = load_workbook(BytesIO(book.as_bytes())).active
    column = len(METRICS) + 3
    assert [sheet.cell(row, column).value for row in range(HEAD, HEAD + 5)] == [
        "Platz vor dem 06.02.2026",
        *(row.before for row in rows),
    ]
    assert {evaluate(sheet.parent, formula) for formula in formulas(sheet)} == {0}
