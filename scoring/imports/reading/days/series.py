"""Which day each row of a sheet is of: as it stands there, with a year or without, or by the number of the evening in a series."""

from __future__ import annotations

import datetime
import re
from calendar import monthrange
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from django.utils.translation import gettext as _

from scoring.core.text import text_key

from ..cells import CellRefused, has_year, is_day, is_number, is_week, read_day
from ..guessing.words import CALLED


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
