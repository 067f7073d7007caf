"""Read the evenings of a club, those that are open, and the people and rules that a new one begins with."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Final, NamedTuple

from django.contrib.auth.models import User
from django.db.models import FilteredRelation, OuterRef, Q, QuerySet, Sum

from scoring.club.models import Club, Player
from scoring.club.names import Names
from scoring.club.queries import Lookups, is_active_player, list_active_players
from scoring.core.database import count_related
from scoring.core.text import text_key
from scoring.play.models import SEATS, Evening, Game, Seat, Table, TableResult
from scoring.play.queries import Row, Sheet, build_records, build_sheet
from scoring.rules.ranking import rank_all
from scoring.rulesets.models import RuleSet
from scoring.rulesets.queries import list_current_rule_sets
from scoring.table.queries.late import late_counted

# How the rows are found that the history names by these keys.
LOOKUPS: Final[Lookups] = {"evening": Evening.objects.in_bulk}


def evenings_of(club: Club) -> QuerySet[Evening]:
    """Return the evenings of a club, the latest first, with the number of their games and of the late entries that wait."""
    games = count_related(Game.objects.filter(deleted=False), round__table__evening=OuterRef("pk"))
    late = late_counted(table__evening=OuterRef("pk"))
    evenings = Evening.objects.filter(club=club).annotate(games=games, waiting_late=late)
    return evenings.order_by("-held_on", "-id")


def years_of(evenings: QuerySet[Evening]) -> list[int]:
    """Return the years of these evenings, the latest first."""
    return [day.year for day in evenings.dates("held_on", "year", "DESC")]


def places_of(club: Club) -> list[str]:
    """Return the places of the club's evenings."""
    places = Evening.objects.filter(club=club).exclude(place="").values_list("place", flat=True)
    return sorted(places.order_by("place").distinct(), key=text_key)


def with_person(evenings: QuerySet[Evening], person: int) -> QuerySet[Evening]:
    """Return the evenings at which this person sat at a table, or has a result without games."""
    sat = Seat.objects.filter(player=person).values("round__table__evening")
    results = TableResult.objects.filter(player=person).values("table__evening")
    return evenings.filter(Q(pk__in=sat) | Q(pk__in=results))


class ListedEvening(NamedTuple):
    """An evening as lists show it, with the rule set of each of its tables; `without_games`: one of them came without its games.
    `winners` are those with the most `points` of a closed evening, where all its tables count in one unit."""

    evening: Evening
    rule_sets: list[RuleSet]
    without_games: bool
    winners: list[Player]
    points: int


def with_tables(evenings: Iterable[Evening]) -> list[ListedEvening]:
    """Return these evenings with the rule sets of their tables and their winners. Two queries."""
    listed = {evening.pk: ListedEvening(evening, [], without_games=False, winners=[], points=0) for evening in evenings}
    named = cache(lambda name, version: RuleSet(name=name, version=version))
    tables = Table.objects.filter(evening__in=listed).order_by("number")
    for pk, bare, name, version in tables.values_list(
        "evening", "without_games", "rule_set__name", "rule_set__version"
    ):
        found = listed[pk]
        found.rule_sets.append(named(name, version))
        if bare:
            listed[pk] = found._replace(without_games=True)
    closed = [pk for pk, found in listed.items() if not found.evening.is_open]
    results: dict[int, list[tuple[int, Player]]] = defaultdict(list)
    units: dict[int, set[str]] = defaultdict(set)
    # Points of a player on an evening, summed over its tables of one unit.
    sums = (
        TableResult.objects.filter(table__evening__in=closed)
        .order_by("player__name_key")
        .values_list("table__evening", "player", "player__name", "table__rule_set__unit")
        .annotate(Sum("points"))
    )
    for pk, player, name, unit, points in sums:
        results[pk].append((points, Player(pk=player, name=name)))
        units[pk].add(unit)
    for pk, brought in results.items():
        most = max(points for points, _player in brought)
        if len(units[pk]) == 1:
            winners = [player for points, player in brought if points == most]
            listed[pk] = listed[pk]._replace(winners=winners, points=most)
    return list(listed.values())


def running_tables(club: Club) -> list[Table]:
    """Return the tables of the open evenings, the latest first."""
    tables = Table.objects.filter(evening__club=club, evening__closed_at=None, without_games=False)
    return list(tables.select_related("evening", "rule_set").order_by("-evening__held_on", "-evening_id", "number"))


