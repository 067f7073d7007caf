"""Read what each evening brought each player, its winners, and the sheet "Datum × Name" with all of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from operator import itemgetter
from typing import Any

from django.db.models import Count, F, Q, Sum

from scoring.club.models import Club
from scoring.club.names import Names
from scoring.standings.queries.selection import Selection, select_rows


def read_evenings(club: Club, selection: Selection) -> list[Any]:
    """Return rows with the `player`, the `evening` (both by id), its `day` and the `sum` of the points of each player who played,
    in the one unit of the selection, which must be set, and in the order of the evenings; a penalty alone does not count. One
    query."""
    rows, path, present = select_rows(club, selection)
    evenings = rows.values("player", evening=F(f"{path}__evening"), day=F(f"{path}__evening__held_on"))
    sums = evenings.annotate(sum=Sum("points"), times_present=Count("pk", filter=present)).filter(times_present__gt=0)
    in_order = sums.order_by("day", "evening", "player")
    return list(in_order.values_list("player", "evening", "day", "sum", named=True))


def find_winners(evenings: Iterable[Any]) -> dict[int, set[int]]:
    """Return the players with the most points of each evening; several if they are equal. Hidden players can win as well."""
    sums: dict[int, dict[int, int]] = defaultdict(dict)
    for one in evenings:
        sums[one.evening][one.player] = one.sum
    return {
        evening: {player for player, points in of_all.items() if points == max(of_all.values())}
        for evening, of_all in sums.items()
    }


# The sheet "Datum × Name". Its people, ordered by points, the most first, then by name: `player_id`, `name`, `points` and number of
# `evenings`. Its evenings from the first to the last: `evening_id`, `held_on`, `open`, and the `points` of these people or None.
ByEvening = tuple[list[dict[str, Any]], list[dict[str, Any]]]


def read_by_evening(club: Club, selection: Selection, names: Names | None = None) -> ByEvening:
    """Return the sheet in the one unit of the selection, with the names that a reader may see. Players were there if they played a
    game, have points, or took part in an evening that came without its games. One query."""
    rows, path, present = select_rows(club, selection)
    evening = f"{path}__evening"
    columns = {"evening": F(evening), "held_on": F(f"{evening}__held_on"), "closed_at": F(f"{evening}__closed_at")}
    sums = rows.filter(present | ~Q(points=0)).values("player", "player__name", "player__name_key", **columns)
    people: dict[int, dict[str, Any]] = {}
    evenings: dict[int, dict[str, Any]] = {}
    points: dict[tuple[int, int], int] = {}
    for one in sums.annotate(sum=Sum("points")).order_by():
        player, pk = one["player"], one["evening"]
        about = {"player_id": player, "name": one["player__name"], "name_key": one["player__name_key"], "points": 0, "evenings": 0}
        person = people.setdefault(player, about)
        person["points"] += one["sum"]
        person["evenings"] += 1
        evenings[pk] = {"evening_id": pk, "held_on": one["held_on"], "open": one["closed_at"] is None}
        points[pk, player] = one["sum"]
    in_order = sorted(people.values(), key=lambda one: (-one["points"], one["name_key"], one["player_id"]))
    for one in in_order:
        one["name"] = names.get(one["player_id"], one["name"]) if names else one["name"]
    return in_order, [
        row | {"points": [points.get((row["evening_id"], one["player_id"])) for one in in_order]}
        for row in sorted(evenings.values(), key=itemgetter("held_on", "evening_id"))
    ]
