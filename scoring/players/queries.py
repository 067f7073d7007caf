"""Read the figures of one player, of two side by side, and of each pair of players. Each takes a few queries, however many games
there are, and is in one unit: points and cents are never added up."""

from __future__ import annotations

import datetime
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, groupby
from operator import add, attrgetter
from typing import Final, Literal, NamedTuple, TypeVar
from uuid import UUID

from django.db.models import Exists, F, OuterRef

from scoring.club.models import Club, Player
from scoring.league.models import Season
from scoring.play.models import Game, Table, TableResult
from scoring.play.queries import filter_evenings, read_years
from scoring.play.rules import (
    EMPTY_CAREER,
    EVENING_FIELDS,
    Career,
    Tally,
    add_tallies,
    build_career,
    get_side,
    join_careers,
    list_keys,
    split_mate,
)
from scoring.rules import labels
from scoring.rules.ranking import rate
from scoring.rulesets.models import RuleSet
from scoring.standings.models import OpeningStanding
from scoring.standings.queries.selection import UNITS, Selection, filter_careers, filter_scores

FORM_EVENINGS: Final = 10
# Games that two players need together before they are compared with other pairs.
MIN_GAMES_TOGETHER: Final = 20
# The index of the points in the row of an evening.
_POINTS: Final = EVENING_FIELDS.index("points")

T = TypeVar("T")
Tallies = Mapping[tuple[int, int], Tally]
# A player, and the games together with them and against them.
Companion = tuple[Player, Tally, Tally]
# The club's names for kinds of games and special points, by code.
OwnNames = dict[Literal["kinds", "specials"], dict[str, str]]


class EveningSum(NamedTuple):
    """The result of a player at an evening: EVENING_FIELDS, and the `total` so far. `played` is False if there were
    only points by hand. `games`, `wins` and `points_of_games` leave out tables without games. `won`: no other has more points."""

    evening: int
    day: str
    points: int
    games: int
    wins: int
    points_of_games: int
    played: bool
    without_games: bool
    won: bool
    total: int

    @property
    def held_on(self) -> datetime.date:
        return datetime.date.fromisoformat(self.day)


@dataclass(frozen=True)
class Life:
    """The figures of a player in one unit. `evenings` are in order; those without games count only here. `mates` are the
    games together with and against each other player, by id. `own` has the club's names for `kinds` of games and `specials`."""

    player: Player
    unit: str
    units: Sequence[str]
    evenings: Sequence[EveningSum]
    career: Career
    mates: Mapping[int, tuple[Tally, Tally]]
    own: OwnNames

    @property
    def points(self) -> int:
        return self.evenings[-1].total if self.evenings else 0

    @property
    def without_games(self) -> int:
        return sum(map(attrgetter("without_games"), self.evenings))

    @cached_property
    def evenings_won(self) -> int:
        return sum(map(attrgetter("won"), self.evenings))

    @property
    def average(self) -> Fraction | None:
        """Points per game, as in the eternal list: penalties count, tables without games do not."""
        return rate(self.career.all.points + self.career.by_hand, self.career.all.games)

    @property
    def evening_average(self) -> Fraction | None:
        return rate(self.points, len(self.played))

    @cached_property
    def played(self) -> list[EveningSum]:
        return [evening for evening in self.evenings if evening.played]

    @property
    def form(self) -> Sequence[EveningSum]:
        return self.played[-FORM_EVENINGS:]

    @property
    def best_evening(self) -> EveningSum | None:
        return max(self.played, key=attrgetter("points"), default=None)

    @property
    def worst_evening(self) -> EveningSum | None:
        return min(self.played, key=attrgetter("points"), default=None)


@dataclass(frozen=True)
class Stretch:
    """The figures of a player in a year or a season. `points` include tables without games; `points_of_games` do not."""

    name: str
    year: int | None
    points: int
    evenings: int
    evenings_won: int
    games: int
    wins: int
    points_of_games: int

    @property
    def evening_average(self) -> Fraction | None:
        return rate(self.points, self.evenings)

    @property
    def average(self) -> Fraction | None:
        return rate(self.points_of_games, self.games)

    @property
    def win_rate(self) -> Fraction | None:
        return rate(self.wins, self.games)


