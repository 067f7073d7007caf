"""All sheets of one evening at once, with what is stored of them: for the file that people take home."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring.club.models.people import Player
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
    `results` are stored, the most points first; `writers` what people call the logins that entered something."""

    evening: Evening
    tables: Sequence[Table]
    sheets: Sequence[Sheet]
    sums: Sequence[TableSums]
    results: Sequence[TableResult]
    writers: Mapping[int, str]

    @property
    def players(self) -> list[Player]:
        """Everybody who sat at one of the tables, in the order they came."""
        parts: list[Sheet | TableSums] = [*self.sheets, *self.sums]
        return list({player.pk: player for part in parts for player in part.players}.values())


def read_evening(evening: Evening) -> EveningSheets:
    """Five queries, whatever the number of tables and games."""
    tables = list(Table.objects.filter(evening=evening).select_related("rule_set").order_by("number"))
    seats: dict[int, list[Seat]] = defaultdict(list)
    table_of: dict[int, int] = {}
    for seat in Seat.objects.filter(round__table__evening=evening).select_related("player", "round__table__carries_on"):
        table_of[seat.round_id] = seat.round.table_id
        seats[seat.round.table_id].append(seat)
    games: dict[int, list[Game]] = defaultdict(list)
    standing = Game.objects.filter(round__table__evening=evening, deleted=False)
    for game in standing.select_related("entered_by").order_by("round__position", "position", "entered_at"):
        games[table_of[game.round_id]].append(game)
    results = list(TableResult.objects.filter(table__evening=evening).select_related("player"))
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
        writers=_writers(evening, [game for played in games.values() for game in played]),
    )


def _writers(evening: Evening, games: Sequence[Game]) -> dict[int, str]:
    """Who entered the games: the person of the club whose login it is, else the login."""
    logins = {game.entered_by.pk: game.entered_by.get_username() for game in games if game.entered_by}
    people = Player.objects.filter(club_id=evening.club_id, user__in=logins).values_list("user", "name")
    return logins | dict(people)
