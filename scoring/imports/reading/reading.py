"""From the rows of a sheet to evenings: what each of them says under the mapping that somebody confirmed, which rows are
odd, which are left out, and which cannot be read. As long as one cannot be read nothing is taken in."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.imports.actions.lists import Sitting
from scoring.play.models import SEATS
from scoring.rules.settings import RuleSettings

from .cells import FIRST_YEAR, CellRefused, looks_like_euros, read_day, read_euros, read_points
from .files import column_name
from .lines import line_of, looks_dealt
from .outline import Outline

Points = dict[int, int]
# What the cells hold: whole points, or euros that become cents.
Amounts = Callable[[str], int | None]


@dataclass(frozen=True)
class Remark:
    """Something about one row of the file, counted from 1."""

    row: int
    sentence: str


@dataclass(frozen=True)
class Odd:
    """A row that is taken in though its points do not sum to zero."""

    row: int
    day: datetime.date
    sum: int


@dataclass
class Reading:
    """What the sheet comes to. `by_hand` are the rows that no game of the rules explains: they stand as corrections.
    `together` is how many evenings come with sums only. Where the day is missing all of it waits for somebody to say
    it."""

    sittings: list[Sitting] = field(default_factory=list)
    odd: list[Odd] = field(default_factory=list)
    left_out: list[Remark] = field(default_factory=list)
    faults: list[Remark] = field(default_factory=list)
    by_hand: list[int] = field(default_factory=list)
    day_missing: bool = False

    @property
    def evenings(self) -> int:
        return len(self.sittings)

    @property
    def games(self) -> int:
        return sum(line.is_game for sitting in self.sittings for line in sitting.lines)

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
            "odd": [[odd.row, odd.day.isoformat(), odd.sum] for odd in self.odd],
            "by_hand": self.by_hand,
            "left_out": [[remark.row, remark.sentence] for remark in self.left_out],
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


def read_evenings(outline: Outline, people: Sequence[int], amounts: Amounts) -> Reading:
    """Every row is an evening; `people` are the columns of those taken in."""
    reading = Reading()
    for entry in _rows(outline, people, reading, amounts):
        reading.sittings.append(Sitting(entry.day, entry.points))
        _judge_sum(reading, entry)
    return reading


def read_games(
    outline: Outline,
    people: Sequence[int],
    day: datetime.date | None,
    running: bool,
    rules: RuleSettings,
    amounts: Amounts,
) -> Reading:
    """Every row is a game, of the evening of its day or of the last one above it, else of `day`. `running`: the cells are
    the totals after each game. `rules` are without Bock: what the file says is what a game brought."""
    reading = Reading(day_missing=outline.day is None and day is None)
    for evening in _by_day(_rows(outline, people, reading, amounts, day or NO_DAY, carry=True)):
        rows = _differences(evening) if running else evening
        if running:
            nothing = [entry for entry in rows if not any(entry.points.values())]
            reading.left_out += [Remark(entry.row, _("ändert keinen Stand")) for entry in nothing]
            rows = [entry for entry in rows if any(entry.points.values())]
        elif _ends_with_sum(rows):
            reading.left_out.append(Remark(rows[-1].row, _("ist die Summe der Zeilen darüber")))
            rows = rows[:-1]
        if rows:
            reading.sittings.append(_sitting(reading, rows, rules))
        for entry in rows:
            _judge_sum(reading, entry)
    return reading


def looks_running(outline: Outline, people: Sequence[int]) -> bool:
    """Do more rows look like games when each is taken as the totals after it?"""
    amounts = read_euros if looks_priced(outline, people) else read_points
    evenings = list(_by_day(_rows(outline, people, Reading(), amounts, NO_DAY, carry=True)))
    plain = sum(looks_dealt(entry.points.values()) for evening in evenings for entry in evening)
    after = sum(looks_dealt(entry.points.values()) for evening in evenings for entry in _differences(evening))
    return after > plain


def looks_priced(outline: Outline, people: Sequence[int]) -> bool:
    """Is any of these numbers written as an amount of euros?"""
    return any(column < len(row) and looks_like_euros(row[column]) for _n, row in outline.data() for column in people)


# Stands for the day of a sheet without one, until somebody says it.
NO_DAY = datetime.date(FIRST_YEAR, 1, 1)


def _rows(
    outline: Outline,
    people: Sequence[int],
    reading: Reading,
    amounts: Amounts,
    first: datetime.date | None = None,
    carry: bool = False,
) -> Iterator[ListRow]:
    """The rows with points, in the order of the file; what is wrong with the others goes into the reading. `carry`: a row
    that says no day is of the day above."""
    last, today = first, timezone.localdate()
    for number, row in outline.data():
        if outline.is_total(row, people):
            reading.left_out.append(Remark(number, _("ist eine Summe")))
            continue
        try:
            cells = {column: amount_in(row, column, amounts) for column in people}
            if all(points is None for points in cells.values()):
                reading.left_out.append(Remark(number, _("ist ohne Punkte")))
                continue
            last = day_in(row, outline.day, last, carry)
            if last > today:
                raise CellRefused(_("Der Tag liegt in der Zukunft"))
        except CellRefused as refused:
            reading.faults.append(Remark(number, f"{refused}."))
            continue
        yield ListRow(number, last, cells)


def amount_in(row: Sequence[str], column: int, amounts: Amounts) -> int | None:
    """What a row says in a column. Raises CellRefused, naming the column."""
    try:
        return amounts(row[column]) if column < len(row) else None
    except CellRefused as refused:
        where = _("Spalte %(column)s") % {"column": column_name(column)}
        raise CellRefused(f"{where}: {refused}") from refused


def day_in(row: Sequence[str], column: int | None, last: datetime.date | None, carry: bool) -> datetime.date:
    """The day of a row, behind that of the row above. Raises CellRefused."""
    said = row[column] if column is not None and column < len(row) else ""
    if said:
        return read_day(said, near=None if last == NO_DAY else last)
    if last is None or not carry or (column is not None and last == NO_DAY):
        raise CellRefused(_("Das Datum fehlt"))
    return last


def _judge_sum(reading: Reading, entry: ListRow) -> None:
    if total := sum(entry.points.values()):
        reading.odd.append(Odd(entry.row, entry.day, total))


# --- Games ------------------------------------------------------------------------------------------------------------


def _by_day(entries: Iterator[ListRow]) -> Iterator[list[ListRow]]:
    """Rows of one day that follow each other are one evening."""
    return (list(rows) for _day, rows in groupby(entries, key=lambda entry: entry.day))


def _differences(evening: Sequence[ListRow]) -> list[ListRow]:
    """What each row brought, from the totals after each; who has no total in a row sat out."""
    last: Points = {}
    rows = []
    for entry in evening:
        points = entry.points
        brought = {column: points[column] - last.get(column, 0) for column in points}
        rows.append(ListRow(entry.row, entry.day, {**dict.fromkeys(entry.cells), **brought}))
        last |= points
    return rows


def _ends_with_sum(rows: Sequence[ListRow]) -> bool:
    """Is the last of these rows the sum of those above, though nothing says so?"""
    *games, last = rows
    sums = {column: sum(entry.points.get(column, 0) for entry in games) for column in last.cells}
    return len(games) > 1 and any(sums.values()) and all(last.points.get(column, 0) == sums[column] for column in sums)


def _sitting(reading: Reading, rows: Sequence[ListRow], rules: RuleSettings) -> Sitting:
    """An evening line by line, for those who have points in any of them, in the order of the columns; with the sums alone
    where that is no table."""
    seats = [column for column in rows[0].cells if any(entry.cells[column] is not None for entry in rows)]
    totals = {column: sum(entry.points.get(column, 0) for entry in rows) for column in seats}
    if len(seats) not in SEATS:
        return Sitting(rows[0].day, totals)
    at_table = rules.at(len(seats))
    lines = [line_of([entry.cells[column] for column in seats], at_table) for entry in rows]
    reading.by_hand += [entry.row for entry, line in zip(rows, lines, strict=True) if not line.is_game]
    return Sitting(rows[0].day, totals, lines)
