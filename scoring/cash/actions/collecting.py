"""„Alles bar kassiert“: whoever is ticked pays, or gets, in cash what an evening cost them, as far as they have not yet."""

from __future__ import annotations

import datetime
from collections.abc import Collection
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from scoring.cash.errors import EveningStillOpen
from scoring.cash.models.books import Entry, Kind
from scoring.cash.queries.books import is_closed
from scoring.cash.queries.facts import read_facts
from scoring.cash.queries.paid import collected_as, left_to_pay
from scoring.cash.queries.standing import standing_entry
from scoring.club.actions import Actor
from scoring.club.models import Player
from scoring.play.models import Evening

from .posting import NewLeg, hold, late_day, post


@transaction.atomic
def collect(*, evening: Evening, actor: Actor, players: Collection[Player], key: UUID) -> list[Entry]:
    """A payment or a payout for everybody whom a closed evening still costs or owes something. The same key again books nothing
    more. Raises EveningStillOpen."""
    hold(evening.club)
    evening = Evening.objects.select_related("club").get(pk=evening.pk)
    if evening.is_open:
        raise EveningStillOpen
    facts = read_facts(evening)
    left, booked = left_to_pay(evening, facts, standing_entry(evening)), []
    for player in players:
        rest = left.get(facts.merged.resolve(player.pk), 0)
        own = collected_as(key, player.pk)
        if rest == 0 or Entry.objects.filter(club=evening.club, key=own).exists():
            continue
        kind = Kind.PAYMENT if rest > 0 else Kind.PAYOUT
        booked.append(
            post(
                club=evening.club,
                actor=actor,
                key=own,
                kind=kind,
                date=_day(evening),
                lines=[NewLeg("cash", rest, kind), NewLeg(player, -rest, kind)],
                evening=evening,
            )
        )
    return booked


def _day(evening: Evening) -> datetime.date:
    """The money moved at the evening, if that was today or yesterday and its month is open; else on the first open day."""
    today = timezone.localdate()
    was_now = today - datetime.timedelta(days=1) <= evening.held_on <= today
    if was_now and not is_closed(evening.club_id, f"{evening.held_on:%Y-%m}"):
        return evening.held_on
    return late_day(evening.club, None)
