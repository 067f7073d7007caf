"""What the books say of an evening: its entry that was not reversed, and where that differs from what the evening costs. The
account of a merged person counts as that of the person they were merged into."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable

from scoring.cash.models.books import Entry, Kind, Leg
from scoring.cash.queries.facts import Facts
from scoring.cash.rules import money
from scoring.cash.rules.charges import LegDifference, differences
from scoring.club.queries import MergedPlayers
from scoring.play.models import Evening

MEMBER = "member:"


def standing_entry(evening: Evening) -> Entry | None:
    """What is booked by a tariff of an evening: one entry at most stands."""
    entries = Entry.objects.filter(evening=evening, kind=Kind.EVENING, number__isnull=False, reversed_by=None)
    entries = entries.filter(tariff__isnull=False)
    return entries.select_related("club", "evening", "tariff").order_by("-pk").first()


def standing_entries(evenings: Collection[Evening]) -> dict[int, list[Leg]]:
    """The legs of what stands of these evenings, by their ids, in one query for all of them."""
    legs = Leg.objects.filter(
        entry__evening__in=evenings, entry__kind=Kind.EVENING, entry__number__isnull=False, entry__reversed_by=None,
        entry__tariff__isnull=False,
    )  # fmt: skip
    found: dict[int, dict[int, list[Leg]]] = defaultdict(lambda: defaultdict(list))
    for evening, leg in ((leg.entry.evening_id, leg) for leg in legs.select_related("entry", "account").order_by("pk")):
        found[evening or 0][leg.entry_id].append(leg)
    return {evening: of_entry[max(of_entry)] for evening, of_entry in found.items()}


def booked_legs(entry: Entry | None, merged: MergedPlayers) -> list[money.DueLeg]:
    """The legs of an entry, on the accounts of people by who they are now."""
    return [] if entry is None else legs_by_now(Leg.objects.filter(entry=entry).select_related("account"), merged)


def legs_by_now(legs: Iterable[Leg], merged: MergedPlayers) -> list[money.DueLeg]:
    """Legs as they are booked, the same way."""
    return money.added_up(money.DueLeg(leg.kind, _account(leg, merged), leg.cents) for leg in legs)


def _account(leg: Leg, merged: MergedPlayers) -> str:
    player = leg.account.player_id
    return leg.account.code if player is None else money.member(str(merged.resolve(player)))


def by_now(legs: Iterable[money.DueLeg], merged: MergedPlayers) -> list[money.DueLeg]:
    """These legs on the accounts that people have now, after rows of them were merged."""
    return money.added_up(leg._replace(account=now(leg.account, merged)) for leg in legs)


def now(account: str, merged: MergedPlayers) -> str:
    who = person_of(account)
    return account if who is None else money.member(str(merged.resolve(who)))


def person_of(account: str) -> int | None:
    """Whose account it is in the charges, by id; None where it is nobody's."""
    return int(account.removeprefix(MEMBER)) if account.startswith(MEMBER) else None


def owed_by(evening: Evening, facts: Facts) -> list[money.DueLeg]:
    """What an evening costs by its tariff; nothing where it has none."""
    return facts.charges(evening.tariff) if evening.tariff else []


def changed(booked: Iterable[money.DueLeg], legs: Iterable[money.DueLeg], merged: MergedPlayers) -> list[LegDifference]:
    """Where what is booked and what the evening costs differ."""
    return differences(booked, by_now(legs, merged))
