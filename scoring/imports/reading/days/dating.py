"""The days of a sheet as everything behind this reads them: those with the month in front, in three columns, or below their months
in one cell each, and those below a year or a month as a heading with what that heading says."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, zip_longest
from typing import Final

from scoring.core.text import text_key

from ..cells import LAST_CENTURY, MONTHS, CellRefused, has_year, is_day, is_number, is_week, read_day
from ..guessing.words import DAY_HEADINGS, NAMES
from ..outline import Outline
from ..rows import Rows
from .series import Days

_YEAR: Final = re.compile(r"(?<![0-9])((?:19[5-9]|20[0-9])[0-9])(?![0-9])")
_MONTH_AND_YEAR: Final = re.compile(r"([a-z]+)[ .'/-]*([0-9]{2})")
_SLASHED: Final = re.compile(r"([0-9]{1,2})([/-])([0-9]{1,2})\2([0-9]{4}|[0-9]{2})(?: [0-9]{1,2}:[0-9:]+)?")
_SPAN: Final = re.compile(r"(?<![0-9])((?:19[5-9]|20[0-9])[0-9]) ?[/_–-] ?(?:(?:19|20)?([0-9]{2}))(?![0-9])")
_SHORT_SEASON: Final = re.compile(r"(?:.* )?(?:saison|season|spielzeit|spieljahr)[ _]([0-9]{2}) ?[/_–-] ?([0-9]{2})")
_MONTH_IN_NUMBERS: Final = re.compile(
    r"(?<![0-9./-])(0?[1-9]|1[0-2])[./-]20[0-9]{2}(?![0-9])|(?<![0-9])20[0-9]{2}[./-](0[1-9]|1[0-2])(?![0-9./-])"
)
_WORD_FIRST: Final = re.compile(r"([a-z]+)\.? ([0-9]{1,2})(?:st|nd|rd|th)?")
# "5.", "Do 5."
_DAY_ALONE: Final = re.compile(
    r"(?:(?:mo|di|mi|do|fr|sa|so|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend)[.,]* )?([0-9]{1,2})\.?"
)
# With fewer days their order says nothing.
FEWEST: Final = 4
# The headings stand among the first rows, and days in one of the first columns.
HEADINGS: Final = 30
FIRST_COLUMNS: Final = 3


def years_in(text: str) -> list[int]:
    return list(dict.fromkeys(map(int, _YEAR.findall(text))))


def _day_alone(cell: str) -> str:
    """The day of some month, as its number; empty where a cell says something else."""
    found = _DAY_ALONE.fullmatch(text_key(cell))
    return found[1] if found else ""


def year_in(text: str) -> int | None:
    """The one year that a name says: 2023, "Saison 2023", "Januar 23"; of a season over two years the first."""
    if (span := season_in(text)) is not None:
        return span
    if len(found := years_in(text)) == 1:
        return found[0]
    short = _MONTH_AND_YEAR.fullmatch(text_key(text))
    if short and short[1] in MONTHS:
        return int(short[2]) + (1900 if int(short[2]) >= LAST_CENTURY else 2000)
    return None


def season_in(text: str) -> int | None:
    """The first year of a season over two: 2022/23, "Saison 2022-2023"."""
    if (short := _SHORT_SEASON.fullmatch(text_key(text))) and (int(short[1]) + 1) % 100 == int(short[2]):
        return int(short[1]) + (1900 if int(short[1]) >= LAST_CENTURY else 2000)
    found = _SPAN.search(text)
    return int(found[1]) if found and (int(found[1]) + 1) % 100 == int(found[2]) else None


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


def words_first(rows: Rows) -> Rows:
    """With the day in front of the name of its month where that stands first, as in English, and stands there for several days."""
    for index in range(FIRST_COLUMNS):
        found = [_WORD_FIRST.fullmatch(text_key(row[index])) if index < len(row) else None for row in rows]
        said = {(MONTHS[of[1]], int(of[2])) for of in found if of and of[1] in MONTHS}
        if len({month for month, _day in said}) < len(said):
            return [
                [*row[:index], f"{of[2]}. {of[1]}", *row[index + 1 :]] if of and of[1] in MONTHS else row
                for of, row in zip(found, rows, strict=True)
            ]
    return rows


def days_first(rows: Rows) -> Rows:
    """With the day in front of the month."""
    return [[_SLASHED.sub(r"\3.\1.\4", cell) if _SLASHED.fullmatch(cell) else cell for cell in row] for row in rows]


def in_one_column(rows: Rows) -> Rows:
    """With the days in one column where they stand in two or three, headed by day, month and year; a month and a year that are said
    once are those of the rows below as well."""
    for head, row in enumerate(rows[:HEADINGS]):
        headings = [text_key(cell) for cell in row]
        said = _index(headings, "datum")
        month, year = _index(headings, "monat"), _index(headings, "jahr")
        day = _index(headings, "tag") if month is None or "tag" in headings else _unnamed(rows, head, month + 1)
        if None not in (day, month) and said is None:
            return [*rows[:head], *_put_together(rows[head:], day, month, year)]  # type: ignore[arg-type]  # both are there
        if said is not None and year is not None and month is None:
            return [*rows[: head + 1], *_with_year_beside(rows[head + 1 :], said, year)]
    return rows


def _unnamed(rows: Rows, head: int, index: int) -> int | None:
    """This column, where it has no heading and says a day of the month in most rows."""
    if index >= len(rows[head]) or rows[head][index]:
        return None
    cells = [row[index] for row in rows[head + 1 :] if index < len(row) and row[index]]
    return index if cells and 2 * sum(map(bool, map(_day_alone, cells))) > len(cells) else None


def _with_year_beside(rows: Rows, day: int, year: int) -> Iterator[list[str]]:
    """With the year of its own column in days that say none, or the one of the rows above."""
    last = ""
    for row in rows:
        cells = list(row)
        said = cells[year] if year < len(cells) else ""
        last = said if year_in(said) else last
        if last and day < len(cells) and is_day(cells[day]) and not has_year(cells[day]):
            cells[day] = f"{cells[day].removesuffix('.')}.{last}"
        yield cells


def _index(headings: Sequence[str], name: str) -> int | None:
    return headings.index(name) if name in headings else None


def _put_together(rows: Rows, day: int, month: int, year: int | None) -> Rows:
    found, of_month, of_year = [], "", ""
    for at, row in enumerate(rows):
        cells = [*row, *[""] * (max(day, month, year or 0) + 1 - len(row))]
        if at:
            of_month = cells[month] or of_month
            of_year = (cells[year] if year is not None else str(year_in(cells[month]) or "")) or of_year
        said = _day_alone(cells[day])
        if not at:
            cells[day] = "Datum"
        elif said and of_month:
            name = next(
                (word for word in re.findall("[a-z]+", text_key(of_month)) if word in MONTHS),
                of_month.removesuffix("."),
            )
            cells[day] = f"{said}. {name}{' ' if name in MONTHS else '. '}{of_year}".strip()
        if not at or said:
            for index in (month, *([] if year is None else [year])):
                cells[index] = ""
        found.append(cells)
    return found


def weeks_said(rows: Rows) -> Rows:
    """With the numbers of a column headed by the week of the calendar as such, where nothing else says the day."""
    for head, row in enumerate(rows[:HEADINGS]):
        headings = [text_key(cell) for cell in row]
        week = next((index for index, key in enumerate(headings) if key in ("kw", "kalenderwoche")), None)
        if week is None:
            continue
        if any(is_day(cell) and not is_number(cell) for found in rows[head + 1 :] for cell in found):
            return rows
        year = _index(headings, "jahr")
        return [*rows[: head + 1], *(_week_said(found, week, year) for found in rows[head + 1 :])]
    return rows


def _week_said(row: Sequence[str], week: int, year: int | None) -> list[str]:
    cells = list(row)
    if week < len(cells) and (said := _day_alone(cells[week])):
        of = cells[year] if year is not None and year < len(cells) else ""
        cells[week] = f"KW {said}/{of}" if of else f"KW {said}"
    return cells


def evenings_said(rows: Rows) -> Rows:
    """With numbers that stand side by side above everybody's points, one by one, as those of evenings."""
    for head, row in enumerate(rows[:HEADINGS]):
        name = next((index for index, cell in enumerate(row) if text_key(cell) in NAMES), len(row))
        found = [index for index in range(name + 1, len(row)) if _day_alone(row[index])]
        said = [int(_day_alone(row[index])) for index in found]
        is_of_months = bool(found and head and _months_over(rows[head - 1], found))
        if len(said) >= FEWEST and not is_of_months and said == list(range(1, len(said) + 1)):
            cells = [f"{_day_alone(cell)}. Abend" if index in found else cell for index, cell in enumerate(row)]
            return [*rows[:head], cells, *rows[head + 1 :]]
    return rows


