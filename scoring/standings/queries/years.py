"""Add up the yearly rows of everybody on a list: a list that counts whole years reads no tables."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from scoring.club.models import Club, Player
from scoring.play.queries import read_years

from .selection import Selection


class YearRow(NamedTuple):
    """The fields of `YearCareer` that lists add up. Those from `re` on are read only for a list with more columns."""

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
    re: int = 0
    sided: int = 0
    bock_points: int = 0
    wins_first: int = 0
    wins_longest: int = 0
    wins_last: int = 0
    evenings_won: int = 0
    best_evening: int | None = None
    worst_evening: int | None = None

    def is_in(self, selection: Selection) -> bool:
        return selection.unit in (None, self.unit) and selection.year in (None, self.year)


SUMS = ("points", "evenings", "games", "wins", "solos_won", "solos", "solo_points", "points_of_games")


def year_rows(club: Club, closed_only: bool, more: bool) -> list[YearRow]:
    """Return the years of everybody, the earliest first; `more`: with all fields. Two queries, one if `closed_only`."""
    names = YearRow._fields if more else YearRow._fields[: YearRow._fields.index("re")]
    return [YearRow(*row) for row in read_years(club.pk, names, closed_only=closed_only)]


def totals_of_years(rows: Sequence[YearRow], selection: Selection) -> Iterator[dict[str, Any]]:
    """Add up the rows by person and unit, with the keys that `_summed` in `standings.py` has. One query, for the people."""
    found: dict[tuple[int, str], list[tuple[int, ...]]] = defaultdict(list)
    summed = attrgetter(*SUMS)
    for row in rows:
        if row.is_in(selection):
            found[row.player, row.unit].append(summed(row))
    people = Player.objects.in_bulk({player for player, _unit in found})
    for (pk, unit), brought in found.items():
        player, sums = people[pk], map(sum, zip(*brought, strict=True))
        yield {
            "player": pk,
            "player__name": player.name,
            "player__name_key": player.name_key,
            "player__guest": player.guest,
            "player__left_on": player.left_on,
            "unit": unit,
            **{f"sum_{name}": total for name, total in zip(SUMS, sums, strict=True)},
        }
