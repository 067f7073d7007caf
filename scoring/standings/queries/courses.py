"""What sums cannot tell of a person, since it lies in the order of the games or in single evenings: series, the best and
the worst evening, which party they were of. It is read on demand only."""

from __future__ import annotations

import datetime
from collections import defaultdict
from dataclasses import dataclass, field

from django.db.models import F, Q, QuerySet, Sum

from scoring.club.models.people import Club
from scoring.play.models import Score, TableResult

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
    """One person's way through the games of a list. `evenings` are the points of each evening with its day; `sided` the
    games of which their party is known, `re` those of them in Re."""

    evenings: list[tuple[datetime.date, int]] = field(default_factory=list)
    sided: int = 0
    re: int = 0
    bock_points: int = 0
    winning: int = 0
    longest: int = 0

    def add(self, points: int, party: str, played: bool, won: bool, bock: int) -> None:
        """The next line."""
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
    courses: dict[int, Course] = defaultdict(Course)
    lines = scores_in(club, selection).order_by(*IN_ORDER)
    columns = lines.values_list("player", "points", "party", "played", "won", "game__outcome__bock")
    # Of a club of many years they are never all held at once.
    for player, points, party, played, won, bock in columns.iterator(chunk_size=CHUNK):
        courses[player].add(points, party, played, won, bock)
    for player, day, points in _evenings(club, selection):
        courses[player].evenings.append((day, points))
    return courses


def _evenings(club: Club, selection: Selection) -> list[tuple[int, datetime.date, int]]:
    """What each evening brought each person who played there."""
    rows: QuerySet[TableResult] | QuerySet[Score]
    if selection.size is None:
        rows, path = results_in(club, selection).filter(Q(games__gt=0) | Q(table__without_games=True)), "table"
    else:
        rows, path = scores_in(club, selection), "game__round__table"
    evenings = rows.values("player", evening=F(f"{path}__evening"), day=F(f"{path}__evening__held_on"))
    return list(evenings.annotate(sum=Sum("points")).order_by("day").values_list("player", "day", "sum"))