def list_stretches(life: Life) -> list[Stretch]:
    """Return the seasons of a life, then its years, each with the latest first. A season that counts only certain rule sets is
    left out: the league has its figures. One query."""
    seasons = Season.objects.filter(club=life.player.club_id, unit=life.unit).order_by("-first_day", "name")
    days = [evening.day for evening in life.evenings]
    found = []
    for season in seasons:
        if not season.settings["rule_sets"]:
            first, last = season.first_day.isoformat(), season.last_day.isoformat()
            evenings = life.evenings[bisect_left(days, first) : bisect_right(days, last)]
            found.append(_sum_evenings(season.name, evenings))
    by_year = groupby(life.evenings, lambda evening: evening.held_on.year)
    years = [_sum_evenings(str(year), list(evenings), year) for year, evenings in by_year]
    return [one for one in [*found, *reversed(years)] if one.evenings or one.points]


def _sum_evenings(name: str, evenings: Sequence[EveningSum], year: int | None = None) -> Stretch:
    return Stretch(
        name=name,
        year=year,
        points=sum(one.points for one in evenings),
        evenings=sum(one.played for one in evenings),
        evenings_won=sum(one.won for one in evenings),
        games=sum(one.games for one in evenings),
        wins=sum(one.wins for one in evenings),
        points_of_games=sum(one.points_of_games for one in evenings),
    )


def is_listed(player: Player, closed_only: bool) -> bool:
    results = TableResult.objects.filter(filter_evenings("table__evening__", closed_only), player=player)
    return OpeningStanding.objects.filter(player=player).exists() or results.exists()


def read_lives(players: Sequence[Player], unit: str | None = None, closed_only: bool = False) -> list[Life]:
    """Return the lives of players of one club, in `unit` if one has played in it, otherwise in the first unit found. Three
    queries, up to two more while an evening is running, and one more if there are kinds of game or special points to name."""
    club = players[0].club_id
    people = [player.pk for player in players]
    years = read_years(club, ("by_evening", "told", "mates"), people=people, closed_only=closed_only)
    units = [one for one in UNITS if any(year["unit"] == one for year in years)]
    unit = unit if unit in units else next(iter(units), UNITS[0])
    of_player = {pk: [year for year in years if (year["player"], year["unit"]) == (pk, unit)] for pk in people}
    stored = {pk: join_careers(EMPTY_CAREER, *(year["told"] for year in of_one)) for pk, of_one in of_player.items()}
    games = Game.objects.filter(pk__in={key for one in stored.values() for key in list_keys(one)})
    # Table, key and day of a game: the page links to it.
    lines = games.values("key", table=F("round__table"), held_on=F("round__table__evening__held_on"))
    refs = {str(line["key"]): line for line in lines}
    careers = {pk: build_career(one, refs.__getitem__) for pk, one in stored.items()}
    named = any(career.kinds or career.specials for career in careers.values())
    own: OwnNames = read_own_names(club) if named else {"kinds": {}, "specials": {}}
    lives = []
    for player in players:
        rows = [row for year in of_player[player.pk] for row in year["by_evening"]]
        totals = accumulate(row[_POINTS] for row in rows)
        mates = add_tallies(*(year["mates"] for year in of_player[player.pk]))
        life = Life(
            player=player,
            unit=unit,
            units=units,
            evenings=[EveningSum._make((*row, total)) for row, total in zip(rows, totals, strict=True)],
            career=careers[player.pk],
            mates={int(other): split_mate(sums) for other, sums in mates.items()},
            own=own,
        )
        lives.append(life)
    return lives


def read_own_names(club: int) -> OwnNames:
    """Return the names that the club's rule sets give to kinds of game and special points. If several rule sets name the same
    one, the newest counts; a built-in one has a name only if all rule sets with tables agree. One query."""
    own: OwnNames = {"kinds": {}, "specials": {}}
    played = Exists(Table.objects.filter(rule_set=OuterRef("pk")))
    rule_sets = RuleSet.objects.filter(club=club).order_by("pk").annotate(played=played).values_list("settings", "played")
    for names, rows, usual, built_in in (
        (own["kinds"], "per_kind", "kinds", labels.KINDS.keys()),
        (own["specials"], "specials", "specials", labels.SPECIALS.keys()),
    ):
        agreed: dict[str, set[str]] = defaultdict(set)
        for settings, counts in rule_sets:
            for rules in (*settings.get("at", {}).values(), settings):
                named = {key: row["name"] for key, row in rules.get(rows, {}).items() if isinstance(row, dict) and "name" in row}
                names.update(named)
                for key in rules.get(usual, ()) if counts else ():
                    agreed[key].add(named.get(key, ""))
        for key in names.keys() & built_in:
            if agreed[key] != {names[key]}:
                del names[key]
    return own


