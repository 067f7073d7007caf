"""What is odd about the days of a list though all of it can be read: a day that comes again, or is far from those around it."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from ..listed.found import ListRow
from ..outline import Outline, Remark, row_called

# A list whose days follow each other but for so few of them is kept in order.
FEWEST_IN_ORDER: Final = 0.6
# So far from both its neighbours a day is no evening that was written down late.
FAR: Final = datetime.timedelta(days=180)
# Of fewer days one after the other nobody knows in which order they are kept.
FEWEST_STEPS: Final = 3


def doubts(outline: Outline, rows: Sequence[ListRow]) -> list[Remark]:
    """Of the rows of a list by evenings: those of a day that was there before, those that stand out of order by far, and those
    that jump back within a year."""
    return [*_again(outline, rows), *_far_away(outline, rows), *_back(outline, rows)]


def _again(outline: Outline, rows: Sequence[ListRow]) -> Iterator[Remark]:
    days: dict[datetime.date, ListRow] = {}
    for entry in rows:
        before = days.setdefault(entry.day, entry)
        # Others on the same day sit at another table.
        if before is entry or not before.points.keys() & entry.points.keys():
            continue
        said = {"day": _day(entry), "where": outline.place(before.row) or row_called(before.row)}
        if before.points == entry.points:
            yield outline.remark(entry.row, _("noch einmal der %(day)s mit denselben Punkten, wie %(where)s") % said)
        else:
            yield outline.remark(entry.row, _("noch einmal der %(day)s, wie %(where)s") % said)


def _far_away(outline: Outline, rows: Sequence[ListRow]) -> Iterator[Remark]:
    steps = [(later.day - entry.day).days for entry, later in pairwise(rows)]
    onward = 1 if sum(step >= 0 for step in steps) >= sum(step <= 0 for step in steps) else -1
    in_order = sum(step * onward >= 0 for step in steps)
    if in_order < FEWEST_IN_ORDER * len(steps):
        return
    ends = [None, *(entry.day for entry in rows), None]
    for before, entry, after in zip(ends, rows, ends[2:], strict=False):
        if _is_far(entry.day, before, after, onward):
            yield outline.remark(
                entry.row, _("der %(day)s liegt weit vor oder hinter den Tagen daneben") % {"day": _day(entry)}
            )


def _back(outline: Outline, rows: Sequence[ListRow]) -> Iterator[Remark]:
    """Where a list jumps back to the beginning of its year, once at most: it may be that of the next one."""
    steps = list(pairwise(rows))
    back = [(entry, later) for entry, later in steps if later.day < entry.day]
    if len(back) != 1 or len(steps) < FEWEST_STEPS:
        return
    [(before, entry)] = back
    same_part = outline.part(before.row) == outline.part(entry.row)
    if same_part and before.day.year == entry.day.year and before.day - entry.day > FAR:
        said = _(
            "der %(day)s liegt lange vor dem %(before)s darüber; ist das Jahr danach gemeint, bitte in der Datei dazuschreiben"
        )
        yield outline.remark(entry.row, said % {"day": _day(entry), "before": _day(before)})


def _is_far(day: datetime.date, before: datetime.date | None, after: datetime.date | None, onward: int) -> bool:
    """Is this day far from both beside it? At an end of the list, is it far on the wrong side of the one that is there?"""
    if before is not None and after is not None:
        return not min(before, after) - FAR <= day <= max(before, after) + FAR
    if before is not None:
        return onward * (before - day) > FAR
    return after is not None and onward * (day - after) > FAR


def _day(entry: ListRow) -> str:
    return date_format(entry.day, "SHORT_DATE_FORMAT")
