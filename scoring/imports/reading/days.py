"""The days of a sheet: days in order, numbered evenings, and months, quarters and years, which are no evenings.
The functions that take and return rows rewrite the days before a sheet is understood."""

from __future__ import annotations

import datetime
import re
from calendar import monthrange
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from django.utils.translation import gettext as _

from scoring.core.text import text_key

from .cells import (
    EVENING_WORD,
    HEADING_ROWS,
    MONTHS,
    CellRefused,
    add_century,
    get_cell,
    has_year,
    is_day,
    is_number,
    is_week,
    read_day,
)
from .file_formats import Rows


class Days:
    """Read the day of each row; `texts` are the cells of the column of days.
    A day without a year is the closest to the day above, the first one the closest to `near`. A jump against the order
    by more than SLIP means another year. With `carry` a blank cell means the day above. If the cells are days `of_months` without a
    month, the first is in the month of `near`, and a smaller number is in the next month."""

    SLIP: Final = datetime.timedelta(days=60)

    def __init__(self, texts: Sequence[str], near: datetime.date | None, carry: bool, of_months: bool = False) -> None:
        self._near, self._carry, self._of_months = near, carry, of_months
        self._last: datetime.date | None = None
        self._direction = _find_direction_of_months(texts) if of_months else _find_direction(texts)
        # Whether the last day was written as a calendar week.
        self.is_week = False

    def read(self, text: str) -> datetime.date:
        """Return the day of the next row. Raise CellRefused."""
        if text and self._of_months:
            self._last = read_day(self._add_month(text))
        elif text:
            self._last = self._add_year(text, self._last or self._near)
            self.is_week = is_week(text)
        elif self._last is None or not self._carry:
            raise CellRefused(_("Das Datum fehlt"))
        return self._last

    def _add_year(self, text: str, near: datetime.date | None) -> datetime.date:
        day = read_day(text, near)
        if self._last is None or (self._last - day) * self._direction <= self.SLIP or has_year(text):
            return day
        return read_day(text, day + datetime.timedelta(days=365 * self._direction))

    def _add_month(self, text: str) -> str:
        """Return a day with its month and year; other texts are returned unchanged."""
        alone, near = find_day_of_month(text), self._last or self._near
        if not alone or near is None:
            return text
        is_later = self._last is not None and (int(alone) - self._last.day) * self._direction < 0
        months = 12 * near.year + near.month - 1 + self._direction * is_later
        return f"{alone}.{months % 12 + 1}.{months // 12}"


def _find_direction_of_months(texts: Sequence[str]) -> int:
    """Return -1 if days of months fall more often than they rise, otherwise 1."""
    days = [int(alone) for text in texts if (alone := find_day_of_month(text))]
    return 1 if sum((later > day) - (later < day) for day, later in pairwise(days)) >= 0 else -1


def _find_direction(texts: Sequence[str]) -> int:
    """Return -1 if more days go back than forward, otherwise 1."""
    near = datetime.date(2000, 7, 2)
    days = [read_day(text, near) for text in texts if is_day(text)]
    steps = [(later > day) - (later < day) for day, later in pairwise(days)]
    return 1 if sum(steps) >= 0 else -1


# --- Evenings that have a number and no day ---------------------------------------------------------------------------

_NUMBERED: Final = re.compile(rf"(?:([0-9]{{1,4}})\s*[.)]?\s*{EVENING_WORD}|{EVENING_WORD}\s*(?:nr\.?\s*)?([0-9]{{1,4}})\.?)")
# How often a club meets: weeks between two evenings, or each month on the weekday of the first evening.
WEEKS: Final = {"week": 1, "fortnight": 2, "three_weeks": 3, "four_weeks": 4}
MONTHLY: Final = "month"


def parse_evening_number(cell: str) -> int | None:
    """Return the number in a label such as "3. Abend"."""
    match = _NUMBERED.fullmatch(text_key(cell))
    return int(match[1] or match[2]) if match else None


def is_when(cell: str) -> bool:
    """Return whether this is a day or the number of an evening."""
    return (is_day(cell) and not is_number(cell)) or parse_evening_number(cell) is not None


def counts_evenings(heading: str, cells: list[str]) -> bool:
    """Return whether this column numbers the evenings."""
    if not cells:
        return False
    if all(parse_evening_number(cell) is not None for cell in cells):
        return True
    plain = [int(cell) for cell in cells if cell.isascii() and cell.isdecimal() and len(cell) < 5]
    in_order = sorted(set(plain))
    is_headed = bool(re.fullmatch(EVENING_WORD, text_key(heading)))
    return is_headed and len(plain) == len(cells) and plain in (in_order, in_order[::-1])


