"""From facts to points, the one pipeline of every rule set: the case of a game, its special points, its Bock, and what
each seat gets of the value.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from .cases import CASES, NEGATIVE, Case, Cases, Step, Steps, add, fold, group_of, is_negative, pay, times
from .codes import SPECIALS, Party
from .facts import GameFacts, PointsFacts, RedealFacts, ShortFacts
from .settings import RuleSettings

# More than this no game comes to, for its Bock can make anything of it: seven times as much, and what special points pay
# beside it, still fits into a number of 32 bits.
MOST_VALUE: Final = 10_000_000


class Outcome(NamedTuple):
    """What a game came to. `winner` is None where nobody won and, in the short form, where the party is unknown;
    `winners` are the seats that won. `value` is Re's (in the short form the winners'); `points` are what each seat
    gets.
    """

    winner: Party | None
    winners: tuple[int, ...]
    value: int
    points: tuple[int, ...]
    steps: Steps


# --- One kind of game under one rule set ------------------------------------------------------------------------------


class Prepared:
    """All that scoring games of one kind at one table needs, looked up instead of decided anew."""

    def __init__(self, rules: RuleSettings, kind: str) -> None:
        self.rules = rules
        group = group_of(rules, kind)
        self.solo = group.solo
        self.cases: Cases = rules.cases.setdefault(group, Cases(rules, group))
        self.re_specials = _special_steps(rules, kind, "re")
        self.kontra_specials = _special_steps(rules, kind, "kontra")
        self.paid = rules.specials_when == "paid"
        self.may_be_negative = rules.negative == "zero"
        # How often each of Re's players gets the value in a plain share-out; 0 where it is not that plain.
        self.share = 0
        if (
            rules.counting["solo" if self.solo else "partner"] == "plus_minus"
            and rules.sitter == "nothing"
            and not self.paid
        ):
            full = rules.playing - 1 if rules.soloist_share == "opponents" else int(rules.soloist_share)
            self.share = full if self.solo else 1

    def with_specials(self, case: Case, facts: GameFacts) -> tuple[Steps, int]:
        """All steps of a game with special points, and what they fold to."""
        specials: list[Step] = []
        if facts.re_specials:
            steps_of = self.re_specials
            specials += [step for special, count in facts.re_specials.items() if (step := steps_of[special][count])]
        if facts.kontra_specials:
            steps_of = self.kontra_specials
            specials += [step for special, count in facts.kontra_specials.items() if (step := steps_of[special][count])]
        if not case.counts:
            return (tuple(specials) if self.paid else ()), 0
        steps = (*case.head, *specials, *case.tail)
        value = fold(case.tail, fold(specials, case.head_value))
        if self.may_be_negative and is_negative(self.rules, case.winner, value):
            return (*steps, NEGATIVE), 0
        return steps, value


def _special_steps(rules: RuleSettings, kind: str, party: Party) -> dict[str, list[Step | None]]:
    """The step of each number of each special point, None where it counts nothing."""
    make = pay if rules.specials_when == "paid" else add
    return {
        special: [
            make(special, party, count * points) if count * points and rules.special_counts(special, kind) else None
            for count in range(SPECIALS[special] + 1)
        ]
        for special, points in rules.specials.items()
    }


def prepared(rules: RuleSettings, kind: str) -> Prepared:
    """The prepared form of one kind of game; made at the first game of the kind."""
    found: Prepared | None = rules.prepared.get(kind)
    if found is None:
        found = rules.prepared[kind] = Prepared(rules, kind)
    return found


# --- Scoring one game -------------------------------------------------------------------------------------------------


def score(facts: GameFacts | ShortFacts, rules: RuleSettings, level: int = 0) -> Outcome:
    """What a game comes to when it is played at this Bock level (0 plain, 1 doubled …)."""
    if facts.table != rules.table:
        rules = rules.at(facts.table)
    if isinstance(facts, ShortFacts):
        return _score_short(facts, rules, level)
    kind: Prepared = rules.prepared.get(facts.kind) or prepared(rules, facts.kind)
    case = kind.cases[facts.case + level * CASES if level else facts.case]
    if facts.re_specials or facts.kontra_specials:
        steps, value = kind.with_specials(case, facts)
    else:
        steps, value = case.steps, case.value
    winner, re = case.winner, facts.re
    winners = re if winner == "re" else facts.kontra if winner == "kontra" else ()
    if kind.share:
        points = [-value] * facts.table
        for seat in facts.out:
            points[seat] = 0
        for seat in re:
            points[seat] = value * kind.share
    else:
        points = _share(rules, kind.solo, re, facts.kontra, facts.out, value, winner)
        if kind.paid:
            _pay_out(rules, facts, steps, points)
    return Outcome(winner, winners, value, tuple(points), steps)


def _score_short(facts: ShortFacts, rules: RuleSettings, level: int) -> Outcome:
    """The short form knows no Re; its value is the winners', and everything but Bock is in `base` already."""
    data = {"code": "base", "add": facts.base}
    steps = [Step("base", None, facts.base, 1, 0, data)] if facts.base else []
    if level and rules.effect != "add":
        steps.append(times("bock", 2**level))
    elif level * rules.bock_add:
        extra = level * rules.bock_add
        steps.append(Step("bock", None, extra, 1, 0, {"code": "bock", "add": extra}))
    value = fold(steps)
    winner: Party | None = None
    if not facts.solo:
        points = _share(rules, False, facts.winners, facts.losers, facts.out, value, "re")
    elif len(facts.winners) == 1:
        winner = "re"
        points = _share(rules, True, facts.winners, facts.losers, facts.out, value, winner)
    else:
        winner = "kontra"
        points = _share(rules, True, facts.losers, facts.winners, facts.out, -value, winner)
    return Outcome(winner, facts.winners, value, tuple(points), tuple(steps))


