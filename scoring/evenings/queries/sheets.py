"""Read all sheets of one evening, with their stored results, for its Excel file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from django.contrib.auth.models import User
from django.db.models import FilteredRelation, Q

from scoring.club.models import Player
from scoring.play.models import Evening, Game, Seat, Table, TableResult
from scoring.play.queries import Sheet, build_records, build_sheet


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
            build_sheet(build_records(table, games[table.pk], seats[table.pk])) for table in tables if not table.without_games
        ],
        sums=[
            TableSums(table, [result for result in results if result.table_id == table.pk])
            for table in tables
            if table.without_games
        ],
        results=results,
    )
