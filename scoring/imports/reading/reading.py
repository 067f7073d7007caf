"""From the rows of a sheet to evenings: what each of them says under the mapping that somebody confirmed, which rows are
odd, which are left out, and which cannot be read. As long as one cannot be read nothing is taken in."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Final

from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.imports.actions.lists import Sitting
from scoring.imports.models import Import
from scoring.play.models import SEATS
from scoring.rules.settings import RuleSettings

from .cells import (
    Amounts,
    CellRefused,
    amount_in,
    is_word,
    read_points,
)
from .days.asked import NO_DAY, days_of, what_is_missing
from .guessing.doubts import doubts
from .guessing.running import changes_of, is_sum_of
from .guessing.words import START
from .lines import line_of
from .outline import Outline, Remark
from .rows import UNCALCULATED
from .shapes import brings

Points = dict[int, int]
# What stands in a cell: what an evening or game brought; the total after it, of all evenings or of those of a sheet or a year; of
# games the total of an evening, or of all of them.
POINTS, TOTALS, THROUGH = "points", "totals", "through"
BY_SHEET, BY_YEAR = "by_sheet", "by_year"


@dataclass(frozen=True)
class ReadingWay:
    """How a sheet is to be read, by what its `cells` are. `day` is that of a sheet without days, `first` and `rhythm` are those of
    evenings that have a number instead, `year` is that of days without one. `joined` says of columns whose first one they belong
    to, `leave` are the rows that somebody left out."""

    amounts: Amounts = read_points
    cells: str = POINTS
    day: datetime.date | None = None
    first: datetime.date | None = None
    rhythm: str = "week"
    year: int | None = None
    joined: Mapping[int, int] = field(default_factory=dict)
    leave: frozenset[int] = frozenset()

    @property
    def running(self) -> bool:
        """Are these totals, of whatever?"""
        return self.cells != POINTS


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


@dataclass(frozen=True)
class ListRow:
    """One row that holds points: None for who was not there."""

    row: int
    day: datetime.date
    cells: dict[int, int | None]

    @property
    def points(self) -> Points:
        return {column: points for column, points in self.cells.items() if points is not None}


def read_evenings(outline: Outline, people: Sequence[int], way: ReadingWay) -> Reading:
    """Every row is an evening; `people` are the columns of those taken in."""
    reading = Reading(left_out=list(outline.left_out), asks=what_is_missing(outline, Import.Kind.EVENINGS, way))
    entries: Sequence[ListRow] = list(rows_of(outline, people, reading, way))
    if way.running:
        entries = _changed(outline, reading, _brought(outline, reading, entries, way), there=False)
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
            before = _start(outline, reading, evening)
        if way.running:
            rows = _changed(outline, reading, differences(evening, before if way.cells == THROUGH else {}))
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


# From so many people on a row that is the sum of those above is none of an evening, whatever day it says.
FEWEST_IN_A_SUM: Final = 3


def rows_of(
    outline: Outline, people: Sequence[int], reading: Reading, way: ReadingWay, carry: bool = False
) -> Iterator[ListRow]:
    """The rows with points, in the order of the file; what is wrong with the others goes into the reading. `carry`: a row
    that says no day is of the day above."""
    day_of, today = days_of(outline, way, carry), timezone.localdate()
    names = {column.index: column.title for column in outline.columns}
    called = names if outline.places else {}
    above: list[dict[int, int | None]] = []
    so_far: list[dict[int, int | None]] = []
    last: ListRow | None = None
    for number, row in outline.data():
        if sentence := outline.aside(row, people):
            would = brings((names[column], row[column]) for column in people if column < len(row))
            reading.left_out.append(outline.remark(number, f"{sentence} ({would})" if would else sentence))
            if way.running and outline.is_total(row, people, START):
                reading.standing += _standing(number, row, people, way)
            above = []
            continue
        if number in way.leave:
            continue
        if (words := _only_words(row, people)) is not None:
            said = _("ist ohne Punkte („%(text)s“)") % {"text": words} if words else _("ist ohne Punkte")
            reading.left_out.append(outline.remark(number, said))
            continue
        try:
            cells = {column: amount_in(row, column, way.amounts, called.get(column, "")) for column in people}
            could_be = not carry and (not outline.says_when(row) or _is_of_many(cells))
            if could_be and (is_sum_of(cells, above) or is_sum_of(cells, so_far)):
                would = brings((names[column], row[column]) for column in people if column < len(row))
                said = _("ist die Summe der Zeilen darüber (%(points)s)") % {"points": would}
                reading.left_out.append(outline.remark(number, said))
                above = []
                continue
            again = last is not None and not carry and not outline.called(row) and _is_another_table(last, cells)
            day = last.day if last is not None and again else day_of(row)
            if day > today:
                raise CellRefused(_("Der Tag liegt in der Zukunft"))
        except CellRefused as refused:
            reading.faults.append(outline.remark(number, f"{refused}."))
            continue
        above.append(cells)
        so_far.append(cells)
        yield (last := ListRow(number, day, cells))


def _only_words(row: Sequence[str], people: Sequence[int]) -> str | None:
    """The one thing that is said in the place of all points; None where there is a number, or there are several words, which may
    be names."""
    cells = [row[column] for column in people if column < len(row)]
    words = list(dict.fromkeys(filter(is_word, cells)))
    is_number_in = any(cell == UNCALCULATED or "?" in cell or any(map(str.isdigit, cell)) for cell in cells)
    return None if is_number_in or len(words) > 1 else "".join(words)


def _is_of_many(cells: Mapping[int, int | None]) -> bool:
    """Have so many people points here that it is no accident when each has the sum of the evenings above?"""
    return sum(bool(points) for points in cells.values()) >= FEWEST_IN_A_SUM


def _standing(number: int, row: Sequence[str], people: Sequence[int], way: ReadingWay) -> Iterator[ListRow]:
    """How everybody stands by this row, if all of it can be read."""
    with suppress(CellRefused):
        yield ListRow(number, NO_DAY, {column: amount_in(row, column, way.amounts) for column in people})


def _is_another_table(last: ListRow, cells: Mapping[int, int | None]) -> bool:
    """Is nobody of the row above here? Then a row without a day is of the same evening."""
    return all(cells[column] is None for column in last.points)


def _together(outline: Outline, reading: Reading, rows: Sequence[ListRow], way: ReadingWay) -> list[ListRow]:
    """The rows with one cell for each person, however many columns are theirs."""
    found = []
    for entry in rows:
        cells: dict[int, int | None] = {}
        for column, points in entry.cells.items():
            first = way.joined.get(column, column)
            if points is not None and cells.get(first) is not None:
                sentence = _("In zwei Spalten einer Person stehen Punkte.")
                reading.faults.append(outline.remark(entry.row, sentence))
                break
            cells[first] = points if points is not None else cells.get(first)
        else:
            found.append(ListRow(entry.row, entry.day, cells))
    return found


def _judge_sum(outline: Outline, reading: Reading, entry: ListRow) -> None:
    if total := sum(entry.points.values()):
        reading.odd.append(Odd(entry.row, entry.day, total, outline.place(entry.row)))


# --- Totals -----------------------------------------------------------------------------------------------------------


def in_order(outline: Outline, rows: Sequence[ListRow]) -> list[ListRow]:
    """The oldest first, sheet by sheet: within each the order is that of its rows or the other way."""
    sheets = [list(found) for _part, found in groupby(rows, key=lambda entry: outline.part(entry.row))]
    turned = [found[::-1] if found[0].day > found[-1].day else found for found in sheets]
    return [entry for found in sorted(turned, key=lambda found: found[0].day) for entry in found]


def stretch_of(outline: Outline, cells: str, entry: ListRow) -> str:
    """To which stretch of the list this row belongs, in each of which totals begin from nothing."""
    return {BY_SHEET: outline.part(entry.row), BY_YEAR: str(entry.day.year)}.get(cells, "")


def _brought(outline: Outline, reading: Reading, entries: Sequence[ListRow], way: ReadingWay) -> list[ListRow]:
    """What each evening brought, from the totals after each."""
    rows = in_order(outline, entries)
    if way.cells == TOTALS and rows:
        return differences(rows, _start(outline, reading, rows))
    stretches = groupby(rows, key=lambda entry: stretch_of(outline, way.cells, entry))
    return [entry for _name, found in stretches for entry in differences(list(found))]


def _start(outline: Outline, reading: Reading, rows: Sequence[ListRow]) -> Points:
    """How everybody stood before the first of these evenings, by a row beside it that says so; one that says the same as the last
    is how everybody stands now."""
    first, last = rows[0], rows[-1]
    step = -1 if first.row <= last.row else 1
    near = [found for found in reading.standing if (found.row - first.row) * step > 0]
    found = min(near, key=lambda found: abs(found.row - first.row), default=None)
    if found is None or found.points == last.points:
        return {}
    would = brings((column.title, str(found.cells.get(column.index, ""))) for column in outline.columns)
    said = _("gilt als Stand davor und zählt zu keinem Abend (%(points)s)") % {"points": would}
    place = outline.remark(found.row, "").where
    reading.left_out[:] = [
        outline.remark(found.row, said) if remark.where == place else remark for remark in reading.left_out
    ]
    return found.points


def differences(rows: Sequence[ListRow], before: Points | None = None) -> list[ListRow]:
    """What each row brought, from the totals after each."""
    changes = changes_of([entry.cells for entry in rows], before)
    return [ListRow(entry.row, entry.day, brought) for entry, brought in zip(rows, changes, strict=True)]


def _changed(outline: Outline, reading: Reading, rows: Sequence[ListRow], there: bool = True) -> list[ListRow]:
    """The rows that change a total. Who keeps theirs was not `there`, or is with nothing."""
    found = []
    for entry in rows:
        if not any(entry.points.values()):
            reading.left_out.append(outline.remark(entry.row, _("ändert keinen Stand")))
        elif there:
            found.append(entry)
        else:
            found.append(
                ListRow(entry.row, entry.day, {column: brought or None for column, brought in entry.cells.items()})
            )
    return found


# --- Games ------------------------------------------------------------------------------------------------------------


def by_day(entries: Iterator[ListRow]) -> Iterator[list[ListRow]]:
    """Rows of one day that follow each other are one evening."""
    return (list(rows) for _day, rows in groupby(entries, key=lambda entry: entry.day))


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
