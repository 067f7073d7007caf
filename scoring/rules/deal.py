"""Who deals, who plays, who leads, and who still owes a Pflichtsolo: what follows from the deals of a table so far.
The dealer of a game is a fact; here is only what the program proposes, so that an odd one can be flagged.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from .constants import ANNOUNCED_SOLOS
from .parsing import GameFacts, LineFacts, ShortFacts
from .settings import RuleSettings


class Deal(NamedTuple):
    """One deal: whose it was, whether the same seat deals again, and who played a Pflichtsolo in it."""

    dealer: int
    stays: bool = False
    duty_soloist: int | None = None


class Proposal(NamedTuple):
    """What the next game looks like. `out` is None where it has to be said (eight at a table for four), `leader` then
    too. `cycle` counts from 1; `owing` are the seats that still owe a Pflichtsolo, in seating order; `soloist` is who
    is made to play one now (Vorführung), None before that.
    """

    dealer: int
    out: tuple[int, ...] | None
    leader: int | None
    cycle: int
    owing: tuple[int, ...]
    soloist: int | None


class Progress(NamedTuple):
    """How far the deals of a table have come: who deals next by turn, the complete cycles (everybody has dealt once),
    who has dealt in the running one, and who has played a Pflichtsolo. `Progress()` is a table before its first game.
    """

    dealer: int = 0
    cycles: int = 0
    dealt: frozenset[int] = frozenset()
    fulfilled: frozenset[int] = frozenset()

    def add_deal(self, deal: Deal, table: int) -> Progress:
        """After one more deal at a table of so many. A deal that stays is dealt again, so it counts in no cycle."""
        fulfilled = self.fulfilled if deal.duty_soloist is None else self.fulfilled | {deal.duty_soloist}
        if deal.stays:
            return Progress(deal.dealer, self.cycles, self.dealt, fulfilled)
        return _count_cycle((deal.dealer + 1) % table, self.cycles, self.dealt | {deal.dealer}, fulfilled, table)

    def move(self, seats: Mapping[int, int], table: int, dealer: int) -> Progress:
        """For a new line-up of `table` people in which `dealer` deals next; `seats` says who sits where now, by old
        seat. Who left is not in it; who joined owes everything.
        """
        dealt = frozenset(seats[seat] for seat in self.dealt if seat in seats)
        fulfilled = frozenset(seats[seat] for seat in self.fulfilled if seat in seats)
        return _count_cycle(dealer, self.cycles, dealt, fulfilled, table)

    def list_owing(self, rules: RuleSettings) -> tuple[int, ...]:
        """Who still owes a Pflichtsolo, in seating order from the left neighbour of the next dealer."""
        if rules.duty_rounds is None:
            return ()
        order = ((self.dealer + step) % rules.table for step in range(1, rules.table + 1))
        return tuple(seat for seat in order if seat not in self.fulfilled)

    def propose(self, rules: RuleSettings) -> Proposal:
        """The next game at a table of `rules.table` people."""
        dealer, soloist = self.get_turn(rules)
        out = get_sitters(rules, dealer)
        owing = tuple(sorted(self.list_owing(rules)))
        return Proposal(dealer, out, get_leader(rules, dealer, out, soloist), self.cycles + 1, owing, soloist)

    def get_turn(self, rules: RuleSettings) -> tuple[int, int | None]:
        """Who deals next, and who is made to play a Pflichtsolo then."""
        if rules.duty_rounds is None or self.cycles < rules.duty_rounds:
            return self.dealer, None
        soloist = next(iter(self.list_owing(rules)), None)
        return (self.dealer if soloist is None else (soloist - 1) % rules.table), soloist


def _count_cycle(dealer: int, cycles: int, dealt: frozenset[int], fulfilled: frozenset[int], table: int) -> Progress:
    if len(dealt) == table:
        return Progress(dealer, cycles + 1, frozenset(), fulfilled)
    return Progress(dealer, cycles, dealt, fulfilled)


def get_sitters(rules: RuleSettings, dealer: int) -> tuple[int, ...] | None:
    """Who sits out when this seat deals; None where it does not follow from the dealer."""
    return rules.out_by_dealer.get(dealer) if rules.sitters else ()


def get_leader(
    rules: RuleSettings, dealer: int, out: tuple[int, ...] | None, duty_soloist: int | None = None
) -> int | None:
    """Who plays the first card: at a Pflichtsolo the soloist, else the dealer's next neighbour to the left who plays."""
    if duty_soloist is not None:
        return duty_soloist
    if out is None:
        return None
    return next(seat for step in range(1, 9) if (seat := (dealer + step) % rules.table) not in out)


def count_list_games(rules: RuleSettings) -> int | None:
    """How many games a list has in which everyone plays a Pflichtsolo: the deals of all rounds, and one more for each
    Pflichtsolo. None where the rules know none."""
    return None if rules.duty_rounds is None else rules.table * (rules.duty_rounds + 1)


def kind_stays(rules: RuleSettings, like: str, duty: bool) -> bool:
    """Does the same seat deal again after a game that is like this built-in kind?"""
    return like in ANNOUNCED_SOLOS and ("duty_solo" if duty else "lustsolo") in rules.deal_stays


def game_stays(facts: GameFacts | ShortFacts, rules: RuleSettings) -> bool:
    """Does the same seat deal again after this game? The short form does not say which solo it was, so its deal moves
    on.
    """
    return isinstance(facts, GameFacts) and kind_stays(rules, facts.like, facts.duty)


def get_deal(form: str, facts: LineFacts, dealer: int | None, rules: RuleSettings) -> Deal | None:
    """The deal of one line of the sheet, None for a line that was not dealt (one without a dealer)."""
    if dealer is None:
        return None
    if isinstance(facts, (GameFacts, ShortFacts)):
        duty = isinstance(facts, GameFacts) and facts.duty
        return Deal(dealer, game_stays(facts, rules), facts.soloist if duty else None)
    return Deal(dealer, form in rules.deal_stays)
