"""What the evenings of a year come to for each person in each unit, added up from what each of their tables brought and tells. It
is kept as a row for the evenings that are closed, so that no page has to add up twenty years again."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from .career import Told, joined, tallied, tell

# Who, in which unit, in which year.
Key = tuple[int, str, int]
NOTHING: Final[Told] = tell([])


class Brought(NamedTuple):
    """What one table brought one person, as its result says it."""

    player: int
    unit: str
    evening: int
    day: datetime.date
    without_games: bool
    points: int
    games: int
    wins: int
    solos: int
    solos_won: int
    solo_points: int
    re: int
    sided: int
    bock_points: int
    wins_first: int
    wins_longest: int
    wins_last: int

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


class OfEvening(NamedTuple):
    """What one evening brought one person, all tables together. `day` as ISO writes it; `points_of_games` without what came
    `without_games`; `there`: with a game, or without any being known; `won`: nobody brought more home."""

    evening: int
    day: str
    points: int
    games: int
    wins: int
    points_of_games: int
    there: bool
    without_games: bool
    won: bool


_SUMS: Final = ("games", "wins", "solos", "solos_won", "solo_points", "re", "sided", "bock_points")


@dataclass
class _Evening:
    day: datetime.date
    points: int = 0
    games: int = 0
    wins: int = 0
    points_of_games: int = 0
    there: bool = False
    without_games: bool = False

    def add(self, one: Brought) -> None:
        self.points += one.points
        self.games += one.games
        self.wins += one.wins
        self.there = self.there or bool(one.games) or one.without_games
        if one.without_games:
            self.without_games = True
        else:
            self.points_of_games += one.points


@dataclass
class _Year:
    evenings: dict[int, _Evening] = field(default_factory=dict)
    sums: dict[str, int] = field(default_factory=lambda: dict.fromkeys(_SUMS, 0))
    wins_first: int = 0
    wins_longest: int = 0
    wins_last: int = 0
    told: list[Told] = field(default_factory=list)
    mates: list[dict[str, list[int]]] = field(default_factory=list)

    def add(self, one: Brought) -> None:
        """Add what the next table brought."""
        self.evenings.setdefault(one.evening, _Evening(one.day)).add(one)
        if not one.games:
            self.sums["bock_points"] += one.bock_points
            return
        # A series goes on from table to table.
        if self.sums["wins"] == self.sums["games"]:
            self.wins_first = self.sums["games"] + one.wins_first
        self.wins_longest = max(self.wins_longest, self.wins_last + one.wins_first, one.wins_longest)
        self.wins_last = self.wins_last + one.games if one.wins == one.games else one.wins_last
        for name in _SUMS:
            self.sums[name] += getattr(one, name)


def count_years(results: Iterable[Brought], careers: Iterable[Tells] = ()) -> dict[Key, dict[str, Any]]:
    """The fields of each row; nothing is told where no careers are given. Both in playing order, and of every evening the results
    of everybody, since who won it is said as well."""
    years: dict[Key, _Year] = defaultdict(_Year)
    for one in results:
        years[one.key].add(one)
    for career in careers:
        year = years[career.key]
        year.told.append(career.told)
        year.mates.append(career.mates)
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
    evenings = [
        OfEvening(
            evening=pk,
            day=one.day.isoformat(),
            points=one.points,
            games=one.games,
            wins=one.wins,
            points_of_games=one.points_of_games,
            there=one.there,
            without_games=one.without_games,
            won=one.there and one.points == highest[unit, pk],
        )
        for pk, one in year.evenings.items()
    ]
    points = [one.points for one in evenings if one.there]
    return {
        **year.sums,
        "wins_first": year.wins_first,
        "wins_longest": year.wins_longest,
        "wins_last": year.wins_last,
        "points": sum(one.points for one in evenings),
        "points_of_games": sum(one.points_of_games for one in evenings),
        "evenings": len(points),
        "evenings_won": sum(one.won for one in evenings),
        "best_evening": max(points, default=None),
        "worst_evening": min(points, default=None),
        "last_day": max(one.day for one in year.evenings.values()),
        "last_evening": max((one.day for one in year.evenings.values() if one.there), default=None),
        "by_evening": list(map(list, evenings)),
        "told": joined(NOTHING, *year.told),
        "mates": tallied(*year.mates),
    }
