"""What is found in a list: its rows with points, and what the whole sheet comes to."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field
from typing import Any, Final

from scoring.imports.actions.lists import Sitting

from ..outline import Remark, Said

# So many nothings, and one in so many cells, are more than chance.
FEWEST_ZEROS: Final = 3
ZEROS_OF: Final = 10
Points = dict[int, int]


@dataclass(frozen=True)
class ListRow:
    """One row that holds points: None for who was not there."""

    row: int
    day: datetime.date
    cells: dict[int, int | None]

    @property
    def points(self) -> Points:
        return {column: points for column, points in self.cells.items() if points is not None}


def without_zeros(entry: ListRow) -> ListRow:
    """With nobody there who has nothing."""
    return ListRow(entry.row, entry.day, {column: points or None for column, points in entry.cells.items()})


@dataclass(frozen=True)
class Odd:
    """A row that is taken in though its points do not sum to zero."""

    row: int
    day: datetime.date
    sum: int
    place: Said | str = ""

    @property
    def where(self) -> str:
        return str(self.place or self.row)


@dataclass
class Reading:
    """What the sheet comes to. `by_hand` are the rows that no game of the rules explains: they stand as corrections.
    `together` is how many evenings come with sums only. `asks` is what is not in the file and waits for somebody to say it: the
    "day", the "first" of a series, or the "year"."""

    sittings: list[Sitting] = field(default_factory=list)
    odd: list[Odd] = field(default_factory=list)
    left_out: list[Remark] = field(default_factory=list)
    faults: list[Remark] = field(default_factory=list)
    by_hand: list[int | Said | str] = field(default_factory=list)
    asks: str = ""
    # The rows that say how everybody stands, and what may have been before the first evening.
    standing: list[ListRow] = field(default_factory=list)
    # What is taken in as it stands, and better looked at first.
    doubts: list[Remark] = field(default_factory=list)
    # Was somebody there who keeps a total?
    keeps_there: bool = False

    @property
    def evenings(self) -> int:
        return len(self.sittings)

    @property
    def games(self) -> int:
        return sum(line.is_game for sitting in self.sittings for line in sitting.lines)

    @property
    def is_mostly_odd(self) -> bool:
        """Do so many rows not sum to zero that it is no slip of the pen?"""
        return len(self.odd) > max(3, sum(len(sitting.lines) or 1 for sitting in self.sittings) // 2)

    @property
    def together(self) -> int:
        return sum(not sitting.lines for sitting in self.sittings)

    @property
    def zeros(self) -> int:
        """How often somebody has nothing, where nobody is ever away: it may be that they were not there."""
        rows = [sitting.points for sitting in self.sittings if not sitting.lines]
        found = sum(not points for row in rows for points in row.values())
        everybody = {column for row in rows for column in row}
        often = found >= FEWEST_ZEROS and ZEROS_OF * found >= sum(map(len, rows))
        return found if often and all(len(row) == len(everybody) for row in rows) else 0

    def totals(self, column: int) -> tuple[int, int]:
        """The points of a column and how many evenings it was there."""
        there = [sitting.points[column] for sitting in self.sittings if column in sitting.points]
        return sum(there), len(there)

    def report(self) -> dict[str, Any]:
        """What is kept of it: rows, days and numbers, no names."""
        return {
            "evenings": self.evenings,
            "together": self.together,
            "games": self.games,
            "odd": [[odd.place or odd.row, odd.day.isoformat(), odd.sum] for odd in self.odd],
            "by_hand": self.by_hand,
            "left_out": [[remark.place or remark.row, remark.said] for remark in self.left_out],
        }
