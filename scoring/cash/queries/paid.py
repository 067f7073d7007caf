"""What was paid for an evening: payments, payouts, and what people paid each other, where that names it."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID, uuid5

from django.db.models import Q, QuerySet

from scoring.cash.models.books import Entry, Kind, Leg
from scoring.cash.queries.books import owed
from scoring.cash.queries.facts import Facts
from scoring.cash.queries.previews import sums_of
from scoring.cash.queries.standing import booked_legs
from scoring.cash.rules.money import summed
from scoring.club.models import Club
from scoring.club.queries import MergedPlayers
from scoring.play.models import Evening

_MONEY = (Kind.PAYMENT, Kind.PAYOUT, Kind.SETTLE)
# By these somebody owes less as well, or more, with no money for it.
_RELIEF = (Kind.OUTLAY, Kind.HANDOVER, Kind.WAIVE)


def paid_for(evening: Evening, merged: MergedPlayers) -> dict[int, int]:
    """What each person paid for an evening, by who they are now; below 0 they got it."""
    of_money = Q(entry__kind__in=_MONEY) | Q(entry__reverses__kind__in=_MONEY)
    legs = Leg.objects.filter(of_money, entry__evening=evening, entry__number__isnull=False)
    return _by_person(legs, merged)


def _by_person(legs: QuerySet[Leg], merged: MergedPlayers) -> dict[int, int]:
    of_people = legs.filter(account__player__isnull=False).values_list("account__player", "cents")
    return summed((merged.resolve(player), -cents) for player, cents in of_people)


def left_to_pay(evening: Evening, facts: Facts, standing: Entry | None) -> dict[int, int]:
    """What each person has still to pay of what is booked, by who they are now; below 0 they have still to get it. Whoever paid
    since without naming an evening, or was relieved of it, pays no more than they owe in all."""
    left = _left_of(evening, facts, standing)
    since = _paid_since(evening, facts.merged) if left else {}
    if since.keys() & left.keys():
        open_now = owed(evening.club)
        for who in since.keys() & left.keys():
            left[who] = _but_paid(left[who], since[who], open_now.get(who, 0))
    return {who: cents for who, cents in left.items() if cents}


def _but_paid(left: int, paid: int, owes: int) -> int:
    """What is left of an evening to pay (above 0) or to get, of somebody who `paid` so much since, and `owes` so much in all."""
    if left < 0:
        return -_but_paid(-left, -paid, -owes)
    return left if paid <= 0 else max(left - paid, min(left, max(owes, 0)))


def _paid_since(evening: Evening, merged: MergedPlayers) -> dict[int, int]:
    """What each person paid since the evening without naming one; below 0 they got money back. A payment counts if its day is the
    day of the evening or a later one, or if it was booked after the evening. What else lowers a debt counts too (`_RELIEF`)."""
    first = Entry.objects.filter(evening=evening, kind=Kind.EVENING, number__isnull=False).order_by("pk")
    booked = first.values_list("pk", flat=True).first()
    if booked is None:
        return {}
    kinds = (*_MONEY, *_RELIEF)
    since = Q(entry__pk__gt=booked) | Q(entry__date__gte=evening.held_on)
    legs = Leg.objects.filter(
        Q(entry__kind__in=kinds) | Q(entry__reverses__kind__in=kinds), since,
        entry__club=evening.club_id, entry__evening=None, entry__number__isnull=False,
    )  # fmt: skip
    return _by_person(legs, merged)


def _left_of(evening: Evening, facts: Facts, standing: Entry | None) -> dict[int, int]:
    left = {who: -cents for who, cents in paid_for(evening, facts.merged).items()}
    for who, cents in sums_of(booked_legs(standing, facts.merged)).items():
        if who is not None:
            left[who] = left.get(who, 0) + cents
    return {who: cents for who, cents in left.items() if cents}


def collected_as(key: UUID, player: int | str) -> UUID:
    """The key of what somebody paid who was ticked in the form with this key."""
    return uuid5(key, str(player))


def is_collected(club: Club, key: UUID, players: Collection[str]) -> bool:
    """Was it booked already for all of these, by their ids, when the same form was sent before?"""
    keys = {collected_as(key, player) for player in players}
    return bool(keys) and Entry.objects.filter(club=club, key__in=keys).count() == len(keys)


def booked_of(evening: Evening) -> list[Entry]:
    """Everything that was booked of what an evening costs, in the order in which it was booked."""
    kinds = Q(kind=Kind.EVENING) | Q(reverses__kind=Kind.EVENING)
    entries = Entry.objects.filter(kinds, evening=evening, number__isnull=False)
    return list(entries.select_related("reverses", "evening").order_by("pk"))


def standing_among(booked: list[Entry]) -> Entry | None:
    """The one of these that is not reversed."""
    reversed_ones = {entry.reverses_id for entry in booked}
    return next((entry for entry in booked if entry.kind == Kind.EVENING and entry.pk not in reversed_ones), None)
