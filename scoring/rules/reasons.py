"""Explain a game by codes, whose sentences are `labels.REASONS`. assets/rules/reasons.ts does the same in the browser."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from .bock import uses_up_bock
from .constants import ABSAGE_EYES, RAMSCH, SPECIAL_PREFIX, SPECIALS, Party
from .game_settings import GameSettings
from .goals import Reason, Result, other_party
from .outcome import Worth, get_kind_scorer
from .parsing import GameFacts, ShortFacts
from .settings import RuleSettings
from .steps import Step

Facts = GameFacts | ShortFacts
_LIMITS: Final = {"under_90": 90, "under_60": 60, "under_30": 30, "no_trick": 0}


class ExplanationCodes(NamedTuple):
    """The explanation of a game. `sides` is a key of `labels.SIDES`; `names` are keys of `labels.STEPS`, one for each step; `payer`
    is the setting that says who pays special points; `reasons` say why a party has won, `shares` how the value became points."""

    sides: str
    names: tuple[str, ...]
    payer: str
    reasons: tuple[Reason, ...]
    shares: tuple[Reason, ...]


def explain(facts: Facts, rules: RuleSettings, outcome: Worth, level: int, exempt: bool = False) -> ExplanationCodes:
    """Explain a game of this Bock level; `exempt`: an open Bock did not raise it. `rules` are those at its table."""
    shares = tuple(_explain_shares(facts, rules, outcome))
    if isinstance(facts, ShortFacts):
        names = tuple(step.code for step in outcome.steps)
        why = ({"code": "short"}, *_explain_unraised(facts, rules, exempt))
        return ExplanationCodes("solo" if facts.solo else "short", names, rules.special_payer, why, shares)
    ready = get_kind_scorer(rules, facts.kind, facts.duty)
    result = ready.cases.result(facts.case)
    sides = RAMSCH if facts.like == RAMSCH else "solo" if facts.solo else "partner"
    names = tuple(_get_step_name(ready.game, result, sides, step) for step in outcome.steps)
    why = ({"code": f"ramsch_{outcome.winner}"},) if sides == RAMSCH else result.why
    remarks = _list_remarks(ready.game, result, outcome.steps, level)
    reasons = (*why, *remarks, *_explain_unraised(facts, rules, exempt))
    return ExplanationCodes(sides, names, ready.game.special_payer, reasons, shares)


def _list_remarks(game: GameSettings, result: Result, steps: Sequence[Step], level: int) -> Iterator[Reason]:
    codes = {step.code for step in steps}
    if result.winner is None:
        yield {"code": f"nobody_{game.nobody_wins}"}
    elif result.tie and result.fixed is None and not game.won_at_120:
        yield {"code": "no_won"}
    if game.re_limit_more and f"under_{result.re.eyes}" in codes:
        yield {"code": "limit_more", "party": "re", "n": result.re.eyes}
    if "highest" in codes:
        yield {"code": "highest", "n": game.highest}
    if level:
        if result.winner is None and game.nobody_wins == "net" and (game.drawn_plain or game.effect == "add"):
            yield {"code": "bock_drawn"}
        elif "bock" in codes and game.effect == "game" and any(
            step.plus and (step.code in SPECIALS or step.code.startswith(SPECIAL_PREFIX)) for step in steps
        ):
            yield {"code": "bock_game"}


def _explain_unraised(facts: Facts, rules: RuleSettings, exempt: bool) -> Iterator[Reason]:
    if exempt:
        yield {"code": "bock_plain" if uses_up_bock(facts, rules) else "bock_skips"}


def _get_step_name(game: GameSettings, result: Result, sides: str, step: Step) -> str:
    """Return a key of `labels.STEPS`: it depends on limits missed, Absagen kept and the sort of game."""
    code = step.code
    if code in _LIMITS:
        return code + _get_limit_suffix(game, result, step)
    party, _line, announced = code.partition("_")
    if announced in ABSAGE_EYES and party != "against":
        missed = not result.by_hand and not result.has_kept("re" if party == "re" else "kontra", announced)
        return f"missed_{announced}" if missed else f"said_{announced}"
    if sides == "solo" and code in ("re_said", "kontra_said", "lost"):
        return f"{code}_alone"
    if sides == RAMSCH and result.winner == "kontra" and code in ("won", "lost"):
        return f"{code}_ramsch"
    return code


def _get_limit_suffix(game: GameSettings, result: Result, step: Step) -> str:
    winner, limit = result.winner, _LIMITS[step.code]
    if winner is None or result.turned_from or game.limit_counts == "reached":
        return ""
    loser = other_party(winner)
    side = result.side(loser)
    if limit not in [ABSAGE_EYES[said] for said in side.absagen]:
        return ""
    if not side.is_under(limit, game.re_limit_more if loser == "re" else 0):
        return "_missed"
    return "_both" if game.limit_counts == "reached_and_missed" else ""


def _explain_shares(facts: Facts, rules: RuleSettings, outcome: Worth) -> Iterator[Reason]:
    if isinstance(facts, GameFacts):
        ready = get_kind_scorer(rules, facts.kind, facts.duty)
        game, alone, value = ready.game, ready.alone, outcome.value
        re, kontra = facts.re, facts.kontra
        first: Party = outcome.winner or "re"
    else:
        game, alone = rules.settings_for("solo" if facts.solo else "partner"), facts.solo
        lost = alone and len(facts.winners) > 1
        re, kontra = (facts.losers, facts.winners) if lost else (facts.winners, facts.losers)
        value, first = -outcome.value if lost else outcome.value, "re"
    sides: dict[Party, Sequence[int]] = {"re": re, "kontra": kontra}
    paid = list(_explain_payments(game, sides, outcome.steps))
    points = list(outcome.points)
    for reason in paid:
        for seat in sides[reason["party"]]:
            points[seat] -= reason["points"]
        for seat in sides[other_party(reason["party"])]:
            points[seat] -= reason["others"]
    if value and alone:
        yield _explain_solo_share(game, value, points[re[0]], points[kontra[0]], len(kontra), facts.out)
    elif value:
        own, others = points[sides[first][0]], points[sides[other_party(first)][0]]
        yield {"code": "each", "party": first, "points": own, "others": others}
    if not value and (outcome.winner or isinstance(facts, ShortFacts) or game.nobody_wins == "net"):
        yield {"code": "zero"}
    if value:
        counting = game.counting["solo" if alone else "partner"]
        if rules.unit == "cents" or counting != "plus_minus":
            yield {"code": f"{rules.unit}_{counting}"}
        if facts.out:
            code = "opponents" if alone and game.sitter != "nothing" else game.sitter
            if isinstance(facts, ShortFacts) and not alone:
                code = {"re": "winners", "kontra": "losers"}.get(code, code)
            yield {"code": f"out_{code}", "points": points[facts.out[0]]}
    yield from paid


def _explain_solo_share(game: GameSettings, value: int, points: int, others: int, opponents: int, out: Sequence[int]) -> Reason:
    share = game.soloist_share
    if share == "opponents":
        count = opponents + (len(out) if game.sitter != "nothing" else 0)
        reason: Reason = {"code": "alone_from" if value > 0 else "alone_to", "n": count}
    else:
        count = int(share)
        reason = {"code": f"alone_{share}"}
    if points != value * count:
        reason = {"code": "alone"}
    return {**reason, "party": "re", "points": points, "others": others}


def _explain_payments(game: GameSettings, sides: dict[Party, Sequence[int]], steps: Sequence[Step]) -> Iterator[Reason]:
    """Yield what special points bring each player of the party, and what the Kasse or each opponent pays."""
    for party in sides:
        earners, payers = sides[party], sides[other_party(party)]
        amounts = [step.pay for step in steps if step.pay and step.party == party]
        if not amounts:
            continue
        if game.special_payer != "players":
            code = "paid_kasse" if len(earners) > 1 else "paid_kasse_one"
            yield {"code": code, "party": party, "points": sum(amounts), "others": 0}
            continue
        each = sum(amount * len(payers) // len(earners) for amount in amounts)
        code = "paid_to_one" if len(earners) == 1 else "paid_by_one" if len(payers) == 1 else "paid"
        yield {"code": code, "party": party, "points": each, "others": -sum(amounts)}
        if rest := sum(amounts) * len(payers) - each * len(earners):
            yield {"code": "paid_rest", "party": party, "points": 0, "others": 0, "n": rest}