def _opponents(rules: RuleSettings, kontra: tuple[int, ...], out: tuple[int, ...]) -> int:
    """How many pay a soloist or are paid: who sits out belongs to them where the rule set says so."""
    return len(kontra) + (len(out) if rules.sitter != "nothing" else 0)


def _share(
    rules: RuleSettings, solo: bool, re: tuple[int, ...], kontra: tuple[int, ...], out: tuple[int, ...], value: int,
    winner: Party | None,
) -> list[int]:  # fmt: skip
    """What each seat gets of the value, Re's players `value` and Kontra's the opposite."""
    points = [-value] * rules.table
    share = 1
    if solo:
        share = rules.soloist_share if isinstance(rules.soloist_share, int) else _opponents(rules, kontra, out)
    for seat in re:
        points[seat] = value * share
    if rules.sitter == "nothing":
        sitters = 0
    elif rules.sitter == "winners" and not solo:
        sitters = value if winner == "re" else -value if winner == "kontra" else 0
    else:
        sitters = -value
    for seat in out:
        points[seat] = sitters
    counting = rules.counting["solo" if solo else "partner"]
    if counting == "winners":
        return [max(entry, 0) for entry in points]
    if counting == "losers":
        return [min(entry, 0) for entry in points]
    return points


def _pay_out(rules: RuleSettings, facts: GameFacts, steps: Iterable[Step], points: list[int]) -> None:
    """Adds what special points pay, from the Kasse or from the other party's players; an odd cent goes to the Kasse."""
    for step in steps:
        if not step.pay:
            continue
        earners, payers = (facts.re, facts.kontra) if step.party == "re" else (facts.kontra, facts.re)
        each = step.pay
        if rules.special_payer == "players":
            each = step.pay * len(payers) // len(earners)
            for seat in payers:
                points[seat] -= step.pay
        for seat in earners:
            points[seat] += each


def by_hand(facts: PointsFacts | RedealFacts, table: int) -> Outcome:
    """The outcome of a line that is no game: its points as written, nobody wins."""
    points = facts.points if isinstance(facts, PointsFacts) else (0,) * table
    return Outcome(None, (), 0, points, ())
