"""The layout of a chart: the figures of its gridlines, which of many points it shows, where its days are labelled, and
where names stand that would overlap. Plain Python, in whole units of the drawing."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from itertools import accumulate
from typing import TypeVar

# More points than this cannot be told apart on a phone.
MAX_POINTS = 60
# At most so many steps between gridlines, and so many days named below them: what a phone has room for.
MAX_STEPS, MAX_TICKS = 5, 4
_ROUND = (1, 2, 5)
_MONTHS = (1, 2, 3, 6, 12, 24, 36, 60, 120)

T = TypeVar("T")


def thin_out(points: Sequence[T], most: int = MAX_POINTS) -> list[T]:
    """At most so many of them, evenly spread, the first and the last among them."""
    if len(points) <= most:
        return list(points)
    last = len(points) - 1
    return [points[round(last * number / (most - 1))] for number in range(most)]


def list_gridlines(low: int, high: int) -> list[int]:
    """Round figures from at most `low` to at least `high`, the highest first; the zero line is always among them."""
    low, high = min(low, 0), max(high, 0)
    steps = (one * 10**power for power in range(20) for one in _ROUND)
    step = next(one for one in steps if one * MAX_STEPS >= high - low)
    return list(range(-(-high // step) * step, low // step * step - 1, -step))


def spread_heights(heights: Sequence[int], apart: int, top: int, foot: int) -> list[int]:
    """These heights, the highest place first, moved to stand `apart` from each other between `top` and `foot`; closer only
    where so many have no room."""
    apart = min(apart, (foot - top) // max(1, len(heights) - 1))
    # With each place's distance from the first taken away, what stands too close is what falls. Pushed down and pushed up
    # it no longer does; half way between, those at one height stand around it.
    free = [height - place * apart for place, height in enumerate(heights)]
    down, up = accumulate(free, max), reversed(list(accumulate(reversed(free), min)))
    last = foot - (len(heights) - 1) * apart
    halves = ((low + high) // 2 for low, high in zip(down, up, strict=True))
    return [min(max(half, top), last) + place * apart for place, half in enumerate(halves)]


def list_month_starts(first: datetime.date, last: datetime.date, most: int = MAX_TICKS) -> list[datetime.date]:
    """First days of months between two days, at most so many of them, evenly spread."""
    begin, end = first.year * 12 + first.month, last.year * 12 + last.month - 1
    for every in _MONTHS:
        months = range(-(-begin // every) * every, end + 1, every)
        if len(months) <= most:
            break
    return [datetime.date(month // 12, month % 12 + 1, 1) for month in months]
