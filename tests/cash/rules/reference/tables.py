"""Decides which tables of an evening are refused, and where (section 9, `tables`)."""

from __future__ import annotations

from typing import Any

from tests.cash.rules.reference.company import Company
from tests.cash.rules.reference.judging import (
    CENTS_FROM_1,
    Judge,
    forbidden,
    integer,
    is_integer,
    judge_object,
    list_of,
    value_that,
    word,
)

MOST_POINTS = 100_000


def judge_table(value: Any, path: str, company: Company) -> list[str]:
    """Section 9: `points` are refused in cents or with `lines`; with neither `lines` is missing."""
    if not isinstance(value, dict):
        return [path]
    unit = value.get("unit")
    is_sum = unit != "cents" and "lines" not in value
    keys: dict[str, Judge] = {
        "unit": word("points", "cents"),
        "rules": value_that(lambda name: isinstance(name, str)),
        "points": sum_of(company) if is_sum else forbidden,
        "lines": list_of(lambda line, at: judge_line(line, at, unit, company)),
    }
    return judge_object(value, path, keys, ["unit"] if "points" in value else ["unit", "lines"])


def sum_of(company: Company) -> Judge:
    """Section 9: `points` {id: n}, somebody unknown or absent at `points.ID`."""

    def judge(value: Any, path: str) -> list[str]:
        if not isinstance(value, dict):
            return [path]
        return [
            f"{path}.{name}"
            for name, points in value.items()
            if company.is_not_there(name) or not is_integer(points, -MOST_POINTS, MOST_POINTS)
        ]

    return judge


def judge_line(value: Any, path: str, unit: Any, company: Company) -> list[str]:
    """Section 9: seats with their points, or in cents with a `top_up`."""
    if not isinstance(value, dict):
        return [path]
    seats = value.get("seats")
    points = list_of(integer(-MOST_POINTS, MOST_POINTS))
    is_top_up = unit != "points" and "points" not in value
    keys: dict[str, Judge] = {
        "seats": value_that(lambda names: are_seats(names, company)),
        "points": points,
        "top_up": CENTS_FROM_1 if is_top_up else forbidden,
    }
    faults = judge_object(value, path, keys, ["seats"] if "top_up" in value else ["seats", "points"])
    if are_seats(seats, company) and isinstance(value.get("points"), list) and len(value["points"]) != len(seats):
        faults.append(f"{path}.points")
    return faults


def are_seats(value: Any, company: Company) -> bool:
    """Section 9: somebody unknown or absent, nobody, or somebody twice is refused."""
    if not isinstance(value, list) or not value or not all(isinstance(name, str) for name in value):
        return False
    return len(set(value)) == len(value) and not any(company.is_not_there(name) for name in value)
