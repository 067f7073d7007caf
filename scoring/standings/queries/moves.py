"""Compute the ranks before the last evening of a list, so that the list can show who climbed and who fell."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from django.db.models import Max, Sum

from scoring.club.models import Club
from scoring.rules.ranking import rank_all
from scoring.standings.models import OpeningStanding

from .selection import Selection, brought_in, results_in
from .years import YearRow


class Before(NamedTuple):
    """The day of the last evening of a list, and the points before that day, by person; None and empty for a list of one day."""

    last_day: datetime.date | None
    points: Mapping[int, int]


def read_before(
    club: Club, selection: Selection, openings: Iterable[OpeningStanding] = (), years: Sequence[YearRow] | None = None
) -> Before:
    """Read the points before the last evening of a list in one unit, with the opening balances that it counts. Evenings of the same
    day count as one, since their order is not known. Two queries, one if `years` are given."""
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
    """Add up the years before that of the last evening, and the earlier days of its year."""
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
    """Return the ranks before among the people who are shown now, so that hiding a person lets no other one climb."""
    there = [player for player in shown if player in before.points]
    return dict(zip(there, rank_all([before.points[player] for player in there]), strict=True))
