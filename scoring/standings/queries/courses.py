"""What sums cannot tell of a person, since it lies in the order of the games or in single evenings: series, the best and
the worst evening, which party they were of. It is read on demand only."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from django.utils import timezone

from scoring.club.models import Club

from .evenings import read_evenings, winners
from .selection import Selection, results_in, scores_in
from .years import YearRow

# How many lines are read at a time.
CHUNK = 2_000
IN_ORDER = (
    "game__round__table__evening__held_on",
    "game__round__table__evening",
    "game__round__table__number",
    "game__round__position",
    "game__position",
)


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


def read_courses(club: Club, selection: Selection, years: Sequence[YearRow] | None = None) -> dict[int, Course]:
    """The courses of everybody on a list in one unit, by id of the player. Two queries, one where the `years` are known."""
    month = timezone.localdate().replace(day=1)
    if years is not None:
        courses = _by_year(row for row in years if row.is_in(selection))
        # Before this month began nothing of it was played.
        evenings = read_evenings(club, replace(selection, since=month))
    else:
        courses = _by_table(club, selection) if selection.size is None else _by_game(club, selection)
        evenings = read_evenings(club, selection)
        won_by = winners(evenings)
        for one in evenings:
            courses[one.player].add_evenings(one.points, one.points, one.day, one.player in won_by[one.evening])
    for one in evenings:
        if one.day >= month:
            courses[one.player].this_month += one.points
    return courses


def _by_year(rows: Iterable[YearRow]) -> dict[int, Course]:
    courses: dict[int, Course] = defaultdict(Course)
    for row in rows:
        course = courses[row.player]
        course.re += row.re
        course.sided += row.sided
        course.bock_points += row.bock_points
        course.add_evenings(row.best_evening, row.worst_evening, row.last_evening, row.evenings_won)
        if row.games:
            course.add_wins(row.games, row.wins, row.wins_first, row.wins_longest, row.wins_last)
    return courses


def _by_table(club: Club, selection: Selection) -> dict[int, Course]:
    courses: dict[int, Course] = defaultdict(Course)
    tables = results_in(club, selection).order_by("table__evening__held_on", "table__evening", "table__number")
    for player, re, sided, bock_points, games, *wins in tables.values_list(
        *("player", "re", "sided", "bock_points", "games", "wins", "wins_first", "wins_longest", "wins_last")
    ):
        course = courses[player]
        course.re += re
        course.sided += sided
        course.bock_points += bock_points
        if games:
            course.add_wins(games, *wins)
    return courses


def _by_game(club: Club, selection: Selection) -> dict[int, Course]:
    courses: dict[int, Course] = defaultdict(Course)
    lines = scores_in(club, selection).order_by(*IN_ORDER)
    columns = lines.values_list("player", "points", "party", "played", "won", "game__outcome__bock")
    # Of a club of many years they are never all held at once.
    for player, points, party, played, won, bock in columns.iterator(chunk_size=CHUNK):
        courses[player].add(points, party, played, won, bock)
    return courses
