"""Evenings below each other, each a table of its own below its day, as one long table. Rows keep their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from scoring.core.text import text_key

from ..cells import is_amount, is_day, is_number, is_word
from ..days.series import is_when
from ..guessing.words import NAMES, OTHERS, POINTS, TOTALS
from ..rows import Rows

FEWEST: Final = 2


def in_one_table(rows: Rows, name: str) -> Rows:
    """A day, a name and points in each row, where days stand alone above names with points, or the `name` of the sheet is one;
    else the rows as they are."""
    days = [at for at, row in enumerate(rows) if len(_said(row)) == 1 and is_when(_said(row)[0])]
    day, first = (name, 0) if _is_evening(name, rows) else ("", days[0] if len(days) >= FEWEST else len(rows))
    if any(is_amount(cell) for row in rows[:first] for cell in row):
        return rows
    found: Rows = [[] for _row in rows]
    head, points = None, None
    for at in range(first, len(rows)):
        said = _said(rows[at])
        is_head = bool(said) and all(map(_is_heading, said))
        if at in days:
            day, points = said[0], None
        elif is_head:
            points = next((index for index, cell in enumerate(rows[at]) if text_key(cell) in POINTS), None)
        elif said:
            row = _of_somebody(rows[at], points)
            if row is None and any(map(is_amount, said)):
                return rows
            found[at] = [day, *row] if row else []
        if head is None and (at in days or is_head):
            head = at
    if head is None or not any(found):
        return rows
    found[head] = ["Datum" if is_day(day) else "Abend", "Name", "Punkte"]
    return found


def _is_evening(name: str, rows: Rows) -> bool:
    """Is this sheet called by its evening, and says what everybody has in it?"""
    heads = (set(map(text_key, row)) for row in rows)
    return is_when(name) and not TOTALS.match(text_key(name)) and any(NAMES & keys and POINTS & keys for keys in heads)


def _said(row: Sequence[str]) -> list[str]:
    return [cell for cell in row if cell]


def _is_heading(cell: str) -> bool:
    key = text_key(cell)
    return key in NAMES or key in POINTS or bool(OTHERS.match(key))


def _of_somebody(row: Sequence[str], points: int | None) -> list[str] | None:
    """A name and points: those in their column, else the one number behind the name."""
    name = next((index for index, cell in enumerate(row) if is_word(cell)), len(row))
    behind = [cell for cell in row[name + 1 :] if cell]
    if points is not None and name < points < len(row):
        behind = [row[points]]
    if len(behind) != 1 or not is_number(behind[0]) or TOTALS.match(text_key(row[name])):
        return [] if name < len(row) and TOTALS.match(text_key(row[name])) else None
    return [row[name], behind[0]]
