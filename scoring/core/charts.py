"""Lay out a chart, in whole units of the drawing: gridlines, points, labelled months, names that must not overlap."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from itertools import accumulate
from typing import TypeVar

MAX_POINTS = 60  # more points cannot be distinguished on a phone
MAX_STEPS, MAX_TICKS = 5, 4  # steps between gridlines, and labels below them: as many as fit on a phone
_ROUND = (1, 2, 5)
_MONTHS = (1, 2, 3, 6, 12, 24, 36, 60, 120)

T = TypeVar("T")


def thin_out(points: Sequence[T], limit: int = MAX_POINTS) -> list[T]:
    """Return at most `limit` points, evenly spread, with the first and the last."""
    if len(points) <= limit:
        return list(points)
    last = len(points) - 1
    return [points[round(last * number / (limit - 1))] for number in range(limit)]


def list_gridlines(low: int, high: int) -> list[int]:
    """Return round numbers from at most `low` to at least `high`, the highest first, always with 0."""
    low, high = min(low, 0), max(high, 0)
    steps = (one * 10**power for power in range(20) for one in _ROUND)
    step = next(one for one in steps if one * MAX_STEPS >= high - low)
    return list(range(-(-high // step) * step, low // step * step - 1, -step))


def spread_heights(heights: Sequence[int], apart: int, top: int, foot: int) -> list[int]:
    """Move heights to be at least `apart` between `top` and `foot`, in their order; closer only if there is no room."""
    apart = min(apart, (foot - top) // max(1, len(heights) - 1))
    # Without each item's distance from the first, items are too close where the values fall. Pushing down and pushing up both
    # make them rise; the mean of both centres items of one height around it.
    free = [height - index * apart for index, height in enumerate(heights)]
    down, up = accumulate(free, max), reversed(list(accumulate(reversed(free), min)))
    last = foot - (len(heights) - 1) * apart
    halves = ((low + high) // 2 for low, high in zip(down, up, strict=True))
    return [min(max(half, top), last) + index * apart for index, half in enumerate(halves)]


def list_month_starts(first: datetime.date, last: datetime.date, limit: int = MAX_TICKS) -> list[datetime.date]:
    """Return first days of months between two days, at most `limit`, evenly spread."""
    begin, end = first.year * 12 + first.month, last.year * 12 + last.month - 1
    for every in _MONTHS:
        months = range(-(-begin // every) * every, end + 1, every)
        if len(months) <= limit:
            break
    return [datetime.date(month // 12, month % 12 + 1, 1) for month in months]
