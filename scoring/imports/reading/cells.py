"""What one cell says: a day in any form that people write one in German, the number of an evening, points as a whole number, or
an amount of euros. What it does not say is refused, never guessed."""

from __future__ import annotations

import datetime
import re
from calendar import monthrange
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from django.utils.translation import gettext as _

from scoring.core.text import text_key, tidy
from scoring.rules.judge import MOST_POINTS

from .files import column_name
from .rows import UNCALCULATED

FIRST_YEAR: Final = 1950
# Two digits of a year: from here on they are of the century before.
LAST_CENTURY: Final = 70
# Days as a spreadsheet counts them, 1954 to 2119; other whole numbers are no days.
EXCEL_EPOCH: Final = datetime.date(1899, 12, 30)
EXCEL_DAYS: Final = range(20_000, 80_000)
_ABSENT: Final = ("fehlt", "fehlte", "abwesend", "entschuldigt", "entsch.", "nicht da", "n. a.", "n.a.")
NOT_THERE: Final = frozenset(
    {"", "-", "–", "—", "−", "/", *_ABSENT, *(word.capitalize() for word in _ABSENT), *map(str.upper, _ABSENT)}
)
MINUS: Final = str.maketrans({"−": "-", "–": "-", "—": "-"})

# Folded, so without umlauts' dots; "maerz" and "marz" are both März.
_MONTHS: Final = (
    ("jan", "januar", "january", "janner", "jaenner"),
    ("feb", "februar", "february", "feber"),
    ("mar", "marz", "mrz", "maerz", "maer", "march"),
    ("apr", "april"),
    ("mai", "may"),
    ("jun", "juni", "june"),
    ("jul", "juli", "july"),
    ("aug", "august"),
    ("sep", "sept", "september"),
    ("okt", "oktober", "oct", "october"),
    ("nov", "november"),
    ("dez", "dezember", "dec", "december"),
)
MONTHS: Final = {name: number for number, names in enumerate(_MONTHS, 1) for name in names}
_ROMANS: Final = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii")
ROMANS: Final = {name: number for number, name in enumerate(_ROMANS, 1)}
_APOSTROPHES: Final = str.maketrans(dict.fromkeys("’‘´`", "'"))
# A time of the day says nothing about the day, nor does a remark in brackets unless another day stands there.
_TIME: Final = re.compile(
    r"(?:(?<=[0-9])t|(?<![0-9]))[0-9]{1,2}"
    r"(?::[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?(?:z|[+-][0-9]{2}:?[0-9]{2})?(?: ?uhr\b)?|(?:\.[0-9]{2})? ?uhr\b)"
)
_REMARK: Final = re.compile(r"\((?![^()]*[0-9][./-] ?[0-9])[^()]*\)|\[(?![^\[\]]*[0-9][./-] ?[0-9])[^\[\]]*\]")
# What may stand before a day without making anybody doubt that it is one.
_BEFORE: Final = re.compile(
    r"^\W*(?:(?:mo|di|mi|do|fr|sa|so|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend)(?:s|abend)?\b\W*)?"
    r"(?:(?:den|der|am|vom)\b\W*)?$"
)
_SIGNS: Final = ("+", "-", "−", "–", "—")
# The year first; day, month and year with blanks between; with a year or without; the month as a word or a Roman number.
_YEAR_FIRST: Final = re.compile(r"([0-9]{4})( ?[./-] ?| )([0-9]{1,2})\2([0-9]{1,2})")
_TOGETHER: Final = re.compile(r"[0-9]{8}")
_BLANKS: Final = re.compile(r"([0-9]{1,2}) ([0-9]{1,2}) ([0-9]{4}|[0-9]{2})")
_NUMBERS: Final = re.compile(
    r"([0-9]{1,2}) ?[./-] ?([0-9]{1,2})(?:(?: ?[./-] ?'?| '?(?=[0-9]{4}))([0-9]{4}|[0-9]{2})|\.)?"
)
_WORDS: Final = re.compile(r"([0-9]{1,2})[. /-]{0,2}([a-z]+)(?:[. /-]{0,2}'?([0-9]{4}|[0-9]{2})|\.)?")
_ROMAN: Final = re.compile(r"([0-9]{1,2})(?:\. ?|/|-)([ivx]+)(?:[. /-]{1,2}'?([0-9]{4}|[0-9]{2})|\.)")
_POINTS: Final = re.compile(r"^[+-]?(?:[0-9]{1,9}|[1-9][0-9]{0,2}(?:[.'][0-9]{3})+)(?:[.,]0{1,2})?$")
_NUMBER: Final = re.compile(r"^[+-]?(?:[0-9]+|[0-9]{1,3}(?:[.'][0-9]{3})+)(?:[.,][0-9]+)?$")
_EUROS: Final = re.compile(r"^([+-]?)([0-9]{1,6}|[0-9]{1,3}(?:\.[0-9]{3})+(?=,))(?:[.,]([0-9]{1,2}))?$")
_CURRENCY: Final = re.compile("€|euro?", re.IGNORECASE)
_FRACTION: Final = re.compile(r"[.,](?:[0-9]{2}|[1-9])$")


