"""From facts to points, the one pipeline of every rule set: who won, the steps that fold to the value, and what each
seat gets.

Apart from special points and Bock a game is worth what its announcements and the zone of its eyes make it. So a rule
set keeps a table of these cases, each worked out once by the same few functions below, and scoring one game is
choosing its case, adding its special points and its Bock, and sharing out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, NamedTuple

from scoring.rules.facts import (
    ALL_EYES,
    KONTRA_NO_EYES,
    KONTRA_NO_TRICK,
    PARTNER_KINDS,
    RE_NO_EYES,
    RE_NO_TRICK,
    SAID,
    SPECIALS,
    TIE,
    TIE_RE_LAST,
    ZONE_EYES,
    ZONES,
    GameFacts,
    Party,
    PointsFacts,
    RedealFacts,
    ShortFacts,
)
from scoring.rules.settings import RuleSettings

# What the opponents must stay under, by announced step; 0 is schwarz.
ABSAGE_EYES: Final = {"no90": 90, "no60": 60, "no30": 30, "schwarz": 0}
# The eyes that score against an Absage whether or not it is broken by them (document mathematiker).
AGAINST_EYES: Final = {"no90": 120, "no60": 90, "no30": 60, "schwarz": 30}
_FIRST_ABSAGE: Final = SAID.index("no90")
# More than this no game comes to, for its Bock can make anything of it: seven times as much, and what special points pay
# beside it, still fits into a number of 32 bits.
MOST_VALUE: Final = 10_000_000


@dataclass(frozen=True, slots=True)
class Step:
    """One step from 0 to the value, as Re sees it: first times `times`, then plus `plus`. `pay` is money from the
    Kasse (or the others) beside the value. `data` is the step as it is written down, shared by all games: nobody may
    change it.
    """

    code: str
    party: Party | None
    plus: int
    times: int
    pay: int
    data: Mapping[str, Any]


Steps = tuple[Step, ...]


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


@lru_cache(maxsize=4096)
def add(code: str, party: Party, points: int) -> Step:
    """A step of `points` > 0 for a party."""
    return Step(code, party, points if party == "re" else -points, 1, 0, {"code": code, "party": party, "add": points})


@lru_cache(maxsize=4096)
def times(code: str, factor: int) -> Step:
    """A step that multiplies."""
    return Step(code, None, 0, factor, 0, {"code": code, "times": factor})


@lru_cache(maxsize=4096)
def pay(code: str, party: Party, amount: int) -> Step:
    """A step paid beside the value to each player of a party."""
    return Step(code, party, 0, 1, amount, {"code": code, "party": party, "pay": amount})


def fold(steps: Iterable[Step], value: int = 0) -> int:
    """The value that these steps make of `value`."""
    for step in steps:
        value = value * step.times + step.plus
    return value


# --- One case: who won, and every step that special points and Bock have no part in -----------------------------------


class _Side(NamedTuple):
    """What one party said and got, as the question of winning needs it."""

    said: int
    eyes: int
    schwarz: bool

    def under(self, limit: int) -> bool:
        """Has this party stayed under a limit; 0 asks whether it is schwarz."""
        return self.eyes < limit if limit else self.schwarz

    @property
    def absagen(self) -> tuple[str, ...]:
        """Every step this party announced beyond Re or Kontra."""
        return SAID[_FIRST_ABSAGE : self.said + 1]


@dataclass(frozen=True, slots=True)
class Case:
    """One combination of announcements, zone and Bock level: the winner, and its steps before and behind the place
    where special points stand.
    """

    winner: Party | None
    # False: nobody won and that counts nothing, special points and Bock included.
    counts: bool
    head: Steps
    head_value: int
    tail: Steps
    # Without special points: all steps, and what they fold to.
    steps: Steps
    value: int
    # How many Bock triggers hold that need no more than this.
    triggers: int


def _sides(rules: RuleSettings, re_said: int, kontra_said: int, zone: int) -> tuple[_Side, _Side]:
    eyes = ZONE_EYES[zone]
    by_tricks = rules.schwarz_by == "tricks"
    re_schwarz = zone == RE_NO_TRICK or (zone == RE_NO_EYES and not by_tricks)
    kontra_schwarz = zone == KONTRA_NO_TRICK or (zone == KONTRA_NO_EYES and not by_tricks)
    # A zone names Re's lowest eyes; every limit of Kontra's lies on the border of a zone as well.
    return _Side(re_said, eyes, re_schwarz), _Side(kontra_said, ALL_EYES - eyes, kontra_schwarz)


def _kontra_needs_121(mode: str, re_said: int, kontra_said: int, zone: int) -> bool:
    if mode == "kontra_last":
        return kontra_said > 0 and zone != TIE_RE_LAST
    if mode == "only_kontra":
        return kontra_said > 0 and not re_said
    return mode == "always" or (mode == "kontra_said" and kontra_said > 0)


def _reaches(own: _Side, other: _Side, half: int) -> bool:
    """Has a party reached its goal: its own Absage, else to break the other's, else half."""
    if own.absagen:
        return other.under(ABSAGE_EYES[own.absagen[-1]])
    if other.absagen:
        return not own.under(ABSAGE_EYES[other.absagen[-1]])
    return own.eyes >= half


