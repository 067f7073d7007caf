"""Which columns are somebody's points: not those called something else, those without numbers, and those without which rows sum
to zero that do not with them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from enum import Enum, auto
from itertools import combinations
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.core.names import name_key
from scoring.core.text import text_key

from ..cells import CellRefused, begins_with_number, is_absent, is_day, is_number, read_points
from ..files import FileRefused
from .words import DAYS, OTHERS, TOTALS

# With fewer rows or people it says nothing which column their sums would be without.
FEWEST_ROWS: Final = 3
FEWEST_PEOPLE: Final = 4
FEWEST_COMPLETED: Final = 2
# Money and numbers of something stand in so many columns; of more than these nobody tries which ones.
MOST_BESIDE: Final = 3
MOST_TRIED: Final = 8


class WhyNot(Enum):
    """Why a column is nobody's."""

    SUM = auto()
    OTHER = auto()
    NO_HEADING = auto()
    NO_NAME = auto()
    EMPTY = auto()
    WORDS = auto()
    ZEROS = auto()
    CALLED_BEFORE = auto()
    BESIDE_POINTS = auto()
    SPOILS_SUMS = auto()


WHY_NOT: Final[Mapping[WhyNot, Promise]] = {
    WhyNot.SUM: gettext_lazy("eine Summe"),
    WhyNot.OTHER: gettext_lazy("keine Person"),
    WhyNot.NO_HEADING: gettext_lazy("ohne Überschrift"),
    WhyNot.NO_NAME: gettext_lazy("kein Name"),
    WhyNot.EMPTY: gettext_lazy("ohne Punkte"),
    WhyNot.WORDS: gettext_lazy("keine Zahlen"),
    WhyNot.ZEROS: gettext_lazy("nur Nullen"),
    WhyNot.CALLED_BEFORE: gettext_lazy("dieser Name steht schon in einer Spalte davor"),
    WhyNot.BESIDE_POINTS: gettext_lazy("keine Punkte"),
    WhyNot.SPOILS_SUMS: gettext_lazy("ohne diese Spalte ergeben die Zeilen null"),
}


def why_not(name: str, cells: Sequence[str], seen: Collection[str], known: Collection[str] = ()) -> WhyNot | None:
    """Why a column with this heading is of no person; None where it could be of one. `known` are the keys of people whatever
    their names mean."""
    said = text_key(name).rstrip(":")
    is_known = name_key(name) in known
    if TOTALS.match(said) and not is_known:
        return WhyNot.SUM
    if (OTHERS.match(said) or said in DAYS) and not is_known:
        return WhyNot.OTHER
    if not name:
        return WhyNot.NO_HEADING
    if is_day(name) or (is_number(name) and any(map(str.isdigit, name))):
        return WhyNot.NO_NAME
    if all(map(is_absent, cells)):
        return WhyNot.EMPTY
    if 2 * sum(is_number(cell) or begins_with_number(cell) for cell in cells) <= len(cells):
        return WhyNot.WORDS
    if len(cells) >= FEWEST_ROWS and not any(cell.strip("0,.") for cell in cells):
        return WhyNot.ZEROS
    if name_key(name) in seen:
        return WhyNot.CALLED_BEFORE
    return None


def adds_up(points: int, sums: int, body: Sequence[Sequence[str]]) -> bool:
    """Does one column say what another has come to, row by row?"""
    total, said = 0, 0
    for row in body:
        total += _worth(row, points)
        if _is_said(row, sums):
            said += 1
            if _worth(row, sums) != total:
                return False
    return said >= FEWEST_ROWS


def completing(people: Sequence[int], others: Sequence[int], body: Sequence[Sequence[str]]) -> set[int]:
    """The columns among `others` with which rows sum to zero, where hardly any does without them."""
    rows = [[_worth(row, index) for index in people] for row in body]
    found = set()
    for index in others:
        sums = [(sum(row), _worth(cells, index)) for row, cells in zip(rows, body, strict=True) if _is_said(cells, index)]
        whole = sum(without + own == 0 for without, own in sums)
        if len(sums) >= FEWEST_COMPLETED and 5 * whole >= 4 * len(sums) and 5 * sum(not one for one, _own in sums) <= len(sums):
            found.add(index)
    return found


def beside_points(people: Sequence[int], body: Sequence[Sequence[str]]) -> set[int]:
    """The columns of these without which the rows sum to zero, where hardly any does with them: numbers of something."""
    rows = [
        row for found in body if len(row := {index: worth for index in people if (worth := _worth(found, index))}) > 1
    ]
    found: set[int] = set()
    while more := _spoiling([index for index in people if index not in found], rows):
        found |= more
        rows = [{index: worth for index, worth in row.items() if index not in more} for row in rows]
    return found


def _spoiling(people: Sequence[int], rows: Sequence[Mapping[int, int]]) -> set[int]:
    """One column; or several of which none says less than nothing, as no column of points would for long."""
    never_less = [index for index in people if all(row.get(index, 0) >= 0 for row in rows)]
    for size in range(1, min(MOST_BESIDE, len(people) + 1 - FEWEST_PEOPLE) + 1):
        for found in combinations(people if size == 1 else never_less[:MOST_TRIED], size):
            theirs = [row for row in rows if any(index in row for index in found)]
            sums = [sum(row.values()) for row in theirs]
            without = sum(
                total == sum(row.get(index, 0) for index in found) for total, row in zip(sums, theirs, strict=True)
            )
            if len(theirs) >= FEWEST_ROWS and 5 * sums.count(0) <= len(theirs) and 5 * without >= 4 * len(theirs):
                return set(found)
    return set()


def only_places() -> FileRefused:
    return FileRefused(
        _(
            "In den Zellen steht nur, wer da oder auf welchem Platz war, und keine Punkte: Daraus wird keine Liste. Bitte "
            "in der Datei die Punkte jedes Abends schreiben; sind nur Summen übrig, „Anfangsstand eingeben“."
        )
    )


def refuse_places(people: Sequence[int], body: Sequence[Sequence[str]]) -> None:
    """Raises FileRefused where every row says who was first, second, third, or who was there, and nothing else."""
    found = [
        sorted(places)
        for row in body
        if len(places := [_place(row, index) for index in people if _is_said(row, index)]) > 1
    ]
    if len(found) > 1 and (all(map(_are_places, found)) or all({*places} <= {0, 1} for places in found)):
        raise only_places()


def _is_said(row: Sequence[str], index: int) -> bool:
    return index < len(row) and not is_absent(row[index])


def _place(row: Sequence[str], index: int) -> int:
    said = row[index].removesuffix(".")
    return int(said) if said.isascii() and said.isdecimal() and len(said) < 3 else -1


def _are_places(places: Sequence[int]) -> bool:
    return places[0] == 1 < places[-1] and all(
        place in (places[nth], places[nth] + 1, nth + 2) for nth, place in enumerate(places[1:])
    )


def _worth(row: Sequence[str], index: int) -> int:
    try:
        return read_points(row[index] if index < len(row) else "") or 0
    except CellRefused:
        return 0
