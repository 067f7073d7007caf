"""All sheets of one evening at once, with what is stored of them: for the file that people take home."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from django.contrib.auth.models import User
from django.db.models import FilteredRelation, Q

from scoring.club.models.people import Player
from scoring.core.ready import Hole, Ready
from scoring.play.models import Evening, Game, Seat, Table, TableResult
from scoring.play.queries.records import assemble
from scoring.play.queries.sheet import Sheet, sheet_of


@dataclass(frozen=True)
class TableSums:
    """A table that came without its games: what it brought everybody, the most first."""

    table: Table
    results: Sequence[TableResult]

    @property
    def players(self) -> list[Player]:
        return [result.player for result in self.results]


@dataclass(frozen=True)
class EveningSheets:
    """Of all `tables` of an evening, by number, `sums` are those that came without their games, `sheets` all others.
    `results` are stored, the most points first."""

    evening: Evening
    tables: Sequence[Table]
    sheets: Sequence[Sheet]
    sums: Sequence[TableSums]
    results: Sequence[TableResult]

    @property
    def players(self) -> list[Player]:
        """Everybody who sat at one of the tables, in the order they came."""
        parts: list[Sheet | TableSums] = [*self.sheets, *self.sums]
        return list({player.pk: player for part in parts for player in part.players}.values())

    @cached_property
    def writers(self) -> dict[int, str]:
        """What people call the logins that entered something: the person of the club whose login it is, else the login. One
        query."""
        entered = (row.game.entered_by_id for sheet in self.sheets for row in sheet.rows)
        person = FilteredRelation("players", condition=Q(players__club=self.evening.club_id))
        named = User.objects.filter(pk__in={pk for pk in entered if pk}).annotate(person=person)
        return {pk: name or login for pk, login, name in named.values_list("pk", "username", "person__name")}


_TABLES = Ready(lambda: Table.objects.filter(evening=Hole("evening")).select_related("rule_set").order_by("number"))
_SEATS = Ready(
    lambda: Seat.objects.filter(round__table__evening=Hole("evening")).select_related(
        "player", "round__table__carries_on"
    )
)
_GAMES = Ready(
    lambda: Game.objects.filter(round__table__evening=Hole("evening"), deleted=False).order_by(
        "round__position", "position", "entered_at"
    )
)
_RESULTS = Ready(lambda: TableResult.objects.filter(table__evening=Hole("evening")).select_related("player"))


def read_evening(evening: Evening) -> EveningSheets:
    """The sheets of an evening. Four queries, whatever the number of tables and games."""
    tables = _TABLES.ask(evening=evening.pk)
    seats: dict[int, list[Seat]] = defaultdict(list)
    table_of: dict[int, int] = {}
    for seat in _SEATS.ask(evening=evening.pk):
        table_of[seat.round_id] = seat.round.table_id
        seats[seat.round.table_id].append(seat)
    games: dict[int, list[Game]] = defaultdict(list)
    for game in _GAMES.ask(evening=evening.pk):
        games[table_of[game.round_id]].append(game)
    results = _RESULTS.ask(evening=evening.pk)
    results.sort(key=lambda result: (-result.points, result.player.name_key, result.player_id))
    return EveningSheets(
        evening=evening,
        tables=tables,
        sheets=[
            sheet_of(assemble(table, games[table.pk], seats[table.pk])) for table in tables if not table.without_games
        ],
        sums=[
            TableSums(table, [result for result in results if result.table_id == table.pk])
            for table in tables
            if table.without_games
        ],
        results=results,
    )
