"""The Bock chain, computed from the games of a table in order. Only what is open at the end is stored (`dump_chain`), as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Final, NamedTuple

from .outcome import RAISED_BY_BOCK, USING_UP_BOCK, Worth, get_kind_scorer, score
from .parsing import GameFacts, ShortFacts
from .settings import RuleSettings
from .steps import CASES


class EarlierGame(NamedTuple):
    """A game of an earlier evening whose Bock goes on: its table (the caller's id) and its number there."""

    table: int
    number: int


# The line of this sheet, or the earlier game, that started a Bock.
Origin = int | EarlierGame


class Run(NamedTuple):
    """The Bock games of one side that one game started, and the run that is played `before` it."""

    line: Origin
    games: int
    before: Run | None


class OpenSide(NamedTuple):
    """Open Bock games one after another: how many are left of all runs, and the newest run, which is played last."""

    left: int
    run: Run


_left: Final = attrgetter("left")
# The number of games and the run of a level that no side reaches yet.
_NO_SIDE: Final[tuple[int, Run | None]] = (0, None)


class Chain(NamedTuple):
    """The open Bock games, as sides that run in parallel (with `append` there is only one). `Chain()` has none."""

    open: tuple[OpenSide, ...] = ()

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
        longest = max((side.left for side in self.open), default=0)
        return [sum(side.left > game for side in self.open) for game in range(longest)]

    def list_origins(self) -> tuple[Origin, ...]:
        """Return for each side the game that started its next Bock game."""
        return tuple(_list_runs(side)[0][0] for side in self.open)

    def list_runs(self) -> list[tuple[Origin, int]]:
        """Return the games that started the open Bock, each with the number of its games to come, one after another or in parallel.
        Nothing if several sides have several runs, which needs tables of different sizes with different rules."""
        if len(self.open) > 1 and any(run.before for _, run in self.open):
            return []
        return [run for side in self.open for run in _list_runs(side)]

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
        return Chain(tuple([OpenSide(left - 1, run) for left, run in self.open if left > 1]))

    def add_redeal(self, rules: RuleSettings, line: int = 0) -> tuple[Chain, int]:
        """Return the chain after a redeal, which uses up none, and the number of Bock games it added."""
        return self._start(1, rules, line) if "redeal" in rules.triggers else (self, 0)

    def _start(self, bocks: int, rules: RuleSettings, line: int) -> tuple[Chain, int]:
        games = rules.bock_games
        if rules.overlap == "ignore" and self.open:
            return self, 0
        if rules.overlap == "stack":
            return Chain(self.open + (OpenSide(games, Run(line, games, None)),) * bocks), games * bocks
        if rules.overlap == "append":
            games *= bocks
            # Several are open only if another size of table stacks them; then the longest is extended.
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
        """Raise the first `games` games to come below `cap` by one level, each by the first side that is too short for it."""
        sides: list[OpenSide] = sorted(self.open, key=_left, reverse=True)
        last = end = games + (sides[cap - 1].left if len(sides) >= cap else 0)
        for level in range(cap):
            left, before = sides[level] if level < len(sides) else _NO_SIDE
            if last > left:
                sides[level : level + 1] = [OpenSide(last, Run(line, last - left, before))]
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


def _list_runs(side: OpenSide) -> list[tuple[Origin, int]]:
    """Return the origins of a side's runs with the games left of each, the next one first."""
    left, run = side
    runs = [(run.line, min(left, run.games))]
    while run.before is not None and left > run.games:
        left -= run.games
        run = run.before
        runs.append((run.line, min(left, run.games)))
    return runs[::-1]


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
    return [list(_dump_runs(side, table, numbers)) for side in chain.open]


def load_chain(carried: CarriedBock) -> Chain:
    """Return the chain at the beginning of the next sheet; the inverse of `dump_chain`."""
    return Chain(tuple(_load_side(runs) for runs in carried))


def _dump_runs(side: OpenSide, table: int, numbers: Sequence[int]) -> Iterator[list[int]]:
    """Return the runs of a side that are not used up, the oldest first."""
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
