"""What stands in two cells and is one thing, put together: first names and last names, what somebody won and lost. Rows keep their
numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from django.utils.translation import gettext as _

from scoring.core.text import text_key

from ..cells import CellRefused, read_points
from ..guessing.words import NAMES, POINTS
from ..rows import Rows, cell_of
from ..shapes import HEADINGS

FIRST_NAMES: Final = frozenset({"vorname", "vornamen"})
LAST_NAMES: Final = frozenset({"nachname", "nachnamen", "name", "familienname", "zuname"})
WON: Final = frozenset({"+", "plus"})
LOST: Final = frozenset({"-", "–", "−", "minus"})


def names_in_one(rows: Rows) -> Rows:
    """First and last names in one cell, where they have headings of their own beside each other or in front of two rows."""
    for at, row in enumerate(rows[:HEADINGS]):
        keys = [text_key(cell) for cell in row]
        first = next((index for index, key in enumerate(keys) if key in FIRST_NAMES), None)
        if first is None:
            continue
        last = next((index for index, key in enumerate(keys) if key in LAST_NAMES), None)
        if last is not None:
            return [*rows[:at], *(_names_moved(found, first, last) for found in rows[at:])]
        for other in (at - 1, at + 1):
            if 0 <= other < len(rows) and text_key(cell_of(rows[other], first)) in LAST_NAMES:
                width = max(len(row), len(rows[other]))
                names = [f"{cell_of(row, index)} {cell_of(rows[other], index)}".strip() for index in range(width)]
                names[first] = "Datum"
                put = {max(at, other): names, min(at, other): []}
                return [put.get(number, found) for number, found in enumerate(rows)]
    return rows


def _names_moved(row: Sequence[str], first: int, last: int) -> list[str]:
    cells = [*row, *[""] * (max(first, last) + 1 - len(row))]
    whole = f"{cells[first]} {cells[last]}".strip()
    cells[first] = "Name" if text_key(cells[first]) in FIRST_NAMES else whole
    cells[last] = ""
    return cells


def signs_in_one(rows: Rows) -> tuple[Rows, str]:
    """The points of people who have one column for what they won and one for what they lost, with a sentence that says so."""
    for at, row in enumerate(rows[:HEADINGS]):
        pairs = {
            index: name for index in range(len(row) - 1) if (name := _with_both(rows[at - 1] if at else [], row, index))
        }
        keys = set(map(text_key, row))
        if not pairs and NAMES & keys and not POINTS & keys:
            # In a long table there are two for all.
            pairs = {index: "Punkte" for index in range(len(row) - 1) if _are_signs(row, index)}
        if len(pairs) > 1 or "Punkte" in pairs.values():
            said = _("Plus und Minus stehen in eigenen Spalten: Für die Vorschau sind sie je Person zusammengefasst.")
            above = [row if any(row) and not _names_in(row, pairs) else [] for row in rows[:at]]
            return [*above, _heads(rows, at, pairs), *(_netted(found, pairs) for found in rows[at + 1 :])], said
    return rows, ""


def _with_both(above: Sequence[str], row: Sequence[str], index: int) -> str:
    """Whose two columns begin here; empty where it is nobody's."""
    won, lost = text_key(row[index]), text_key(row[index + 1])
    if _are_signs(row, index):
        return cell_of(above, index)
    name = row[index][:-1].strip() if won.endswith("+") else ""
    return name if name and text_key(row[index + 1][:-1]) == text_key(name) and lost[-1:] in LOST else ""


def _names_in(row: Sequence[str], pairs: Mapping[int, str]) -> bool:
    return all(cell_of(row, index) == name for index, name in pairs.items())


def _are_signs(row: Sequence[str], index: int) -> bool:
    return text_key(row[index]) in WON and text_key(row[index + 1]) in LOST


def _heads(rows: Rows, at: int, pairs: Mapping[int, str]) -> list[str]:
    lost = {index + 1 for index in pairs}
    return [pairs.get(index, "" if index in lost else cell) for index, cell in enumerate(rows[at])]


def _netted(row: Sequence[str], pairs: Mapping[int, str]) -> list[str]:
    """With one number for both; what cannot be read as such stays as it is."""
    cells = list(row)
    for index in pairs:
        try:
            won, lost = read_points(cell_of(row, index)), read_points(cell_of(row, index + 1))
        except CellRefused:
            continue
        if index + 1 < len(cells):
            cells[index] = "" if won is None and lost is None else str((won or 0) - abs(lost or 0))
            cells[index + 1] = ""
    return cells