def _winner(rules: RuleSettings, solo: bool, re: _Side, kontra: _Side, zone: int) -> Party | None:
    mode = rules.kontra_121["solo" if solo else "partner"]
    if _reaches(re, kontra, 121):
        return "re"
    if _reaches(kontra, re, 121 if _kontra_needs_121(mode, re.said, kontra.said, zone) else 120):
        return "kontra"
    if re.absagen or kontra.absagen or rules.tie_120 == "nobody":
        return None
    return "re" if rules.tie_120 == "re" else "kontra"


def _limit_lines(rules: RuleSettings, party: Party, other: _Side, won: bool) -> Iterator[Step]:
    """The limits under which `party` has kept the other side, or which that side had announced and missed."""
    counts_missed = won and rules.limit_counts == "reached_or_missed"
    missed = [ABSAGE_EYES[said] for said in other.absagen] if counts_missed else []
    for limit in rules.limits:
        code = f"under_{limit}" if limit else "no_trick"
        if other.under(limit) or limit in missed:
            yield add(code, party, rules.limit)


def _against_lines(rules: RuleSettings, party: Party, own: _Side, other: _Side) -> Iterator[Step]:
    """What `party` scores against the other side's Absagen."""
    if rules.against_absage == "off":
        return
    reached = [said for said in other.absagen if own.eyes >= AGAINST_EYES[said]]
    for said in reached if rules.against_absage == "cumulative" else reached[-1:]:
        yield add(f"against_{said}", party, 1)


def _winner_lines(rules: RuleSettings, winner: Party, re: _Side, kontra: _Side) -> Iterator[Step]:
    """Re and Kontra where they add, and every announced step: all for the winner."""
    for party, side in (("re", re), ("kontra", kontra)):
        if side.said:
            yield add(f"{party}_said", winner, rules.re_kontra_add)
    for party, side in (("re", re), ("kontra", kontra)):
        for said in side.absagen:
            yield add(f"{party}_{said}", winner, rules.absage)


def _doublings(rules: RuleSettings, solo: bool, winner: Party | None, re: _Side, kontra: _Side) -> Iterator[Step]:
    """Everything that multiplies but Bock; where nobody won the solo alone."""
    if winner is not None:
        for party, side in (("re", re), ("kontra", kontra)):
            if side.said:
                yield times(f"{party}_said", rules.re_kontra_times)
    if solo:
        yield times("solo", rules.solo_times)
    if winner is not None:
        loser = kontra if winner == "re" else re
        if loser.absagen if rules.lost_announcement_when == "absage" else loser.said:
            yield times("lost_announcement", rules.lost_announcement_times)


def _triggers(rules: RuleSettings, solo: bool, winner: Party | None, re: _Side, kontra: _Side, zone: int) -> int:
    """How many triggers of the Bock hold that depend on announcements and eyes alone."""
    losers = [side for party, side in (("re", re), ("kontra", kontra)) if party != winner]
    holds = {
        "lost_announcement": any(side.said for side in losers),
        "lost_solo": solo and winner == "kontra",
        "tie_120": zone in (TIE, TIE_RE_LAST),
        "schwarz": winner is not None and losers[0].schwarz,
    }
    return sum(holds[trigger] for trigger in rules.triggers if trigger in holds)


def _worth_something(step: Step) -> bool:
    return step.plus != 0 or step.times != 1 or step.pay != 0


class Group(NamedTuple):
    """What a case has to know about the kind of game; kinds of one group share their cases."""

    solo: bool
    gegen: bool
    solo_point: bool


def _group(rules: RuleSettings, kind: str) -> Group:
    part = "armut" if kind == "armut" else "partner" if kind in PARTNER_KINDS else "solo"
    return Group(part == "solo", part in rules.gegen_in, kind in rules.solo_point_kinds)


