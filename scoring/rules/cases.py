"""What announcements and eyes make of a game: who won, and every step to its value but special points.

Apart from special points and Bock a game is worth what its announcements and the zone of its eyes make it. So a rule
set keeps a table of these cases, each worked out once by the same few functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, NamedTuple

from .codes import (
    ALL_EYES,
    KONTRA_NO_EYES,
    KONTRA_NO_TRICK,
    PARTNER_KINDS,
    RE_NO_EYES,
    RE_NO_TRICK,
    SAID,
    TIE,
    TIE_RE_LAST,
    ZONE_EYES,
    ZONES,
    Party,
)
from .settings import RuleSettings

# What the opponents must stay under, by announced step; 0 is schwarz.
ABSAGE_EYES: Final = {"no90": 90, "no60": 60, "no30": 30, "schwarz": 0}
# The eyes that score against an Absage whether or not it is broken by them (document mathematiker).
AGAINST_EYES: Final = {"no90": 120, "no60": 90, "no30": 60, "schwarz": 30}
_FIRST_ABSAGE: Final = SAID.index("no90")


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


def group_of(rules: RuleSettings, kind: str) -> Group:
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
    if is_negative(rules, winner, fold(steps)):
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


def is_negative(rules: RuleSettings, winner: Party | None, value: int) -> bool:
    """Is the winner's value below 0 where that counts as nothing?"""
    return rules.negative == "zero" and (value < 0 if winner == "re" else winner == "kontra" and value > 0)
