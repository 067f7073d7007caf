"""What was booked for members who had left by then, because the day they left was entered later."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Sequence
from hashlib import sha256
from typing import NamedTuple

from django.db.models import F, Q, Sum

from scoring.cash.models.books import Kind, Leg
from scoring.cash.models.facts import Attendance
from scoring.club.models import Club, Player
from scoring.club.queries import get_merged_players

_CHARGED_ABSENT = (Attendance.Absence.EXCUSED, Attendance.Absence.UNEXCUSED)


class LateFee(NamedTuple):
    """What an entry charges a person: the dues of a month, or an evening on which they were absent."""

    entry: int
    cents: int
    month: str
    evening: int | None
    held_on: datetime.date | None


def fees_after_leaving(club: Club) -> dict[Player, list[LateFee]]:
    """The fees that stand in the books for days after a member left, the earliest first. Four queries at most."""
    left = {player.pk: player for player in Player.objects.filter(club=club, left_on__isnull=False, merged_into=None)}
    if not left:
        return {}
    merged = get_merged_players(club.pk)
    after = Q(entry__date__gt=F("account__player__left_on")) | Q(account__player__merged_into__isnull=False)
    legs = Leg.objects.filter(
        after,
        entry__club=club,
        entry__kind__in=(Kind.DUES, Kind.EVENING),
        entry__number__isnull=False,
        entry__reversed_by=None,
    )
    columns = ("account__player", "entry", "entry__month", "entry__evening", "entry__evening__held_on")
    rows = list(legs.order_by("entry__date", "entry__number").values_list(*columns).annotate(Sum("cents")))
    of_evenings = Attendance.objects.filter(evening__in={row[3] for row in rows}, absence__in=_CHARGED_ABSENT)
    absent = {(evening, merged.resolve(player)) for evening, player in of_evenings.values_list("evening", "player")}
    found = defaultdict[Player, list[LateFee]](list)
    for player, entry, month, evening, held_on, cents in rows:
        who = left.get(merged.resolve(player))
        if who is None or who.left_on is None or cents <= 0:
            continue
        late = held_on > who.left_on and (evening, who.pk) in absent if held_on else month > f"{who.left_on:%Y-%m}"
        if late:
            found[who].append(LateFee(entry, cents, month, evening, held_on))
    return dict(found)


def stands_for(fees: Sequence[LateFee]) -> str:
    """Stands for what was seen of these."""
    return sha256(repr([tuple(fee) for fee in fees]).encode()).hexdigest()[:16]