def months_across(rows: Rows, name: str) -> Rows:
    """With the month in days that stand side by side above everybody's points, where the name of the sheet or a title says it."""
    for head, row in enumerate(rows[:HEADINGS]):
        at = next((index for index, cell in enumerate(row) if text_key(cell) in NAMES), len(row))
        found = [index for index in range(at + 1, len(row)) if _day_alone(row[index])]
        said = [int(_day_alone(row[index])) for index in found]
        if not said or max(said) > 31 or any(day >= later for day, later in pairwise(said)):
            continue
        titles = [name, *(cell for above in rows[:head] for cell in above if cell)]
        months = set.union(*map(_months_in, titles))
        if len(months) != 1:
            return rows
        month, year = months.pop(), next(filter(None, map(year_in, titles)), "")
        cells = [f"{_day_alone(cell)}.{month}.{year}" if index in found else cell for index, cell in enumerate(row)]
        return [*rows[:head], cells, *rows[head + 1 :]]
    return rows


def with_month(rows: Rows, name: str) -> Rows:
    """With the month in days that say none, where the name of the sheet or a title says one."""
    for head, row in enumerate(rows[:HEADINGS]):
        at = next((index for index, cell in enumerate(row) if text_key(cell) in DAY_HEADINGS), None)
        if at is None:
            continue
        end = next((below for below in range(head + 1, len(rows)) if _is_month_alone(rows[below])), len(rows))
        said = [found[at] for found in rows[head + 1 : end] if at < len(found) and found[at]]
        titles = [name, *(cell for found in rows[:head] for cell in found if cell)]
        month = next((months.pop() for title in titles if len(months := _months_in(title)) == 1), None)
        if month is None or 2 * sum(map(bool, map(_day_alone, said))) <= len(said):
            return rows
        year = next(filter(None, map(year_in, titles)), "")
        return [
            *rows[: head + 1],
            *(
                [*found[:at], f"{day}.{month}.{year}", *found[at + 1 :]]
                if at < len(found) and (day := _day_alone(found[at]))
                else found
                for found in rows[head + 1 : end]
            ),
            *rows[end:],
        ]
    return rows


