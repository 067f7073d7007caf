"""What headings say: the names of people, put together where they stand in two rows, without what is no part of a name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Final

from django.utils.translation import gettext as _

from scoring.core.names import name_key
from scoring.core.text import text_key

from ..cells import is_day, is_number
from ..files import FileRefused
from ..rows import Rows, cell_of
from .words import BESIDE_OF, DAY_HEADINGS, GUEST, NAMES, OF_POINTS, OTHERS, PLACE_OF, POINTS, SUM_OF, TOTALS

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
    points = next((word for word in below if word in POINTS), below[0])
    over = [cell_of(above, index) for index, name in names.items() if name]
    if points not in POINTS and all(over[1:]) and all(one != other for one, other in pairwise(over)):
        _with_first_names(above, names, known)
        return set()
    if len(set(below)) > 1 and points not in POINTS:
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
