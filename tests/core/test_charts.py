"""Gridlines, points, months and names of a chart."""

from __future__ import annotations

import datetime
from itertools import pairwise

import pytest

from scoring.core.charts import (
    MAX_POINTS,
    MAX_STEPS,
    MAX_TICKS,
    list_gridlines,
    list_month_starts,
    spread_heights,
    thin_out,
)


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0, 579, [600, 400, 200, 0]), (-24, 20, [20, 10, 0, -10, -20, -30]), (3, 5, [5, 4, 3, 2, 1, 0]),
        (-1280, -7, [0, -500, -1000, -1500]), (0, 0, [0]),
    ],
)  # fmt: skip
def test_gridlines_are_round_and_include_all_values_and_zero(low: int, high: int, expected: list[int]) -> None:
    assert list_gridlines(low, high) == expected


def test_the_number_of_gridlines_is_limited() -> None:
    for high in range(1, 4000, 7):
        lines = list_gridlines(-high // 3, high)
        assert 0 in lines
        assert lines[0] >= high
        assert lines[-1] <= -high // 3
        assert len(lines) <= MAX_STEPS + 3


def test_thinning_keeps_the_first_and_the_last_point() -> None:
    assert thin_out([1, 2, 3]) == [1, 2, 3]
    points = thin_out(range(1000))
    assert len(points) == len(set(points)) == MAX_POINTS
    assert (points[0], points[-1]) == (0, 999)
    assert {later - earlier for earlier, later in pairwise(points)} == {16, 17}


def test_months_are_spread_evenly() -> None:
    day = datetime.date
    assert list_month_starts(day(2026, 1, 5), day(2026, 2, 3)) == [day(2026, 2, 1)]
    halves = [day(2025, 1, 1), day(2025, 7, 1), day(2026, 1, 1), day(2026, 7, 1)]
    assert list_month_starts(day(2024, 10, 10), day(2026, 10, 29)) == halves
    assert list_month_starts(day(2024, 10, 10), day(2026, 10, 29), limit=3) == [day(2025, 1, 1), day(2026, 1, 1)]
    assert list_month_starts(day(2010, 3, 1), day(2026, 3, 3)) == [day(2015, 1, 1), day(2020, 1, 1), day(2025, 1, 1)]
    assert len(list_month_starts(day(1990, 1, 1), day(2026, 3, 3))) <= MAX_TICKS


@pytest.mark.parametrize(
    ("heights", "expected"),
    [
        ([], []), ([50], [50]), ([10, 40, 70], [10, 40, 70]), ([50, 50], [40, 60]), ([50, 55, 90], [42, 62, 90]),
        ([50, 50, 50, 50], [20, 40, 60, 80]), ([0, 0, 80], [0, 20, 80]), ([-7, 5], [0, 20]),
        ([20, 100, 100], [20, 80, 100]), ([0, 3, 99, 104], [0, 20, 80, 100]), ([50] * 6, [0, 20, 40, 60, 80, 100]),
        ([50] * 11, list(range(0, 101, 10))),
    ],
)  # fmt: skip
def test_names_are_spread_in_their_order_and_stay_inside(heights: list[int], expected: list[int]) -> None:
    assert spread_heights(heights, apart=20, top=0, foot=100) == expected
