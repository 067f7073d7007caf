"""What single evenings brought those who played there, and who won them: list, page of a person and records of the club read it
here. Of evenings that came without their games the sums are known, so they are among them."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from django.db.models import Count, F, Sum

from scoring.club.models import Club

from .selection import Selection, brought_in


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
