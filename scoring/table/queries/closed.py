"""The closed months that a change of games touches. The league stands to the right of the table: its months are read through the
relations of the club."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from scoring.cash.queries.books import is_closed
from scoring.play.models import Evening
from scoring.play.replay import Effect


class ClosedMonth(NamedTuple):
    """A month that is closed in the league, with the name of its season, or in the Kasse."""

    month: str
    season: str = ""


def closed_months(effects: Iterable[Effect], charged: Collection[Evening]) -> list[ClosedMonth]:
    """The closed months of the evenings of these effects, and those of the Kasse of the evenings whose money differs."""
    found = []
    for evening in sorted({effect.records.row.evening for effect in effects}, key=lambda one: (one.held_on, one.pk)):
        day, month = evening.held_on, f"{evening.held_on:%Y-%m}"
        seasons = evening.club.seasons.filter(first_day__lte=day, last_day__gte=day, monthclosings__month=month)
        names = seasons.filter(monthclosings__version=1).order_by("pk").values_list("name", flat=True)
        found += [ClosedMonth(month, name) for name in names]
        if evening in charged and is_closed(evening.club_id, month):
            found.append(ClosedMonth(month))
    return list(dict.fromkeys(found))
