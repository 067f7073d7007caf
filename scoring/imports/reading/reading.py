"""From the rows of a sheet to evenings: what each of them says under the mapping that somebody confirmed, which rows are
odd, which are left out, and which cannot be read. As long as one cannot be read nothing is taken in."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.utils.translation import gettext as _

from scoring.imports.actions.lists import Sitting
from scoring.imports.models import Import
from scoring.play.models import SEATS
from scoring.rules.settings import RuleSettings

from .days.asked import what_is_missing
from .guessing.doubts import doubts
from .lines import line_of
from .listed.entries import ListRow, Points, by_day, rows_of, without_zeros
from .listed.totals import brought_by, changed, differences, has_gaps, start_of
from .listed.ways import NO_ZEROS, THROUGH, ReadingWay
from .outline import Outline, Remark

# So many nothings, and one in so many cells, are more than chance.
FEWEST_ZEROS: Final = 3
ZEROS_OF: Final = 10


@dataclass(frozen=True)
class Odd:
    """A row that is taken in though its points do not sum to zero."""

    row: int
    day: datetime.date
    sum: int
    place: str = ""

    @property
    def where(self) -> str:
        return self.place or str(self.row)


@dataclass
class Reading:
    """What the sheet comes to. `by_hand` are the rows that no game of the rules explains: they stand as corrections.
    `together` is how many evenings come with sums only. `asks` is what is not in the file and waits for somebody to say it: the
    "day", the "first" of a series, or the "year"."""

    sittings: list[Sitting] = field(default_factory=list)
    odd: list[Odd] = field(default_factory=list)
    left_out: list[Remark] = field(default_factory=list)
    faults: list[Remark] = field(default_factory=list)
    by_hand: list[int | str] = field(default_factory=list)
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
            "left_out": [[remark.place or remark.row, remark.sentence] for remark in self.left_out],
        }


def read_evenings(outline: Outline, people: Sequence[int], way: ReadingWay) -> Reading:
    """Every row is an evening; `people` are the columns of those taken in."""
    reading = Reading(left_out=list(outline.left_out), asks=what_is_missing(outline, Import.Kind.EVENINGS, way))
    entries: Sequence[ListRow] = list(rows_of(outline, people, reading, way))
    if way.running:
        reading.keeps_there = has_gaps(entries)
        brought = brought_by(outline, reading, entries, way)
        entries = changed(outline, reading, brought, there=reading.keeps_there)
    if way.cells == NO_ZEROS:
        entries = list(map(without_zeros, entries))
    entries = _with_points(outline, reading, _together(outline, reading, entries, way))
    reading.doubts = doubts(outline, entries)
    for entry in entries:
        last = reading.sittings[-1] if reading.sittings else None
        if last and last.held_on == entry.day and not last.points.keys() & entry.points.keys():
            # Another table of this evening.
            reading.sittings[-1] = Sitting(entry.day, {**last.points, **entry.points})
        else:
            reading.sittings.append(Sitting(entry.day, entry.points))
        _judge_sum(outline, reading, entry)
    return reading


def _with_points(outline: Outline, reading: Reading, entries: Sequence[ListRow]) -> list[ListRow]:
    """Without evenings of nothing but zeros, as planned ones have them."""
    nothing = [entry for entry in entries if not any(entry.points.values())]
    reading.left_out += [outline.remark(entry.row, _("bringt niemandem Punkte")) for entry in nothing]
    return [entry for entry in entries if entry not in nothing]


def read_games(outline: Outline, people: Sequence[int], way: ReadingWay, rules: RuleSettings) -> Reading:
    """Every row is a game, of the evening of its day or of the last one above it, else of that of the way. `rules` are without
    Bock: what the file says is what a game brought."""
    reading = Reading(left_out=list(outline.left_out), asks=what_is_missing(outline, Import.Kind.GAMES, way))
    before: Points = {}
    for evening in by_day(rows_of(outline, people, reading, way, carry=True)):
        rows = evening
        if way.cells == THROUGH and not before:
            before = start_of(outline, reading, evening)
        if way.running:
            rows = changed(outline, reading, differences(evening, before if way.cells == THROUGH else {}))
            before |= {column: points for entry in evening for column, points in entry.points.items()}
        elif _ends_with_sum(rows):
            reading.left_out.append(outline.remark(rows[-1].row, _("ist die Summe der Zeilen darüber")))
            rows = rows[:-1]
        rows = _together(outline, reading, rows, way)
        if rows:
            reading.sittings.append(_sitting(outline, reading, rows, rules))
        for entry in rows:
            _judge_sum(outline, reading, entry)
    return reading


def _together(outline: Outline, reading: Reading, rows: Sequence[ListRow], way: ReadingWay) -> list[ListRow]:
    """The rows with one cell for each person, however many columns are theirs."""
    found = []
    for entry in rows:
        cells: dict[int, int | None] = {}
        for column, points in entry.cells.items():
            first = way.joined.get(column, column)
            if points is not None and cells.get(first) is not None:
                sentence = _(
                    "In zwei Spalten einer Person stehen Punkte: bitte in der Datei zusammenzählen, oder eine der Spalten "
                    "auslassen."
                )
                reading.faults.append(outline.remark(entry.row, sentence))
                break
            cells[first] = points if points is not None else cells.get(first)
        else:
            found.append(ListRow(entry.row, entry.day, cells))
    return found


def _judge_sum(outline: Outline, reading: Reading, entry: ListRow) -> None:
    if total := sum(entry.points.values()):
        reading.odd.append(Odd(entry.row, entry.day, total, outline.place(entry.row)))


# --- Games ------------------------------------------------------------------------------------------------------------


def _ends_with_sum(rows: Sequence[ListRow]) -> bool:
    """Is the last of these rows the sum of those above, though nothing says so?"""
    *games, last = rows
    sums = {column: sum(entry.points.get(column, 0) for entry in games) for column in last.cells}
    return len(games) > 1 and any(sums.values()) and all(last.points.get(column, 0) == sums[column] for column in sums)


def _sitting(outline: Outline, reading: Reading, rows: Sequence[ListRow], rules: RuleSettings) -> Sitting:
    """An evening line by line, for those who have points in any of them, in the order of the columns; with the sums alone
    where that is no table."""
    seats = [column for column in rows[0].cells if any(entry.cells[column] is not None for entry in rows)]
    totals = {column: sum(entry.points.get(column, 0) for entry in rows) for column in seats}
    if len(seats) not in SEATS:
        return Sitting(rows[0].day, totals)
    at_table = rules.at(len(seats))
    lines = [line_of([entry.cells[column] for column in seats], at_table) for entry in rows]
    reading.by_hand += [
        outline.place(entry.row) or entry.row for entry, line in zip(rows, lines, strict=True) if not line.is_game
    ]
    return Sitting(rows[0].day, totals, lines)
