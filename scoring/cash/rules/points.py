"""What the points of an evening cost each person: who is compared with whom, the exact amount of each person, and how it is
rounded to whole cents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from math import floor
from typing import TypeVar

from .evening import ChargedEvening
from .money import DueLeg, member, owed, split
from .tables import ChargedTable
from .tariff import Points, TariffRules

INCOME = "income:points"
# Exact points, or exact cents, by person.
Exact = dict[str, Fraction]
N = TypeVar("N", int, Fraction)


def point_legs(evening: ChargedEvening, tariff: TariffRules) -> Iterator[DueLeg]:
    """Whoever owes pays into the Kasse, rounded and capped once; of that the others get their part, the Kasse keeps the rest."""
    if tariff.points is None:
        return
    nets = _added(owes(group, tariff.points) for group in groups(evening, tariff.points))
    paid = {who: _to_pay(net, tariff.points) for who, net in nets.items() if net > 0}
    getting = [(person.id, -nets[person.id]) for person in evening.people if nets.get(person.id, 0) < 0]
    for who, cents in paid.items():
        yield from owed("points", member(who), cents, INCOME)
    if not getting:
        return
    exactly_paid = sum(net for net in nets.values() if net > 0)
    given = floor(sum(paid.values()) * sum(part for _who, part in getting) / exactly_paid)
    shares = split(given, [part for _who, part in getting], evening.turn)
    for (who, _part), cents in zip(getting, shares, strict=True):
        yield from owed("points", INCOME, cents, member(who))


def _to_pay(net: Fraction, points: Points) -> int:
    cents = points.round.apply(net)
    return cents if points.cap is None else min(cents, points.cap)


# --- Who is compared with whom ---------------------------------------------------------------------------------------


def groups(evening: ChargedEvening, points: Points) -> list[Exact]:
    """The points of those who are compared with each other: of the evening, of each table, or of each line."""
    guests = {person.id for person in evening.people if person.guest}
    left_out = set() if points.guests else guests
    tables = [table for table in evening.tables if table.in_points]
    if points.scope == "game":
        return [_exact(line, table, points, left_out) for table in tables for line in _lines(table)]
    sums = [_exact(_added(_lines(table)), table, points, left_out) for table in tables]
    return sums if points.scope == "table" else [_added(sums)]


def _lines(table: ChargedTable) -> Iterator[dict[str, int]]:
    return (dict(zip(line.seats, line.points, strict=True)) for line in table.lines)


def _exact(whole: Mapping[str, int], table: ChargedTable, points: Points, left_out: set[str]) -> Exact:
    """Points of a table times the factor of its rule set. A sum is multiplied, not each of its lines: fractions are dear."""
    factor = points.factors.get(table.rules, Fraction(1)) if table.rules is not None else Fraction(1)
    return {who: factor * n for who, n in whole.items() if who not in left_out}


def _added(parts: Iterable[Mapping[str, N]]) -> dict[str, N]:
    sums: dict[str, N] = {}
    for part in parts:
        for who, number in part.items():
            sums[who] = sums[who] + number if who in sums else number
    return sums


# --- What each owes, exactly -----------------------------------------------------------------------------------------


def owes(group: Exact, points: Points) -> Exact:
    """What each of a group owes, in exact cents; below 0 is what one is to get."""
    if points.scheme == "rank":
        return _by_place(group, points.amounts)
    is_dearer = points.beyond is not None and any(abs(p) > points.beyond for p in group.values())
    rate = points.dearer if is_dearer else points.rate
    if points.scheme == "minus":
        return _by_minus(group, rate, points.winners)
    distance = {"each": _to_each, "best": _to_best, "better": _to_better}[points.scheme]
    return {who: rate * distance(p, list(group.values())) for who, p in group.items()}


def _by_minus(group: Exact, rate: Fraction, winners: Fraction) -> Exact:
    """Minus points are paid; a part of the sum goes to those with plus points, in proportion to them."""
    plus = sum((p for p in group.values() if p > 0), Fraction(0))
    to_winners = winners * rate * sum((-p for p in group.values() if p < 0), Fraction(0))
    return {who: -p * rate if p < 0 else -to_winners * p / plus if p > 0 else Fraction(0) for who, p in group.items()}


def _to_each(own: Fraction, everybody: list[Fraction]) -> Fraction:
    return sum(everybody, Fraction(0)) - len(everybody) * own


def _to_best(own: Fraction, everybody: list[Fraction]) -> Fraction:
    return max(everybody) - own


def _to_better(own: Fraction, everybody: list[Fraction]) -> Fraction:
    return sum((p - own for p in everybody if p > own), Fraction(0))


def _by_place(group: Exact, amounts: tuple[int, ...]) -> Exact:
    """The amounts of the places, the last one for all further places. People level pay the mean of the places they take."""
    everybody = list(group.values())

    def mean(own: Fraction) -> Fraction:
        better, level = sum(p > own for p in everybody), everybody.count(own)
        return Fraction(sum(amounts[min(place, len(amounts) - 1)] for place in range(better, better + level)), level)

    return {who: mean(p) for who, p in group.items()}
