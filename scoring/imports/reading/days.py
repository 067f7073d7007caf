"""The days of a sheet in every notation, and months, quarters and years instead.
The functions that take and return rows rewrite the days before a sheet is understood."""

from __future__ import annotations

import datetime
import re
from calendar import monthrange
from collections.abc import Iterator, Sequence
from itertools import pairwise, zip_longest
from typing import Any, Final

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from scoring.core.text import text_key

from .cells import (
    DAY_HEADINGS,
    EVENING_WORD,
    EXCEL_DAYS,
    HEADING_ROWS,
    MONTHS,
    NAME_HEADINGS,
    OTHER_HEADINGS,
    SUMMARY_LABELS,
    TOTAL_LABELS,
    CellRefused,
    add_century,
    find_headings,
    get_cell,
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
    """Read the day of each row; `texts` are the cells of the column of days.
    A day without a year is the closest to the day above, the first one the closest to `near`. A jump against the order
    by more than SLIP means another year. With `carry` a blank cell means the day above."""

    SLIP: Final = datetime.timedelta(days=60)

    def __init__(self, texts: Sequence[str], near: datetime.date | None, carry: bool) -> None:
        self._near, self._carry = near, carry
        self._last: datetime.date | None = None
        self._direction = _find_direction(texts)
        # Whether the last day was written as a calendar week.
        self.is_week = False

    def read(self, text: str) -> datetime.date:
        """Return the day of the next row. Raise CellRefused."""
        if text:
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


def _find_direction(texts: Sequence[str]) -> int:
    """Return -1 if more days go back than forward, otherwise 1."""
    near = datetime.date(2000, 7, 2)
    days = [read_day(text, near) for text in texts if is_day(text)]
    steps = [(later > day) - (later < day) for day, later in pairwise(days)]
    return 1 if sum(steps) >= 0 else -1


# --- Evenings that have a number and no day ---------------------------------------------------------------------------

_NUMBERED: Final = re.compile(rf"(?:([0-9]{{1,4}})\s*[.)]?\s*{EVENING_WORD}|{EVENING_WORD}\s*(?:nr\.?\s*)?([0-9]{{1,4}})\.?)")
_HEADING: Final = re.compile(rf"(?:{EVENING_WORD}|nr\.?|nummer|#)")
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
    is_headed = _HEADING.fullmatch(text_key(heading)) and not text_key(heading).startswith(("nr", "nummer", "#"))
    in_order = sorted(set(plain))
    return bool(is_headed) and len(plain) == len(cells) and plain in (in_order, in_order[::-1])


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

MONTH, QUARTER, HALF, YEAR = "month", "quarter", "half", "year"
# How many spans make a list of them.
MIN_SPANS: Final = 2
_NAMES: Final = "|".join(sorted(MONTHS, key=len, reverse=True))
_OF_YEAR: Final = r"(?:[ ./'-]*(?:(?:19|20)?[0-9]{2}))?"
_MONTH_AND_SHORT_YEAR: Final = re.compile(r"(?:0?[1-9]|1[0-2])/[0-9]{2}")
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
    """A list of months, quarters or years: neither a list of evenings nor a list of totals."""


def find_span(cell: str) -> str:
    """Return which kind of span the whole cell names, or an empty string."""
    key = text_key(cell)
    return next((kind for kind, pattern in _SPANS.items() if pattern.fullmatch(key)), "")


def explain_no_evening(cell: str) -> str:
    """Explain why a row with a span is no evening; empty if the cell is no span."""
    sentences = {
        MONTH: _("„%(text)s“ ist ein Monat und kein Abend"),
        QUARTER: _("„%(text)s“ ist ein Quartal und kein Abend"),
        HALF: _("„%(text)s“ ist ein halbes Jahr und kein Abend"),
        YEAR: _("„%(text)s“ ist ein Jahr und kein Abend"),
    }
    what_to_do = _("bitte die Zeile auslassen, ihre Summen nimmt „Anfangsstand eingeben“")
    return f"{sentences[span] % {'text': cell}}; {what_to_do}" if (span := find_span(cell)) else ""


def refuse_spans(rows: Rows) -> None:
    """Raise FileRefused if every row or every column of points belongs to a month, a quarter or a year."""
    span = _find_spans_down(rows) or _find_first_days(rows) or _find_spans_across(rows)
    if not span:
        return
    sentence = {
        MONTH: _("Die Punkte stehen hier je Monat, und ein Monat ist kein Abend."),
        QUARTER: _("Die Punkte stehen hier je Quartal, und ein Quartal ist kein Abend."),
        HALF: _("Die Punkte stehen hier je Halbjahr, und ein Halbjahr ist kein Abend."),
        YEAR: _("Die Punkte stehen hier je Jahr, und ein Jahr ist kein Abend."),
    }[span]
    what_to_do = _(
        "Bitte stattdessen jedem Abend eine Zeile mit seinem Tag geben; sind die Tage nicht mehr bekannt, die Punkte je Person "
        "zusammenzählen und „Anfangsstand eingeben“."
    )
    raise SpansRefused(f"{sentence} {what_to_do}")


def refuse_months_for_names(people: Sequence[str]) -> None:
    """Raise FileRefused if months are above the points instead of names."""
    if len(people) > 1 and all(find_span(name) == MONTH for name in people):
        raise SpansRefused(_(
            "Über den Punkten stehen Monate statt Namen: Ein Monat ist kein Abend. Bitte zu jedem Abend seinen Tag schreiben; "
            "sind nur Summen übrig, „Anfangsstand eingeben“."
        ))


def _find_spans_down(rows: Rows) -> str:
    """Return the kind of span before all rows with points, in one of the first columns; empty if there are days as well."""
    if any(sum(map(is_when, row)) >= MIN_SPANS for row in rows[:HEADING_ROWS]):
        # The first columns hold names, and some names are months.
        return ""
    for index in range(FIRST_COLUMNS):
        played = list(_iter_rows_with_amounts(rows, index))
        spans = [find_span(row[index]) for row in played if row[index]]
        if len(spans) >= MIN_SPANS and all(spans) and not _has_days(rows, played, index):
            return spans[0]
    return ""


def _find_first_days(rows: Rows) -> str:
    """Return MONTH if months are written as their first days or as numbers, below a heading for months."""
    for head, index in find_headings(rows, {"monat", "month"}):
        texts = [cell for below in rows[head + 1 :] if (cell := get_cell(below, index)) and is_day(cell)]
        days = [read_day(text, near=datetime.date(2000, 1, 1)) for text in texts]
        are_first = all(day.day == 1 for day in days) or all(map(_MONTH_AND_SHORT_YEAR.fullmatch, texts))
        if len(days) >= MIN_SPANS and are_first and not _has_days(rows, rows[head + 1 :], index):
            return MONTH
    return ""


def _iter_rows_with_amounts(rows: Rows, index: int) -> Iterator[Sequence[str]]:
    """Yield the rows with a number after this column that are no totals."""
    for row in rows:
        if len(row) > index + 1 and any(map(is_amount, row[index + 1 :])):
            key = text_key(row[index])
            if find_span(row[index]) or not (TOTAL_LABELS.match(key) or SUMMARY_LABELS.match(key)):
                yield row


def _has_days(rows: Rows, played: Sequence[Sequence[str]], but: int) -> bool:
    """Return whether another column than `but` has days, or a heading for days."""
    headings = DAY_HEADINGS | {"kw", "kalenderwoche", "woche"}
    if any(text_key(cell).rstrip(":") in headings for row in rows[:HEADING_ROWS] for cell in [*row[:but], *row[but + 1 :]]):
        return True
    others = [index for index in range(max(map(len, played))) if index != but]
    return any(2 * sum(is_when(get_cell(row, index)) for row in played) > len(played) for index in others)


def _find_spans_across(rows: Rows) -> str:
    """Return the kind of span above all columns of points, if people are in rows."""
    for at, row in enumerate(rows[:HEADING_ROWS]):
        columns = [index for index, cell in enumerate(row) if index and find_span(cell)]
        if len(columns) < MIN_SPANS:
            continue
        beside = [text_key(cell) for index, cell in enumerate(row) if cell and index > columns[0] and index not in columns]
        below = [other for other in rows[at + 1 :] if any(other)]
        named = [other for other in below if is_word(other[0]) or (len(other) > 1 and is_word(other[1]))]
        amounts = [other for other in named if any(is_amount(get_cell(other, index)) for index in columns)]
        known = all(TOTAL_LABELS.match(key) or SUMMARY_LABELS.match(key) or OTHER_HEADINGS.match(key) for key in beside)
        if known and len(amounts) >= MIN_SPANS and 2 * len(named) > len(below) and not any(map(is_when, below[0])):
            return find_span(row[columns[0]])
    return ""


# --- Days that are written as one number ------------------------------------------------------------------------------

MIN_NUMBERS: Final = 2
# A number loses its leading zero.
_NUMBER: Final = re.compile(r"[0-9]{5,6}")


def rewrite_days(rows: Rows) -> tuple[Rows, list[str]]:
    """Put days before their months, and rewrite days that are written as one number; return also notes for the user."""
    notes = []
    if _has_months_first(rows):
        rows = [[_SLASHED.sub(r"\3.\1.\4", cell) if _SLASHED.fullmatch(cell) else cell for cell in row] for row in rows]
        notes.append(_("In den Tagen steht der Monat vorn, wie 12/31/2023: Für die Vorschau ist er hinter den Tag gestellt."))
    rows, note = _rewrite_number_days(_put_days_before_words(rows))
    return rows, [*notes, note] if note else notes


def _rewrite_number_days(rows: Rows) -> tuple[Rows, str]:
    """Rewrite days written as one number, like 130123, if all are days in order in just one notation; return also a note."""
    for head, row in enumerate(rows[:HEADING_ROWS]):
        keys = [text_key(cell).rstrip(":") for cell in row]
        column = next((index for index, key in enumerate(keys) if key in DAY_HEADINGS), None)
        if column is not None and (days := _read_numbers([get_cell(below, column) for below in rows[head + 1 :]])):
            rest = [_replace(below, {column: days}) for below in rows[head + 1 :]]
            return [*rows[: head + 1], *rest], _describe_numbers(days)
        across = [index for index, cell in enumerate(row) if _NUMBER.fullmatch(cell)]
        is_head = across and all(not cell or index in across or not cell[:1].isdigit() for index, cell in enumerate(row))
        if is_head and NAME_HEADINGS & set(keys[: across[0]]) and (days := _read_numbers([row[index] for index in across])):
            return [*rows[:head], _replace(row, dict.fromkeys(across, days)), *rows[head + 1 :]], _describe_numbers(days)
    return rows, ""


def suggest_day(cell: str) -> str:
    """Return the day that a number of six digits could mean, formatted, or an empty string."""
    day = _parse_number(cell) if len(cell) == 6 and _NUMBER.fullmatch(cell) else None
    return date_format(day, "SHORT_DATE_FORMAT") if day else ""


def _replace(row: Sequence[str], days_at: dict[int, dict[str, datetime.date]]) -> list[str]:
    return [
        days_at[index][cell].isoformat() if index in days_at and cell in days_at[index] else cell
        for index, cell in enumerate(row)
    ]


def _describe_numbers(days: dict[str, datetime.date]) -> str:
    text, day = next(iter(days.items()))
    values = {"text": text, "day": date_format(day, "SHORT_DATE_FORMAT")}
    return _("Die Tage stehen als eine Zahl da: „%(text)s“ ist als %(day)s gelesen.") % values


def _read_numbers(cells: Sequence[str]) -> dict[str, datetime.date]:
    """Return the day of each number, if all are days in order in exactly one notation."""
    numbers = list(dict.fromkeys(cell for cell in cells if cell[:1].isdigit()))
    are_of_spreadsheet = all(len(cell) == 5 and int(cell) in EXCEL_DAYS for cell in numbers if cell.isdecimal())
    if len(numbers) < MIN_NUMBERS or not all(map(_NUMBER.fullmatch, numbers)) or are_of_spreadsheet:
        return {}
    readings = []
    for year_first in (False, True):
        reading = {cell: day for cell in numbers if (day := _parse_number(cell, year_first))}
        days = list(reading.values())
        if len(days) == len(numbers) and _is_in_order(days) and max(days) <= timezone.localdate():
            readings.append(reading)
    return readings[0] if len(readings) == 1 else {}


def _parse_number(cell: str, year_first: bool = False) -> datetime.date | None:
    """Return the day of a number of six digits: day, month, year, or the other way round."""
    digits = cell.zfill(6)
    parts = (digits[:2], digits[2:4], digits[4:])
    day, month, year = reversed(parts) if year_first else parts
    try:
        return datetime.date(add_century(year), int(month), int(day))
    except ValueError:
        return None


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
# With fewer days their order proves nothing.
MIN_DAYS: Final = 4


def find_years(text: str) -> list[int]:
    """Return the different years in a text, with four digits each."""
    return list(dict.fromkeys(map(int, _YEAR.findall(text))))


def find_day_of_month(cell: str) -> str:
    """Return the number of a day of a month in a cell like "5." or "Do 5.", or an empty string."""
    match = _DAY_ALONE.fullmatch(text_key(cell))
    return match[1] if match else ""


def find_year(text: str) -> int | None:
    """Return the only year in a name: 2023, "Saison 2023", "Januar 23"; the first year of a season over two."""
    if (season := find_season(text)) is not None:
        return season
    if len(years := find_years(text)) == 1:
        return years[0]
    short = _MONTH_AND_YEAR.fullmatch(text_key(text))
    return add_century(short[2]) if short and short[1] in MONTHS else None


def find_season(text: str) -> int | None:
    """Return the first year of a season over two years: 2022/23, "Saison 2022-2023"."""
    if (short := _SHORT_SEASON.fullmatch(text_key(text))) and (int(short[1]) + 1) % 100 == int(short[2]):
        return add_century(short[1])
    match = _SPAN.search(text)
    return int(match[1]) if match and (int(match[1]) + 1) % 100 == int(match[2]) else None


def _has_months_first(rows: Rows) -> bool:
    """Return whether days are written month first: one of them allows nothing else, or they are in order only so."""
    matches = [match for row in rows for cell in row if (match := _SLASHED.fullmatch(cell))]
    pairs = [(int(match[1]), int(match[3]), int(match[4])) for match in matches]
    if any(first > 12 for first, _second, _year in pairs):
        return False
    if any(second > 12 for _first, second, _year in pairs):
        return True
    day_first = [(year, second, first) for first, second, year in pairs]
    month_first = [(year, first, second) for first, second, year in pairs]
    return len(pairs) >= MIN_DAYS and _is_in_order(month_first) and not _is_in_order(day_first)


def _is_in_order(days: Sequence[Any]) -> bool:
    """Return whether these days ascend or descend."""
    return list(days) in (sorted(days), sorted(days, reverse=True))


def _put_days_before_words(rows: Rows) -> Rows:
    """Put days before the names of months in a column of days in English order."""
    for index in range(FIRST_COLUMNS):
        matches = [_WORD_FIRST.fullmatch(text_key(get_cell(row, index))) for row in rows]
        days = {(MONTHS[match[1]], int(match[2])) for match in matches if match and match[1] in MONTHS}
        if len({month for month, _day in days}) < len(days):
            return [
                [*row[:index], f"{match[2]}. {match[1]}", *row[index + 1 :]] if match and match[1] in MONTHS else row
                for match, row in zip(matches, rows, strict=True)
            ]
    return rows


def place_days(rows: Rows, name: str) -> Rows:
    """Put each day with its month in one cell: from several columns or rows, or from a title or the name of the sheet."""
    return _add_month(_mark_weeks(_join_day_rows(_join_day_columns(rows))), name)


def _join_day_columns(rows: Rows) -> Rows:
    """Join the columns of day, month and year in one; a blank month or year means the one above."""
    for head, row in enumerate(rows[:HEADING_ROWS]):
        headings = [text_key(cell) for cell in row]
        date = _find_column(headings, "datum")
        month, year = _find_column(headings, "monat"), _find_column(headings, "jahr")
        day = _find_column(headings, "tag") if month is None or "tag" in headings else _find_unnamed(rows, head, month + 1)
        if None not in (day, month) and date is None:
            return [*rows[:head], *_join_columns(rows[head:], day, month, year)]  # type: ignore[arg-type]  # both are there
        if date is not None and year is not None and month is None:
            return [*rows[: head + 1], *_add_year_column(rows[head + 1 :], date, year)]
    return rows


def _find_unnamed(rows: Rows, head: int, index: int) -> int | None:
    """Return this column if it has no heading and a day of the month in most rows."""
    if index >= len(rows[head]) or rows[head][index]:
        return None
    cells = [cell for row in rows[head + 1 :] if (cell := get_cell(row, index))]
    return index if cells and 2 * sum(map(bool, map(find_day_of_month, cells))) > len(cells) else None


def _add_year_column(rows: Rows, day: int, year: int) -> Iterator[list[str]]:
    """Add the year of a column, or of the rows above, to days without a year."""
    last = ""
    for row in rows:
        cells = list(row)
        text = get_cell(cells, year)
        last = text if find_year(text) else last
        if last and day < len(cells) and is_day(cells[day]) and not has_year(cells[day]):
            cells[day] = f"{cells[day].removesuffix('.')}.{last}"
        yield cells


def _find_column(headings: Sequence[str], name: str) -> int | None:
    return headings.index(name) if name in headings else None


def _join_columns(rows: Rows, day: int, month: int, year: int | None) -> Rows:
    joined, last_month, last_year = [], "", ""
    for at, row in enumerate(rows):
        cells = [*row, *[""] * (max(day, month, year or 0) + 1 - len(row))]
        if at:
            last_month = cells[month] or last_month
            last_year = (cells[year] if year is not None else str(find_year(cells[month]) or "")) or last_year
        number = find_day_of_month(cells[day])
        if not at:
            cells[day] = "Datum"
        elif number and last_month:
            words = (word for word in re.findall("[a-z]+", text_key(last_month)) if word in MONTHS)
            name = next(words, last_month.removesuffix("."))
            cells[day] = f"{number}. {name}{' ' if name in MONTHS else '. '}{last_year}".strip()
        if not at or number:
            cells[month] = ""
            cells[month if year is None else year] = ""
        joined.append(cells)
    return joined


def _mark_weeks(rows: Rows) -> Rows:
    """Mark the numbers of a column of calendar weeks as weeks, if no other column has days."""
    for head, week in find_headings(rows, {"kw", "kalenderwoche"}):
        if any(is_day(cell) and not is_number(cell) for below in rows[head + 1 :] for cell in below):
            return rows
        year = _find_column(list(map(text_key, rows[head])), "jahr")
        marked = [list(row) for row in rows]
        for cells in marked[head + 1 :]:
            if number := find_day_of_month(get_cell(cells, week)):
                year_text = get_cell(cells, year) if year is not None else ""
                cells[week] = f"KW {number}/{year_text}" if year_text else f"KW {number}"
        return marked
    return rows


def mark_evening_numbers(rows: Rows) -> Rows:
    """Mark ascending numbers above the points as numbers of evenings, if people are in rows."""
    for head, numbers in _iter_numbers_across(rows):
        has_months = bool(numbers and head and _find_months_above(rows[head - 1], list(numbers)))
        if len(numbers) >= MIN_DAYS and not has_months and list(map(int, numbers.values())) == list(range(1, len(numbers) + 1)):
            cells = [f"{numbers[index]}. Abend" if index in numbers else cell for index, cell in enumerate(rows[head])]
            return [*rows[:head], cells, *rows[head + 1 :]]
    return rows


def _iter_numbers_across(rows: Rows) -> Iterator[tuple[int, dict[int, str]]]:
    """Yield each row with a heading of names and, by column, the numbers after it that can be days of a month."""
    for head, name in find_headings(rows, NAME_HEADINGS):
        days = {index: find_day_of_month(cell) for index, cell in enumerate(rows[head]) if index > name}
        yield head, {index: day for index, day in days.items() if day}


def add_month_across(rows: Rows, name: str) -> Rows:
    """Add the month from the name of the sheet or a title to days above the points, if people are in rows."""
    for head, numbers in _iter_numbers_across(rows):
        days = list(map(int, numbers.values()))
        if not days or max(days) > 31 or any(day >= later for day, later in pairwise(days)):
            continue
        titles = [name, *(cell for above in rows[:head] for cell in above if cell)]
        months = set.union(*map(_find_months, titles))
        if len(months) != 1:
            return rows
        month, year = months.pop(), next(filter(None, map(find_year, titles)), "")
        cells = [f"{numbers[index]}.{month}.{year}" if index in numbers else cell for index, cell in enumerate(rows[head])]
        return [*rows[:head], cells, *rows[head + 1 :]]
    return rows


def _add_month(rows: Rows, name: str) -> Rows:
    """Add the month from the name of the sheet or a title to days without a month."""
    for head, at in find_headings(rows, DAY_HEADINGS):
        end = next((below for below in range(head + 1, len(rows)) if _is_month_heading(rows[below])), len(rows))
        texts = [text for below in rows[head + 1 : end] if (text := get_cell(below, at))]
        titles = [name, *(cell for above in rows[:head] for cell in above if cell)]
        month = next((months.pop() for title in titles if len(months := _find_months(title)) == 1), None)
        if month is None or 2 * sum(map(bool, map(find_day_of_month, texts))) <= len(texts):
            return rows
        year = next(filter(None, map(find_year, titles)), "")
        days = [find_day_of_month(get_cell(below, at)) for below in rows[head + 1 : end]]
        dated = [
            [*below[:at], f"{day}.{month}.{year}", *below[at + 1 :]] if day else below
            for below, day in zip(rows[head + 1 : end], days, strict=True)
        ]
        return [*rows[: head + 1], *dated, *rows[end:]]
    return rows


def _is_month_heading(row: Sequence[str]) -> bool:
    cells = list(filter(None, row))
    return len(cells) == 1 and len(_find_months(cells[0])) == 1 and not is_day(cells[0])


def _find_months(text: str) -> set[int]:
    if match := _MONTH_IN_NUMBERS.search(text):
        return {int(match[1] or match[2])}
    return {MONTHS[word] for word in re.findall("[a-z]+", text_key(text)) if word in MONTHS}


def _join_day_rows(rows: Rows) -> Rows:
    """Join days that stand side by side with their months in the row above."""
    for at in range(1, min(len(rows), HEADING_ROWS)):
        days = [index for index, cell in enumerate(rows[at]) if find_day_of_month(cell)]
        if len(days) < 2 or not days[0]:
            continue
        has_names = all(not cell or text_key(cell) in NAME_HEADINGS for cell in rows[at][: days[0]])
        if has_names and (months := _find_months_above(rows[at - 1], days)):
            row = [cell or above for cell, above in zip_longest(rows[at], rows[at - 1][: days[0]], fillvalue="")]
            for index, (month, year) in months.items():
                row[index] = f"{find_day_of_month(row[index])}.{month}.{year or ''}"
            return [*rows[: at - 1], [], row, *rows[at + 1 :]]
    return rows


def _find_months_above(above: Sequence[str], days: Sequence[int]) -> dict[int, tuple[int, int | None]]:
    """Return the month and, if given, the year above each of these columns; empty if any column has another heading."""
    months: dict[int, tuple[int, int | None]] = {}
    last = None
    for index in range(days[-1] + 1):
        cell = get_cell(above, index)
        if cell and index >= days[0]:
            word = re.match("[a-z]+", text_key(cell))
            if word is None or word[0] not in MONTHS:
                return {}
            last = MONTHS[word[0]], find_year(cell)
        if index in days:
            if last is None:
                return {}
            months[index] = last
    return months

