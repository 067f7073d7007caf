"""What a person's games add up to: by party, by kind of game, with and against whom, announcements, special points, series,
the dearest games. Lines come in playing order and in one unit. What a line does not say is counted as unsaid and never
guessed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final, TypeVar

from scoring.rules.ranking import rate

T = TypeVar("T")

# The announcements from the lowest on; an Absage includes what stands before it.
LEVELS: Final = ("said", "no90", "no60", "no30", "schwarz")


@dataclass(frozen=True)
class OwnLine:
    """One line as it concerns one person. `ref` finds it again. `decided`: one side won. `party` and, of `facts`, kind and
    announcements are there for games that were entered in full (`full`) alone, and so are special points.
    """

    ref: Any
    full: bool
    facts: Mapping[str, Any]
    points: int
    party: str
    played: bool
    won: bool
    solo: bool
    decided: bool
    bock: int

    @property
    def side(self) -> str:
        return side_of(self.party, self.won)


def side_of(party: str, won: bool) -> str:
    """Who has the same side of a game is of one party; in the short form those who won are, and those who lost."""
    return party or ("won" if won else "lost")


@dataclass
class Tally:
    """Games of one sort: how many, how many of them were won, and what they brought."""

    games: int = 0
    wins: int = 0
    points: int = 0

    def add(self, won: bool, points: int) -> None:
        self.games += 1
        self.wins += won
        self.points += points

    @property
    def win_rate(self) -> Fraction | None:
        return rate(self.wins, self.games)

    @property
    def average(self) -> Fraction | None:
        return rate(self.points, self.games)


@dataclass(frozen=True)
class Streak:
    """Games in a row that all ended the same way, from the first to the last."""

    length: int
    first: Any
    last: Any


@dataclass
class Announced:
    """How often a person's party announced this much, at most, and whether it got there."""

    level: str
    kept: int = 0
    missed: int = 0


@dataclass
class Entered:
    """How often a special point was entered, and in how many games."""

    count: int = 0
    games: int = 0


@dataclass
class Career:
    """Everything about one person's games. `kinds` and `solos` by kind, "" for the short form, which does not say it;
    `short` is how many games came in that form; `announced` by level, the lowest first; `specials` are those of the own
    party and of the game, by their code. `best` and `worst` are the lines with the most and the fewest points, the first of
    several.
    """

    all: Tally = field(default_factory=Tally)
    parties: dict[str, Tally] = field(default_factory=lambda: {"re": Tally(), "kontra": Tally()})
    kinds: dict[str, Tally] = field(default_factory=dict)
    solos: dict[str, Tally] = field(default_factory=dict)
    bock: Tally = field(default_factory=Tally)
    announced: dict[str, Announced] = field(default_factory=lambda: {level: Announced(level) for level in LEVELS})
    specials: dict[str, Entered] = field(default_factory=dict)
    by_hand: int = 0
    short: int = 0
    best: OwnLine | None = None
    worst: OwnLine | None = None
    longest: dict[bool, Streak | None] = field(default_factory=lambda: {True: None, False: None})
    current: tuple[bool, int] | None = None

    @property
    def won_longest(self) -> Streak | None:
        return self.longest[True]

    @property
    def lost_longest(self) -> Streak | None:
        return self.longest[False]


def career_of(lines: Iterable[OwnLine]) -> Career:
    """`by_hand` are the points of all lines that were no games of this person: penalties, corrections, sitting out."""
    career = Career()
    played = []
    for line in lines:
        if not line.played:
            career.by_hand += line.points
            continue
        played.append(line)
        _count(career, line)
    career.best = max(played, key=lambda line: line.points, default=None)
    career.worst = min(played, key=lambda line: line.points, default=None)
    _streaks(career, played)
    return career


def _count(career: Career, line: OwnLine) -> None:
    kind = line.facts["kind"] if line.full else ""
    tallies = [career.all, career.kinds.setdefault(kind, Tally())]
    if line.party:
        tallies.append(career.parties[line.party])
    if line.solo:
        tallies.append(career.solos.setdefault(kind, Tally()))
    if line.bock:
        tallies.append(career.bock)
    for tally in tallies:
        tally.add(line.won, line.points)
    if not line.full:
        career.short += 1
        return
    if (level := line.facts.get(f"{line.party}_said", "none")) != "none":
        # A party's goal is what it announced, at least half: it has kept its word where it won.
        announced = career.announced[level]
        announced.kept += line.won
        announced.missed += not line.won
    for whose in (f"{line.party}_specials", "game_specials"):
        for special, count in line.facts.get(whose, {}).items():
            entered = career.specials.setdefault(special, Entered())
            entered.count += count
            entered.games += 1


def _streaks(career: Career, played: Sequence[OwnLine]) -> None:
    """A game that nobody won ends a series of either sort."""
    run: list[OwnLine] = []
    for line in played:
        if not line.decided or (run and run[-1].won != line.won):
            run = []
        if line.decided:
            run.append(line)
            longest = career.longest[line.won]
            if longest is None or len(run) > longest.length:
                career.longest[line.won] = Streak(len(run), run[0].ref, line.ref)
    career.current = (run[0].won, len(run)) if run else None


@dataclass
class Mate:
    """Somebody's games with one other person: on one side, and on different ones."""

    together: Tally = field(default_factory=Tally)
    against: Tally = field(default_factory=Tally)


def add_pair(mate: Mate, mine: OwnLine, side: str) -> None:
    """One game more with somebody who was on this side of it; results are mine."""
    (mate.together if side == mine.side else mate.against).add(mine.won, mine.points)


# So many games two people must have played together before anybody says how well they do.
ENOUGH_TOGETHER: Final = 20


def partners(mates: Mapping[T, Mate]) -> tuple[T, T] | None:
    """With whom somebody brought most from a game together, and with whom least, of those with enough of them; of equals who
    stands first, and who stands last. None where there are no two to choose from."""
    means = {one: mate.together.average for one, mate in mates.items() if mate.together.games >= ENOUGH_TOGETHER}
    known = {one: mean for one, mean in means.items() if mean is not None}
    if len(known) < 2:
        return None
    return max(known, key=lambda one: known[one]), min(reversed(known), key=lambda one: known[one])


def running_means(brought: Iterable[tuple[T, int, int]]) -> dict[T, Fraction]:
    """Points by games after each of these days, which say how many of both they brought; none before the first game."""
    points = games = 0
    means = {}
    for day, more_points, more_games in brought:
        points, games = points + more_points, games + more_games
        if games:
            means[day] = Fraction(points, games)
    return means
