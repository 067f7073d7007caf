"""Rows that stand below their day: it is alone in a row above them, and no column says it. They get a column with it behind all
others, so that each cell keeps its place."""

from __future__ import annotations

from collections.abc import Sequence

from ..cells import is_amount, is_day
from ..days.series import is_when
from ..rows import Rows


def with_days_above(rows: Rows) -> Rows:
    """The rows with the day above them in the first one of each evening; as they are where they say it themselves."""
    alone = {at: cell for at, row in enumerate(rows) if (cell := _alone(row)) and is_when(cell)}
    played = [at for at, row in enumerate(rows) if sum(map(is_amount, row)) > 1]
    first = min(played, default=0)
    head = next((at for at in range(first - 1, -1, -1) if sum(map(bool, rows[at])) > 1), None)
    said = any(is_when(cell) for at, row in enumerate(rows) if at not in alone for cell in row)
    if head is None or said or not alone or min(alone) > first:
        return rows
    at_end = max(map(len, rows))
    heading = "Datum" if any(map(is_day, alone.values())) else "Abend"
    found, day = [], ""
    for at, row in enumerate(rows):
        day = alone.get(at, day)
        cells = [*row, *[""] * (at_end - len(row))]
        if at == head:
            found.append([*cells, heading])
        elif at in alone:
            found.append([])
        elif at in played:
            found.append([*cells, day])
            day = ""
        else:
            found.append(row)
    return found


def _alone(row: Sequence[str]) -> str:
    cells = [cell for cell in row if cell]
    return cells[0] if len(cells) == 1 else ""
