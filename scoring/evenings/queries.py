"""Reads the evenings of a club, what a new evening begins with, and the sheets and rankings of one evening."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Final

from django.contrib.auth.models import User
from django.db.models import FilteredRelation, OuterRef, Q, QuerySet, Sum

from scoring.club.models import Club, Player
from scoring.club.names import Names
from scoring.club.queries import Lookups, is_active_player, list_active_players
from scoring.core.database import count_related
from scoring.play.models import SEATS, Evening, Game, Seat, Table, TableResult
from scoring.play.queries import Row, Sheet, build_records, build_sheet
from scoring.rules.ranking import rank_all
from scoring.rulesets.models import RuleSet
from scoring.rulesets.queries import list_current_rule_sets
from scoring.table.access import count_late_entries

# Functions that find the rows whose ids are in log entries, by the key of the ids.
LOOKUPS: Final[Lookups] = {"evening": Evening.objects.in_bulk}
SUMMED: Final = ("points", "games", "wins", "solos", "solos_won")


def list_evenings(club: Club) -> QuerySet[Evening]:
    """Return the evenings of a club, the latest first, with the number of their games and of their waiting late entries."""
    games = count_related(Game.objects.filter(deleted=False), round__table__evening=OuterRef("pk"))
    late = count_late_entries(table__evening=OuterRef("pk"))
    evenings = Evening.objects.filter(club=club).annotate(games=games, waiting_late=late)
    return evenings.order_by("-held_on", "-id")


def list_years(evenings: QuerySet[Evening]) -> list[int]:
    return [day.year for day in evenings.dates("held_on", "year", "DESC")]


def filter_by_player(evenings: QuerySet[Evening], player_id: int) -> QuerySet[Evening]:
    """Keep the evenings at which a player sat at a table or has a result without games."""
    sat = Seat.objects.filter(player=player_id).values("round__table__evening")
    results = TableResult.objects.filter(player=player_id).values("table__evening")
    return evenings.filter(Q(pk__in=sat) | Q(pk__in=results))


def build_listed_evenings(evenings: Iterable[Evening]) -> list[dict[str, Any]]:
    """Return each `evening` for a list, with two queries. Its `winners` have the most `points` of a closed evening in its one unit,
    and only an id and a name; there are none if it counts in two. The unsaved `rule_sets` have a name and a version."""
    rows: dict[int, dict[str, Any]] = {
        evening.pk: {"evening": evening, "rule_sets": [], "without_games": False, "winners": [], "points": 0}
        for evening in evenings
    }
    build_rule_set = cache(lambda name, version: RuleSet(name=name, version=version))
    tables = Table.objects.filter(evening__in=rows).order_by("number")
    rows_of_tables = tables.values_list("evening", "without_games", "rule_set__name", "rule_set__version")
    for pk, without_games, name, version in rows_of_tables:
        rows[pk]["rule_sets"].append(build_rule_set(name, version))
        rows[pk]["without_games"] |= without_games
    points_of: dict[int, list[tuple[int, Player]]] = defaultdict(list)
    units: dict[int, set[str]] = defaultdict(set)
    # The points of a player on an evening, summed over its tables of one unit.
    sums = (
        TableResult.objects.filter(table__evening__in=[pk for pk, row in rows.items() if not row["evening"].is_open])
        .order_by("player__name_key")
        .values_list("table__evening", "player", "player__name", "table__rule_set__unit")
        .annotate(Sum("points"))
    )
    for pk, player, name, unit, points in sums:
        points_of[pk].append((points, Player(pk=player, name=name)))
        units[pk].add(unit)
    for pk, results in points_of.items():
        if len(units[pk]) == 1:
            most = max(points for points, _player in results)
            rows[pk] |= {"points": most, "winners": [player for points, player in results if points == most]}
    return list(rows.values())


def list_open_tables(club: Club) -> list[Table]:
    tables = Table.objects.filter(evening__club=club, evening__closed_at=None, without_games=False)
    return list(tables.select_related("evening", "rule_set").order_by("-evening__held_on", "-evening_id", "number"))


def read_open_line_ups(club: Club) -> dict[Table, set[int]]:
    """Return the tables of the open evenings with the ids of the players who sit there now. One query."""
    seats = Seat.objects.filter(round__table__evening__club=club, round__table__evening__closed_at=None)
    tables: dict[Table, dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
    for seat in seats.select_related("round__table__evening"):
        tables[seat.round.table][seat.round.position].add(seat.player_id)
    return {table: rounds[max(rounds)] for table, rounds in tables.items()}


def get_last_line_up(club: Club, evening_id: int | None = None) -> tuple[RuleSet | None, list[Player]]:
    """Return the rule set, in its current version, and the last line-up of the first table of the latest evening, or of the evening
    `evening_id`; players who have left the club are not in it.

    A club that has not played has no rule set, and its active players if they fit one table. An imported evening gives its
    people only if it is `evening_id`, and never its rule set."""
    tables = Table.objects.filter(evening__club=club, without_games=False).select_related("rule_set")
    tables = tables.order_by("-evening__held_on", "-evening_id", "number")
    last = tables.filter(imported=None).first()
    table = (tables.filter(evening=evening_id).first() if evening_id else None) or last
    if table is None:
        people = list(list_active_players(club).order_by("pk")[: SEATS[-1] + 1])
        return None, people if len(people) in SEATS else []
    seats = list(Seat.objects.filter(round__table=table).select_related("player").order_by("-round__position", "place"))
    line_up = [s.player for s in seats if s.round_id == seats[0].round_id and is_active_player(s.player)]
    played = last if table.imported_id else table
    return list_current_rule_sets(club).get(name=played.rule_set.name) if played else None, line_up


def get_newest_rule_set(club: Club) -> RuleSet | None:
    """Return the newest current rule set that no import created, or None."""
    made_by_imports = Table.objects.filter(evening__club=club, imported__isnull=False).values_list("imported__made", flat=True)
    imported = {pk for made in made_by_imports.distinct() for pk in made.get("rule_sets", ())}
    return list_current_rule_sets(club).exclude(pk__in=imported).order_by("-pk").first()


@dataclass(frozen=True)
class EveningSheets:
    """An evening, its `tables` by number, the sheets of the tables with games, and the stored results, the most points first."""

    evening: Evening
    tables: Sequence[Table]
    sheets: Sequence[Sheet]
    results: Sequence[TableResult]

    @property
    def tables_without_games(self) -> list[Table]:
        return [table for table in self.tables if table.without_games]

    def list_results(self, table: Table) -> list[TableResult]:
        return [result for result in self.results if result.table_id == table.pk]

    @property
    def players(self) -> list[Player]:
        """The players of all tables, in the order in which they came."""
        players = [player for sheet in self.sheets for player in sheet.players]
        players += [result.player for table in self.tables_without_games for result in self.list_results(table)]
        return list({player.pk: player for player in players}.values())

    @cached_property
    def writers(self) -> dict[int, str]:
        """The names of the logins that entered games: of their player in the club, else the user name. One query."""
        logins = {pk for sheet in self.sheets for row in sheet.rows if (pk := row.game.entered_by_id)}
        player = FilteredRelation("players", condition=Q(players__club=self.evening.club_id))
        users = User.objects.filter(pk__in=logins).annotate(player=player)
        return {pk: name or login for pk, login, name in users.values_list("pk", "username", "player__name")}


def read_evening(evening: Evening) -> EveningSheets:
    """Read the sheets and results of an evening. Four queries, and up to two for each table that carries Bock games on."""
    tables = list(Table.objects.filter(evening=evening).select_related("rule_set").order_by("number"))
    seats: dict[int, list[Seat]] = defaultdict(list)
    table_of: dict[int, int] = {}
    seats_of_evening = Seat.objects.filter(round__table__evening=evening)
    for seat in seats_of_evening.select_related("player", "round__table__carries_on"):
        table_of[seat.round_id] = seat.round.table_id
        seats[seat.round.table_id].append(seat)
    games: dict[int, list[Game]] = defaultdict(list)
    games_of_evening = Game.objects.filter(round__table__evening=evening, deleted=False)
    for game in games_of_evening.order_by("round__position", "position", "entered_at"):
        games[table_of[game.round_id]].append(game)
    played = [table for table in tables if not table.without_games]
    sheets = [build_sheet(build_records(table, games[table.pk], seats[table.pk])) for table in played]
    results = TableResult.objects.filter(table__evening=evening).select_related("player")
    ranked = sorted(results, key=lambda result: (-result.points, result.player.name_key, result.player_id))
    return EveningSheets(evening, tables, sheets, ranked)


@dataclass(frozen=True)
class Highlight:
    """The game with the highest or lowest points of an evening, and who got them. Of equal games it is the first."""

    table: Table
    row: Row
    players: Sequence[Player]
    points: int

    @property
    def names(self) -> str:
        return ", ".join(player.name for player in self.players)


@dataclass(frozen=True)
class Ranking:
    """The tables of an evening that count in one unit, with the number of games and the `standings`: an unsaved result of each
    player with the sums of these tables, by points, then name."""

    unit: str
    sheets: Sequence[Sheet]
    tables_without_games: Sequence[Table]
    standings: Sequence[TableResult]
    games: int
    best: Highlight | None
    worst: Highlight | None

    @property
    def ranked(self) -> list[tuple[int, TableResult]]:
        """The standings with their ranks."""
        return list(zip(rank_all([standing.points for standing in self.standings]), self.standings, strict=True))

    @property
    def winners(self) -> list[TableResult]:
        return [standing for rank, standing in self.ranked if rank == 1]

    @property
    def in_cents(self) -> bool:
        return self.unit == RuleSet.Unit.CENTS

    @property
    def rule_sets(self) -> list[RuleSet]:
        tables = [*(sheet.table for sheet in self.sheets), *self.tables_without_games]
        return list({table.rule_set_id: table.rule_set for table in tables}.values())


def build_rankings(evening: EveningSheets) -> list[Ranking]:
    """Build a ranking for each unit, in the order of the tables: points and cents are never added."""
    players = {player.pk: player for player in evening.players}
    rankings = []
    for unit in dict.fromkeys(table.rule_set.unit for table in evening.tables):
        sheets = [sheet for sheet in evening.sheets if sheet.table.rule_set.unit == unit]
        tables = {table.pk for table in evening.tables if table.rule_set.unit == unit}
        rankings.append(
            Ranking(
                unit=unit,
                sheets=sheets,
                tables_without_games=[table for table in evening.tables_without_games if table.pk in tables],
                standings=_sum_results(players, [result for result in evening.results if result.table_id in tables]),
                games=sum(row.number is not None for sheet in sheets for row in sheet.rows),
                best=_find_highlight(sheets, max),
                worst=_find_highlight(sheets, min),
            )
        )
    return rankings


def _sum_results(players: Mapping[int, Player], results: Sequence[TableResult]) -> list[TableResult]:
    results_of: dict[int, list[TableResult]] = defaultdict(list)
    for result in results:
        results_of[result.player_id].append(result)
    standings = [
        TableResult(player=players[pk], **{name: sum(getattr(one, name) for one in own) for name in SUMMED})
        for pk, own in results_of.items()
    ]
    return sorted(standings, key=lambda one: (-one.points, one.player.name_key, one.player.pk))


def _find_highlight(sheets: Sequence[Sheet], most: Callable[[Iterable[int]], int]) -> Highlight | None:
    """Return the game with the most (`max`) or least (`min`) points of one player, None if no game is above (or below) 0."""
    games = [(sheet.table, row) for sheet in sheets for row in sheet.rows if row.number is not None]
    points = most([0, *(cell.points for _table, row in games for cell in row.cells)])
    if points == 0:
        return None
    table, row = next((table, row) for table, row in games if any(cell.points == points for cell in row.cells))
    return Highlight(table, row, [cell.player for cell in row.cells if cell.points == points], points)


def apply_names(evening: EveningSheets, names: Names) -> None:
    """Replace the names of the players by those that the reader may see. Rankings must be built before, to keep their order."""
    names.apply_to(player for sheet in evening.sheets for line_up in sheet.records.line_ups.values() for player in line_up)
    names.apply_to(result.player for table in evening.tables_without_games for result in evening.list_results(table))
