"""The Bock chain: at which level a game is played, which games start a Bock, and what is open after them. The chain
is never stored; it is folded from the games of a table in order, so it is immutable and small. What is open at the end
of a sheet is also told as data, the same however it came about, for a table of a later evening.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Final, NamedTuple

from .outcome import RAISED_BY_BOCK, USING_UP_BOCK, Worth, get_kind_scorer, score
from .parsing import GameFacts, ShortFacts
from .settings import RuleSettings
from .steps import CASES


class EarlierGame(NamedTuple):
    """A game of an earlier evening, whose Bock goes on: the table (whatever its caller calls it) and its number there."""

    table: int
    number: int


# What started a Bock: a line of this sheet, or a game of an earlier one.
Origin = int | EarlierGame


class Run(NamedTuple):
    """Games in a row that one game added, and the run before it that it stands behind."""

    line: Origin
    games: int
    before: Run | None


class OpenSide(NamedTuple):
    """Open Bock games one after another: how many are left, and the newest run of them."""

    left: int
    run: Run


_left: Final = attrgetter("left")
# What a level has that no side reaches yet.
_NO_SIDE: Final[tuple[int, Run | None]] = (0, None)


class Chain(NamedTuple):
    """What is open: sides that run side by side (with `append` there is only ever one). `Chain()` is a fresh evening."""

    open: tuple[OpenSide, ...] = ()

    def get_level(self, facts: GameFacts | ShortFacts, rules: RuleSettings) -> int:
        """The level this game is played at: 0 plain, 1 doubled, 2 fourfold … (0 under a rule set without Bock)."""
        if not self.open or not _is_raised(facts, rules):
            return 0
        return min(len(self.open), rules.cap)

    def exempts(self, facts: GameFacts | ShortFacts, rules: RuleSettings) -> bool:
        """Return whether a Bock is open and does not raise this game, because of its kind; no level was set by hand."""
        return bool(self.open) and rules.has_bock and facts.bock is None and not _is_raised(facts, rules)

    def list_levels(self, rules: RuleSettings) -> list[int]:
        """The levels of the Bock games still to come, in order, if nothing new starts and so many stay at the table;
        none where these play without Bock.
        """
        return [min(level, rules.cap) for level in self.count_sides()] if rules.has_bock else []

    def count_sides(self) -> list[int]:
        """How many sides each Bock game still to come has, in order: its level, were there no highest one."""
        longest = max((side.left for side in self.open), default=0)
        return [sum(side.left > game for side in self.open) for game in range(longest)]

    def list_origins(self) -> tuple[Origin, ...]:
        """The games whose Bock the next game is, one for each side that is open."""
        return tuple(_get_origin(side) for side in self.open)

    def list_runs(self) -> list[tuple[Origin, int]]:
        """The games that started the open Bock, each with the number of Bock games that it still brings: one after the
        other if one side is open, side by side if several are. Nothing is told if several sides are long chains themselves,
        which needs tables of different sizes with different rules."""
        if len(self.open) > 1 and any(run.before for _, run in self.open):
            return []
        return [run for side in self.open for run in _list_runs(side)]

    def add_game(
        self, facts: GameFacts | ShortFacts, outcome: Worth, level: int, rules: RuleSettings, line: int = 0
    ) -> tuple[Chain, int]:
        """The chain after a game that was scored at `level`, and how many Bock games it added. `line` is remembered as
        the origin of what it starts. Only for a rule set with Bock; under any other the chain stays as it is.
        """
        chain = self
        if self.open and uses_up_bock(facts, rules):
            chain = self.use_one_up()
        bocks = count_started_bocks(facts, outcome, level, rules)
        return chain._start(bocks, rules, line) if bocks else (chain, 0)

    def use_one_up(self) -> Chain:
        """The chain after a game of which nothing is known but that it was dealt: it uses one up and starts none."""
        return Chain(tuple([OpenSide(left - 1, run) for left, run in self.open if left > 1]))

    def add_redeal(self, rules: RuleSettings, line: int = 0) -> tuple[Chain, int]:
        """The chain after a redeal, which uses none up, and how many Bock games it added."""
        return self._start(1, rules, line) if "redeal" in rules.triggers else (self, 0)

    def _start(self, bocks: int, rules: RuleSettings, line: int) -> tuple[Chain, int]:
        games = rules.bock_games
        if rules.overlap == "ignore" and self.open:
            return self, 0
        if rules.overlap == "stack":
            return Chain(self.open + (OpenSide(games, Run(line, games, None)),) * bocks), games * bocks
        if rules.overlap == "append":
            games *= bocks
            # Several are open only where another size of table stacks them: behind them is behind the longest.
            sides = sorted(self.open, key=_left)
            left, run = sides.pop() if sides else (0, None)
            return Chain((*sides, OpenSide(left + games, Run(line, games, run)))), games
        if rules.overlap == "fill":
            chain = self
            for _bock in range(bocks):
                chain = chain._filled(games, rules.cap, line)
            return chain, games * bocks
        return Chain((OpenSide(games, Run(line, games, None)),)), games

    def _filled(self, games: int, cap: int, line: int) -> Chain:
        """One level more for the first so many games to come that are below the highest one. Of so many sides as a game
        has levels the longest comes first; a game is raised by the side that is too short for it.
        """
        sides: list[OpenSide] = sorted(self.open, key=_left, reverse=True)
        last = end = games + (sides[cap - 1].left if len(sides) >= cap else 0)
        for level in range(cap):
            left, before = sides[level] if level < len(sides) else _NO_SIDE
            if last > left:
                sides[level : level + 1] = [OpenSide(last, Run(line, last - left, before))]
            last = left if left < end else end
        return Chain(tuple(sides))


def _is_raised(facts: GameFacts | ShortFacts, rules: RuleSettings) -> bool:
    """Does this game play at the level of a Bock that is open?"""
    if isinstance(facts, GameFacts):
        return get_kind_scorer(rules, facts.kind, facts.duty).raised
    return rules.settings_for("solo" if facts.solo else "partner").in_bock in RAISED_BY_BOCK


def uses_up_bock(facts: GameFacts | ShortFacts, rules: RuleSettings) -> bool:
    """Return whether this game takes one away from the Bock games that are open."""
    if isinstance(facts, GameFacts):
        return get_kind_scorer(rules, facts.kind, facts.duty).uses_one_up
    return rules.settings_for("solo" if facts.solo else "partner").in_bock in USING_UP_BOCK


def _list_runs(side: OpenSide) -> list[tuple[Origin, int]]:
    """The runs of a side with what is left of each, the one that is played next first."""
    left, run = side
    found = [(run.line, min(left, run.games))]
    while run.before is not None and left > run.games:
        left -= run.games
        run = run.before
        found.append((run.line, min(left, run.games)))
    return found[::-1]


def _get_origin(side: OpenSide) -> Origin:
    """The line whose run the next game of a side belongs to: the newest run is played last."""
    return _list_runs(side)[0][0]


def count_started_bocks(facts: GameFacts | ShortFacts, outcome: Worth, level: int, rules: RuleSettings) -> int:
    """How many Bocks a game starts that was scored at `level`, by its triggers and by hand. The level changes nothing but the
    value, so a game is judged as if it had been played plain.
    """
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


# --- What is open, as data --------------------------------------------------------------------------------------------

# For each side the runs still to be played, in order: the table and number of the game that started it, and how many
# games of it are left.
CarriedBock = list[list[list[int]]]


def dump_chain(chain: Chain, table: int, numbers: Sequence[int]) -> CarriedBock:
    """What is open at the end of the sheet of `table`, whose lines are numbered so."""
    return [list(_dump_runs(side, table, numbers)) for side in chain.open]


def load_chain(carried: CarriedBock) -> Chain:
    """What is open at the beginning of the next sheet; the inverse of `as_data`."""
    return Chain(tuple(_load_side(runs) for runs in carried))


def _dump_runs(side: OpenSide, table: int, numbers: Sequence[int]) -> Iterator[list[int]]:
    """The runs of a side that are not used up, the oldest of them first."""
    left, newest = side
    open_runs: list[list[int]] = []
    run: Run | None = newest
    while run is not None and left > 0:
        origin = run.line if isinstance(run.line, EarlierGame) else EarlierGame(table, numbers[run.line])
        open_runs.append([*origin, min(left, run.games)])
        left, run = left - run.games, run.before
    return reversed(open_runs)


def _load_side(runs: Sequence[Sequence[int]]) -> OpenSide:
    (table, number, left), *later = runs
    run = Run(EarlierGame(table, number), left, None)
    for table, number, games in later:
        run = Run(EarlierGame(table, number), games, run)
        left += games
    return OpenSide(left, run)
