"""Rows of how everybody stands between the rows of points, one for each evening or game: they are left out, and said. Nothing
has to call them so, since each is the one before with the points added."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from ..cells import CellRefused, looks_like_euros, read_euros, read_points
from ..outline import Outline, Remark, Said
from ..shapes import brings

Numbered = tuple[int, Mapping[int, int]]
# So many rows of points have one of totals beside them, and so many of ten of these are the one before with the points.
FEWEST: Final = 2
FIT: Final = 8


def without_totals_between(outline: Outline) -> Outline:
    """The sheet without such rows; as it is where it has none."""
    people = outline.people
    totals = totals_between(_rows(outline, people)) if len(people) > 1 else {}
    if not totals:
        return outline
    rows = [list(row) for row in outline.rows]
    for number in totals:
        rows[number - 1] = []
    note = _("Zu jeder Zeile mit Punkten steht eine mit dem Punktestand: Gelesen sind die Punkte, die Punktestände bleiben weg.")
    said = [_remark(outline, people, number, fits) for number, fits in sorted(totals.items())]
    return replace(outline, rows=rows, left_out=[*outline.left_out, *said], notes=[*outline.notes, note])


def _remark(outline: Outline, people: Sequence[int], number: int, fits: bool) -> Remark:
    row = outline.rows[number - 1]
    names = {column.index: column.title for column in outline.columns}
    said = gettext_noop("ist der Punktestand nach einem Abend (%(points)s)")
    if not fits:
        said = gettext_noop("ist der Punktestand nach einem Abend, der zu seinen Punkten nicht passt: bitte nachsehen (%(points)s)")
    would = brings((names[index], row[index]) for index in people if index < len(row))
    return outline.remark(number, Said(said, {"points": would}))


def _rows(outline: Outline, people: Sequence[int]) -> list[Numbered]:
    """The rows with points or totals; none where one of them cannot be read."""
    try:
        return list(_read(outline, people))
    except CellRefused:
        return []


def _read(outline: Outline, people: Sequence[int]) -> Iterator[Numbered]:
    cells = [row[index] for _number, row in outline.data() for index in people if index < len(row)]
    amounts = read_euros if any(map(looks_like_euros, cells)) else read_points
    for number, row in outline.data():
        if outline.aside(row, people):
            continue
        worth = {index: amounts(row[index]) for index in people if index < len(row)}
        if found := {index: points for index, points in worth.items() if points is not None}:
            yield number, found


def totals_between(rows: Sequence[Numbered]) -> dict[int, bool]:
    """The rows that say how everybody stands, each with whether it fits its points; the first evening stands on top or at the end,
    and the points in front of the totals or behind them."""
    for onward in (rows, rows[::-1]):
        for first in (0, 1):
            points, totals = onward[first::2], onward[1 - first :: 2]
            if found := _fitting(points, totals):
                return found
    return {}


def _fitting(points: Sequence[Numbered], totals: Sequence[Numbered]) -> dict[int, bool]:
    if len(points) - len(totals) not in (0, 1) or len(totals) < FEWEST:
        return {}
    found: dict[int, bool] = {}
    last: dict[int, int] = {}
    so_far: Counter[int] = Counter()
    for (_at, brought), (number, said) in zip(points, totals, strict=False):
        here, before_it = {**last, **said}, dict(so_far)
        so_far.update(brought)
        # One that is wrong makes no other one so.
        found[number] = any(
            all(here.get(column, 0) == before.get(column, 0) + brought.get(column, 0) for column in {*here, *brought})
            for before in (last, before_it)
        )
        last = here
    # What the first one is added to may be from before.
    is_some = any(any(brought.values()) for _at, brought in points)
    return found if is_some and sum(found.values()) >= max(FEWEST, FIT * len(found) / 10) else {}