# What cells hold: whole points, or euros that become cents.
Amounts = Callable[[str], int | None]


class CellRefused(ValueError):
    """A cell that is not what stands in its column; the message is the sentence."""


def read_day(text: str, near: datetime.date | None = None) -> datetime.date:
    """The day that is written here, with a time or a remark beside it or not. One without a year is the one closest to
    `near`, the day of the row above. Raises CellRefused."""
    said = text_key(text).translate(_APOSTROPHES)
    if said.isascii() and said.isdecimal() and int(said[:9]) in EXCEL_DAYS:
        return EXCEL_EPOCH + datetime.timedelta(days=int(said))
    said = tidy(_REMARK.sub(" ", _TIME.sub(" ", said)))
    start = next((index for index, char in enumerate(said) if char in "0123456789"), len(said))
    before, said = said[:start], said[start:]
    found = _parts(said)
    if found is None or before.endswith(_SIGNS) or not _is_remark(said[found.end :]):
        raise _no_day(text)
    usual = bool(_BEFORE.match(before))
    if not usual and (before[-1].isalnum() or found.year is None):
        raise _no_day(text)
    if found.year is None:
        if found.end < len(said) and found.doubtful:
            raise _no_day(text)
        return _closest(text, found.month, found.day, near)
    return _day(text, found.year, found.month, found.day)


class _Parts(NamedTuple):
    """A day in its parts, and where it ends in the text. One without its year is `doubtful` beside other words where it
    could as well be a number with a fraction."""

    day: int
    month: int
    year: int | None
    end: int
    doubtful: bool = False


def _parts(said: str) -> _Parts | None:
    """What stands at the beginning of this text, in whichever order and way of writing."""
    if found := _YEAR_FIRST.match(said):
        return _Parts(int(found[4]), int(found[3]), int(found[1]), found.end())
    if found := _TOGETHER.match(said):
        # Where the year stands is never in doubt: no month is called 19 or 20.
        if int(said[4:6]) <= 12:
            return _Parts(int(said[6:8]), int(said[4:6]), int(said[:4]), found.end())
        return _Parts(int(said[:2]), int(said[2:4]), int(said[4:8]), found.end())
    if found := _BLANKS.match(said) or _NUMBERS.match(said):
        month, doubtful = int(found[2]), not found[0].endswith(".")
    elif (found := _WORDS.match(said)) and found[2] in MONTHS:
        month, doubtful = MONTHS[found[2]], False
    elif (found := _ROMAN.match(said)) and found[2] in ROMANS:
        month, doubtful = ROMANS[found[2]], False
    else:
        return None
    return _Parts(int(found[1]), month, _century(found[3]) if found[3] else None, found.end(), doubtful)


def _is_remark(rest: str) -> bool:
    """May this stand behind a day? Nothing with figures in it: they could be of another day."""
    return not rest or not (rest[0].isalnum() or any(char.isdigit() for char in rest))


def _no_day(text: str) -> CellRefused:
    return CellRefused(_("„%(text)s“ ist kein Datum") % {"text": text})


def _century(year: str) -> int:
    number = int(year)
    return number if len(year) == 4 else number + (1900 if number >= LAST_CENTURY else 2000)


def _closest(text: str, month: int, day: int, near: datetime.date | None) -> datetime.date:
    if near is None:
        raise CellRefused(_("Bei „%(text)s“ fehlt das Jahr") % {"text": text})
    days = []
    for year in (near.year - 1, near.year, near.year + 1):
        try:
            days.append(_day(text, year, month, day))
        except CellRefused:
            continue  # the 29th of February
    if not days:
        raise CellRefused(_("Den Tag „%(text)s“ gibt es nicht") % {"text": text})
    return min(days, key=lambda day: abs(day - near))


def _day(text: str, year: int, month: int, day: int) -> datetime.date:
    try:
        found = datetime.date(year, month, day)
    except ValueError as error:
        raise CellRefused(_("Den Tag „%(text)s“ gibt es nicht") % {"text": text}) from error
    if found.year < FIRST_YEAR:
        raise CellRefused(_("„%(text)s“ liegt zu lange zurück") % {"text": text})
    return found


def read_points(text: str) -> int | None:
    """The points that are written here, None where somebody was not there. Raises CellRefused."""
    if text in NOT_THERE:
        return None
    said = _number_in(text).translate(_APOSTROPHES)
    if not _POINTS.match(said):
        if _EUROS.match(_CURRENCY.sub("", said)) and (_CURRENCY.search(said) or said[-3:-2] in (".", ",")):
            sentence = _("„%(text)s“ ist keine ganze Zahl; Beträge in Euro gehen nur unter Regeln, die in Cent zählen")
        else:
            sentence = _("„%(text)s“ ist keine ganze Zahl")
        raise CellRefused(sentence % {"text": text})
    return _bounded(text, int(re.sub("[.']", "", re.sub("[.,]0{1,2}$", "", said))))


