"""What one cell says: a day in any form that people write one in German, or points as a whole number. What it does not say
is refused, never guessed."""

from __future__ import annotations

import datetime
import re
from typing import Final

from django.utils.translation import gettext as _

from scoring.models.text import fold
from scoring.rules.facts import MOST_POINTS

FIRST_YEAR: Final = 1950
# Two digits of a year: from here on they are of the century before.
LAST_CENTURY: Final = 70
# Days as a spreadsheet counts them, 1954 to 2119; other whole numbers are no days.
EXCEL_EPOCH: Final = datetime.date(1899, 12, 30)
EXCEL_DAYS: Final = range(20_000, 80_000)
NOT_THERE: Final = frozenset({"", "-", "–", "—", "−"})
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
_WEEKDAY: Final = re.compile(
    r"^(mo|di|mi|do|fr|sa|so|(mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend)s?\b[.,]*\s*(?:den |, )?"
)
_ISO: Final = re.compile(r"^([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:[t ][0-9:.]+z?)?$")
_NUMBERS: Final = re.compile(r"^([0-9]{1,2})[./-] ?([0-9]{1,2})(?:\.|[./-] ?([0-9]{4}|[0-9]{2}))?$")
_WORDS: Final = re.compile(r"^([0-9]{1,2})[.]? ?([a-z]+)[.]?(?: ?([0-9]{4}|'?[0-9]{2}))?$")
_POINTS: Final = re.compile(r"^[+-]?[0-9]{1,9}(?:[.,]0{1,2})?$")


class CellRefused(ValueError):
    """A cell that is not what stands in its column; the message is the sentence."""


def read_day(text: str, near: datetime.date | None = None) -> datetime.date:
    """The day that is written here. One without a year is the one closest to `near`, the day of the row above. Raises
    CellRefused."""
    said = _WEEKDAY.sub("", fold(text), count=1)
    if found := _ISO.match(said):
        return _day(text, *(int(part) for part in found.groups()))
    if said.isascii() and said.isdecimal() and int(said[:9]) in EXCEL_DAYS:
        return EXCEL_EPOCH + datetime.timedelta(days=int(said))
    if found := _NUMBERS.match(said):
        day, month, year = found[1], int(found[2]), found[3]
    elif (found := _WORDS.match(said)) and found[2] in MONTHS:
        day, month, year = found[1], MONTHS[found[2]], found[3]
    else:
        raise CellRefused(_("„%(text)s“ ist kein Datum") % {"text": text})
    if year is None:
        return _closest(text, month, int(day), near)
    return _day(text, _century(year.lstrip("'")), month, int(day))


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
    said = text.translate(MINUS).replace(" ", "")
    if not _POINTS.match(said):
        raise CellRefused(_("„%(text)s“ ist keine ganze Zahl") % {"text": text})
    points = int(re.split("[.,]", said)[0])
    if abs(points) > MOST_POINTS:
        raise CellRefused(_("„%(text)s“ ist zu groß") % {"text": text})
    return points


def is_day(text: str) -> bool:
    """Could a day be written here, a year given or not?"""
    try:
        read_day(text, near=datetime.date(2000, 1, 1))
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
