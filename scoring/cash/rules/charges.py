"""What an evening costs: `charges(evening, tariff)`, a pure function from facts to legs, as docs/kasse.md tells it. Every part
of the tariff has a function of its own that yields the legs of its kind; the absent and the guests come last, because they
depend on all others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

from .evening import ChargedEvening, ChargedPerson
from .money import DueLeg, added_up, member, owed, split
from .points import point_legs
from .pot import pot_legs
from .tariff import TariffRules

FINE = "fine."


def charges(evening: ChargedEvening, tariff: TariffRules) -> list[DueLeg]:
    """The legs of an evening, sorted by kind, then account. Those of each kind sum to 0."""
    parts = (point_legs, pot_legs, fee_legs, guest_legs, host_legs, drink_legs, fine_legs)
    legs = added_up(leg for part in parts for leg in part(evening, tariff))
    legs += absence_legs(evening, tariff, legs)
    return added_up(_moved_from_guests(legs, evening, tariff))


def fee_legs(evening: ChargedEvening, tariff: TariffRules) -> Iterator[DueLeg]:
    if tariff.fee is None:
        return
    paying = (None, "excused", "unexcused") if tariff.fee.absent else (None,)
    for person in evening.people:
        if not person.guest and person.absence in paying:
            yield from owed("fee", member(person.id), tariff.fee.cents, "income:fee")


def guest_legs(evening: ChargedEvening, tariff: TariffRules) -> Iterator[DueLeg]:
    for person in evening.here:
        if person.guest:
            yield from owed("guest", member(person.id), tariff.guests.cents, "income:guest")


def host_legs(evening: ChargedEvening, tariff: TariffRules) -> Iterator[DueLeg]:
    if tariff.host is None or evening.host is None:
        return
    others = [member(person.id) for person in evening.members_there if person.id != evening.host]
    for payer in ["expense:host"] if tariff.host.from_club else others:
        yield from owed("host", payer, tariff.host.cents, member(evening.host))


def drink_legs(evening: ChargedEvening, tariff: TariffRules) -> Iterator[DueLeg]:
    """What everybody here drank, and their share of the bill, which goes to whoever paid it."""
    here = evening.here
    for person in here:
        drunk = sum(count * tariff.drinks.prices[code] for code, count in person.drinks.items())
        yield from owed("drinks", member(person.id), tariff.drinks.flat + drunk, "income:drinks")
    if evening.bill is None or not here:
        return
    creditor = "income:drinks" if evening.bill.paid_by is None else member(evening.bill.paid_by)
    for person, share in zip(here, split(evening.bill.cents, [1] * len(here), evening.turn), strict=True):
        yield from owed("drinks", member(person.id), share, creditor)


def fine_legs(evening: ChargedEvening, tariff: TariffRules) -> Iterator[DueLeg]:
    """The fines that were entered, and those that count the games that somebody lost."""
    for code, fine in tariff.fines.items():
        if fine.lost_games:
            rows = [(person.id, person.lost) for person in evening.here]
        else:
            rows = [(row.who, row.amount) for row in evening.fines if row.code == code]
        for who, cents in fine.costs(rows).items():
            yield from owed(FINE + code, member(who), cents, "income:fines")


# --- What depends on the other legs ----------------------------------------------------------------------------------


def absence_legs(evening: ChargedEvening, tariff: TariffRules, legs: list[DueLeg]) -> Iterator[DueLeg]:
    """What members pay for an evening that they missed: an average of what those who were there pay, and a fixed sum."""
    if tariff.absence is None:
        return
    costs = {"excused": tariff.absence.excused, "unexcused": tariff.absence.unexcused}
    for person in evening.people:
        if not person.guest and person.absence in costs:
            cost = costs[person.absence]
            average = tariff.absence.round.apply(_average(evening, legs, cost.average))
            yield from owed("absence", member(person.id), average + cost.plus, "income:absence")


def _average(evening: ChargedEvening, legs: list[DueLeg], parts: tuple[str, ...]) -> Fraction:
    """What the members there pay for these parts, each leg above 0, divided by their number."""
    accounts = {member(person.id) for person in evening.members_there}
    paid = [leg.cents for leg in legs if leg.account in accounts and leg.cents > 0 and _part(leg.kind) in parts]
    return Fraction(sum(paid), len(accounts) or 1)


def _part(kind: str) -> str:
    """The part of the tariff that an average names for legs of this kind."""
    return "fines" if kind.startswith(FINE) else kind


def _moved_from_guests(legs: Iterable[DueLeg], evening: ChargedEvening, tariff: TariffRules) -> Iterator[DueLeg]:
    """The same legs, those of guests on the account of whoever pays for them."""
    payers = {member(person.id): payer_of(person, evening, tariff) for person in evening.people if person.guest}
    for leg in legs:
        yield leg._replace(account=payers.get(leg.account, leg.account))


def payer_of(guest: ChargedPerson, evening: ChargedEvening, tariff: TariffRules) -> str:
    """The account on which the legs of a guest fall; their own where the evening names nobody else."""
    if tariff.guests.payer == "club":
        return "expense:guests"
    payers = {"host": evening.host, "bringer": guest.brought_by, "guest": guest.id}
    return member(payers[tariff.guests.payer] or guest.id)


# --- What a correction changes ---------------------------------------------------------------------------------------


class LegDifference(NamedTuple):
    """One account of one kind where the legs that were booked and those that ought to be differ, in cents."""

    kind: str
    account: str
    was: int
    is_now: int


def differences(booked: Iterable[DueLeg], legs: Iterable[DueLeg]) -> list[LegDifference]:
    """Where two lists of legs differ, sorted by kind, then account."""
    was = {(leg.kind, leg.account): leg.cents for leg in added_up(booked)}
    is_now = {(leg.kind, leg.account): leg.cents for leg in legs}
    found = (LegDifference(*key, was.get(key, 0), is_now.get(key, 0)) for key in was.keys() | is_now.keys())
    return sorted(difference for difference in found if difference.was != difference.is_now)
