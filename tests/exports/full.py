"""Make a club with data on every sheet of its workbook, and read the workbook."""

from __future__ import annotations

import datetime
from functools import cache
from io import BytesIO

from openpyxl import Workbook, load_workbook
from openpyxl.worksheet.worksheet import Worksheet

from scoring.exports.queries import ClubFile, Span
from scoring.exports.workbook import build_club_workbook
from scoring.models import Club
from scoring.standings.texts import describe_evenings_without_games
from tests.database import made_once
from tests.factories import add_game, make_club, make_import, make_player, make_table, take_import
from tests.months import make_season

ALL = Span("")


def write(club: Club, span: Span = ALL) -> bytes:
    file = ClubFile(club, span)
    marks = [mark for mark in [describe_evenings_without_games(file.evenings_without_games)] if mark]
    return build_club_workbook(file, marks).as_bytes()


def written(club: Club, span: Span = ALL) -> Workbook:
    return load_workbook(BytesIO(write(club, span)))


@cache
def full_file() -> bytes:
    return write(full_club())


@cache
def full_book() -> Workbook:
    """Return the workbook of the full club, made once: a test that changes a cell changes it back."""
    return load_workbook(BytesIO(full_file()))


def head_of(sheet: Worksheet) -> int:
    return int(sheet.print_title_rows.split("$")[-1])


def area_of(sheet: Worksheet) -> str:
    """Return the area of the table of a sheet with its headings; on a sheet without a table that of its filter."""
    (area,) = [table.ref for table in sheet.tables.values()] or [sheet.auto_filter.ref]
    return str(area)


def last_of(sheet: Worksheet) -> int:
    return int(sheet[area_of(sheet)][-1][0].row)


def rows_of(sheet: Worksheet) -> list[dict[str, object]]:
    """Return the rows of the table as values by heading."""
    head, last = head_of(sheet), last_of(sheet)
    names = [cell.value for cell in sheet[head]]
    return [dict(zip(names, (cell.value for cell in row), strict=True)) for row in sheet.iter_rows(head + 1, last)]


def full_club() -> Club:
    return made_once(_made)


def _made() -> Club:
    """Make a club with points and cents, two tables on one day, five people, a penalty, a new deal, an old list, and names that
    look like formulas."""
    club = make_club("Karo & Eins")
    people = [make_player(club, name) for name in ("=cmd|' /C calc'!A0", "*", "@Cem", "-Dora", "Ärmel")]
    first = make_table(club, people, held_on=datetime.date(2026, 3, 6))
    add_game(first, dealer=4)
    add_game(first, dealer=0, kind="damensolo", re=[2], eyes=180)
    add_game(first, form="penalty", points=[-3, 1, 1, 1, 0], reason="+Fehlbedienung")
    add_game(first, form="redeal", seat=2, reason="vergeben")
    second = make_table(club, people[:4], held_on=datetime.date(2026, 3, 6), preset="klassisch")
    second.evening, second.number = first.evening, 2
    second.save()
    add_game(second, form="short", winners=[0, 1], base=30)
    make_table(club, people[:4], held_on=datetime.date(2026, 3, 6))
    add_game(make_table(club, people[1:], held_on=datetime.date(2025, 11, 6)), eyes=200)
    take_import(make_import(club, [["Datum", "@Cem", "-Dora", "Ärmel"], ["06.01.26", "12", "-4", "-8"]]))
    make_season(club, "Saison / 2026")
    return club
