"""Score a game under any rule set: its case (steps.py), its special points, and the points of each seat."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from .constants import ANNOUNCED_SOLOS, KIND_PREFIX, SPECIAL_PREFIX, SPECIALS, Party
from .game_settings import GameSettings
from .parsing import GameFacts, OtherFacts, ShortFacts
from .settings import RuleSettings
from .steps import (
    CASES,
    Case,
    Step,
    Steps,
    add,
    add_for_winners,
    finish,
    fold_steps,
    get_bock_factor,
    get_cases,
    multiply,
    pay,
)

# The highest value of a game with Bock. Seven times as much, with the special points, still fits into 32 bits.
MAX_VALUE: Final = 10_000_000
# Values of `in_bock`: "plays" is raised by an open Bock and uses it up, "keeps" is only raised, "plain" only uses it up.
RAISED_BY_BOCK: Final = ("plays", "keeps")
USING_UP_BOCK: Final = ("plays", "plain")


class Worth(NamedTuple):
    """The worth of a game. `winner` is None if no party has won, and in a short form with unknown parties; `winners` are seats.
    `value` is Re's (in the short form the winners'); `points` has one entry per seat."""

    winner: Party | None
    winners: tuple[int, ...]
    value: int
    points: tuple[int, ...]
    steps: Steps


class KindScorer:
    """Everything that is computed in advance to score games of one kind at one table."""

    def __init__(self, rules: RuleSettings, kind: str, duty: bool) -> None:
        words = rules.get_words(kind, duty)
        self.game = game = rules.settings_for(*words)
        self.cases = get_cases(rules, game, kind)
        self.alone = self.cases.sort != "partner"
        # Is it raised by a Bock, does it use one up, and how many Bock triggers hold by its kind alone?
        self.raised = game.in_bock in RAISED_BY_BOCK
        stays = rules.bock_length == "deal" and kind_stays(rules, rules.like[kind], duty)
        self.uses_one_up = game.in_bock in USING_UP_BOCK and not stays
        self.triggers = sum(KIND_PREFIX + word in rules.triggers for word in words)
        self.re_specials = _build_special_steps(rules, game, kind, duty, "re")
        self.kontra_specials = _build_special_steps(rules, game, kind, duty, "kontra")
        # Special points that multiply have their own place among the steps.
        self.doubles = any(special.times != 1 for special in rules.specials.values())
        self.additions_first = game.specials_when == "before"
        self.paid = game.specials_when == "paid"
        self.has_end = game.negative == "zero" or game.highest is not None
        # How often each of Re's players gets the value; 0 if `_share_out` has to decide it.
        self.share = 0
        counting = game.counting["solo" if self.alone else "partner"]
        if counting == "plus_minus" and game.sitter == "nothing" and not self.paid:
            full = rules.playing - 1 if game.soloist_share == "opponents" else int(game.soloist_share)
            self.share = full if self.alone else 1

    def with_specials(self, case: Case, facts: GameFacts) -> tuple[Steps, int]:
        specials: list[Step] = []
        for special, count in facts.re_specials.items():
            if step := self.re_specials[special][count]:
                specials.append(step)
        for special, count in facts.kontra_specials.items():
            if step := self.kontra_specials[special][count]:
                specials.append(step)
        if facts.game_specials and case.winner is not None:
            steps_of = self.re_specials if case.winner == "re" else self.kontra_specials
            specials += [step for special, count in facts.game_specials.items() if (step := steps_of[special][count])]
        if not case.counts:
            return (tuple(step for step in specials if step.pay) if self.paid else ()), 0
        if self.doubles:
            steps = self._around_doublings(case, specials)
            value = fold_steps(steps)
        else:
            steps = (*case.head, *specials, *case.tail)
            value = case.plain
            for step in specials:
                value += step.plus * case.factor
        if self.has_end:
            return finish(self.game, case.winner, steps, value)
        return steps, value

    def _around_doublings(self, case: Case, specials: Iterable[Step]) -> Steps:
        """Return the steps of a case with special points of which some multiply, if a party has won."""
        additions, doublings = [], []
        for step in specials:
            if step.times == 1:
                additions.append(step)
            elif case.winner is not None:
                doublings.append(step)
        placed = (additions, doublings) if self.additions_first else (doublings, additions)
        return (*case.parts[0], *placed[0], *case.parts[1], *placed[1], *case.parts[2])


def _build_special_steps(
    rules: RuleSettings, game: GameSettings, kind: str, duty: bool, party: Party
) -> dict[str, list[Step | None]]:
    """Return the steps of each special point by count, None if it counts nothing."""
    make = pay if game.specials_when == "paid" else add
    by_special: dict[str, list[Step | None]] = {}
    for key, special in rules.specials.items():
        code = key if key in SPECIALS else SPECIAL_PREFIX + key
        steps = by_special[key] = [None] * (special.most + 1)
        if not rules.special_counts(key, kind, duty):
            continue
        for count in range(1, special.most + 1):
            if special.times != 1:
                steps[count] = multiply(code, special.times**count)
            elif special.points[count]:
                steps[count] = make(code, party, special.points[count])
    return by_special


def kind_stays(rules: RuleSettings, like: str, duty: bool) -> bool:
    return like in ANNOUNCED_SOLOS and ("duty_solo" if duty else "lustsolo") in rules.deal_stays


def get_kind_scorer(rules: RuleSettings, kind: str, duty: bool = False) -> KindScorer:
    scorer: KindScorer | None = rules.scorers[duty].get(kind)
    if scorer is None:
        scorer = rules.scorers[duty][kind] = KindScorer(rules, kind, duty)
    return scorer


def score(facts: GameFacts | ShortFacts, rules: RuleSettings, level: int = 0) -> Worth:
    if facts.table != rules.table:
        rules = rules.at(facts.table)
    if isinstance(facts, ShortFacts):
        return _score_short(facts, rules, level)
    kind: KindScorer = rules.scorers[facts.duty].get(facts.kind) or get_kind_scorer(rules, facts.kind, facts.duty)
    case = kind.cases[facts.case + level * CASES if level else facts.case]
    if facts.re_specials or facts.kontra_specials or facts.game_specials:
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
        points = _share_out(kind.game, kind.alone, facts, re, facts.kontra, value, winner)
        if kind.paid:
            _pay_out(kind.game, facts, steps, points)
    return Worth(winner, winners, value, tuple(points), steps)


def _score_short(facts: ShortFacts, rules: RuleSettings, level: int) -> Worth:
    """Score a short form, which has no Re: its value is the winners', and `base` has everything but Bock."""
    game = rules.settings_for("solo" if facts.solo else "partner")
    steps = [add_for_winners("base", facts.base)] if facts.base else []
    if level and game.effect != "add":
        steps.append(multiply("bock", get_bock_factor(game, level)))
    elif level * game.bock_add:
        steps.append(add_for_winners("bock", level * game.bock_add))
    value = fold_steps(steps)
    # In a partner game the winners stand for Re.
    alone_lost = facts.solo and len(facts.winners) > 1
    winner: Party = "kontra" if alone_lost else "re"
    re, kontra = (facts.losers, facts.winners) if alone_lost else (facts.winners, facts.losers)
    points = _share_out(game, facts.solo, facts, re, kontra, -value if alone_lost else value, winner)
    return Worth(winner if facts.solo else None, facts.winners, value, tuple(points), tuple(steps))