def read_companions(life: Life) -> list[Companion]:
    """Return the players with and against whom this one played, ordered by the number of games together. One query."""
    people = Player.objects.in_bulk(life.mates)
    found = [(people[pk], together, against) for pk, (together, against) in life.mates.items()]
    return sorted(found, key=lambda one: (-one[1].games, one[0].name_key, one[0].pk))


def read_matrix(club: Club, selection: Selection, shown: Iterable[int]) -> tuple[list[Player], Tallies, Tallies]:
    """Return the players `shown` by name, and each pair's tallies together and against, as the first id sees them. 2-4 queries."""
    people = {player.pk: player for player in Player.objects.filter(pk__in=shown)}
    read = _count_by_tables if selection.size is None else _count_by_games
    together: dict[tuple[int, int], Tally] = defaultdict(Tally)
    against: dict[tuple[int, int], Tally] = defaultdict(Tally)
    for (one, other), sums in read(club, selection, people.keys()).items():
        for tallies, three in ((together, sums[:3]), (against, sums[3:])):
            if three[0]:
                tallies[one, other].add(*three)
    by_name = sorted(people.values(), key=lambda player: (player.name_key, player.pk))
    return by_name, together, against


def _count_by_tables(club: Club, selection: Selection, shown: Collection[int]) -> dict[tuple[int, int], list[int]]:
    """Return six sums for each pair of player ids: games, wins and points of the first, together and then against."""
    rows: Iterable[tuple[int, dict[str, list[int]]]]
    if selection.counts_whole_years:
        years = read_years(club.pk, ("mates",), people=shown, closed_only=selection.closed_only)
        rows = [(row["player"], row["mates"]) for row in years if selection.counts_year(row)]
    else:
        rows = filter_careers(club, selection).filter(player__in=shown).values_list("player", "mates")
    found: dict[tuple[int, int], list[int]] = {}
    for one, mates in rows:
        for key, sums in mates.items():
            if (pair := (one, int(key))) in found:
                found[pair] = list(map(add, found[pair], sums))
            elif pair[1] in shown:
                found[pair] = sums
    return found


def _count_by_games(club: Club, selection: Selection, shown: Collection[int]) -> dict[tuple[int, int], list[int]]:
    """Return the same sums line by line, for a selection that leaves out some lines of a table."""
    games: dict[UUID, list[tuple[int, int, str, bool]]] = defaultdict(list)
    scores = filter_scores(club, selection).filter(played=True, player__in=shown)
    for key, player, points, party, won in scores.values_list("game", "player", "points", "party", "won"):
        games[key].append((player, points, get_side(party, won), won))
    found: dict[tuple[int, int], list[int]] = defaultdict(lambda: [0] * 6)
    for seats in games.values():
        for player, points, side, won in seats:
            for other, _points, other_side, _won in seats:
                if other != player:
                    first = 0 if side == other_side else 3
                    sums = found[player, other]
                    sums[first : first + 3] = map(add, sums[first : first + 3], (1, won, points))
    return found


def find_partners(together: Mapping[T, Tally]) -> tuple[T, T] | None:
    """Return the best and the worst partner, among those with enough games together; None if there are fewer than two. Of equal
    ones the first of `together` is the best, and the last the worst."""
    means = {one: tally.average for one, tally in together.items() if tally.games >= MIN_GAMES_TOGETHER}
    known = {one: mean for one, mean in means.items() if mean is not None}
    if len(known) < 2:
        return None
    return max(known, key=lambda one: known[one]), min(reversed(known), key=lambda one: known[one])


def accumulate_by_day(days: Sequence[T], points: Iterable[int], games: Iterable[int]) -> dict[T, tuple[int, int]]:
    """Return the running sums of points and games by day, from the first game on; equal days give one entry."""
    sums = dict(zip(days, zip(accumulate(points), accumulate(games), strict=True), strict=True))
    return {day: both for day, both in sums.items() if both[1]}
