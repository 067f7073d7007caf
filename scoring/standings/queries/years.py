"""The years of everybody on a list as one row each: a list that counts whole years adds these up and reads no table."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from scoring.club.models.people import Club, Player
from scoring.play.queries.years import read_years

from .selection import Selection


class YearRow(NamedTuple):
    """What one year brought one person in one unit, as `YearCareer` says it."""

    player: int
    unit: str
    year: int
    last_day: datetime.date
    last_evening: datetime.date | None
    points: int
    points_of_games: int
    evenings: int
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
    evenings_won: int
    best_evening: int | None
    worst_evening: int | None

    def is_in(self, selection: Selection) -> bool:
        return selection.unit in (None, self.unit) and selection.year in (None, self.year)


# What a list adds up of them.
SUMS = ("points", "evenings", "games", "wins", "solos_won", "solos", "solo_points", "points_of_games")


def year_rows(club: Club, closed_only: bool) -> list[YearRow]:
    """All years of everybody, the earliest first. Two queries, and one more while an evening is running."""
    return [YearRow._make(row) for row in read_years(club.pk, YearRow._fields, closed_only=closed_only)]


def totals_of_years(rows: Sequence[YearRow], selection: Selection) -> Iterator[dict[str, Any]]:
    """The sums of every person in every unit, as the list reads them from the database. One query, for the people."""
    found: dict[tuple[int, str], dict[str, int]] = {}
    for row in rows:
        if row.is_in(selection):
            sums = found.setdefault((row.player, row.unit), dict.fromkeys(SUMS, 0))
            for name in SUMS:
                sums[name] += getattr(row, name)
    people = Player.objects.in_bulk({player for player, _unit in found})
    for (pk, unit), sums in found.items():
        player = people[pk]
        yield {
            "player": pk,
            "player__name": player.name,
            "player__name_key": player.name_key,
            "player__guest": player.guest,
            "player__left_on": player.left_on,
            "unit": unit,
            **{f"sum_{name}": total for name, total in sums.items()},
        }