def _is_month_alone(row: Sequence[str]) -> bool:
    """Is this the heading of a month, which the days below are of?"""
    said = [cell for cell in row if cell]
    return len(said) == 1 and len(_months_in(said[0])) == 1 and not is_day(said[0])


def _months_in(text: str) -> set[int]:
    if found := _MONTH_IN_NUMBERS.search(text):
        return {int(found[1] or found[2])}
    return {MONTHS[word] for word in re.findall("[a-z]+", text_key(text)) if word in MONTHS}


def in_one_row(rows: Rows) -> Rows:
    """With days that stand side by side in one cell each, where their months stand in the row above."""
    for at in range(1, min(len(rows), HEADINGS)):
        days = [index for index, cell in enumerate(rows[at]) if _day_alone(cell)]
        # In front of them stands the column of names.
        if (
            len(days) > 1
            and days[0]
            and _is_no_person(rows[at][: days[0]])
            and (months := _months_over(rows[at - 1], days))
        ):
            row = [cell or above for cell, above in zip_longest(rows[at], rows[at - 1][: days[0]], fillvalue="")]
            for index, (month, year) in months.items():
                row[index] = f"{_day_alone(row[index])}.{month}.{year or ''}"
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
    return _dated(outline, [number for number, _row in outline.data()], _said_by(name, year, None))


@dataclass(frozen=True)
class _Heading:
    """What stands above days: their year, their month where it says one, and whether they may go on into the next year, as a season
    does."""

    year: int
    month: int | None
    goes_on: bool
    is_season: bool = False

    @property
    def near(self) -> datetime.date:
        """The middle of the days below."""
        return datetime.date(self.year + 1, 1, 1) if self.is_season else datetime.date(self.year, 7, 2)


def _said_by(heading: str, year: int, month: int | None) -> _Heading:
    is_season = season_in(heading) is not None
    return _Heading(year, month, is_season or _may_go_on(heading), is_season)


def below_headings(outline: Outline) -> Outline:
    """With the days of each part of a sheet that has a year, or a month, alone in a row above it."""
    found, last, numbers = outline, None, list[int]()
    above = outline.years[0] if len(outline.years) == 1 else None
    for number, row in outline.data():
        alone = [cell for cell in row if cell]
        heading = _heading(alone[0], last.year if last else above) if len(alone) == 1 else None
        if heading is None:
            numbers.append(number)
            continue
        found = _dated(found, numbers, last) if last else found
        last, numbers = heading, []
    return _dated(found, numbers, last) if last else found


def _heading(cell: str, above: int | None) -> _Heading | None:
    """What stands alone in a row; the year of a month can be the one above."""
    if has_year(cell):
        return None
    month = next((MONTHS[word] for word in re.findall("[a-z]+", text_key(cell)) if word in MONTHS), None)
    year = year_in(cell) or (above if month and not re.search("[0-9]", cell) else None)
    return None if year is None else _said_by(cell, year, month)


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
    days = Days([row[at] for row in there], heading.near, carry=False)
    for row in there:
        if heading.month and (alone := _day_alone(row[at])):
            row[at] = f"{alone}.{heading.month}.{heading.year}"
        try:
            day = days.of(row[at]) if heading.goes_on else read_day(row[at], heading.near)
        except CellRefused:
            continue
        row[at] = f"{day:%G-W%V}" if is_week(row[at]) else day.isoformat()
    return replace(outline, rows=rows)
