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
from scoring.standings.queries.selection import Selection, brought_in


class EveningPoints(NamedTuple):
    """What one evening brought one person."""

    player: int
    evening: int
    day: datetime.date
    points: int


def read_evenings(club: Club, selection: Selection) -> list[EveningPoints]:
    """Of a list in one unit, in the order of the evenings. Who only paid a penalty was not there. One query."""
    rows, path, played = brought_in(club, selection)
    evenings = rows.values("player", evening=F(f"{path}__evening"), day=F(f"{path}__evening__held_on"))
    sums = evenings.annotate(sum=Sum("points"), there=Count("pk", filter=played)).filter(there__gt=0)
    in_order = sums.order_by("day", "evening", "player")
    return [EveningPoints(*row) for row in in_order.values_list("player", "evening", "day", "sum")]


def winners(evenings: Iterable[EveningPoints]) -> dict[int, set[int]]:
    """Who brought the most points home, by evening: all who share them. Whom a list hides wins as well, and nobody instead."""
    sums: dict[int, dict[int, int]] = defaultdict(dict)
    for one in evenings:
        sums[one.evening][one.player] = one.points
    return {
        evening: {player for player, points in of_all.items() if points == max(of_all.values())}
        for evening, of_all in sums.items()
    }


@dataclass(frozen=True)
class Attender:
    """A column of the sheet: the sum of somebody's points, and at how many of its evenings they were."""

    player_id: int
    name: str
    name_key: str
    guest: bool
    left: bool
    points: int
    evenings: int


@dataclass(frozen=True)
class EveningRow:
    """A row of the sheet: the points of everybody who was there, by id of the player."""

    evening_id: int
    held_on: datetime.date
    open: bool
    points: Mapping[int, int]


@dataclass(frozen=True)
class ByEvening:
    """The sheet: `people` with the most points first, then by name; `rows` from the first evening to the last."""

    people: Sequence[Attender]
    rows: Sequence[EveningRow]

    def cells(self, row: EveningRow) -> list[int | None]:
        """A row in the order of the columns, None for who was not there."""
        return [row.points.get(one.player_id) for one in self.people]


def read_by_evening(club: Club, selection: Selection) -> ByEvening:
    """The sheet in the one unit of the selection. Somebody was there who played a game, who has points, or of whose evening no
    games are known. One query."""
    people: dict[int, Mapping[str, Any]] = {}
    evenings: dict[int, EveningRow] = {}
    points: dict[int, dict[int, int]] = {}
    for found in _sums(club, selection):
        people.setdefault(found["player"], found)
        of_evening = points.setdefault(found["evening"], {})
        evenings.setdefault(
            found["evening"],
            EveningRow(found["evening"], found["held_on"], found["closed_at"] is None, of_evening),
        )
        of_evening[found["player"]] = found["sum"]
    brought = {player: [own[player] for own in points.values() if player in own] for player in people}
    columns = [_attender(row, brought[player]) for player, row in people.items()]
    return ByEvening(
        people=sorted(columns, key=lambda one: (-one.points, one.name_key, one.player_id)),
        rows=sorted(evenings.values(), key=lambda row: (row.held_on, row.evening_id)),
    )


def name_people(sheet: ByEvening, names: Names) -> ByEvening:
    """The sheet with the people as one reader knows them."""
    told = [(one, names.get(one.player_id, one.name)) for one in sheet.people]
    return replace(sheet, people=[replace(one, name=name, name_key=name_key(name)) for one, name in told])


def _sums(club: Club, selection: Selection) -> Any:
    """What each evening brought each person who was there."""
    rows, path, there = brought_in(club, selection)
    return (
        rows.filter(there | ~Q(points=0))
        .values(
            "player",
            "player__name",
            "player__name_key",
            "player__guest",
            "player__left_on",
            evening=F(f"{path}__evening"),
            held_on=F(f"{path}__evening__held_on"),
            closed_at=F(f"{path}__evening__closed_at"),
        )
        .annotate(sum=Sum("points"))
        .order_by()
    )


def _attender(row: Mapping[str, Any], brought: Sequence[int]) -> Attender:
    return Attender(
        player_id=row["player"],
        name=row["player__name"],
        name_key=row["player__name_key"],
        guest=row["player__guest"],
        left=row["player__left_on"] is not None,
        points=sum(brought),
        evenings=len(brought),
    )
