"""Propose who deals, plays and leads the next game, and who owes a Pflichtsolo. The dealer of a game is a fact."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .constants import ANNOUNCED_SOLOS
from .parsing import GameFacts, LineFacts, ShortFacts
from .settings import RuleSettings


class Proposal(NamedTuple):
    """The next game. `out` and `leader` are None if it must be entered who sits out; `cycle` counts from 1; `owing` are the seats
    that owe a Pflichtsolo, in seating order; `soloist` has to play one now."""

    dealer: int
    out: tuple[int, ...] | None
    leader: int | None
    cycle: int
    owing: tuple[int, ...]
    soloist: int | None


class Progress(NamedTuple):
    """The deals so far: the next dealer, the complete cycles, the seats that dealt in the running one, and who had a
    Pflichtsolo."""

    dealer: int = 0
    cycles: int = 0
    dealt: frozenset[int] = frozenset()
    fulfilled: frozenset[int] = frozenset()

    def add_line(self, form: str, facts: LineFacts, dealer: int | None, rules: RuleSettings) -> Progress:
        """Return the progress after a line. One without a dealer used up no deal; after some the same seat deals again, and they
        count in no cycle."""
        if dealer is None:
            return self
        fulfilled, stays = self.fulfilled, False
        if isinstance(facts, GameFacts):
            stays = kind_stays(rules, facts.like, facts.duty)
            if facts.duty and facts.soloist is not None:
                fulfilled |= {facts.soloist}
        elif not isinstance(facts, ShortFacts):
            # A short form has no kind of solo, so the deal moves on.
            stays = form in rules.deal_stays
        if stays:
            return Progress(dealer, self.cycles, self.dealt, fulfilled)
        return _count_cycle((dealer + 1) % rules.table, self.cycles, self.dealt | {dealer}, fulfilled, rules.table)

    def move(self, before: Sequence[object], now: Sequence[object]) -> Progress:
        """Return the progress for another line-up: the next of the old order who still sits here deals next. New people owe a
        Pflichtsolo."""
        if before == now:
            return self
        places = {person: place for place, person in enumerate(now)}
        seats = {seat: places[person] for seat, person in enumerate(before) if person in places}
        order = ((self.dealer + step) % len(before) for step in range(len(before)))
        dealer = next((seats[seat] for seat in order if seat in seats), 0)
        dealt = frozenset(seats[seat] for seat in self.dealt if seat in seats)
        fulfilled = frozenset(seats[seat] for seat in self.fulfilled if seat in seats)
        return _count_cycle(dealer, self.cycles, dealt, fulfilled, len(now))

    def list_owing(self, rules: RuleSettings) -> tuple[int, ...]:
        """Return the seats that owe a Pflichtsolo, from the left neighbour of the next dealer on."""
        if rules.duty_rounds is None:
            return ()
        order = ((self.dealer + step) % rules.table for step in range(1, rules.table + 1))
        return tuple(seat for seat in order if seat not in self.fulfilled)

    def propose(self, rules: RuleSettings) -> Proposal:
        dealer, soloist = self.get_turn(rules)
        out = get_sitters(rules, dealer)
        owing = tuple(sorted(self.list_owing(rules)))
        return Proposal(dealer, out, get_leader(rules, dealer, out, soloist), self.cycles + 1, owing, soloist)

    def get_turn(self, rules: RuleSettings) -> tuple[int, int | None]:
        """Return the next dealer, and the seat that has to play a Pflichtsolo (Vorführung) or None."""
        if rules.duty_rounds is None or self.cycles < rules.duty_rounds:
            return self.dealer, None
        soloist = next(iter(self.list_owing(rules)), None)
        return (self.dealer if soloist is None else (soloist - 1) % rules.table), soloist


def _count_cycle(dealer: int, cycles: int, dealt: frozenset[int], fulfilled: frozenset[int], table: int) -> Progress:
    if len(dealt) == table:
        return Progress(dealer, cycles + 1, frozenset(), fulfilled)
    return Progress(dealer, cycles, dealt, fulfilled)


def get_sitters(rules: RuleSettings, dealer: int) -> tuple[int, ...] | None:
    """Return who sits out when this seat deals; None if it does not follow from the dealer."""
    return rules.out_by_dealer.get(dealer) if rules.sitters else ()


def get_leader(rules: RuleSettings, dealer: int, out: tuple[int, ...] | None, duty_soloist: int | None = None) -> int | None:
    """Return who plays the first card: at a Pflichtsolo the soloist, else the next player left of the dealer."""
    if duty_soloist is not None:
        return duty_soloist
    if out is None:
        return None
    return next(seat for step in range(1, 9) if (seat := (dealer + step) % rules.table) not in out)


def count_list_games(rules: RuleSettings) -> int | None:
    """Return the games of a list: the deals of all rounds, and a Pflichtsolo of each player. None without Pflichtsolo."""
    return None if rules.duty_rounds is None else rules.table * (rules.duty_rounds + 1)


def kind_stays(rules: RuleSettings, like: str, duty: bool) -> bool:
    return like in ANNOUNCED_SOLOS and ("duty_solo" if duty else "lustsolo") in rules.deal_stays
