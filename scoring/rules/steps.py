"""The steps from 0 to the value of a game, without its special points. They depend only on announcements, the zone of the eyes, the
sort of game and the Bock level, so a rule set caches a table of these cases (`CaseTable`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from json import JSONEncoder
from math import prod
from typing import Any, Final

from .constants import ABSAGE_EYES, RE_LAST, SAID, ZONES, Party
from .game_settings import GameSettings, get_sort
from .goals import Result, get_result, other_party
from .settings import RuleSettings

# The eyes that score against an Absage, whether or not they break it (document mathematiker).
AGAINST_EYES: Final = {"no90": 120, "no60": 90, "no30": 60, "schwarz": 30}
_PARTIES: Final[tuple[Party, Party]] = ("re", "kontra")
# The data is never circular, so the check is switched off.
encode = JSONEncoder(check_circular=False).encode


@dataclass(frozen=True, slots=True)
class Step:
    """One step from 0 to Re's value: multiply by `times`, then add `plus`; `pay` is money beside the value. `data` is the step as
    stored, shared by all games; `text` is its JSON, cached because dumping takes longer than scoring."""

    code: str
    party: Party | None
    plus: int
    times: int
    pay: int
    data: Mapping[str, Any]
    text: str


def _step(code: str, party: Party | None, plus: int, times: int, pay: int, data: Mapping[str, Any]) -> Step:
    return Step(code, party, plus, times, pay, data, encode(data))


Steps = tuple[Step, ...]


@lru_cache(maxsize=4096)
def add(code: str, party: Party, points: int) -> Step:
    return _step(code, party, points if party == "re" else -points, 1, 0, {"code": code, "party": party, "add": points})


@lru_cache(maxsize=4096)
def multiply(code: str, factor: int) -> Step:
    return _step(code, None, 0, factor, 0, {"code": code, "times": factor})


@lru_cache(maxsize=4096)
def pay(code: str, party: Party, amount: int) -> Step:
    """Return a step that is paid beside the value to each player of a party."""
    return _step(code, party, 0, 1, amount, {"code": code, "party": party, "pay": amount})


@lru_cache(maxsize=4096)
def add_for_winners(code: str, points: int) -> Step:
    """Return a step of a game with unknown parties, from the winners' view."""
    return _step(code, None, points, 1, 0, {"code": code, "add": points})


def fold_steps(steps: Iterable[Step], value: int = 0) -> int:
    for step in steps:
        value = value * step.times + step.plus
    return value


@dataclass(frozen=True, slots=True)
class Case:
    """One combination of announcements, zone and Bock level. `parts` are its steps, cut where special points add and where they
    multiply; `head` and `tail`, cut only where they add. Points added there are multiplied by `factor` until the end. `plain` is
    the value without them, before `finish`."""

    winner: Party | None
    # False: no party has won, and then nothing counts, not even special points and Bock.
    counts: bool
    parts: tuple[Steps, Steps, Steps]
    head: Steps
    tail: Steps
    plain: int
    factor: int
    # All steps and the value of a game without special points.
    steps: Steps
    value: int
    # How many of the Bock triggers hold that depend on this alone.
    triggers: int


def _list_limits(game: GameSettings, result: Result, party: Party) -> Iterator[tuple[str, int, int]]:
    """Yield code, limit and count of the limits of `party`: the opponents stayed under them, or had announced and missed them."""
    loser = result.side(other_party(party))
    absagen = loser.absagen if result.winner == party and game.limit_counts != "reached" else ()
    missed = [ABSAGE_EYES[said] for said in absagen]
    for limit in game.limits:
        count = int(loser.is_under(limit, game.re_limit_more if party == "kontra" else 0))
        if limit in missed:
            count = count + 1 if game.limit_counts == "reached_and_missed" else 1
        if count:
            yield f"under_{limit}" if limit else "no_trick", limit, count


def _limit_steps(game: GameSettings, result: Result) -> tuple[list[Step], list[Step]]:
    """Return the limits as additions and as doublings; one of the two has no effect. After Feigheit, the winner gets the limits
    that the other party had reached. If no party has won, the additions count for both parties."""
    winner = result.winner
    additions, doublings = [], []
    for party in _PARTIES if winner is None else (result.turned_from or winner,):
        for code, limit, count in _list_limits(game, result, party):
            additions.append(add(code, winner or party, count * game.limit_points[str(limit)]))
            if winner is not None:
                doublings.append(multiply(code, game.limit_times**count))
    return additions, doublings


