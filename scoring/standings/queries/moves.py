"""Where everybody stood before the last evening of a list, so that the list can say who climbed and who fell."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from django.db.models import Max, Q, Sum

from scoring.club.models.people import Club
from scoring.rules.ranking import places
from scoring.standings.models import OpeningStanding

from .selection import Selection, results_in, scores_in


class Before(NamedTuple):
    """The day of the last evening of a list, and by person the points of those who stood on it before that day; None and
    nothing of a list of one day."""

    last_day: datetime.date | None
    points: Mapping[int, int]


def read_before(club: Club, selection: Selection, openings: Iterable[OpeningStanding] = ()) -> Before:
    """Of a list in one unit, and what it counts of opening balances, which people had before. Two evenings of one day are one:
    nobody knows which was the last. Two queries."""
    rows: Any
    if selection.size is None:
        rows, path = results_in(club, selection), "table__evening__held_on"
        there = Q(games__gt=0) | Q(table__without_games=True)
    else:
        rows, path = scores_in(club, selection), "game__round__table__evening__held_on"
        there = Q(played=True)
    last_day = rows.filter(there).aggregate(day=Max(path))["day"]
    if last_day is None:
        return Before(None, {})
    before = rows.filter(**{f"{path}__lt": last_day}).order_by().values_list("player").annotate(Sum("points"))
    points = dict(before)
    for one in openings:
        points[one.player_id] = points.get(one.player_id, 0) + one.points
    return Before(last_day if points else None, points)


def places_before(before: Before, shown: Collection[int]) -> dict[int, int]:
    """The places of those who are shown now among each other, so that nobody climbs because somebody else is hidden."""
    there = [player for player in shown if player in before.points]
    return dict(zip(there, places([before.points[player] for player in there]), strict=True))