def parse_number(cell: str) -> int | None:
    return parse_evening_number(cell) if parse_evening_number(cell) is not None else int(cell) if cell.isdecimal() else None


class Numbers:
    """Compute the day of each row from the number of its evening, in a series that begins on the day `first`.
    Without `carry`, if numbers repeat, as in every new year, their changes are counted.
    With `carry` a blank cell means the evening above."""

    def __init__(self, texts: Sequence[str], first: datetime.date, rhythm: str, carry: bool) -> None:
        self._day, self._rhythm, self._carry = first, rhythm, carry
        numbers = [number for text in texts if (number := parse_number(text)) is not None]
        self._first = min(numbers, default=0) if len(set(numbers)) == len(numbers) or carry else None
        self._count, self._label = -1, ""

    def compute(self, text: str) -> datetime.date:
        """Return the day of the next row. Raise CellRefused."""
        if text and text != self._label:
            self._count, self._label = self._count + 1, text
        elif not text and not (self._carry and self._label):
            raise CellRefused(_("Die Nummer des Abends fehlt"))
        number = parse_number(text or self._label)
        if number is None:
            raise CellRefused(_("„%(text)s“ ist keine Nummer eines Abends") % {"text": text})
        nth = self._count if self._first is None else number - self._first
        try:
            return compute_nth_day(self._day, self._rhythm, nth)
        except OverflowError as error:
            raise CellRefused(_("Den Tag „%(text)s“ gibt es nicht") % {"text": text}) from error


def compute_nth_day(first: datetime.date, rhythm: str, nth: int) -> datetime.date:
    """Return the day of the nth evening after the first. Raise OverflowError if there is no such day."""
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

_MONTH: Final = rf"(?:{'|'.join(sorted(MONTHS, key=len, reverse=True))})\.?"
_FULL_YEAR: Final = "(?:19[5-9]|20[0-9])[0-9]"
_OF_YEAR: Final = r"(?:[ ./'-]*(?:(?:19|20)?[0-9]{2}))?"
_SPAN: Final = re.compile(
    rf"(?:(?:monat|im|ende) )?{_MONTH}(?: ?(?:/|-|–|\+|&|,|und|bis) ?{_MONTH})*{_OF_YEAR}|{_FULL_YEAR}[ -]{_MONTH}"
    rf"|(?:0?[1-9]|1[0-2])(?: ?[./-] ?{_FULL_YEAR}|/(?:1[3-9]|[2-9][0-9]))|{_FULL_YEAR} ?[./-] ?(?:0?[1-9]|1[0-2])"
    r"|monat (?:0?[1-9]|1[0-2])|(?:0?[1-9]|1[0-2])\. ?monat"
    rf"|(?:{_FULL_YEAR}[ /-]*)?(?:q ?[1-4]|h ?[12]|[1-4]\.? ?(?:q|h|hj|quartal|vierteljahr|halbjahr)|(?:quartal|halbjahr) ?[1-4])"
    rf"{_OF_YEAR}"
    rf"|(?:(?:jahr|saison|spieljahr|spielzeit|winter|sommer) )?{_FULL_YEAR}(?: ?[/–-] ?(?:(?:19|20)?[0-9]{{2}}))?"
    r"|saison [0-9]{2} ?[/–-] ?[0-9]{2}"
)


def is_span(cell: str) -> bool:
    """Return whether the whole cell names a month, a quarter, half a year, a year or a season."""
    return bool(_SPAN.fullmatch(text_key(cell)))


_YEAR: Final = re.compile(rf"(?<![0-9])({_FULL_YEAR})(?![0-9])")
_MONTH_AND_YEAR: Final = re.compile(r"([a-z]+)[ .'/-]*([0-9]{2})")
_SEASON: Final = re.compile(rf"(?<![0-9])({_FULL_YEAR}) ?[/_–-] ?(?:(?:19|20)?([0-9]{{2}}))(?![0-9])")
_SHORT_SEASON: Final = re.compile(r"(?:.* )?(?:saison|spielzeit|spieljahr)[ _]([0-9]{2}) ?[/_–-] ?([0-9]{2})")
_MONTH_IN_NUMBERS: Final = re.compile(
    r"(?<![0-9./-])(0?[1-9]|1[0-2])[./-]20[0-9]{2}(?![0-9])|(?<![0-9])20[0-9]{2}[./-](0[1-9]|1[0-2])(?![0-9./-])"
)
# "5.", "Do 5."
_DAY_ALONE: Final = re.compile(
    r"(?:(?:mo|di|mi|do|fr|sa|so|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend)[.,]* )?([0-9]{1,2})\.?"
)


