"""The rows of a list that hold points, each with its day; what is wrong with the others goes into the reading."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import groupby
from typing import Final

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from ..cells import CellRefused, amount_in, is_word
from ..days.asked import NO_DAY, days_of
from ..guessing.running import is_sum_of
from ..guessing.words import START
from ..outline import Outline, Said
from ..rows import UNCALCULATED
from ..shapes import brings
from .found import ListRow, Reading
from .ways import ReadingWay

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
        if aside := outline.aside(row, people):
            would = brings((names[column], row[column]) for column in people if column < len(row))
            if would:
                aside = Said("%(aside)s (%(points)s)", {"aside": aside, "points": would})
            reading.left_out.append(outline.remark(number, aside))
            if way.running and outline.is_total(row, people, START):
                reading.standing += _standing(number, row, people, way)
            above = []
            continue
        if number in way.leave:
            continue
        if (words := _only_words(row, people)) is not None:
            said = Said(gettext_noop("ist ohne Punkte"))
            if words:
                said = Said(gettext_noop("ist ohne Punkte („%(text)s“)"), {"text": words})
            reading.left_out.append(outline.remark(number, said))
            continue
        try:
            cells = {column: amount_in(row, column, way.amounts, called.get(column, "")) for column in people}
            could_be = not carry and (not outline.says_when(row) or _is_of_many(cells))
            if could_be and (is_sum_of(cells, above) or is_sum_of(cells, so_far)):
                would = brings((names[column], row[column]) for column in people if column < len(row))
                said = Said(gettext_noop("ist die Summe der Zeilen darüber (%(points)s)"), {"points": would})
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


def by_day(entries: Iterator[ListRow]) -> Iterator[list[ListRow]]:
    """Rows of one day that follow each other are one evening."""
    return (list(rows) for _day, rows in groupby(entries, key=lambda entry: entry.day))