class Cases(dict[int, Case]):
    """The table of all cases of one group, by `GameFacts.case` + level * CASES; a case is worked out when it is first
    asked for.
    """

    def __init__(self, rules: RuleSettings, group: Group) -> None:
        super().__init__()
        self.rules = rules
        self.group = group

    def __missing__(self, number: int) -> Case:
        level, plain = divmod(number, CASES)
        said, zone = divmod(plain, ZONES)
        case = self[number] = _case(self.rules, self.group, *divmod(said, len(SAID)), zone, level)
        return case


CASES: Final = len(SAID) ** 2 * ZONES


def _case(rules: RuleSettings, group: Group, re_said: int, kontra_said: int, zone: int, level: int) -> Case:
    """Everything about one combination of announcements (indices of SAID), zone and level in one group of kinds."""
    re, kontra = _sides(rules, re_said, kontra_said, zone)
    winner = _winner(rules, group.solo, re, kontra, zone)
    triggers = _triggers(rules, group.solo, winner, re, kontra, zone)
    if winner is None and rules.nobody_wins == "zero":
        return Case(None, False, (), 0, (), (), 0, triggers)

    placed: dict[str, list[Step]] = {"before": [], "bock_only": [], "after": []}
    lines = placed["before"]
    if winner is not None:
        lines.append(add("won", winner, rules.won))
    if winner != "kontra":
        lines.extend(_limit_lines(rules, "re", kontra, winner == "re"))
    if winner != "re":
        lines.extend(_limit_lines(rules, "kontra", re, winner == "kontra"))
    if winner is not None:
        lines.extend(_winner_lines(rules, winner, re, kontra))
    lines.extend(_against_lines(rules, "re", re, kontra))
    lines.extend(_against_lines(rules, "kontra", kontra, re))
    if winner == "kontra" and group.gegen:
        placed[rules.gegen_when].append(add("gegen_die_alten", "kontra", rules.gegen_die_alten))
    if winner is not None and group.solo_point:
        placed[rules.solo_point_when].append(add("solo_point", winner, rules.solo_point))

    doublings = _doublings(rules, group.solo, winner, re, kontra)
    head, tail = _in_order(rules, lines, doublings, placed["bock_only"], placed["after"], _bock(rules, winner, level))
    steps = head + tail
    if _is_negative(rules, winner, fold(steps)):
        steps += (NEGATIVE,)
    return Case(winner, True, head, fold(head), tail, steps, fold(steps), triggers)


def _bock(rules: RuleSettings, winner: Party | None, level: int) -> tuple[Step, ...]:
    """The step of a Bock; one that adds is for a winner only."""
    if rules.effect != "add":
        return (times("bock", 2**level),)
    return () if winner is None else (add("bock", winner, level * rules.bock_add),)


def _in_order(
    rules: RuleSettings,
    lines: Iterable[Step],
    doublings: Iterable[Step],
    before_bock: Iterable[Step],
    after: Iterable[Step],
    bock: Iterable[Step],
) -> tuple[Steps, Steps]:
    """All steps in their order, cut in two where this rule set has its special points."""
    effect = rules.effect
    order = [
        ("lines", lines),
        ("bock", bock if effect == "game" else ()),
        ("before", ()),
        ("doublings", doublings),
        ("lines", before_bock),
        ("bock_only", ()),
        ("bock", bock if effect == "all" else ()),
        ("lines", after),
        ("after", ()),
        ("bock", bock if effect == "add" else ()),
    ]
    cut = [name for name, _steps in order].index(rules.specials_when if rules.specials_when != "paid" else "after")
    head, tail = (
        tuple(step for _name, steps in part for step in steps if _worth_something(step))
        for part in (order[:cut], order[cut:])
    )
    return head, tail


# `times("negative", 0)`: a winner never pays.
NEGATIVE: Final = times("negative", 0)


def _is_negative(rules: RuleSettings, winner: Party | None, value: int) -> bool:
    """Is the winner's value below 0 where that counts as nothing?"""
    return rules.negative == "zero" and (value < 0 if winner == "re" else winner == "kontra" and value > 0)


# --- One kind of game under one rule set ------------------------------------------------------------------------------


class Prepared:
    """All that scoring games of one kind at one table needs, looked up instead of decided anew."""

    def __init__(self, rules: RuleSettings, kind: str) -> None:
        self.rules = rules
        group = _group(rules, kind)
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
        if self.may_be_negative and _is_negative(self.rules, case.winner, value):
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