def read_euros(text: str, most: int = MOST_POINTS) -> int | None:
    """The cents of the amount of euros that is written here, None where somebody was not there. Raises CellRefused."""
    if text in NOT_THERE:
        return None
    found = _EUROS.match(_CURRENCY.sub("", _number_in(text)))
    if not found:
        raise CellRefused(_("„%(text)s“ ist kein Betrag in Euro") % {"text": text})
    sign, euros, cents = found.groups(default="")
    return _bounded(text, int(sign + euros.replace(".", "") + cents.ljust(2, "0")), most)


def _number_in(text: str) -> str:
    if text == UNCALCULATED:
        raise CellRefused(
            _(
                "Da steht eine Formel ohne ihren Wert; bitte die Datei in Excel oder LibreOffice öffnen, speichern und "
                "neu hochladen"
            )
        )
    return text.translate(MINUS).replace(" ", "")


def _bounded(text: str, points: int, most: int = MOST_POINTS) -> int:
    if abs(points) > most:
        raise CellRefused(_("„%(text)s“ ist zu groß") % {"text": text})
    return points


def is_day(text: str) -> bool:
    """Could a day be written here, a year given or not?"""
    try:
        read_day(text, near=datetime.date(2000, 1, 1))
    except CellRefused:
        return False
    return True


def has_year(text: str) -> bool:
    """Is this a day with its year?"""
    try:
        read_day(text)
    except CellRefused:
        return False
    return True


def is_points(text: str) -> bool:
    """Could points be written here, or that somebody was not there?"""
    try:
        read_points(text)
    except CellRefused:
        return False
    return True


def is_number(text: str) -> bool:
    """Is this meant to be a number, or that somebody was not there, whether it can be read as points or not?"""
    if text in NOT_THERE or text == UNCALCULATED:
        return True
    return bool(_NUMBER.match(_CURRENCY.sub("", _number_in(text))))


def looks_like_euros(text: str) -> bool:
    """A number with cents or with the sign of its currency; a spreadsheet leaves the last zero away."""
    return bool(_CURRENCY.search(text) or _FRACTION.search(text.strip()))


def amount_in(row: Sequence[str], column: int, amounts: Amounts, called: str = "") -> int | None:
    """What a row says in a column. Raises CellRefused, naming the column, by what it is `called` where a sheet was turned over."""
    try:
        return amounts(row[column]) if column < len(row) else None
    except CellRefused as refused:
        where = called or _("Spalte %(column)s") % {"column": column_name(column)}
        raise CellRefused(f"{where}: {refused}") from refused


class Days:
    """The day of each row of a sheet that says it: `said` is what stands there, row by row. One without its year is the closest to
    the day above, the first one to `near`; only where a list that goes on would jump back by more than `SLIP` it is of the next
    year. With `carry` a row that says none is of the day above."""

    SLIP: Final = datetime.timedelta(days=60)

    def __init__(self, said: Sequence[str], near: datetime.date | None, carry: bool) -> None:
        self._near, self._carry = near, carry
        self._last: datetime.date | None = None
        self._onward = _onward(said)

    def of(self, said: str) -> datetime.date:
        """Raises CellRefused."""
        if said:
            self._last = self._with_year(said, self._last or self._near)
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

# How a round calls its evenings, before or behind the number.
_CALLED: Final = r"(?:abend|spieltag|spielabend|doppelkopfabend|dokoabend|termin|treffen|woche)"
_NUMBERED: Final = re.compile(rf"(?:([0-9]{{1,4}})\s*[.)]?\s*{_CALLED}|{_CALLED}\s*(?:nr\.?\s*)?([0-9]{{1,4}})\.?)")
_HEADING: Final = re.compile(rf"(?:{_CALLED}|nr\.?|nummer|#)")
# How often a round meets: weeks between two evenings, or once a month on the weekday of the first.
WEEKS: Final = {"week": 1, "fortnight": 2, "three_weeks": 3, "four_weeks": 4}
MONTHLY: Final = "month"


def numbered(cell: str) -> int | None:
    """The number of an evening that is called by one."""
    found = _NUMBERED.fullmatch(text_key(cell))
    return int(found[1] or found[2]) if found else None


def counts_evenings(heading: str, cells: list[str]) -> bool:
    """Does this column say which evening each row is?"""
    if not cells:
        return False
    if all(numbered(cell) is not None for cell in cells):
        return True
    plain = [int(cell) for cell in cells if cell.isascii() and cell.isdecimal() and len(cell) < 5]
    is_called = _HEADING.fullmatch(text_key(heading)) and not text_key(heading).startswith(("nr", "nummer", "#"))
    return bool(is_called) and len(plain) == len(cells) and plain == sorted(set(plain))


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
