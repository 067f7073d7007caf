"""Where everybody stood before the last evening of a list, so that the list can say who climbed and who fell."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from django.db.models import Max, Sum

from scoring.club.models.people import Club
from scoring.rules.ranking import places
from scoring.standings.models import OpeningStanding

from .selection import Selection, brought_in, results_in
from .years import YearRow


class Before(NamedTuple):
    """The day of the last evening of a list, and by person the points of those who stood on it before that day; None and
    nothing of a list of one day."""

    last_day: datetime.date | None
    points: Mapping[int, int]


def read_before(
    club: Club, selection: Selection, openings: Iterable[OpeningStanding] = (), years: Sequence[YearRow] | None = None
) -> Before:
    """Of a list in one unit, and what it counts of opening balances, which people had before. Two evenings of one day are one:
    nobody knows which was the last. Two queries, one where the `years` are known."""
    last_day, points = _by_tables(club, selection) if years is None else _by_years(club, selection, years)
    if last_day is None:
        return Before(None, {})
    for one in openings:
        points[one.player_id] = points.get(one.player_id, 0) + one.points
    return Before(last_day if points else None, points)


def _by_tables(club: Club, selection: Selection) -> tuple[datetime.date | None, dict[int, int]]:
    rows, path, there = brought_in(club, selection)
    day = f"{path}__evening__held_on"
    last_day = rows.filter(there).aggregate(day=Max(day))["day"]
    if last_day is None:
        return None, {}
    before = rows.filter(**{f"{day}__lt": last_day}).order_by().values_list("player").annotate(Sum("points"))
    return last_day, dict(before)


def _by_years(
    club: Club, selection: Selection, years: Sequence[YearRow]
) -> tuple[datetime.date | None, dict[int, int]]:
    """The years before that of the last evening, and the days of its own before it."""
    counted = [row for row in years if row.is_in(selection)]
    last_day = max((row.last_evening for row in counted if row.last_evening), default=None)
    if last_day is None:
        return None, {}
    points: dict[int, int] = defaultdict(int)
    for row in counted:
        if row.year < last_day.year:
            points[row.player] += row.points
    of_year = results_in(club, replace(selection, since=datetime.date(last_day.year, 1, 1)))
    before = of_year.filter(table__evening__held_on__lt=last_day)
    for player, brought in before.values_list("player").annotate(Sum("points")):
        points[player] += brought
    return last_day, dict(points)


def places_before(before: Before, shown: Collection[int]) -> dict[int, int]:
    """The places of those who are shown now among each other, so that nobody climbs because somebody else is hidden."""
    there = [player for player in shown if player in before.points]
    return dict(zip(there, places([before.points[player] for player in there]), strict=True))
