"""From the rows of a sheet to evenings: what each of them says under the mapping that somebody confirmed, which rows are
odd, which are left out, and which cannot be read. As long as one cannot be read nothing is taken in."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from scoring.imports.actions.lists import Sitting
from scoring.imports.models import Import
from scoring.play.models import SEATS
from scoring.rules.settings import RuleSettings

from .days.asked import what_is_missing
from .guessing.doubts import doubts
from .lines import line_of
from .listed.entries import by_day, rows_of
from .listed.found import ListRow, Odd, Points, Reading, without_zeros
from .listed.totals import brought_by, changed, differences, has_gaps, start_of
from .listed.ways import NO_ZEROS, THROUGH, ReadingWay
from .outline import Outline, Said


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
    reading.left_out += [outline.remark(entry.row, Said(gettext_noop("bringt niemandem Punkte"))) for entry in nothing]
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
            reading.left_out.append(outline.remark(rows[-1].row, Said(gettext_noop("ist die Summe der Zeilen darüber"))))
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
