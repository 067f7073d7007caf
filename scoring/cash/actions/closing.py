"""Closing a month of the Kasse for good: its statement as text with its hash, and whoever countersigns it."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from scoring.cash.errors import (
    BooksBroken,
    EarlierMonthFirst,
    EveningOfMonthOpen,
    MonthIsClosedAlready,
    MonthNotOver,
    OwnSignature,
    SignedAlready,
    StatementChanged,
)
from scoring.cash.models.beside import Countersignature
from scoring.cash.models.books import Period
from scoring.cash.queries.books import days_of, hash_of, month_after
from scoring.cash.queries.closing import draft, month_of_first_entry
from scoring.cash.queries.verify import faults_of
from scoring.club.actions.history import Actor, record
from scoring.club.models.history import Verb
from scoring.club.models.people import Club
from scoring.play.models import Evening

from .posting import hold


@transaction.atomic
def close_month(*, club: Club, actor: Actor, month: str, seen: str) -> Period:
    """Close a month as it was seen, which its hash `seen` says. Raises MonthIsClosedAlready, MonthNotOver, EarlierMonthFirst,
    EveningOfMonthOpen, BooksBroken, StatementChanged."""
    hold(club)
    last = Period.objects.filter(club=club).order_by("-month").first()
    if last is not None and last.month >= month:
        raise MonthIsClosedAlready
    if month >= f"{timezone.localdate():%Y-%m}":
        raise MonthNotOver
    if month != (month_after(last.month) if last else month_of_first_entry(club)):
        raise EarlierMonthFirst
    if Evening.objects.filter(club=club, held_on__range=days_of(month), closed_at=None).exists():
        raise EveningOfMonthOpen
    if faults := list(faults_of(club)):
        raise BooksBroken(faults)
    text = draft(club, month)
    if hash_of(text) != seen:
        raise StatementChanged
    period = Period.objects.create(club=club, month=month, statement=text, sha256=seen, closed_by=actor.login)
    record(club=club, actor=actor, verb=Verb.CASH_CLOSED, subject=period.pk, after={"month": month, "sha256": seen})
    return period


@transaction.atomic
def countersign(*, period: Period, actor: Actor) -> Countersignature:
    """Somebody else says that they looked at it. Raises OwnSignature, SignedAlready."""
    hold(period.club)
    if actor.login is None or actor.login.pk == period.closed_by_id:
        raise OwnSignature
    if Countersignature.objects.filter(period=period, signed_by=actor.login).exists():
        raise SignedAlready
    signed = Countersignature.objects.create(period=period, signed_by=actor.login)
    told = {"month": period.month, "sha256": period.sha256}
    record(club=period.club, actor=actor, verb=Verb.CASH_COUNTERSIGNED, subject=period.pk, after=told)
    return signed