def running_line_ups(club: Club) -> dict[Table, set[int]]:
    """Return the tables of the evenings that are still open with the ids of the people who sit there now. One query."""
    seats = Seat.objects.filter(round__table__evening__club=club, round__table__evening__closed_at=None)
    found: dict[Table, dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
    for seat in seats.select_related("round__table__evening"):
        found[seat.round.table][seat.round.position].add(seat.player_id)
    return {table: rounds[max(rounds)] for table, rounds in found.items()}


def running_with(club: Club, held_on: datetime.date, players: Collection[Player]) -> Table | None:
    """Return the table of an open evening of this day at which the same people sit."""
    wanted = {player.pk for player in players}
    running = ((table, people) for table, people in running_line_ups(club).items() if table.evening.held_on == held_on)
    return next((table for table, people in running if people == wanted), None)


def last_line_up(club: Club, evening: int | None = None) -> tuple[RuleSet | None, list[Player]]:
    """Return the current version of the rule set of the club's last table, and its line-up, for a new evening to begin with. A club
    that has not played yet has no rule set here, and its people if they fit one table. `evening` is the id of one whose people
    play once more. An imported evening proposes no rules, and its people only if it is `evening`."""
    tables = Table.objects.filter(evening__club=club, without_games=False).select_related("rule_set")
    tables = tables.order_by("-evening__held_on", "-evening_id", "number")
    last = tables.filter(imported=None).first()
    table = (tables.filter(evening=evening).first() if evening else None) or last
    if table is None:
        people = list(list_active_players(club).order_by("pk")[: SEATS[-1] + 1])
        return None, people if len(people) in SEATS else []
    seats = list(Seat.objects.filter(round__table=table).select_related("player").order_by("-round__position", "place"))
    line_up = [s.player for s in seats if s.round_id == seats[0].round_id and is_active_player(s.player)]
    played = last if table.imported_id else table
    return list_current_rule_sets(club).get(name=played.rule_set.name) if played else None, line_up


def newest_rule_set(club: Club) -> RuleSet | None:
    """The newest rule set of a club, without those that came with an import."""
    reports = Table.objects.filter(evening__club=club, imported__isnull=False).values_list("imported__made", flat=True)
    came = {pk for made in reports.distinct() for pk in made.get("rule_sets", ())}
    return list_current_rule_sets(club).exclude(pk__in=came).order_by("-pk").first()


def latest_evenings(club: Club) -> list[ListedEvening]:
    """Return the last six evenings, for the start page."""
    return with_tables(evenings_of(club)[:6])


@dataclass(frozen=True)
class TableSums:
    """A table that came without its games, with the results of its players, the most points first."""

    table: Table
    results: Sequence[TableResult]

    @property
    def players(self) -> list[Player]:
        return [result.player for result in self.results]


@dataclass(frozen=True)
class EveningSheets:
    """An evening with its `tables` by number: the `sums` of those that came without their games, the `sheets` of all others.
    `results` are the stored rows, the most points first."""

    evening: Evening
    tables: Sequence[Table]
    sheets: Sequence[Sheet]
    sums: Sequence[TableSums]
    results: Sequence[TableResult]

    @property
    def players(self) -> list[Player]:
        """Return the players of all tables, in the order in which they came."""
        parts: list[Sheet | TableSums] = [*self.sheets, *self.sums]
        return list({player.pk: player for part in parts for player in part.players}.values())

    @cached_property
    def writers(self) -> dict[int, str]:
        """Return a name for each login that entered a game: the name of its player in the club, else its user name. One query."""
        entered = (row.game.entered_by_id for sheet in self.sheets for row in sheet.rows)
        person = FilteredRelation("players", condition=Q(players__club=self.evening.club_id))
        named = User.objects.filter(pk__in={pk for pk in entered if pk}).annotate(person=person)
        return {pk: name or login for pk, login, name in named.values_list("pk", "username", "person__name")}


def read_evening(evening: Evening) -> EveningSheets:
    """Return the sheets of an evening. Four queries, whatever the number of tables and games."""
    tables = list(Table.objects.filter(evening=evening).select_related("rule_set").order_by("number"))
    seats: dict[int, list[Seat]] = defaultdict(list)
    table_of: dict[int, int] = {}
    of_evening = Seat.objects.filter(round__table__evening=evening)
    for seat in of_evening.select_related("player", "round__table__carries_on"):
        table_of[seat.round_id] = seat.round.table_id
        seats[seat.round.table_id].append(seat)
    games: dict[int, list[Game]] = defaultdict(list)
    standing = Game.objects.filter(round__table__evening=evening, deleted=False)
    for game in standing.order_by("round__position", "position", "entered_at"):
        games[table_of[game.round_id]].append(game)
    results = sorted(
        TableResult.objects.filter(table__evening=evening).select_related("player"),
        key=lambda result: (-result.points, result.player.name_key, result.player_id),
    )
    return EveningSheets(
        evening=evening,
        tables=tables,
        sheets=[
            build_sheet(build_records(table, games[table.pk], seats[table.pk]))
            for table in tables
            if not table.without_games
        ],
        sums=[
            TableSums(table, [result for result in results if result.table_id == table.pk])
            for table in tables
            if table.without_games
        ],
        results=results,
    )


COUNTED = ("points", "games", "wins", "solos", "solos_won")


@dataclass(frozen=True)
class EveningPlace:
    """What the evening brought one person, added up over its tables."""

    rank: int
    player: Player
    points: int
    games: int
    wins: int
    solos: int
    solos_won: int


@dataclass(frozen=True)
class Highlight:
    """A game that brought (or cost) these people more than any other did; where several are equal, the first."""

    table: Table
    row: Row
    players: Sequence[Player]
    points: int

    @property
    def names(self) -> str:
        return ", ".join(player.name for player in self.players)


@dataclass(frozen=True)
class Ranking:
    """All tables of an evening that count in one unit: `places` by rank, then name; `games` that were played. `sums` are the
    tables of which no games are known."""

    unit: str
    sheets: Sequence[Sheet]
    sums: Sequence[TableSums]
    places: Sequence[EveningPlace]
    games: int
    best: Highlight | None
    dearest: Highlight | None

    @property
    def winners(self) -> list[EveningPlace]:
        return [place for place in self.places if place.rank == 1]

    @property
    def in_cents(self) -> bool:
        return self.unit == RuleSet.Unit.CENTS

    @property
    def rule_sets(self) -> list[RuleSet]:
        parts: list[Sheet | TableSums] = [*self.sheets, *self.sums]
        return list({part.table.rule_set_id: part.table.rule_set for part in parts}.values())


@dataclass(frozen=True)
class EveningResult:
    """The rankings of an evening, in the order of its tables."""

    evening: Evening
    sheets: Sequence[Sheet]
    rankings: Sequence[Ranking]


def read_result(evening: Evening) -> EveningResult:
    """The result of an evening. Four queries, whatever the number of tables and games."""
    found = read_evening(evening)
    people = {player.pk: player for player in found.players}
    rankings = []
    for unit in dict.fromkeys(table.rule_set.unit for table in found.tables):
        sheets = [sheet for sheet in found.sheets if sheet.table.rule_set.unit == unit]
        counted = {table.pk for table in found.tables if table.rule_set.unit == unit}
        rankings.append(
            Ranking(
                unit=unit,
                sheets=sheets,
                sums=[sums for sums in found.sums if sums.table.rule_set.unit == unit],
                places=_places(people, [result for result in found.results if result.table_id in counted]),
                games=sum(row.number is not None for sheet in sheets for row in sheet.rows),
                best=_highlight(sheets, max),
                dearest=_highlight(sheets, min),
            )
        )
    return EveningResult(evening, found.sheets, rankings)


def _places(people: Mapping[int, Player], results: Sequence[TableResult]) -> list[EveningPlace]:
    by_player: dict[int, list[TableResult]] = defaultdict(list)
    for result in results:
        by_player[result.player_id].append(result)
    sums = [{name: sum(getattr(one, name) for one in own) for name in COUNTED} for own in by_player.values()]
    ranks = rank_all([added["points"] for added in sums])
    found = [
        EveningPlace(rank, people[player], **added) for rank, player, added in zip(ranks, by_player, sums, strict=True)
    ]
    return sorted(found, key=lambda place: (place.rank, place.player.name_key, place.player.pk))


def _highlight(sheets: Sequence[Sheet], most: Callable[[Iterable[int]], int]) -> Highlight | None:
    """The game with the most (or the least) points for one person; None where no game brought (or cost) anything."""
    played = [(sheet.table, row) for sheet in sheets for row in sheet.rows if row.number is not None]
    points = most([0, *(cell.points for _table, row in played for cell in row.cells)])
    if points == 0:
        return None
    table, row = next((table, row) for table, row in played if any(cell.points == points for cell in row.cells))
    return Highlight(table, row, [cell.player for cell in row.cells if cell.points == points], points)


def named(found: EveningResult, names: Names) -> EveningResult:
    """An evening whose people are called as one reader knows them, on its sheets, in its rankings and curves."""
    for sheet in found.sheets:
        names.apply_to(player for line_up in sheet.records.line_ups.values() for player in line_up)
    for ranking in found.rankings:
        names.apply_to(player for sums in ranking.sums for player in sums.players)
    return found
