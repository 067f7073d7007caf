"""Booking the dues of a month, as they were seen, in one entry; and what status a member has from a month on."""

from __future__ import annotations

import datetime

from django.db import transaction

from scoring.cash.errors import DuesMeanwhile, NoDues, NoMember
from scoring.cash.models.books import Entry, Kind
from scoring.cash.models.dues import DuesStatus
from scoring.cash.queries.dues import due_in, standing_dues, status_in
from scoring.cash.rules import money
from scoring.club.actions import Actor, record
from scoring.club.models import Club, Player, Verb

from .posting import NewLeg, hold, post


@transaction.atomic
def book_dues(*, club: Club, actor: Actor, month: str, seen: str) -> Entry:
    """Everybody's dues of a month as they were `seen`; what is booked already is answered, whoever booked it. Raises NoDues,
    DuesMeanwhile."""
    hold(club)
    if standing := standing_dues(club, month):
        return standing
    due = due_in(club, month)
    if due is None:
        raise NoDues
    if due.seen != seen:
        raise DuesMeanwhile
    people = {money.member(str(pk)): player for pk, player in due.people.items()}
    return post(
        club=club,
        actor=actor,
        key=due.key,
        kind=Kind.DUES,
        date=datetime.date.fromisoformat(f"{month}-01"),
        lines=[NewLeg(people.get(leg.account, leg.account), leg.cents, leg.kind) for leg in due.legs],
        month=month,
        tariff=due.tariff,
    )


@transaction.atomic
def set_dues_status(*, player: Player, actor: Actor, month: str, status: str) -> None:
    """What somebody pays from a month on, until a later month says something else; what is booked stays. The history says that
    it was done, not about whom. Raises NoMember, ValidationError."""
    hold(player.club)
    player = Player.objects.select_related("club").get(pk=player.pk)
    if player.guest or player.merged_into_id or player.erased_on:
        raise NoMember
    rows = list(DuesStatus.objects.filter(player=player).order_by("month"))
    if status_in(rows, month) == status:
        return
    row = next((row for row in rows if row.month == month), DuesStatus(player=player, month=month))
    row.status = status
    row.full_clean()
    row.save()
    record(club=player.club, actor=actor, verb=Verb.CASH_DUES_SET, subject=row.pk, after={"month": month})
