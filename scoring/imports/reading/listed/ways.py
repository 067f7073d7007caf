"""How a list is to be read: what its cells are, and what was said of its days."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field

from ..cells import Amounts, read_points

# What stands in a cell: what an evening or game brought, or the same where 0 is who was not there; the total after it, of all
# evenings or of those of a sheet or a year; of games the total of an evening, or of all of them.
POINTS, NO_ZEROS, TOTALS, THROUGH = "points", "no_zeros", "totals", "through"
BY_SHEET, BY_YEAR = "by_sheet", "by_year"


@dataclass(frozen=True)
class ReadingWay:
    """How a sheet is to be read, by what its `cells` are. `day` is that of a sheet without days, `first` and `rhythm` are those of
    evenings that have a number instead, `year` is that of days without one, `weekday` the one of weeks of the calendar. `joined`
    says of columns whose first one they belong to, `leave` are the rows that somebody left out."""

    amounts: Amounts = read_points
    cells: str = POINTS
    day: datetime.date | None = None
    first: datetime.date | None = None
    rhythm: str = "week"
    year: int | None = None
    weekday: int = 0
    joined: Mapping[int, int] = field(default_factory=dict)
    leave: frozenset[int] = frozenset()

    @property
    def running(self) -> bool:
        """Are these totals, of whatever?"""
        return self.cells not in (POINTS, NO_ZEROS)
