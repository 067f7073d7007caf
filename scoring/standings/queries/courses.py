"""What sums cannot tell of a person, since it lies in the order of the games or in single evenings: series, the best and
the worst evening, which party they were of. It is read on demand only."""

from __future__ import annotations

import datetime
from collections import defaultdict
from dataclasses import dataclass, field

from scoring.club.models.people import Club

from .evenings import read_evenings, winners
from .selection import Selection, results_in, scores_in

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
    """One person's way through the games of a list. `evenings` are the points of each evening with its day, `evening_wins` how
    many of them nobody brought more from; `sided` the games of which their party is known, `re` those of them in Re."""

    evenings: list[tuple[datetime.date, int]] = field(default_factory=list)
    evening_wins: int = 0
    sided: int = 0
    re: int = 0
    bock_points: int = 0
    winning: int = 0
    longest: int = 0

    def add_wins(self, games: int, wins: int, first: int, most: int, last: int) -> None:
        """The next table with games: those won in a row from its first on, at most, and up to its last."""
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

    def points_since(self, day: datetime.date) -> int:
        return sum(points for held_on, points in self.evenings if held_on >= day)


def read_courses(club: Club, selection: Selection) -> dict[int, Course]:
    """The courses of everybody on a list in one unit, by id of the player. Two queries."""
    courses = _by_table(club, selection) if selection.size is None else _by_game(club, selection)
    evenings = read_evenings(club, selection)
    won_by = winners(evenings)
    for one in evenings:
        course = courses[one.player]
        course.evenings.append((one.day, one.points))
        course.evening_wins += one.player in won_by[one.evening]
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
