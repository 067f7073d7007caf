"""Decides what fines cost (section 4, 6, with the forms of section 3)."""

from __future__ import annotations

from collections import Counter
from itertools import count
from typing import Any

Json = dict[str, Any]


def fine_legs(evening: Json, code: str, fine: Json) -> dict[str, int]:
    """Section 4, 6: to `income:fines`."""
    rows = [row for row in evening.get("fines", []) if row["code"] == code]
    charges: Counter[str] = Counter()
    if "steps" in fine:
        counted = lost_games(evening) if fine.get("counts", "entries") == "lost_games" else entries(rows)
        for name, number in counted.items():
            charges[name] += sum(cost_of_event(nth, fine["steps"]) for nth in range(1, number + 1))
    for row in rows:
        if "open" in fine:
            charges[row["who"]] += row["cents"]
        elif "minutes" in fine:
            charges[row["who"]] += cost_of_minutes(row["minutes"], fine)
        elif "cents" in fine:
            charges[row["who"]] += fine["cents"] * row.get("count", 1)
    legs = {f"member:{name}": cents for name, cents in charges.items()}
    return {**legs, "income:fines": -charges.total()}


def entries(rows: list[Json]) -> dict[str, int]:
    """Section 4, 6: counts of one person and code are added before the steps."""
    counted: Counter[str] = Counter()
    for row in rows:
        counted[row["who"]] += row.get("count", 1)
    return dict(counted)


def lost_games(evening: Json) -> dict[str, int]:
    """Section 4, 6: `lost` of everybody here."""
    return {person["id"]: person.get("lost", 0) for person in evening["people"] if person.get("absence") is None}


def cost_of_event(nth: int, steps: list[list[Any]]) -> int:
    """Section 3: the first so many cost the first amount each, the next the second, all further the last."""
    for number, cents in steps:
        if number is None or nth <= number:
            return cents
        nth -= number
    raise AssertionError("the last step holds for all further ones")


def cost_of_minutes(minutes: int, fine: Json) -> int:
    """Section 3: per started n minutes of each row, at most `cap`."""
    started = next(periods for periods in count() if periods * fine["minutes"] >= minutes)
    cents = started * fine["cents"]
    return min(cents, fine["cap"]) if "cap" in fine else cents
