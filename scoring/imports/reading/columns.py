"""Which columns hold the points of a person, and what their headings say."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from enum import Enum, auto
from itertools import combinations, pairwise
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.core.names import name_key
from scoring.core.text import text_key

from .cells import (
    BESIDE_OF,
    DAY_HEADINGS,
    DAYS,
    GUEST,
    HEADINGS,
    NAMES,
    OF_POINTS,
    OTHERS,
    PLACE_OF,
    POINT_HEADINGS,
    SUM_OF,
    TOTALS,
    CellRefused,
    begins_with_number,
    cell_of,
    is_absent,
    is_day,
    is_number,
    read_points,
)
from .file_formats import Rows
from .uploads import FileRefused

# So many different words stand below the names where each has a few columns.
MOST_BELOW_A_NAME: Final = 4
# Of fewer people it says nothing that all of them have a word above.
FEWEST_ABOVE: Final = 3
_BEHIND: Final = re.compile(r"[ *:°¹²³]+$")


def named(rows: Rows, head: int, names: dict[int, str], known: Collection[str]) -> set[int]:
    """Gives each column its name where people have several columns below their names, or names of two parts. `known` are the keys
    of people whatever their names mean. Answers which columns are no points. Raises FileRefused where nothing says which are
    points."""
    below = [text_key(name) for name in names.values() if name and text_key(name) not in DAY_HEADINGS]
    above = rows[head - 1] if head else []
    if len(set(below)) > MOST_BELOW_A_NAME or len(below) < 2 * len(set(below)) or len(list(filter(None, above))) < 2:
        _with_first_names(above, names, known)
        return set()
    points = next((word for word in below if word in POINT_HEADINGS), below[0])
    over = [cell_of(above, index) for index, name in names.items() if name]
    if points not in POINT_HEADINGS and all(over[1:]) and all(one != other for one, other in pairwise(over)):
        _with_first_names(above, names, known)
        return set()
    if len(set(below)) > 1 and points not in POINT_HEADINGS:
        said = _(
            "Unter jedem Namen stehen mehrere Spalten (%(words)s), und keine heißt „Punkte“. Bitte in der Datei die mit den "
            "Punkten so nennen."
        )
        raise FileRefused(said % {"words": ", ".join(dict.fromkeys(below))})
    beside, last = set(), ""
    for index, name in names.items():
        last = cell_of(above, index) or last
        if not name:
            names[index] = cell_of(above, index)
            continue
        if text_key(name) not in below:
            continue
        names[index] = last if text_key(name) == points else f"{last} · {name}"
        if text_key(name) != points:
            beside.add(index)
    return beside


def _with_first_names(above: Sequence[str], names: dict[int, str], known: Collection[str]) -> None:
    """Names with what stands above each of them, where they come again without it or all of them have something there."""
    people = {index: name for index, name in names.items() if name and not is_no_name(name, known)}
    times = Counter(name_key(name) for name in people.values())
    again = [index for index, name in people.items() if times[name_key(name)] > 1]
    has_above = [index for index in people if is_name(cell_of(above, index))]
    above_each = {name_key(cell_of(above, index)) for index in has_above}
    called = next((text_key(cell) for index, cell in enumerate(above) if cell and index not in people), "")
    says_names = not called or called in NAMES | {"vorname", "datum", "date"}
    all_have = says_names and len(people) == len(has_above) >= FEWEST_ABOVE and len(above_each) >= len(people) - 1
    if not set(again) <= set(has_above) or not (again or all_have):
        return
    whole = {index: f"{cell_of(above, index)} {name}".strip() for index, name in people.items()}
    if len({name_key(name) for name in whole.values()}) == len(people):
        names |= whole


def bare(names: dict[int, str], known: Collection[str]) -> set[int]:
    """Leaves the names alone: without places or words for points where all have one, without signs behind them and without what
    says that somebody is a guest. Answers which ones are guests."""
    people = {index: name for index, name in names.items() if name and not is_no_name(name, known)}
    for pattern in (PLACE_OF, OF_POINTS):
        # "Anton Siege" beside "Anton Punkte" is something else of the same person.
        said = {index: name for index, name in people.items() if pattern is PLACE_OF or not is_beside(name)}
        without = {index: pattern.sub("", name) for index, name in said.items()}
        if all(without[index] not in ("", name) for index, name in said.items()) and _are_different(people | without):
            people |= without
    guests = {index for index, name in people.items() if GUEST.search(text_key(name))}
    without = {index: _named(name) for index, name in people.items()}
    names |= without if _are_different(without) else people
    return guests


def is_beside(name: str) -> bool:
    """Is this called like something else of somebody who has points?"""
    return bool(SUM_OF.search(text_key(name)) or BESIDE_OF.search(text_key(name)))


def _named(name: str) -> str:
    found = GUEST.search(name) or GUEST.search(name.casefold())
    kept = name if found is None else found["name"] or found["of"] or name[: found.start()]
    return _BEHIND.sub("", kept).strip() or name


def _are_different(names: dict[int, str]) -> bool:
    return len({name_key(name) for name in names.values()}) == len(names)


def is_no_name(name: str, known: Collection[str] = ()) -> bool:
    """Is this a word for something else, and not one of the people who are `known` by their keys?"""
    if name_key(name) in known:
        return False
    said = text_key(name).rstrip(":")
    return said in DAY_HEADINGS or bool(TOTALS.match(said) or OTHERS.match(said)) or not is_name(name)


def is_name(cell: str) -> bool:
    """Are there letters in it, and is it no day?"""
    return any(map(str.isalpha, cell)) and not is_day(cell) and not (is_number(cell) and any(map(str.isdigit, cell)))


# --- Columns of people ------------------------------------------------------------------------------------------------


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


# --- Two columns that are one -----------------------------------------------------------------------------------------


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
        if not pairs and NAMES & keys and not POINT_HEADINGS & keys:
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

