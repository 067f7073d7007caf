"""The days of a sheet as everything behind this reads them: those with the month in front, in three columns, or below their months
in one cell each, and those below a year or a month as a heading with what that heading says."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, zip_longest
from typing import Final

from scoring.core.text import text_key

from ..cells import LAST_CENTURY, MONTHS, CellRefused, has_year, read_day
from ..guessing.words import NAMES
from ..outline import Outline
from ..rows import Rows
from .series import Days

_YEAR: Final = re.compile(r"(?<![0-9])((?:19[5-9]|20[0-9])[0-9])(?![0-9])")
_MONTH_AND_YEAR: Final = re.compile(r"([a-z]+)[ .'/-]*([0-9]{2})")
_SLASHED: Final = re.compile(r"([0-9]{1,2})([/-])([0-9]{1,2})\2([0-9]{4}|[0-9]{2})(?: [0-9]{1,2}:[0-9:]+)?")
_DAY_ALONE: Final = re.compile(r"([0-9]{1,2})\.?")
# With fewer days their order says nothing.
FEWEST: Final = 4
# The headings stand among the first rows.
HEADINGS: Final = 30


def years_in(text: str) -> list[int]:
    return list(dict.fromkeys(map(int, _YEAR.findall(text))))


def year_in(text: str) -> int | None:
    """The one year that a name says: 2023, "Saison 2023", "Januar 23"."""
    if len(found := years_in(text)) == 1:
        return found[0]
    short = _MONTH_AND_YEAR.fullmatch(text_key(text))
    if short and short[1] in MONTHS:
        return int(short[2]) + (1900 if int(short[2]) >= LAST_CENTURY else 2000)
    return None


# --- Before a sheet is understood -------------------------------------------------------------------------------------


def has_months_first(rows: Rows) -> bool:
    """Do its days say the month in front: is there one that could be no other, or do they stand in order only so?"""
    found = [days for row in rows for cell in row if (days := _SLASHED.fullmatch(cell))]
    pairs = [(int(days[1]), int(days[3]), int(days[4])) for days in found]
    if any(first > 12 for first, _second, _year in pairs):
        return False
    if any(second > 12 for _first, second, _year in pairs):
        return True
    day_first = [(year, second, first) for first, second, year in pairs]
    month_first = [(year, first, second) for first, second, year in pairs]
    return len(pairs) >= FEWEST and _goes_on(month_first) and not _goes_on(day_first)


def _goes_on(days: Sequence[tuple[int, int, int]]) -> bool:
    steps = list(pairwise(days))
    return all(day <= later for day, later in steps) or all(day >= later for day, later in steps)


def days_first(rows: Rows) -> Rows:
    """With the day in front of the month."""
    return [[_SLASHED.sub(r"\3.\1.\4", cell) if _SLASHED.fullmatch(cell) else cell for cell in row] for row in rows]


def in_one_column(rows: Rows) -> Rows:
    """With the days in one column where they stand in three, headed by day, month and year."""
    for head, row in enumerate(rows[:HEADINGS]):
        headings = [text_key(cell) for cell in row]
        if {"tag", "monat", "jahr"} <= set(headings) and "datum" not in headings:
            day, month, year = (headings.index(name) for name in ("tag", "monat", "jahr"))
            return [*rows[:head], *(_put_together(cells, day, month, year) for cells in rows[head:])]
    return rows


def _put_together(row: Sequence[str], day: int, month: int, year: int) -> list[str]:
    cells = [*row, *[""] * (max(day, month, year) + 1 - len(row))]
    if text_key(cells[day]) == "tag":
        cells[day] = "Datum"
    elif cells[day] and cells[month] and cells[year]:
        cells[day] = f"{cells[day].removesuffix('.')}. {cells[month].removesuffix('.')}. {cells[year]}"
    cells[month] = cells[year] = ""
    return cells


def in_one_row(rows: Rows) -> Rows:
    """With days that stand side by side in one cell each, where their months stand in the row above."""
    for at in range(1, min(len(rows), HEADINGS)):
        days = [index for index, cell in enumerate(rows[at]) if _DAY_ALONE.fullmatch(cell)]
        # In front of them stands the column of names.
        if len(days) > 1 and days[0] and _is_no_person(rows[at][: days[0]]) and (months := _months_over(rows[at - 1], days)):
            row = [cell or above for cell, above in zip_longest(rows[at], rows[at - 1][: days[0]], fillvalue="")]
            for index, (month, year) in months.items():
                row[index] = f"{row[index].removesuffix('.')}.{month}.{year or ''}"
            return [*rows[: at - 1], [], row, *rows[at + 1 :]]
    return rows


def _is_no_person(cells: Sequence[str]) -> bool:
    return all(not cell or text_key(cell) in NAMES for cell in cells)


def _months_over(above: Sequence[str], days: Sequence[int]) -> dict[int, tuple[int, int | None]]:
    """The month of each of these columns, and its year if one is given; empty if any column has another heading."""
    found: dict[int, tuple[int, int | None]] = {}
    last = None
    for index in range(days[-1] + 1):
        cell = above[index] if index < len(above) else ""
        if cell and index >= days[0]:
            word = re.match("[a-z]+", text_key(cell))
            if word is None or word[0] not in MONTHS:
                return {}
            last = MONTHS[word[0]], year_in(cell)
        if index in days:
            if last is None:
                return {}
            found[index] = last
    return found


# --- Behind that ------------------------------------------------------------------------------------------------------


def with_years(outline: Outline, name: str, year: int) -> Outline:
    """With the days of a sheet whose name says a year."""
    return _dated(outline, [number for number, _row in outline.data()], _Heading(year, None, _may_go_on(name)))


@dataclass(frozen=True)
class _Heading:
    """What stands above days: their year, their month where it says one, and whether they may go on into the next year, as a season
    does."""

    year: int
    month: int | None
    goes_on: bool


def below_headings(outline: Outline) -> Outline:
    """With the days of each part of a sheet that has a year, or a month, alone in a row above it."""
    found, last, numbers = outline, None, list[int]()
    for number, row in outline.data():
        alone = [cell for cell in row if cell]
        heading = _heading(alone[0], last) if len(alone) == 1 else None
        if heading is None:
            numbers.append(number)
            continue
        found = _dated(found, numbers, last) if last else found
        last, numbers = heading, []
    return _dated(found, numbers, last) if last else found


def _heading(cell: str, last: _Heading | None) -> _Heading | None:
    """What stands alone in a row; the year of a month can be the one above."""
    if has_year(cell):
        return None
    month = next((MONTHS[word] for word in re.findall("[a-z]+", text_key(cell)) if word in MONTHS), None)
    year = year_in(cell) or (last.year if last and month and not re.search("[0-9]", cell) else None)
    return None if year is None else _Heading(year, month, _may_go_on(cell))


def _may_go_on(heading: str) -> bool:
    """Is this more than a year or a month?"""
    return any(word not in MONTHS and word != "jahr" for word in re.findall("[a-z]+", text_key(heading)))


def _dated(outline: Outline, numbers: Sequence[int], heading: _Heading) -> Outline:
    """With the year in the days of these rows, and the month where they say the day alone."""
    at = outline.day
    if at is None:
        return outline
    rows = [list(row) for row in outline.rows]
    there = [rows[number - 1] for number in numbers if at < len(rows[number - 1]) and rows[number - 1][at]]
    near = datetime.date(heading.year, 7, 2)
    days = Days([row[at] for row in there], near, carry=False)
    for row in there:
        if heading.month and (alone := _DAY_ALONE.fullmatch(row[at])):
            row[at] = f"{alone[1]}.{heading.month}.{heading.year}"
        try:
            row[at] = (days.of(row[at]) if heading.goes_on else read_day(row[at], near)).isoformat()
        except CellRefused:
            continue
    return replace(outline, rows=rows)
