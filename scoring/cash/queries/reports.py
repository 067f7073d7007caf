"""Payments that somebody reported and that wait for the treasurer."""

from __future__ import annotations

from scoring.cash.models.beside import Report
from scoring.cash.models.books import Entry
from scoring.club.models import Club, Player

from .journal import family_of


def waiting_reports(club: Club, of: Player | None = None) -> list[Report]:
    """Those that nobody has decided about, the oldest first; `of` one person alone."""
    waiting = Report.objects.filter(club=club, state=Report.State.WAITING).select_related("player", "reported_by")
    if of is not None:
        waiting = waiting.filter(player__in=family_of(club, of))
    return list(waiting.order_by("reported_at", "pk"))


def is_own_report(entry: Entry) -> bool:
    """Whether whoever booked it had reported the payment themselves."""
    reports = Report.objects.filter(club=entry.club_id, key=entry.key, reported_by=entry.actor_id)
    return entry.actor_id is not None and reports.exists()
