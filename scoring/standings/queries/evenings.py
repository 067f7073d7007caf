"""Read what each evening brought each player, its winners, and the sheet "Datum × Name" with all of it."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from django.db.models import Count, F, Q, Sum

from scoring.club.models import Club
from scoring.club.names import Names
from scoring.standings.queries.selection import Selection, select_rows


class EveningPoints(NamedTuple):
    player: int
    evening: int
    day: datetime.date
    points: int


def read_evenings(club: Club, selection: Selection) -> list[EveningPoints]:
    """Return the points of each player who played, in the one unit of the selection, which must be set, and in the order of the
    evenings; a penalty alone does not count. One query."""
    rows, path, present = select_rows(club, selection)
    evenings = rows.values("player", evening=F(f"{path}__evening"), day=F(f"{path}__evening__held_on"))
    sums = evenings.annotate(sum=Sum("points"), times_present=Count("pk", filter=present)).filter(times_present__gt=0)
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
    player_id: int
    name: str
    points: int
    evenings: int


@dataclass(frozen=True)
class EveningRow:
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
        return [row.points.get(one.player_id) for one in self.people]

    def with_names(self, names: Names) -> ByEvening:
        return replace(self, people=[replace(one, name=names.get(one.player_id, one.name)) for one in self.people])


def read_by_evening(club: Club, selection: Selection) -> ByEvening:
    """Return the sheet in the one unit of the selection. One query. Players were there if they played a game, have points, or took
    part in an evening that came without its games."""
    rows, path, present = select_rows(club, selection)
    evening = f"{path}__evening"
    columns = {"evening": F(evening), "held_on": F(f"{evening}__held_on"), "closed_at": F(f"{evening}__closed_at")}
    sums = rows.filter(present | ~Q(points=0)).values("player", "player__name", "player__name_key", **columns)
    by_player: dict[int, list[dict[str, Any]]] = defaultdict(list)
    by_evening: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for one in sums.annotate(sum=Sum("points")).order_by():
        by_player[one["player"]].append(one)
        by_evening[one["evening"]].append(one)
    names = {player: (own[0]["player__name_key"], own[0]["player__name"]) for player, own in by_player.items()}
    people = [Attendee(player, names[player][1], sum(one["sum"] for one in own), len(own)) for player, own in by_player.items()]
    evenings = [
        EveningRow(pk, own[0]["held_on"], own[0]["closed_at"] is None, {one["player"]: one["sum"] for one in own})
        for pk, own in by_evening.items()
    ]
    return ByEvening(
        people=sorted(people, key=lambda one: (-one.points, names[one.player_id][0], one.player_id)),
        rows=sorted(evenings, key=lambda one: (one.held_on, one.evening_id)),
    )
