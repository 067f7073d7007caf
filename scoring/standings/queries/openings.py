"""Opening standings: what people had before the first evening, and which lists count it. Only the lists of everything do,
because nobody knows the days, the rules and the tables."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import F, Q

from scoring.club.models.people import Club, Player
from scoring.standings.models import OpeningStanding

from .selection import Selection


def openings_of(club: Club) -> list[OpeningStanding]:
    """Every opening balance of a club with its person, as it was brought. One query."""
    return list(OpeningStanding.objects.filter(player__club=club).select_related("player").order_by("pk"))


def openings_with(player: Player) -> list[OpeningStanding]:
    """What one person had before; more than one row where two people turned out to be one. One query."""
    return list(OpeningStanding.objects.filter(player=player).order_by("until", "pk"))


def counted_in(openings: Iterable[OpeningStanding], selection: Selection) -> list[OpeningStanding]:
    """Those that this list counts: it names no day before which it counts nothing, no rules and no tables."""
    if selection.is_of_a_part:
        return []
    last = selection.last_day
    return [one for one in openings if selection.unit in (None, one.unit) and (last is None or one.until <= last)]


def odd_openings(club: Club | None = None) -> Iterable[OpeningStanding]:
    """The rows that no list that was brought along accounts for: they came past the actions. One query."""
    rows = OpeningStanding.objects.filter(**({} if club is None else {"player__club": club}))
    stray = ~Q(imported__club=F("player__club")) | ~Q(imported__kind="sums") | Q(imported__imported_at=None)
    return rows.filter(stray | Q(imported__undone_at__isnull=False)).select_related("player__club")
