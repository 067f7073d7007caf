"""What the lists count: each figure is one object that knows how it is added up and how it is rounded; what it is called and
means is in `standings/texts.py`. Page and file read it here, so that they cannot differ. The more seldom ones are shown on
demand."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal

from django.db.models import Aggregate, Count, Q, Sum

from scoring.rules.ranking import Figure, rate, round_half_up
from scoring.rulesets.models import RuleSet
from scoring.standings.models import OpeningStanding


@dataclass
class Course:
    """One person's way through the games of a list. The best, the worst and the last evening are None where there was none.
    `evenings_won` are those from which nobody brought more. `this_month` are the points since its first day. `sided` are
    the games with a known party, `re` those of them in Re."""

    best_evening: int | None = None
    worst_evening: int | None = None
    last_evening: datetime.date | None = None
    evenings_won: int = 0
    this_month: int = 0
    sided: int = 0
    re: int = 0
    bock_points: int = 0
    winning: int = 0
    longest: int = 0

    def add_evenings(self, best: int | None, worst: int | None, last: datetime.date | None, won: int) -> None:
        """The next evenings that were played, None of none."""
        self.best_evening = max((one for one in (self.best_evening, best) if one is not None), default=None)
        self.worst_evening = min((one for one in (self.worst_evening, worst) if one is not None), default=None)
        self.last_evening = last or self.last_evening
        self.evenings_won += won

    def add_wins(self, games: int, wins: int, first: int, most: int, last: int) -> None:
        """The next table with games, or year: those won in a row from its first on, at most, and up to its last."""
        self.longest = max(self.longest, self.winning + first, most)
        self.winning = self.winning + games if wins == games else last

    def add(self, points: int, party: str, played: bool, won: bool, bock: int) -> None:
        """The next line, where a list counts only some of a table."""
        if bock:
            self.bock_points += points
        if played:
            self.sided += party != ""
            self.re += party == "re"
            self.winning = self.winning + 1 if won else 0
            self.longest = max(self.longest, self.winning)


@dataclass(frozen=True)
class Metric:
    """One figure of a person. Either `total` adds it up from TableResult rows (and `of_games` the same from Score rows,
    where a list counts only some games of a table), or it is the rate `part` of two totals, kept exact until it is
    shown with `digits` behind the comma, or `told` reads it off the course of the games. A rate needs enough of
    these `games`, unless they are none. A `percent` is a part of 1, a `day` is counted as dates count. In a list of `cents` it is
    called otherwise."""

    key: str
    total: Aggregate | None = None
    of_games: Aggregate | None = None
    told: Callable[[Course], int | None] | None = None
    part: tuple[str, str] | None = None
    games: str = "games"
    digits: int = 0
    percent: bool = False
    day: bool = False
    cents: bool = False

    def figure(self, totals: Mapping[str, int | None], min_games: int = 0) -> Figure:
        """The exact figure, None for a rate of nothing or of fewer games than asked for: not so a rate of
        evenings, since of some of them only the sums are known."""
        if self.part is None:
            return totals[self.key]
        part, whole = (totals[key] for key in self.part)
        too_few = self.games != "" and (totals[self.games] or 0) < min_games
        if too_few or part is None or whole is None:
            return None
        return rate(part, whole)

    def shown(self, figure: Figure) -> int | Decimal | datetime.date | None:
        """The figure as page and file show it: rounded here and nowhere else."""
        if self.day and figure is not None:
            return datetime.date.fromordinal(int(figure))
        if figure is None or self.part is None:
            return None if figure is None else int(figure)
        return round_half_up(figure, self.digits + 2 if self.percent else self.digits)


# What people look for stands beside the name: on a phone the rest has to be moved into sight.
METRICS = (
    Metric("points", total=Sum("points"), of_games=Sum("points")),
    Metric(
        "evenings",
        total=Count("table__evening", filter=Q(games__gt=0) | Q(table__without_games=True), distinct=True),
        of_games=Count("game__round__table__evening", filter=Q(played=True), distinct=True),
    ),
    Metric("games", total=Sum("games"), of_games=Count("pk", filter=Q(played=True))),
    Metric("average", part=("points_of_games", "games"), digits=2),
    Metric("wins", total=Sum("wins"), of_games=Count("pk", filter=Q(won=True))),
    Metric("win_rate", part=("wins_of_games", "games_of_wins"), games="games_of_wins", digits=1, percent=True),
    Metric("solos_won", total=Sum("solos_won"), of_games=Count("pk", filter=Q(solo=True, won=True))),
    Metric("solos", total=Sum("solos"), of_games=Count("pk", filter=Q(solo=True))),
    Metric("solo_points", total=Sum("solo_points"), of_games=Sum("points", filter=Q(solo=True), default=0)),
)


def _last_evening(course: Course) -> int | None:
    return None if course.last_evening is None else course.last_evening.toordinal()


# What is read off the course of the games, or is a rate of that.
MORE = (
    Metric("evening_average", part=("points_of_evenings", "evenings"), games="", digits=2),
    Metric("evening_wins", told=lambda course: course.evenings_won),
    Metric("re_rate", part=("re", "sided"), digits=1, percent=True),
    Metric("bock_points", told=lambda course: course.bock_points),
    Metric("best_evening", told=lambda course: course.best_evening),
    Metric("worst_evening", told=lambda course: course.worst_evening),
    Metric("streak", told=lambda course: course.longest),
    Metric("this_month", told=lambda course: course.this_month),
    Metric("last_evening", told=_last_evening, day=True),
)

# What no column shows: the totals that rates need besides. Points that came without their games are in no rate, since
# nobody knows by how many games to divide them.
PARTS = {"points_of_games": Sum("points", filter=Q(table__without_games=False), default=0)}
# Totals that differ from others only by what an opening balance adds.
_ALIKE = {"wins_of_games": "wins", "games_of_wins": "games", "points_of_evenings": "points"}


def with_parts(sums: Mapping[str, int | None]) -> dict[str, int | None]:
    """The sums of somebody's games with the totals that rates divide."""
    return {**sums, **{part: sums[total] for part, total in _ALIKE.items()}}


