"""What the evenings of a year come to for each person in each unit, added up from what each of their tables brought and tells. It
is kept as a row for the evenings that are closed, so that no page has to add up twenty years again."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from .career import Told, joined, sums_of, tallied, tell

# Who, in which unit, in which year.
Key = tuple[int, str, int]
_NOTHING: Final[Told] = tell([])


class Brought(NamedTuple):
    """What one table brought one person. `there`: with a game, or without any being known."""

    player: int
    unit: str
    evening: int
    day: datetime.date
    points: int
    there: bool
    without_games: bool

    @property
    def key(self) -> Key:
        return self.player, self.unit, self.day.year


class Tells(NamedTuple):
    """What the games of one table tell of one person."""

    player: int
    unit: str
    day: datetime.date
    told: Told
    mates: dict[str, list[int]]

    @property
    def key(self) -> Key:
        return self.player, self.unit, self.day.year


@dataclass
class _Evening:
    """What one evening brought one person, all tables together."""

    day: datetime.date
    points: int = 0
    there: bool = False


@dataclass
class _Year:
    evenings: dict[int, _Evening] = field(default_factory=dict)
    without_games: int = 0
    told: Told = field(default_factory=lambda: _NOTHING)
    mates: dict[str, list[int]] = field(default_factory=dict)


def count_years(results: Iterable[Brought], careers: Iterable[Tells]) -> dict[Key, dict[str, Any]]:
    """The fields of each row. Both in playing order, and of every evening all of it, since who won one is said as well."""
    years: dict[Key, _Year] = defaultdict(_Year)
    for one in results:
        year = years[one.key]
        evening = year.evenings.setdefault(one.evening, _Evening(one.day))
        evening.points += one.points
        evening.there = evening.there or one.there
        year.without_games += one.points if one.without_games else 0
    for career in careers:
        year = years[career.key]
        year.told = joined(year.told, career.told)
        year.mates = tallied(year.mates, career.mates)
    highest = _highest(years)
    return {key: _fields(key[1], year, highest) for key, year in years.items()}


def _highest(years: dict[Key, _Year]) -> dict[tuple[str, int], int]:
    """The most that an evening brought anybody in a unit."""
    found: dict[tuple[str, int], int] = {}
    for (_player, unit, _number), year in years.items():
        for pk, evening in year.evenings.items():
            if evening.there:
                found[unit, pk] = max(found.get((unit, pk), evening.points), evening.points)
    return found


def _fields(unit: str, year: _Year, highest: dict[tuple[str, int], int]) -> dict[str, Any]:
    sums = sums_of(year.told)
    there = {pk: evening for pk, evening in year.evenings.items() if evening.there}
    points = [evening.points for evening in there.values()]
    won = [pk for pk, evening in there.items() if evening.points == highest[unit, pk]]
    return {
        **sums,
        "points": sums["points"] + year.without_games,
        "points_of_games": sums["points"],
        "evenings": len(there),
        "evenings_won": len(won),
        "best_evening": max(points, default=None),
        "worst_evening": min(points, default=None),
        "last_day": max(evening.day for evening in year.evenings.values()),
        "last_evening": max((evening.day for evening in there.values()), default=None),
        "won": won,
        "told": year.told,
        "mates": year.mates,
    }
