"""„Ich habe gezahlt“: what a member reports waits beside the books until the treasurer confirms it, whole, or refuses it with a
reason. Its key is that of the entry, so that two who confirm book once. The history, which everybody reads, says nothing of it:
single payments are for whom they are about."""

from __future__ import annotations

import datetime
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from scoring.cash.errors import DayToCome, ReasonNeeded, ReportBooked, ReportDecided
from scoring.cash.models.beside import Report
from scoring.cash.models.books import Entry, Kind
from scoring.cash.queries.books import first_open_day
from scoring.club.actions import Actor
from scoring.club.models import Player
from scoring.club.queries import get_merge_target
from scoring.core.text import tidy

from .posting import SHORTEST_REASON, hold
from .typed import TypedBooking, book


# Seven parameters: each is a column of the report, and all are named where it is called.
@transaction.atomic
def report_payment(
    *, player: Player, actor: Actor, key: UUID, cents: int, box: str, date: datetime.date, note: str = ""
) -> Report:
    """Somebody says that they paid. The same key with the same content again answers what is stored. Raises ReportBooked,
    DayToCome, ValidationError."""
    hold(player.club)
    report = Report(
        club=player.club,
        key=key,
        player=player,
        cents=cents,
        box=box,
        date=date,
        note=tidy(note),
        reported_by=actor.login,
    )
    if date > timezone.localdate():
        raise DayToCome
    if standing := Report.objects.filter(club=player.club_id, key=key).select_related("club").first():
        if _said(standing) != _said(report):
            raise ReportBooked
        return standing
    if Entry.objects.filter(club=player.club_id, key=key).exists():
        raise ReportBooked
    report.full_clean(exclude=["reported_by", "decided_by"])
    report.save()
    return report


@transaction.atomic
def withdraw_report(*, report: Report, actor: Actor) -> Report:
    """Somebody takes back that they paid. Doing it twice changes nothing. Raises ReportDecided."""
    return _decide(report, actor, Report.State.WITHDRAWN)


@transaction.atomic
def refuse_report(*, report: Report, actor: Actor, reason: str) -> Report:
    """The treasurer found no such payment. Raises ReportDecided, ReasonNeeded."""
    if len(tidy(reason)) < SHORTEST_REASON:
        raise ReasonNeeded
    return _decide(report, actor, Report.State.REFUSED, tidy(reason))


@transaction.atomic
def confirm_report(*, report: Report, actor: Actor) -> Entry:
    """Book it, whole: again it answers what is booked. Where its month was closed meanwhile it counts from the first day that is
    open. Raises ReportDecided, and what `post` raises."""
    report = _decide(report, actor, Report.State.CONFIRMED)
    first = first_open_day(report.club)
    typed = TypedBooking(
        kind=Kind.PAYMENT,
        cents=report.cents,
        date=max(report.date, first) if first else report.date,
        person=get_merge_target(report.player),
        box=report.box,
        reason=report.note,
    )
    return Entry.objects.filter(club=report.club_id, key=report.key).first() or book(
        club=report.club, actor=actor, key=report.key, typed=typed
    )


def _decide(report: Report, actor: Actor, state: Report.State, reason: str = "") -> Report:
    hold(report.club)
    report = Report.objects.select_related("club", "player").get(pk=report.pk)
    if report.state == state:
        return report
    if report.state != Report.State.WAITING:
        raise ReportDecided
    report.state, report.reason = state, reason
    report.decided_at, report.decided_by = timezone.now(), actor.login
    report.save()
    return report


def _said(report: Report) -> tuple[object, ...]:
    return report.player_id, report.cents, report.box, report.date, report.note