def _against_steps(game: GameSettings, result: Result) -> Iterator[Step]:
    """Yield what each party scores against the opponents' Absagen."""
    if game.against_absage == "off" or result.by_hand:
        return
    for party in _PARTIES:
        announced = result.side(other_party(party)).absagen
        reached = [said for said in announced if result.side(party).eyes >= AGAINST_EYES[said]]
        for said in reached if game.against_absage == "cumulative" else reached[-1:]:
            yield add(f"against_{said}", party, game.against)


def _ansage_steps(game: GameSettings, result: Result, winner: Party, re_last: bool) -> tuple[list[Step], list[Step]]:
    """Return Re and Kontra as additions for the winner and as doublings."""
    additions, doublings = [], []
    for party in _PARTIES:
        if not result.side(party).said:
            continue
        if "first" in game.re_kontra:
            answers = re_last if party == "re" else not re_last
            by = "answer" if answers and result.side(other_party(party)).said else "first"
        else:
            by = party if "re" in game.re_kontra else "won" if party == winner else "lost"
        points, times = game.re_kontra[by]
        additions.append(add(f"{party}_said", winner, points))
        doublings.append(multiply(f"{party}_said", times))
    return additions, doublings


def _absage_steps(game: GameSettings, result: Result) -> tuple[list[Step], list[Step]]:
    """Return the Absagen as additions and as doublings. They count for the winner; where a missed Absage only costs its points,
    each counts for the party that kept or broke it, even without a winner."""
    costs = game.missed_costs and not result.by_hand
    additions, doublings = [], []
    for party in _PARTIES:
        for said in result.side(party).absagen:
            favoured = result.winner
            if costs:
                favoured = party if result.has_kept(party, said) else other_party(party)
            if favoured is not None:
                additions.append(add(f"{party}_{said}", favoured, game.absage_points[said]))
            if favoured == party or not costs:
                doublings.append(multiply(f"{party}_{said}", game.absage_times))
    return additions, doublings


def _lost_steps(game: GameSettings, result: Result, winner: Party) -> Iterator[Step]:
    """Yield the factors for a game won by Kontra, and for a loser who had announced."""
    if winner == "kontra":
        yield multiply("lost", game.lost_times)
    loser, when = result.side(other_party(winner)), game.lost_announcement_when
    if loser.absagen if when == "absage" else loser.said and (when == "ansage" or winner == "kontra"):
        yield multiply("lost_announcement", game.lost_announcement_times)


def _count_triggers(cases: CaseTable, result: Result) -> int:
    winner, solo = result.winner, cases.sort == "solo"
    lost = {party: bool(result.side(party).said) and winner != party for party in _PARTIES}
    holds = {
        "lost_announcement": any(lost.values()),
        "lost_re": lost["re"],
        "lost_kontra": lost["kontra"],
        "both_said": bool(result.re.said and result.kontra.said),
        "lost_solo": solo and winner == "kontra",
        "won_solo": solo and winner == "re",
        "tie_120": result.tie,
        "schwarz": winner is not None and result.side(other_party(winner)).schwarz,
    }
    return sum(holds[trigger] for trigger in cases.game.triggers if trigger in holds)


class CaseTable(dict[int, Case]):
    """The cases of one group of kinds by `GameFacts.case` + level * CASES, each computed at its first use. They depend on the sort
    of game, and on whether Gegen die Alten and the point of a solo count."""

    def __init__(self, game: GameSettings, sort: str, gegen: bool, solo_point: bool) -> None:
        super().__init__()
        self.game, self.sort, self.gegen, self.solo_point = game, sort, gegen, solo_point

    def __missing__(self, number: int) -> Case:
        level, plain = divmod(number, CASES)
        case = self[number] = _build_case(self, self.result(plain), plain >= RE_LAST, level)
        return case

    def result(self, number: int) -> Result:
        re_last, plain = divmod(number, RE_LAST)
        said, zone = divmod(plain, ZONES)
        re_said, kontra_said = divmod(said, len(SAID))
        return get_result(self.game, self.sort == "partner", re_said, kontra_said, zone, bool(re_last))


def get_cases(rules: RuleSettings, game: GameSettings, kind: str) -> CaseTable:
    like = rules.like[kind]
    sort = get_sort(like)
    gegen = ("armut" if like == "armut" else sort) in game.gegen_in
    group = sort, gegen, not game.solo_point_kinds.isdisjoint((kind, like))
    cases: CaseTable | None = game.cases.get(group)
    if cases is None:
        cases = game.cases[group] = CaseTable(game, *group)
    return cases


CASES: Final = 2 * RE_LAST