def find_years(text: str) -> list[int]:
    """Return the different years in a text, with four digits each."""
    return list(dict.fromkeys(map(int, _YEAR.findall(text))))


def find_year(text: str) -> int | None:
    """Return the only year in a name: 2023, "Saison 2023", "Januar 23"; the first year of a season over two."""
    if (season := find_season(text)) is not None:
        return season
    if len(years := find_years(text)) == 1:
        return years[0]
    short = _MONTH_AND_YEAR.fullmatch(text_key(text))
    return add_century(short[2]) if short and short[1] in MONTHS else None


def find_season(text: str) -> int | None:
    """Return the first year of a season over two years: 2022/23, "Saison 22/23"."""
    match = _SHORT_SEASON.fullmatch(text_key(text)) or _SEASON.search(text)
    return add_century(match[1]) if match and (int(match[1]) + 1) % 100 == int(match[2]) else None


def find_month(text: str) -> int | None:
    """Return the only month in a text, as a word or like "01-2023"."""
    if match := _MONTH_IN_NUMBERS.search(text):
        return int(match[1] or match[2])
    months = {MONTHS[word] for word in re.findall("[a-z]+", text_key(text)) if word in MONTHS}
    return months.pop() if len(months) == 1 else None


def find_day_of_month(cell: str) -> str:
    """Return the number of a day of a month in a cell like "5." or "Do 5.", or an empty string."""
    match = _DAY_ALONE.fullmatch(text_key(cell))
    return match[1] if match else ""


# --- Days that are written otherwise ----------------------------------------------------------------------------------

_SLASHED: Final = re.compile(r"([0-9]{1,2})([/-])([0-9]{1,2})\2([0-9]{4}|[0-9]{2})(?: [0-9]{1,2}:[0-9:]+)?")
# With fewer days their order proves nothing.
MIN_DAYS: Final = 4


def put_days_before_months(rows: Rows) -> tuple[Rows, list[str]]:
    """Put days before their months; return also a note for the user if there was anything to do."""
    if not _has_months_first(rows):
        return rows, []
    rows = [[_SLASHED.sub(r"\3.\1.\4", cell) if _SLASHED.fullmatch(cell) else cell for cell in row] for row in rows]
    return rows, [_("In den Tagen steht der Monat vorn, wie 12/31/2023: Für die Vorschau ist er hinter den Tag gestellt.")]


def _has_months_first(rows: Rows) -> bool:
    """Return whether days are written month first: one of them allows nothing else, or they are in order only so."""
    matches = [match for row in rows for cell in row if (match := _SLASHED.fullmatch(cell))]
    pairs = [(int(match[1]), int(match[3]), int(match[4])) for match in matches]
    if any(first > 12 or second > 12 for first, second, _year in pairs):
        return all(first <= 12 for first, _second, _year in pairs)
    day_first = [(year, second, first) for first, second, year in pairs]
    month_first = [(year, first, second) for first, second, year in pairs]
    return len(pairs) >= MIN_DAYS and _is_in_order(month_first) and not _is_in_order(day_first)


def _is_in_order(days: Sequence[Any]) -> bool:
    """Return whether these days ascend or descend."""
    return list(days) in (sorted(days), sorted(days, reverse=True))


def join_day_columns(rows: Rows) -> Rows:
    """Add the month and the year of other columns, or the week, to the days; a blank month or year means the one above."""
    for head, row in enumerate(rows[:HEADING_ROWS]):
        keys = list(map(text_key, row))
        at = {key: keys.index(key) for key in ("datum", "tag", "kw", "monat", "jahr") if key in keys}
        day = next((key for key in ("datum", "tag", "kw") if key in at), "")
        if day == "kw" or (day and at.keys() & {"monat", "jahr"}):
            return [*rows[: head + 1], *_complete_days(rows[head + 1 :], day, at)]
    return rows


def _complete_days(rows: Rows, day: str, at: Mapping[Any, int]) -> Rows:
    completed = []
    last = {"monat": "", "jahr": ""}
    for row in rows:
        cells = list(row)
        last = {key: (get_cell(row, at[key]) if key in at else "") or text for key, text in last.items()}
        text, month, year = get_cell(row, at[day]), last["monat"], last["jahr"]
        number = find_day_of_month(text)
        if number and day == "kw":
            text = f"KW {number}/{year}".rstrip("/")
        elif number and month:
            text = f"{number}. {month}{'.' if month.isdecimal() else ''} {year}".strip()
        elif year and is_day(text) and not has_year(text):
            text = f"{text.removesuffix('.')}.{year}"
        if text:
            cells[at[day]] = text
        completed.append(cells)
    return completed
