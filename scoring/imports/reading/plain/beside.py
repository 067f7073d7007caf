"""Several tables on one sheet: how everybody stands, beside a list of evenings or below it, and lists side by side."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from scoring.core.names import name_key
from scoring.core.text import text_key

from ..cells import is_amount, is_day, is_word
from ..days.dating import year_in
from ..days.series import is_when
from ..files import FileRefused, column_name
from ..guessing.words import DAYS, NAMES, OTHERS, POINTS, STANDING, TOTALS
from ..outline import Remark, Said, row_called
from ..rows import Rows, cell_of
from ..shapes import AS_IS, HEADINGS, OF_NO_EVENING, Grid, brings

# Other words may stand once in front of a day and once behind it.
_OF_DAYS: Final = ({"datum", "date"}, *({word} for word in sorted(DAYS)))
_YEAR: Final = re.compile(r"(?:19|20)[0-9]{2}$")
# A list has so many days, and rows with so many numbers.
FEWEST: Final = 2


def without_standings(rows: Rows) -> tuple[Rows, list[Remark]]:
    """The sheet without its tables of how everybody stands, each with what it says; all of it where nothing else is there."""
    rest, left_out = [list(row) for row in rows], []
    for at, row in enumerate(rows):
        for start, end in _runs(row):
            keys = [text_key(cell) for cell in row[start:end]]
            name = next((start + nth for nth, key in enumerate(keys) if key in NAMES), None)
            if name is None or not _is_of_standings(keys):
                continue
            last = at + 1
            while last < len(rows) and is_word(cell_of(rows[last], name)):
                last += 1
            points = next(start + nth for nth, key in enumerate(keys) if _is_of_points(key))
            would = brings((cell_of(found, name), cell_of(found, points)) for found in rows[at + 1 : last])
            if not would:
                continue
            for found in rest[at:last]:
                found[start:end] = [""] * len(found[start:end])
            at_column = {"row": row_called(at + 1), "column": column_name(start)}
            where = Said(gettext_noop("Tabelle ab %(row)s, Spalte %(column)s"), at_column)
            left_out.append(Remark(0, Said(OF_NO_EVENING, {"points": would}), where))
    return (rest, left_out) if left_out and _is_list(rest) else (rows, [])


def _runs(row: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The cells of a row that stand next to each other, by where they begin and end."""
    starts = [index for index, cell in enumerate(row) if cell and not (index and row[index - 1])]
    ends = [index for index in range(1, len(row) + 1) if row[index - 1] and not cell_of(row, index)]
    return zip(starts, ends, strict=True)


def _is_of_standings(keys: Sequence[str]) -> bool:
    """Are these headings of how everybody stands, and of no day?"""
    known = all(key in NAMES or OTHERS.match(key) or _is_of_points(key) for key in keys)
    return known and any(map(_is_of_points, keys)) and not DAYS & set(keys)


def _is_of_points(key: str) -> bool:
    return key in POINTS or any(pattern.match(key) for pattern in (TOTALS, STANDING, _YEAR))


def _is_list(rows: Rows) -> bool:
    """Are there days, and rows with points?"""
    days = sum(is_when(cell) for row in rows for cell in row)
    points = sum(sum(is_amount(cell) for cell in row) > 1 for row in rows)
    return min(days, points) >= FEWEST


def side_by_side(rows: Rows) -> Grid | None:
    """Lists that stand side by side, each with its days and names, one below the other; None where there is one alone."""
    for head, row in enumerate(rows[:HEADINGS]):
        for headings in _OF_DAYS:
            starts = [index for index, cell in enumerate(row) if text_key(cell) in headings]
            spans = list(pairwise([*starts, len(row)]))
            enough = len(spans) > 1 and all(sum(map(bool, row[start:end])) > 2 for start, end in spans)
            if enough and (headings == _OF_DAYS[0] or all(says_days(rows, head, start) for start in starts)):
                return _stacked(rows, head, spans)
    return None


def says_days(rows: Rows, head: int, index: int) -> bool:
    """Do days stand below this heading that say their month?"""
    said = [cell for row in rows[head + 1 :] if (cell := cell_of(row, index))]
    return 2 * sum(map(is_day, said)) > len(said)


def _stacked(rows: Rows, head: int, spans: Sequence[tuple[int, int]]) -> Grid:
    """Each person in one column. The year above a list stands above its days."""
    row = rows[head]
    names = {name_key(cell): cell for start, end in spans for cell in row[start:end] if cell}
    for start, end in spans:
        _refuse_one_twice(rows, head, range(start, end))
    grid = Grid(AS_IS, [*map(list, rows[: max(head - 1, 0)]), [], list(names.values())], [""] * (max(head - 1, 0) + 2))
    where = gettext_noop("%(row)s ab Spalte %(column)s")
    for start, end in spans:
        at = {name_key(row[index]): index for index in range(end - 1, start - 1, -1) if row[index]}
        above = next((cell for found in rows[:head] for cell in found[start:end] if year_in(cell)), "")
        if above:
            grid.rows.append([above])
            grid.places.append("")
        for number, found in enumerate(rows[head + 1 :], head + 2):
            if any(found[start:end]):
                grid.rows.append([cell_of(found, at[name]) if name in at else "" for name in names])
                grid.places.append(Said(where, {"row": row_called(number), "column": column_name(start)}))
    return grid


def _refuse_one_twice(rows: Rows, head: int, columns: range) -> None:
    """Raises FileRefused where two of these columns have one name, and both of them numbers in some row."""
    for one, other in combinations(columns, 2):
        name = cell_of(rows[head], other)
        both = ((cell_of(row, one), cell_of(row, other)) for row in rows[head + 1 :])
        if (
            is_word(name)
            and text_key(name) == text_key(cell_of(rows[head], one))
            and any(all(is_amount(cell) for cell in cells) for cells in both)
        ):
            said = _(
                "„%(name)s“ steht zweimal in einer Kopfzeile. Bitte in der Datei eine der Spalten umbenennen oder beide "
                "zusammenzählen."
            )
            raise FileRefused(said % {"name": name})
