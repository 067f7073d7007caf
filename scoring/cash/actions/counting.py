"""Kassensturz: two people count what is in the box. Every count is kept; a difference from the books is booked with its reason."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.db import transaction

from scoring.cash.errors import BoxChanged, KeyBooked, WitnessNeeded
from scoring.cash.models.beside import CashCount
from scoring.cash.models.books import Entry, Kind
from scoring.cash.queries.books import balances
from scoring.club.actions import Actor, record
from scoring.club.models import Club, Player, Verb

from .posting import NewLeg, hold, late_day, post


@dataclass(frozen=True)
class Counted:
    """What was counted, and by whom. `booked` is the amount in the books that the page showed at that moment."""

    cents: int
    booked: int
    counter: Player
    witness: Player
    reason: str = ""


@transaction.atomic
def count_cash(*, club: Club, actor: Actor, key: UUID, counted: Counted) -> CashCount:
    """Keep a count, and book its difference today. The same key again answers what is stored. Raises WitnessNeeded, BoxChanged,
    KeyBooked, and what `post` raises: ReasonNeeded, say."""
    hold(club)
    if standing := CashCount.objects.filter(club=club, key=key).select_related("entry").first():
        if _said(standing) != (counted.cents, counted.booked, counted.counter.pk, counted.witness.pk):
            raise KeyBooked(standing.entry)
        return standing
    if counted.counter == counted.witness:
        raise WitnessNeeded
    if balances(club).get("cash", 0) != counted.booked:
        raise BoxChanged
    count = CashCount(
        club=club,
        key=key,
        cents=counted.cents,
        booked=counted.booked,
        counter=counted.counter,
        witness=counted.witness,
        entry=_difference(club, actor, key, counted),
    )
    count.full_clean()
    count.save()
    record(
        club=club,
        actor=actor,
        verb=Verb.CASH_COUNTED,
        subject=count.pk,
        after={"cents": count.cents, "booked": count.booked},
    )
    return count


def _difference(club: Club, actor: Actor, key: UUID, counted: Counted) -> Entry | None:
    cents = counted.cents - counted.booked
    if cents == 0:
        return None
    other = "income:surplus" if cents > 0 else "expense:shortage"
    return post(
        club=club,
        actor=actor,
        key=key,
        kind=Kind.COUNT,
        date=late_day(club, None),
        lines=[NewLeg("cash", cents, Kind.COUNT), NewLeg(other, -cents, Kind.COUNT)],
        reason=counted.reason,
    )


def _said(count: CashCount) -> tuple[object, ...]:
    return count.cents, count.booked, count.counter_id, count.witness_id
