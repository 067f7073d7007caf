"""From the totals after each evening or game to what each of them brought."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, pairwise

from django.utils.translation import gettext_noop

from ..guessing.running import changes_of
from ..outline import Outline, Said
from ..shapes import brings
from .found import ListRow, Points, Reading, without_zeros
from .ways import BY_SHEET, BY_YEAR, TOTALS, ReadingWay


def in_order(outline: Outline, rows: Sequence[ListRow]) -> list[ListRow]:
    """The oldest first, sheet by sheet: within each the order is that of its rows or the other way."""
    sheets = [list(found) for _part, found in groupby(rows, key=lambda entry: outline.part(entry.row))]
    turned = [found[::-1] if found[0].day > found[-1].day else found for found in sheets]
    return [entry for found in sorted(turned, key=lambda found: found[0].day) for entry in found]


def stretch_of(outline: Outline, cells: str, entry: ListRow) -> str:
    """To which stretch of the list this row belongs, in each of which totals begin from nothing."""
    return {BY_SHEET: outline.part(entry.row), BY_YEAR: str(entry.day.year)}.get(cells, "")


def brought_by(outline: Outline, reading: Reading, entries: Sequence[ListRow], way: ReadingWay) -> list[ListRow]:
    """What each evening brought, from the totals after each."""
    rows = in_order(outline, entries)
    if way.cells == TOTALS and rows:
        return differences(rows, start_of(outline, reading, rows))
    stretches = groupby(rows, key=lambda entry: stretch_of(outline, way.cells, entry))
    return [entry for _name, found in stretches for entry in differences(list(found))]


def start_of(outline: Outline, reading: Reading, rows: Sequence[ListRow]) -> Points:
    """How everybody stood before the first of these evenings, by a row beside it that says so; one that says the same as the last
    is how everybody stands now."""
    first, last = rows[0], rows[-1]
    step = -1 if first.row <= last.row else 1
    near = [found for found in reading.standing if (found.row - first.row) * step > 0]
    found = min(near, key=lambda found: abs(found.row - first.row), default=None)
    if found is None or found.points == last.points:
        return {}
    would = brings((column.title, str(found.cells.get(column.index, ""))) for column in outline.columns)
    said = Said(gettext_noop("gilt als Punktestand davor und zählt zu keinem Abend (%(points)s)"), {"points": would})
    place = outline.remark(found.row, "").where
    reading.left_out[:] = [
        outline.remark(found.row, said) if remark.where == place else remark for remark in reading.left_out
    ]
    return found.points


def has_gaps(rows: Sequence[ListRow]) -> bool:
    """Do more people go without a total between two of theirs than keep one? Then it says who was away."""
    gaps, kept = 0, 0
    for column in rows[0].cells if rows else ():
        said = [entry.cells[column] for entry in rows]
        there = [at for at, points in enumerate(said) if points is not None]
        gaps += sum(later - at - 1 for at, later in pairwise(there))
        kept += sum(said[at] == said[later] for at, later in pairwise(there))
    return gaps > kept


def differences(rows: Sequence[ListRow], before: Points | None = None) -> list[ListRow]:
    """What each row brought, from the totals after each."""
    changes = changes_of([entry.cells for entry in rows], before)
    return [ListRow(entry.row, entry.day, brought) for entry, brought in zip(rows, changes, strict=True)]


def changed(outline: Outline, reading: Reading, rows: Sequence[ListRow], there: bool = True) -> list[ListRow]:
    """The rows that change a total. Who keeps theirs was not `there`, or is with nothing."""
    found = []
    for entry in rows:
        if not any(entry.points.values()):
            reading.left_out.append(outline.remark(entry.row, Said(gettext_noop("ändert keinen Punktestand"))))
        elif there:
            found.append(entry)
        else:
            found.append(without_zeros(entry))
    return found
