"""Read the opening balances, which people had before the first evening. Only lists of everything count them, because their days,
rules and tables are not known."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import F, Q

from scoring.club.models import Club, Player
from scoring.standings.models import OpeningStanding

from .selection import Selection


def openings_of(club: Club) -> list[OpeningStanding]:
    """Return every opening balance of a club, with its person. One query."""
    return list(OpeningStanding.objects.filter(player__club=club).select_related("player").order_by("pk"))


def openings_with(player: Player) -> list[OpeningStanding]:
    """Return the opening balances of one person: more than one row if two people were merged. One query."""
    return list(OpeningStanding.objects.filter(player=player).order_by("until", "pk"))


def counted_in(openings: Iterable[OpeningStanding], selection: Selection) -> list[OpeningStanding]:
    """Return the opening balances that a list counts: none if it is limited by a first day, by rules or by tables."""
    if selection.is_of_a_part:
        return []
    last = selection.last_day
    return [one for one in openings if selection.unit in (None, one.unit) and (last is None or one.until <= last)]


def odd_openings(club: Club | None = None) -> Iterable[OpeningStanding]:
    """Return the rows that belong to no imported list: they were not written by the actions. One query."""
    rows = OpeningStanding.objects.filter(**({} if club is None else {"player__club": club}))
    stray = ~Q(imported__club=F("player__club")) | ~Q(imported__kind="sums") | Q(imported__imported_at=None)
    return rows.filter(stray | Q(imported__undone_at__isnull=False)).select_related("player__club")
