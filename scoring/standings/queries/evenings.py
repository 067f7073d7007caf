"""Read what each evening brought each player, its winners, and the sheet "Datum × Name" with all of it. The sums of evenings
that came without their games are known, so these evenings are included."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from django.db.models import Count, F, Q, Sum

from scoring.club.models import Club
from scoring.club.names import Names
from scoring.core.names import name_key
from scoring.standings.queries.selection import Selection, select_rows


class EveningPoints(NamedTuple):
    """The points of one player on one evening."""

    player: int
    evening: int
    day: datetime.date
    points: int


def read_evenings(club: Club, selection: Selection) -> list[EveningPoints]:
    """Return the points of each player who played, in the order of the evenings; a penalty alone does not count. One query.

    The selection names its unit.
    """
    rows, path, played = select_rows(club, selection)
    evenings = rows.values("player", evening=F(f"{path}__evening"), day=F(f"{path}__evening__held_on"))
    sums = evenings.annotate(sum=Sum("points"), there=Count("pk", filter=played)).filter(there__gt=0)
    in_order = sums.order_by("day", "evening", "player")
    return [EveningPoints(*row) for row in in_order.values_list("player", "evening", "day", "sum")]


def find_winners(evenings: Iterable[EveningPoints]) -> dict[int, set[int]]:
    """Return the players with the most points of each evening; several if they are equal. Hidden players can win as well."""
    sums: dict[int, dict[int, int]] = defaultdict(dict)
    for one in evenings:
        sums[one.evening][one.player] = one.points
    return {
        evening: {player for player, points in of_all.items() if points == max(of_all.values())}
        for evening, of_all in sums.items()
    }


@dataclass(frozen=True)
class Attendee:
    """A column of the sheet: a player, the sum of their points, and the number of their evenings."""

    player_id: int
    name: str
    name_key: str
    points: int
    evenings: int


@dataclass(frozen=True)
class EveningRow:
    """A row of the sheet: the points of each player who was there, by id."""

    evening_id: int
    held_on: datetime.date
    open: bool
    points: Mapping[int, int]


@dataclass(frozen=True)
class ByEvening:
    """The sheet: `people` ordered by points, the most first, then by name; `rows` from the first evening to the last."""

    people: Sequence[Attendee]
    rows: Sequence[EveningRow]

    def cells(self, row: EveningRow) -> list[int | None]:
        """Return the points of a row in the order of the columns; None for players who were not there."""
        return [row.points.get(one.player_id) for one in self.people]

    def with_names(self, names: Names) -> ByEvening:
        """Return the sheet with the names that a reader sees."""
        named = [(one, names.get(one.player_id, one.name)) for one in self.people]
        return replace(self, people=[replace(one, name=name, name_key=name_key(name)) for one, name in named])


def read_by_evening(club: Club, selection: Selection) -> ByEvening:
    """Return the sheet in the one unit of the selection. One query.

    Players were there if they played a game, have points, or took part in an evening that came without its games.
    """
    people: dict[int, Mapping[str, Any]] = {}
    evenings: dict[int, EveningRow] = {}
    points: dict[int, dict[int, int]] = {}
    for found in _sum_points(club, selection):
        people.setdefault(found["player"], found)
        of_evening = points.setdefault(found["evening"], {})
        evenings.setdefault(
            found["evening"],
            EveningRow(found["evening"], found["held_on"], found["closed_at"] is None, of_evening),
        )
        of_evening[found["player"]] = found["sum"]
    by_player = {player: [own[player] for own in points.values() if player in own] for player in people}
    columns = [_build_attendee(row, by_player[player]) for player, row in people.items()]
    return ByEvening(
        people=sorted(columns, key=lambda one: (-one.points, one.name_key, one.player_id)),
        rows=sorted(evenings.values(), key=lambda row: (row.held_on, row.evening_id)),
    )


def _sum_points(club: Club, selection: Selection) -> Any:
    """Return the sum of each player on each evening, with the columns of both."""
    rows, path, there = select_rows(club, selection)
    return (
        rows.filter(there | ~Q(points=0))
        .values(
            "player",
            "player__name",
            "player__name_key",
            evening=F(f"{path}__evening"),
            held_on=F(f"{path}__evening__held_on"),
            closed_at=F(f"{path}__evening__closed_at"),
        )
        .annotate(sum=Sum("points"))
        .order_by()
    )


def _build_attendee(row: Mapping[str, Any], points: Sequence[int]) -> Attendee:
    return Attendee(
        player_id=row["player"],
        name=row["player__name"],
        name_key=row["player__name_key"],
        points=sum(points),
        evenings=len(points),
    )
