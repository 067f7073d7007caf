"""The days of a sheet in every way of writing them, and months, quarters and years that stand in their place."""

from __future__ import annotations

import datetime
import re
from calendar import monthrange
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise, zip_longest
from typing import Final

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from scoring.core.text import text_key

from .cells import (
    ASIDE,
    CALLED,
    DAY_HEADINGS,
    EXCEL_DAYS,
    HEADINGS,
    LAST_CENTURY,
    MONTHS,
    NAMES,
    OTHERS,
    TOTALS,
    CellRefused,
    cell_of,
    has_year,
    is_amount,
    is_day,
    is_number,
    is_week,
    is_word,
    read_day,
)
from .file_formats import Rows
from .uploads import FileRefused

# Days stand in one of the first columns.
FIRST_COLUMNS: Final = 3


class Days:
    """The day of each row of a sheet that says it: `said` is what stands there, row by row. One without its year is the closest to
    the day above, the first one to `near`; only where a list that goes on would jump back by more than `SLIP` it is of the next
    year. With `carry` a row that says none is of the day above."""

    SLIP: Final = datetime.timedelta(days=60)

    def __init__(self, said: Sequence[str], near: datetime.date | None, carry: bool) -> None:
        self._near, self._carry = near, carry
        self._last: datetime.date | None = None
        self._onward = _onward(said)
        # Is the last day that was asked for the Monday of a week?
        self.is_week = False

    def of(self, said: str) -> datetime.date:
        """Raises CellRefused."""
        if said:
            self._last = self._with_year(said, self._last or self._near)
            self.is_week = is_week(said)
        elif self._last is None or not self._carry:
            raise CellRefused(_("Das Datum fehlt"))
        return self._last

    def _with_year(self, said: str, near: datetime.date | None) -> datetime.date:
        found = read_day(said, near)
        if self._last is None or (self._last - found) * self._onward <= self.SLIP or has_year(said):
            return found
        # Half a year later it is closest to the year that follows, where that day is the one before.
        return read_day(said, found + datetime.timedelta(days=365 * self._onward))


def _onward(said: Sequence[str]) -> int:
    """1 where most days follow the one above, -1 where they stand in front of it."""
    near = datetime.date(2000, 7, 2)
    days = [read_day(cell, near) for cell in said if is_day(cell)]
    steps = [(later > day) - (later < day) for day, later in pairwise(days)]
    return 1 if sum(steps) >= 0 else -1


# --- Evenings that have a number and no day ---------------------------------------------------------------------------

_NUMBERED: Final = re.compile(rf"(?:([0-9]{{1,4}})\s*[.)]?\s*{CALLED}|{CALLED}\s*(?:nr\.?\s*)?([0-9]{{1,4}})\.?)")
_HEADING: Final = re.compile(rf"(?:{CALLED}|nr\.?|nummer|#)")
# How often a round meets: weeks between two evenings, or once a month on the weekday of the first.
WEEKS: Final = {"week": 1, "fortnight": 2, "three_weeks": 3, "four_weeks": 4}
MONTHLY: Final = "month"


def numbered(cell: str) -> int | None:
    """The number of an evening that is called by one."""
    found = _NUMBERED.fullmatch(text_key(cell))
    return int(found[1] or found[2]) if found else None


def is_when(cell: str) -> bool:
    """A day, or the number of an evening."""
    return (is_day(cell) and not is_number(cell)) or numbered(cell) is not None


def counts_evenings(heading: str, cells: list[str]) -> bool:
    """Does this column say which evening each row is?"""
    if not cells:
        return False
    if all(numbered(cell) is not None for cell in cells):
        return True
    plain = [int(cell) for cell in cells if cell.isascii() and cell.isdecimal() and len(cell) < 5]
    is_called = _HEADING.fullmatch(text_key(heading)) and not text_key(heading).startswith(("nr", "nummer", "#"))
    in_order = sorted(set(plain))
    return bool(is_called) and len(plain) == len(cells) and plain in (in_order, in_order[::-1])


def number_in(cell: str) -> int | None:
    """The number of an evening in its column."""
    return numbered(cell) if numbered(cell) is not None else int(cell) if cell.isdecimal() else None