# Seven parameters: in a short form a side stands for Re.
def _share_out(
    game: GameSettings, alone: bool, facts: GameFacts | ShortFacts, re: Sequence[int], kontra: Sequence[int],
    value: int, winner: Party | None,
) -> list[int]:  # fmt: skip
    """Return the points of each seat. In a solo, players who sit out count like opponents, unless the rules give them nothing."""
    points, counting = [-value] * facts.table, game.counting["solo" if alone else "partner"]
    share = 1
    if alone and isinstance(game.soloist_share, int):
        share = game.soloist_share
    elif alone:
        share = len(kontra) + (len(facts.out) if game.sitter != "nothing" else 0)
    for seat in re:
        points[seat] = value * share
    sitters = -value
    if game.sitter == "nothing":
        sitters = 0
    elif game.sitter == "winners" and not alone:
        sitters = value if winner == "re" else -value if winner == "kontra" else 0
    elif game.sitter == "re" and not alone:
        sitters = value
    for seat in facts.out:
        points[seat] = sitters
    if counting == "winners":
        return [max(entry, 0) for entry in points]
    if counting == "losers":
        return [min(entry, 0) for entry in points]
    return points


def _pay_out(game: GameSettings, facts: GameFacts, steps: Iterable[Step], points: list[int]) -> None:
    """Add what special points pay, from the Kasse or from the other party's players; an odd cent goes to the Kasse."""
    for step in steps:
        if not step.pay:
            continue
        earners, payers = (facts.re, facts.kontra) if step.party == "re" else (facts.kontra, facts.re)
        each = step.pay
        if game.special_payer == "players":
            each = step.pay * len(payers) // len(earners)
            for seat in payers:
                points[seat] -= step.pay
        for seat in earners:
            points[seat] += each


def score_points(facts: OtherFacts, table: int) -> Worth:
    return Worth(None, (), 0, facts.points or (0,) * table, ())
