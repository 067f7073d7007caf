"""The Bock chain, computed from the games of a table in order. Only what is open at the end is stored (`dump_chain`), as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .outcome import RAISED_BY_BOCK, USING_UP_BOCK, Worth, get_kind_scorer, score
from .parsing import GameFacts, ShortFacts
from .settings import RuleSettings
from .steps import CASES

# What started a Bock: a line of this sheet, or a game of an earlier evening, as its table (the caller's id) and its number there.
Origin = int | tuple[int, int]
# Open Bock games one after another: what started them, and how many are left of each start.
Side = tuple[tuple[Origin, int], ...]


def _count_left(side: Side) -> int:
    return sum(left for _origin, left in side)


class Chain(NamedTuple):
    """The open Bock games, as sides that run in parallel (with `append` there is only one). `Chain()` has none."""

    open: tuple[Side, ...] = ()

    def get_level(self, facts: GameFacts | ShortFacts, rules: RuleSettings) -> int:
        """Return the level of this game: 0 plain, 1 doubled, 2 fourfold … (0 under a rule set without Bock)."""
        if not self.open or not _is_raised(facts, rules):
            return 0
        return min(len(self.open), rules.cap)

    def exempts(self, facts: GameFacts | ShortFacts, rules: RuleSettings) -> bool:
        """Return whether an open Bock does not raise this game because of its kind, without a level set by hand."""
        return bool(self.open) and rules.has_bock and facts.bock is None and not _is_raised(facts, rules)

    def list_levels(self, rules: RuleSettings) -> list[int]:
        """Return the levels of the Bock games to come at a table of this size, if none is started; none without Bock."""
        return [min(level, rules.cap) for level in self.count_sides()] if rules.has_bock else []

    def count_sides(self) -> list[int]:
        """Return the number of sides of each Bock game to come: its level, if there were no cap."""
        lengths = [_count_left(side) for side in self.open]
        return [sum(length > game for length in lengths) for game in range(max(lengths, default=0))]

    def list_origins(self) -> tuple[Origin, ...]:
        """Return for each side the game that started its next Bock game."""
        return tuple(side[0][0] for side in self.open)

    def list_runs(self) -> list[tuple[Origin, int]]:
        """Return the games that started the open Bock, each with the number of its games to come, one after another or in parallel.
        Nothing if several sides have several runs, which needs tables of different sizes with different rules."""
        if len(self.open) > 1 and any(len(side) > 1 for side in self.open):
            return []
        return [run for side in self.open for run in side]

    def add_game(
        self, facts: GameFacts | ShortFacts, outcome: Worth, level: int, rules: RuleSettings, line: int = 0
    ) -> tuple[Chain, int]:
        """Return the chain after a game scored at `level`, and the number of Bock games it added. Only for rules with Bock."""
        chain = self
        if self.open and uses_up_bock(facts, rules):
            chain = self.use_one_up()
        bocks = count_started_bocks(facts, outcome, level, rules)
        return chain._start(bocks, rules, line) if bocks else (chain, 0)

    def use_one_up(self) -> Chain:
        """Return the chain with one game less to come on each side."""
        first_runs = [(side, *side[0]) for side in self.open]
        sides = [((origin, left - 1), *side[1:]) if left > 1 else side[1:] for side, origin, left in first_runs]
        return Chain(tuple([side for side in sides if side]))

    def add_redeal(self, rules: RuleSettings, line: int = 0) -> tuple[Chain, int]:
        """Return the chain after a redeal, which uses up none, and the number of Bock games it added."""
        return self._start(1, rules, line) if "redeal" in rules.triggers else (self, 0)

    def _start(self, bocks: int, rules: RuleSettings, line: int) -> tuple[Chain, int]:
        games = rules.bock_games
        if rules.overlap == "ignore" and self.open:
            return self, 0
        if rules.overlap == "stack":
            return Chain(self.open + (((line, games),),) * bocks), games * bocks
        if rules.overlap == "append":
            games *= bocks
            # Several are open only if another size of table stacks them; then the longest is extended.
            *sides, longest = sorted(self.open, key=_count_left) or [()]
            return Chain((*sides, (*longest, (line, games)))), games
        if rules.overlap == "fill":
            chain = self
            for _bock in range(bocks):
                chain = chain._filled(games, rules.cap, line)
            return chain, games * bocks
        return Chain((((line, games),),)), games

    def _filled(self, games: int, cap: int, line: int) -> Chain:
        """Raise the first `games` games to come below `cap` by one level, each by the first side that is too short for it."""
        sides: list[Side] = sorted(self.open, key=_count_left, reverse=True)
        last = end = games + (_count_left(sides[cap - 1]) if len(sides) >= cap else 0)
        for level in range(cap):
            side = sides[level] if level < len(sides) else ()
            left = _count_left(side)
            if last > left:
                sides[level : level + 1] = [(*side, (line, last - left))]
            last = left if left < end else end
        return Chain(tuple(sides))


def _is_raised(facts: GameFacts | ShortFacts, rules: RuleSettings) -> bool:
    if isinstance(facts, GameFacts):
        return get_kind_scorer(rules, facts.kind, facts.duty).raised
    return rules.settings_for("solo" if facts.solo else "partner").in_bock in RAISED_BY_BOCK


def uses_up_bock(facts: GameFacts | ShortFacts, rules: RuleSettings) -> bool:
    if isinstance(facts, GameFacts):
        return get_kind_scorer(rules, facts.kind, facts.duty).uses_one_up
    return rules.settings_for("solo" if facts.solo else "partner").in_bock in USING_UP_BOCK


def count_started_bocks(facts: GameFacts | ShortFacts, outcome: Worth, level: int, rules: RuleSettings) -> int:
    """Count the Bocks that a game scored at `level` starts. The trigger `zero_game` takes the value without Bock."""
    if isinstance(facts, GameFacts):
        kind = get_kind_scorer(rules, facts.kind, facts.duty)
        bocks = kind.cases[facts.case + level * CASES].triggers + kind.triggers
        for special in rules.special_triggers:
            bocks += special in facts.re_specials or special in facts.kontra_specials or special in facts.game_specials
    else:
        solo = ("kind:solo", "lost_solo" if outcome.winner == "kontra" else "won_solo")
        bocks = len(rules.triggers.intersection(solo if facts.solo else ("kind:partner",)))
    if "zero_game" in rules.triggers and (outcome if not level else score(facts, rules)).value == 0:
        bocks += 1
    bocks += facts.starts_bock
    return min(bocks, 1) if rules.per_game == "one" else bocks


# For each side its runs in playing order: table and number of the game that started it, and how many games are left.
CarriedBock = list[list[list[int]]]


def dump_chain(chain: Chain, table: int, numbers: Sequence[int]) -> CarriedBock:
    """Return what is open at the end of the sheet of `table`; `numbers` are the numbers of its lines."""
    return [
        [[*((table, numbers[origin]) if isinstance(origin, int) else origin), left] for origin, left in side] for side in chain.open
    ]


def load_chain(carried: CarriedBock) -> Chain:
    """Return the chain at the beginning of the next sheet; the inverse of `dump_chain`."""
    return Chain(tuple(tuple(((table, number), left) for table, number, left in side) for side in carried))