class Numbers:
    """The day of each row that says the number of its evening: of a series that begins on the day `first`. Numbers that come again,
    as they do in every year, are counted on; with `carry` a row without one is of the evening above."""

    def __init__(self, said: Sequence[str], first: datetime.date, rhythm: str, carry: bool) -> None:
        self._day, self._rhythm, self._carry = first, rhythm, carry
        numbers = [number for cell in said if (number := number_in(cell)) is not None]
        self._first = min(numbers, default=0) if len(set(numbers)) == len(numbers) or carry else None
        self._count, self._called = -1, ""

    def of(self, said: str) -> datetime.date:
        """Raises CellRefused."""
        if said and said != self._called:
            self._count, self._called = self._count + 1, said
        elif not said and not (self._carry and self._called):
            raise CellRefused(_("Die Nummer des Abends fehlt"))
        found = number_in(said or self._called)
        if found is None:
            raise CellRefused(_("„%(text)s“ ist keine Nummer eines Abends") % {"text": said})
        nth = self._count if self._first is None else found - self._first
        try:
            return nth_day(self._day, self._rhythm, nth)
        except OverflowError as error:
            raise CellRefused(_("Den Tag „%(text)s“ gibt es nicht") % {"text": said}) from error


def nth_day(first: datetime.date, rhythm: str, nth: int) -> datetime.date:
    """The day of the nth evening after the first. Raises OverflowError where there is no such day."""
    if rhythm != MONTHLY:
        return first + datetime.timedelta(weeks=WEEKS[rhythm] * nth)
    months = first.month - 1 + nth
    year, month = first.year + months // 12, months % 12 + 1
    if not datetime.MINYEAR <= year <= datetime.MAXYEAR:
        raise OverflowError
    weekday = datetime.date(year, month, 1).weekday()
    day = 1 + (first.weekday() - weekday) % 7 + 7 * ((first.day - 1) // 7)
    return datetime.date(year, month, day if day <= monthrange(year, month)[1] else day - 7)


# --- Months, quarters and years ---------------------------------------------------------------------------------------


MONTH, QUARTER, HALF, YEAR = "month", "quarter", "half", "year"
# So many of them make a list.
FEWEST_SPANS: Final = 2
_NAMES: Final = "|".join(sorted(MONTHS, key=len, reverse=True))
_OF_YEAR: Final = r"(?:[ ./'-]*(?:(?:19|20)?[0-9]{2}))?"
_OF_A_YEAR: Final = re.compile(r"(?:0?[1-9]|1[0-2])/[0-9]{2}")
_SPANS: Final = {
    MONTH: re.compile(
        rf"(?:(?:monat|im|ende) )?(?:{_NAMES})\.?(?: ?(?:/|-|–|\+|&|,|und|bis) ?(?:{_NAMES})\.?)*{_OF_YEAR}"
        r"|(?:0?[1-9]|1[0-2])(?: ?[./-] ?(?:19[5-9]|20[0-9])[0-9]|/(?:1[3-9]|[2-9][0-9]))"
        r"|(?:19[5-9]|20[0-9])[0-9] ?[./-] ?(?:0?[1-9]|1[0-2])"
        rf"|(?:19[5-9]|20[0-9])[0-9][ -](?:{_NAMES})\.?"
        r"|(?:i{1,3}|iv|vi{0,3}|ix|xi{0,2})[./ -]+(?:19[5-9]|20[0-9])[0-9]"
        r"|(?:monat )(?:0?[1-9]|1[0-2])|(?:0?[1-9]|1[0-2])\. ?monat"
    ),
    QUARTER: re.compile(
        rf"(?:(?:19|20)[0-9]{{2}}[ /-]*)?(?:q ?[1-4]|[1-4]\.? ?(?:q|quartal|quarter|vierteljahr)|quartal ?(?:[1-4]|i{{1,3}}|iv)"
        rf"|(?:i{{1,3}}|iv)\.? ?quartal){_OF_YEAR}"
    ),
    HALF: re.compile(
        rf"(?:(?:19|20)[0-9]{{2}}[ /-]*)?(?:h ?[12]|[12]\.? ?(?:h|hj|halbjahr)|halbjahr ?(?:[12]|ii?)|ii?\.? ?halbjahr){_OF_YEAR}"
    ),
    YEAR: re.compile(
        r"(?:(?:jahr|saison|spieljahr|spielzeit|season|year|winter|sommer) )?(?:19[5-9]|20[0-9])[0-9]"
        r"(?: ?[/–-] ?(?:(?:19|20)?[0-9]{2}))?|(?:saison|season) [0-9]{2} ?[/–-] ?[0-9]{2}"
    ),
}


class SpansRefused(FileRefused):
    """No list of evenings, and no list of sums that could be read as it is either."""


def span_in(cell: str) -> str:
    """Which of these a cell names as a whole: empty where it is none of them."""
    said = text_key(cell)
    return next((kind for kind, pattern in _SPANS.items() if pattern.fullmatch(said)), "")


def no_evening(cell: str) -> str:
    """Why this is no evening, as the sentence for one row; empty where it is none of these."""
    sentences = {
        MONTH: _("„%(text)s“ ist ein Monat und kein Abend"),
        QUARTER: _("„%(text)s“ ist ein Quartal und kein Abend"),
        HALF: _("„%(text)s“ ist ein halbes Jahr und kein Abend"),
        YEAR: _("„%(text)s“ ist ein Jahr und kein Abend"),
    }
    found = span_in(cell)
    what_to_do = _("bitte die Zeile auslassen, ihre Summen nimmt „Anfangsstand eingeben“")
    return f"{sentences[found] % {'text': cell}}; {what_to_do}" if found else ""


def refuse_spans(rows: Rows) -> None:
    """Raises FileRefused where every row with points, or every column of them, is of a month, a quarter or a year."""
    if found := _down(rows) or _firsts(rows) or _across(rows):
        raise SpansRefused(_refusal(found))


def refuse_months_for_names(people: Sequence[str]) -> None:
    """Raises FileRefused where months stand above the points instead of names."""
    if len(people) > 1 and all(span_in(name) == MONTH for name in people):
        raise SpansRefused(
            _(
                "Über den Punkten stehen Monate statt Namen: Ein Monat ist kein Abend. Bitte zu jedem Abend seinen Tag schreiben; "
                "sind nur Summen übrig, „Anfangsstand eingeben“."
            )
        )


def _refusal(found: str) -> str:
    sentence = {
        MONTH: _("Die Punkte stehen hier je Monat, und ein Monat ist kein Abend."),
        QUARTER: _("Die Punkte stehen hier je Quartal, und ein Quartal ist kein Abend."),
        HALF: _("Die Punkte stehen hier je Halbjahr, und ein Halbjahr ist kein Abend."),
        YEAR: _("Die Punkte stehen hier je Jahr, und ein Jahr ist kein Abend."),
    }[found]
    what_to_do = _(
        "Bitte stattdessen jedem Abend eine Zeile mit seinem Tag geben; sind die Tage nicht mehr bekannt, die Punkte je Person "
        "zusammenzählen und „Anfangsstand eingeben“."
    )
    return f"{sentence} {what_to_do}"


def _down(rows: Rows) -> str:
    """What stands in front of all rows with points, in one of the first columns; empty where there are days as well."""
    if any(sum(map(is_when, row)) >= FEWEST_SPANS for row in rows[:HEADINGS]):
        # Names stand in front of the points, and some are called like months.
        return ""
    for index in range(FIRST_COLUMNS):
        played = list(_played(rows, index))
        found = [span_in(row[index]) for row in played if row[index]]
        if len(found) >= FEWEST_SPANS and all(found) and not _says_days(rows, played, index):
            return found[0]
    return ""


def _firsts(rows: Rows) -> str:
    """A month where a spreadsheet keeps months as their first days, or numbers them, below a heading that says so."""
    for head, row in enumerate(rows[:HEADINGS]):
        index = next((at for at, cell in enumerate(row) if text_key(cell) in ("monat", "month")), None)
        if index is None:
            continue
        said = [cell for found in rows[head + 1 :] if (cell := found[index] if index < len(found) else "") and is_day(cell)]
        days = [read_day(cell, near=datetime.date(2000, 1, 1)) for cell in said]
        are_first = all(day.day == 1 for day in days) or all(map(_OF_A_YEAR.fullmatch, said))
        if len(days) >= FEWEST_SPANS and are_first and not _says_days(rows, rows[head + 1 :], index):
            return MONTH
    return ""


def _played(rows: Rows, index: int) -> Iterator[Sequence[str]]:
    """The rows with a number behind this column that are no sums and begin below something that is called so."""
    for row in rows:
        if len(row) > index + 1 and any(map(is_amount, row[index + 1 :])):
            said = text_key(row[index])
            if span_in(row[index]) or not (TOTALS.match(said) or ASIDE.match(said)):
                yield row


def _says_days(rows: Rows, played: Sequence[Sequence[str]], but: int) -> bool:
    """Is there another column of days, or one that is called so?"""
    headings = DAY_HEADINGS | {"kw", "kalenderwoche", "woche"}
    called = any(text_key(cell).rstrip(":") in headings for row in rows[:HEADINGS] for cell in [*row[:but], *row[but + 1 :]])
    width = max(map(len, played))
    return called or any(
        2 * sum(index < len(row) and is_when(row[index]) for row in played) > len(played)
        for index in range(width)
        if index != but
    )


def _across(rows: Rows) -> str:
    """What stands above all columns of points where names stand below each other."""
    for at, row in enumerate(rows[:HEADINGS]):
        columns = [index for index, cell in enumerate(row) if index and span_in(cell)]
        if len(columns) < FEWEST_SPANS:
            continue
        beside = [text_key(cell) for index, cell in enumerate(row) if cell and index > columns[0] and index not in columns]
        below = [found for found in rows[at + 1 :] if any(found)]
        named = [found for found in below if is_word(found[0]) or (len(found) > 1 and is_word(found[1]))]
        amounts = [found for found in named if any(index < len(found) and is_amount(found[index]) for index in columns)]
        known = all(TOTALS.match(key) or ASIDE.match(key) or OTHERS.match(key) for key in beside)
        if known and len(amounts) >= FEWEST_SPANS and 2 * len(named) > len(below) and not any(map(is_when, below[0])):
            return span_in(row[columns[0]])
    return ""


# --- Days that are written as one number ------------------------------------------------------------------------------


FEWEST_NUMBERS: Final = 2
# A number loses the zero in front of it.
_NUMBER: Final = re.compile(r"[0-9]{5,6}")


def days_said(rows: Rows) -> tuple[Rows, str]:
    """The rows with such days as days, and the sentence that says so; empty where there are none."""
    for head, row in enumerate(rows[:HEADINGS]):
        keys = [text_key(cell).rstrip(":") for cell in row]
        column = next((index for index, key in enumerate(keys) if key in DAY_HEADINGS), None)
        if column is not None and (days := _days([cell_of(found, column) for found in rows[head + 1 :]])):
            below = [_put(found, {column: days}) for found in rows[head + 1 :]]
            return [*rows[: head + 1], *below], _said(days)
        across = [index for index, cell in enumerate(row) if _NUMBER.fullmatch(cell)]
        is_head = across and all(not cell or index in across or not cell[:1].isdigit() for index, cell in enumerate(row))
        if is_head and NAMES & set(keys[: across[0]]) and (days := _days([row[index] for index in across])):
            return [*rows[:head], _put(row, dict.fromkeys(across, days)), *rows[head + 1 :]], _said(days)
    return rows, ""


def meant_by(cell: str) -> str:
    """The day that a number of six digits could be, as people write it; empty where it could be none."""
    day = _as(_day_first, cell) if len(cell) == 6 and _NUMBER.fullmatch(cell) else None
    return date_format(day, "SHORT_DATE_FORMAT") if day else ""


def _put(row: Sequence[str], days_at: dict[int, dict[str, datetime.date]]) -> list[str]:
    return [
        days_at[index][cell].isoformat() if index in days_at and cell in days_at[index] else cell
        for index, cell in enumerate(row)
    ]


def _said(days: dict[str, datetime.date]) -> str:
    text, day = next(iter(days.items()))
    said = {"text": text, "day": date_format(day, "SHORT_DATE_FORMAT")}
    return _("Die Tage stehen als eine Zahl da: „%(text)s“ ist als %(day)s gelesen.") % said


def _days(cells: Sequence[str]) -> dict[str, datetime.date]:
    """What each of these is, where all numbers among them are days that stand in order, read in one way alone."""
    said = list(dict.fromkeys(cell for cell in cells if cell[:1].isdigit()))
    if len(said) < FEWEST_NUMBERS or not all(map(_NUMBER.fullmatch, said)) or all(map(_is_of_a_spreadsheet, said)):
        return {}
    found = [days for order in (_day_first, _year_first) if (days := _read(order, said))]
    return found[0] if len(found) == 1 else {}


def _is_of_a_spreadsheet(cell: str) -> bool:
    return len(cell) == 5 and int(cell) in EXCEL_DAYS


def _read(order: Callable[[str], tuple[str, str, str]], said: Sequence[str]) -> dict[str, datetime.date]:
    found = {cell: day for cell in said if (day := _as(order, cell))}
    days = list(found.values())
    in_order = all(one <= other for one, other in pairwise(days)) or all(one >= other for one, other in pairwise(days))
    return found if len(found) == len(said) and in_order and max(days) <= timezone.localdate() else {}


def _as(order: Callable[[str], tuple[str, str, str]], cell: str) -> datetime.date | None:
    day, month, year = map(int, order(cell.zfill(6)))
    try:
        return datetime.date(year + (1900 if year >= LAST_CENTURY else 2000), month, day)
    except ValueError:
        return None


def _day_first(cell: str) -> tuple[str, str, str]:
    return cell[:2], cell[2:4], cell[4:]


def _year_first(cell: str) -> tuple[str, str, str]:
    return cell[4:], cell[2:4], cell[:2]


# --- Days in several cells --------------------------------------------------------------------------------------------


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
FEWEST_DAYS: Final = 4


def years_in(text: str) -> list[int]:
    return list(dict.fromkeys(map(int, _YEAR.findall(text))))


def day_alone(cell: str) -> str:
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
    return len(pairs) >= FEWEST_DAYS and _goes_on(month_first) and not _goes_on(day_first)


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
    return index if cells and 2 * sum(map(bool, map(day_alone, cells))) > len(cells) else None


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
        said = day_alone(cells[day])
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
    if week < len(cells) and (said := day_alone(cells[week])):
        of = cells[year] if year is not None and year < len(cells) else ""
        cells[week] = f"KW {said}/{of}" if of else f"KW {said}"
    return cells


def evenings_said(rows: Rows) -> Rows:
    """With numbers that stand side by side above everybody's points, one by one, as those of evenings."""
    for head, row in enumerate(rows[:HEADINGS]):
        name = next((index for index, cell in enumerate(row) if text_key(cell) in NAMES), len(row))
        found = [index for index in range(name + 1, len(row)) if day_alone(row[index])]
        said = [int(day_alone(row[index])) for index in found]
        is_of_months = bool(found and head and _months_over(rows[head - 1], found))
        if len(said) >= FEWEST_DAYS and not is_of_months and said == list(range(1, len(said) + 1)):
            cells = [f"{day_alone(cell)}. Abend" if index in found else cell for index, cell in enumerate(row)]
            return [*rows[:head], cells, *rows[head + 1 :]]
    return rows


def months_across(rows: Rows, name: str) -> Rows:
    """With the month in days that stand side by side above everybody's points, where the name of the sheet or a title says it."""
    for head, row in enumerate(rows[:HEADINGS]):
        at = next((index for index, cell in enumerate(row) if text_key(cell) in NAMES), len(row))
        found = [index for index in range(at + 1, len(row)) if day_alone(row[index])]
        said = [int(day_alone(row[index])) for index in found]
        if not said or max(said) > 31 or any(day >= later for day, later in pairwise(said)):
            continue
        titles = [name, *(cell for above in rows[:head] for cell in above if cell)]
        months = set.union(*map(_months_in, titles))
        if len(months) != 1:
            return rows
        month, year = months.pop(), next(filter(None, map(year_in, titles)), "")
        cells = [f"{day_alone(cell)}.{month}.{year}" if index in found else cell for index, cell in enumerate(row)]
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
        if month is None or 2 * sum(map(bool, map(day_alone, said))) <= len(said):
            return rows
        year = next(filter(None, map(year_in, titles)), "")
        return [
            *rows[: head + 1],
            *(
                [*found[:at], f"{day}.{month}.{year}", *found[at + 1 :]]
                if at < len(found) and (day := day_alone(found[at]))
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
        days = [index for index, cell in enumerate(rows[at]) if day_alone(cell)]
        # In front of them stands the column of names.
        if (
            len(days) > 1
            and days[0]
            and _is_no_person(rows[at][: days[0]])
            and (months := _months_over(rows[at - 1], days))
        ):
            row = [cell or above for cell, above in zip_longest(rows[at], rows[at - 1][: days[0]], fillvalue="")]
            for index, (month, year) in months.items():
                row[index] = f"{day_alone(row[index])}.{month}.{year or ''}"
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