def opened(opening: OpeningStanding) -> dict[str, int]:
    """What an opening balance adds to each total, by its key. What it does not say adds nothing, and a rate takes a part of
    it only where it says the other one as well."""
    games, wins = opening.games, opening.wins
    said = {
        "points": opening.points,
        "evenings": opening.evenings,
        "games": games,
        "wins": wins,
        "solos": opening.solos,
        "solos_won": opening.solos_won,
        "points_of_games": None if games is None else opening.points,
        "wins_of_games": None if games is None else wins,
        "games_of_wins": None if wins is None else games,
        "points_of_evenings": None if opening.evenings is None else opening.points,
    }
    return {key: value for key, value in said.items() if value is not None}


def totals() -> dict[str, Aggregate]:
    """Everything that is added up for one person, by its key."""
    return {metric.key: metric.total for metric in METRICS if metric.total} | PARTS


def totals_of_games() -> dict[str, Aggregate]:
    """The same from Score rows."""
    sums = {metric.key: metric.of_games for metric in METRICS if metric.of_games}
    return sums | {"points_of_games": Sum("points")}


def told_of(course: Course) -> dict[str, int | None]:
    """Everything that is read off somebody's course, by its key."""
    found = {metric.key: metric.told(course) for metric in MORE if metric.told}
    return found | {"re": course.re, "sided": course.sided}


def metrics_in(unit: str | None, more: bool = False) -> tuple[Metric, ...]:
    """The figures of a list in this unit, in the order of its columns; `more` of them on demand."""
    metrics = METRICS + MORE if more else METRICS
    return tuple(replace(metric, cents=True) for metric in metrics) if unit == RuleSet.Unit.CENTS else metrics
