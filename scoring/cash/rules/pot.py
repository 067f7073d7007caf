"""What the pot of a table in cents comes to for everybody who put money in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from .evening import ChargedEvening
from .money import DueLeg, member, owed, split
from .tables import ChargedTable, TableLine
from .tariff import Pot, TariffRules

INCOME = "income:pot"


def pot_legs(evening: ChargedEvening, tariff: TariffRules) -> Iterator[DueLeg]:
    """What everybody put in, less what they got; each table in cents has a pot of its own."""
    if tariff.pot is None:
        return
    order = [person.id for person in evening.people]
    for table in evening.tables:
        if not table.in_points:
            for who, cents in _played(table, tariff.pot, order, evening.turn).items():
                yield from owed("pot", member(who), cents, INCOME)


class PotHeld(NamedTuple):
    """What is in the pot of a table after its last line (below 0: what is missing), and what was paid in besides the
    buy-in."""

    cents: int
    topped_up: int


def held(table: ChargedTable, pot: Pot) -> PotHeld:
    """The pot as it lies on the table, before its rest is shared."""
    put: dict[str, int] = {}
    topped_up = sum(_played_on(line, pot, put) * len(line.seats) for line in table.lines)
    return PotHeld(sum(put.values()), topped_up)


class PotPart(NamedTuple):
    """What somebody put into the pots of an evening, and what their games brought them out of it (below 0: into it)."""

    put: int
    won: int


def pot_parts(evening: ChargedEvening, pot: Pot) -> dict[str, PotPart]:
    """The same for everybody who put money in; what is left of a pot at its end is in neither."""
    found: dict[str, PotPart] = {}
    for table in evening.tables:
        there: dict[str, int] = {}
        for line in [] if table.in_points else table.lines:
            new = set(line.seats) - there.keys()
            each = _played_on(line, pot, there)
            for who, cents in zip(line.seats, line.points, strict=True):
                part = found.get(who, PotPart(0, 0))
                found[who] = PotPart(part.put + each + (pot.buy_in if who in new else 0), part.won + cents)
    return found


def _played(table: ChargedTable, pot: Pot, order: list[str], turn: int) -> dict[str, int]:
    """What each put in and did not get back. What they all have put in is what the pot holds."""
    put: dict[str, int] = {}
    for line in table.lines:
        _played_on(line, pot, put)
    rest = sum(put.values())
    sharers = [who for who in order if who in put]
    if sharers and (rest < 0 or pot.splits):
        for who, cents in zip(sharers, split(rest, [1] * len(sharers), turn), strict=True):
            put[who] -= cents
    return put


def _played_on(line: TableLine, pot: Pot, put: dict[str, int]) -> int:
    """One line: who is new buys in, its seats put in what it says, or what is missing for its sum; then each gets their points.
    Answers what each of its seats puts in besides the buy-in."""
    for who in line.seats:
        put.setdefault(who, pot.buy_in)
    each = line.top_up
    missing = sum(line.points) - sum(put.values())
    if pot.charges and missing > 0:
        each += pot.top_up * -(-missing // (pot.top_up * len(line.seats)))
    for who, cents in zip(line.seats, line.points, strict=True):
        put[who] += each - cents
    return each
