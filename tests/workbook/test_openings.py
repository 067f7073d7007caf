"""What people had before the first evening, in the file with everything of a club: every sheet comes to the eternal list."""

from __future__ import annotations

import datetime

import pytest

from scoring.imports.actions.opening import Figures
from scoring.standings.queries.selection import Selection
from scoring.standings.queries.standings import standings
from scoring.workbook.queries import Span
from tests.factories import add_game, make_club, make_table
from tests.opening import LAST_DAY, open_with
from tests.workbook.formulas import evaluate, formulas
from tests.workbook.full import rows_of, written

pytestmark = pytest.mark.django_db


def test_every_check_shows_0_and_every_sheet_comes_to_the_list() -> None:
    club = make_club()
    add_game(make_table(club, held_on=datetime.date(2018, 5, 4)))
    add_game(make_table(club, held_on=datetime.date(2020, 5, 1)), kind="damensolo", re=[2], eyes=150)
    open_with(club, Bodo=Figures(40, 12, 300, 130, 9, 4), Früher=Figures(-40, 3))
    book = written(club)
    for sheet in book.worksheets[1:]:
        assert {evaluate(book, formula) for formula in formulas(sheet)} <= {0}, sheet.title
    wanted = {row.name: row for row in standings(club, Selection(everyone=True))}
    listed = {row["Name"]: row for row in rows_of(book["Ewige Liste"])}
    assert {name: (row["Punkte"], row["davon Anfangsstand"]) for name, row in listed.items()} == {
        name: (row.points, row.opening) for name, row in wanted.items()
    }
    course = rows_of(book["Spielstände"])
    assert [row["Datum"].date() for row in course] == [datetime.date(2018, 5, 4), LAST_DAY, datetime.date(2020, 5, 1)]
    assert {name: row.points for name, row in wanted.items()} == {name: course[-1][name] for name in wanted}
    opened = [row for row in rows_of(book["Spiele"]) if row["Zeile"] == "Anfangsstand"]
    assert [(row["Name"], row["Spiele"], row["Siege"], row["Punkte"]) for row in opened] == [
        ("Bodo", 300, 130, 40),
        ("Früher", None, None, -40),
    ]
    of_a_year = written(club, Span("year-2020", (datetime.date(2020, 1, 1), datetime.date(2020, 12, 31)), year=2020))
    assert "davon Anfangsstand" not in rows_of(of_a_year["Ewige Liste"])[0]


def test_a_club_with_nothing_else_has_its_file() -> None:
    club = make_club()
    open_with(club, unit="cents", Anna=Figures(500), Bert=Figures(-500))
    book = written(club)
    assert {evaluate(book, formula) for sheet in book.worksheets[1:] for formula in formulas(sheet)} <= {0}
    assert [row["Cent"] for row in rows_of(book["Ewige Liste"])] == [500, -500]