def _build_case(cases: CaseTable, result: Result, re_last: bool, level: int) -> Case:
    game, winner = cases.game, result.winner
    triggers = _count_triggers(cases, result)
    if winner is None and game.nobody_wins == "zero":
        return Case(
            winner=None,
            counts=False,
            parts=((), (), ()),
            head=(),
            tail=(),
            plain=0,
            factor=1,
            steps=(),
            value=0,
            triggers=triggers,
        )

    additions: list[Step] = []
    doublings: list[Step] = []
    if cases.sort == "solo":
        behind = [multiply("solo", game.solo_times if game.times is None else game.times)]
    else:
        behind = [multiply("kind", game.times or 1)]
    placed: dict[str, list[Step]] = {"before": additions, "bock_only": [], "after": []}
    if winner is not None and result.fixed is not None:
        additions.append(add("cowardice", winner, result.fixed))
    else:
        limits, limit_doublings = _limit_steps(game, result)
        absage, absage_doublings = _absage_steps(game, result)
        if winner is not None:
            ansage, ansage_doublings = _ansage_steps(game, result, winner, re_last)
            if game.won_at_120 or not result.tie:
                additions.append(add("cowardice" if result.turned_from else "won", winner, game.won))
            doublings = [*ansage_doublings, *absage_doublings, *limit_doublings]
            additions += [*limits, *ansage, *absage]
            behind += _lost_steps(game, result, winner)
        else:
            additions += [*limits, *absage]
        additions += _against_steps(game, result)
        if winner == "kontra" and cases.gegen:
            placed[game.gegen_when].append(add("gegen_die_alten", "kontra", game.gegen_die_alten))
        if winner is not None and cases.solo_point:
            placed[game.solo_point_when].append(add("solo_point", winner, game.solo_point))

    parts = _order_steps(game, placed, doublings, behind, _bock_step(game, winner, level))
    first, second, third = parts
    head, tail = (first, second + third) if game.specials_when == "before" else (first + second, third)
    plain, factor = fold_steps(head + tail), prod(step.times for step in tail)
    steps, value = finish(game, winner, head + tail, plain)
    return Case(winner, True, parts, head, tail, plain, factor, steps, value, triggers)


def get_bock_factor(game: GameSettings, level: int) -> int:
    return level + 1 if isinstance(game.bock_factor, str) else int(game.bock_factor**level)


def _bock_step(game: GameSettings, winner: Party | None, level: int) -> tuple[Step, ...]:
    """Return the step of the Bock. One that adds needs a winner; a game without a winner may be exempt."""
    if winner is None and (game.effect == "add" or game.drawn_plain):
        return ()
    if winner is not None and game.effect == "add":
        return (add("bock", winner, level * game.bock_add),)
    return (multiply("bock", get_bock_factor(game, level)),)


def _order_steps(
    game: GameSettings,
    placed: dict[str, list[Step]],
    doublings: Iterable[Step],
    behind: Iterable[Step],
    bock: Iterable[Step],
) -> tuple[Steps, Steps, Steps]:
    """Return all steps in their order, cut where this rule set puts the additions and the doublings of special points."""
    effect = game.effect
    order = [
        ("", placed["before"]),
        ("", bock if effect == "game" else ()),
        ("before", ()),
        ("", doublings),
        ("doublings", ()),
        ("", behind),
        ("", placed["bock_only"]),
        ("bock_only", ()),
        ("", bock if effect == "all" else ()),
        ("", placed["after"]),
        ("after", ()),
        ("", bock if effect == "add" else ()),
    ]
    cuts = ("doublings", game.specials_when if game.specials_when != "paid" else "after")
    parts: list[list[Step]] = [[]]
    for name, steps in order:
        if name in cuts:
            parts.append([])
        parts[-1] += [step for step in steps if step.plus or step.times != 1 or step.pay]
    first, second, third = map(tuple, parts)
    return first, second, third


# A winner never pays: the value becomes 0.
NEGATIVE: Final = multiply("negative", 0)


def finish(game: GameSettings, winner: Party | None, steps: Steps, value: int) -> tuple[Steps, int]:
    """Return steps and value after the last settings: the highest value, and 0 instead of a winner's value below 0."""
    if game.highest is not None and abs(value) > game.highest:
        steps = (*steps, add("highest", "kontra" if value > 0 else "re", abs(value) - game.highest))
        value = game.highest if value > 0 else -game.highest
    if game.negative == "zero" and (value < 0 if winner == "re" else winner == "kontra" and value > 0):
        return (*steps, NEGATIVE), 0
    return steps, value
