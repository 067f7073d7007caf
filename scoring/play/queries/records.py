"""The facts of one table as they are stored, and the fold of the rules over them. The screen, the Excel file and the
replay all read a table here, so that they cannot differ in the order of the games or in who sat where."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from django.db.models import F, QuerySet

from scoring.club.models.people import Player
from scoring.club.queries import LookUps
from scoring.play.models import Game, Round, Seat, Table
from scoring.rules.bock import CarriedBock, Chain, dump_chain, load_chain
from scoring.rules.settings import RuleSettings
from scoring.rules.sheet import Line, LineResult, fold
from scoring.rulesets.models import RuleSet

GAMES = (Game.Form.PLAYED, Game.Form.SHORT)


@dataclass
class Records:
    """One table: its `rounds` in order; `line_ups`, who sat where in each round, in order of place; the `games` that stand,
    in order, and the `deleted` ones; `carried`, the Bock that the table it carries on from left open."""

    table: Table
    rounds: list[Round]
    line_ups: dict[int, list[Player]]
    games: list[Game]
    deleted: list[Game]
    carried: CarriedBock

    def line_up(self, game: Game) -> list[Player]:
        return self.line_ups[game.round_id]

    def rules_of(self, game: Game) -> RuleSettings:
        """The rules for as many people as sat at the table then."""
        return self.table.rule_set.rules.at(len(self.line_up(game)))

    @property
    def current(self) -> list[Player]:
        """Who sits at the table now."""
        return self.line_ups[self.rounds[-1].pk]

    @property
    def players(self) -> list[Player]:
        """Everybody who ever sat here, in the order they came: the columns of the sheet."""
        return list({player.pk: player for line_up in self.line_ups.values() for player in line_up}.values())

    @property
    def last(self) -> Game | None:
        return self.games[-1] if self.games else None

    def find(self, key: object) -> Game | None:
        """The line with this key, struck out or not."""
        return next((game for game in [*self.games, *self.deleted] if game.key == key), None)

    def lines(self) -> list[Line]:
        return [line_of(game, len(self.line_up(game))) for game in self.games]

    def numbers(self) -> list[int]:
        """The number of each line on the sheet: how many games were played up to it."""
        found, number = [], 0
        for game in self.games:
            number += game.form in GAMES
            found.append(number)
        return found

    @cached_property
    def results(self) -> list[LineResult]:
        """What the rules make of the lines, one result per game, in order; folded once. Who changes a line asks of records
        with that line in it, as `replace` makes them."""
        rules = self.table.rule_set.rules
        return fold(self.lines(), rules, self.start(rules))

    @property
    def row(self) -> Table:
        """The table as it was read with the seats: after a lock that was waited for, when `table` may be older."""
        return self.rounds[-1].table if self.rounds else self.table

    @property
    def later(self) -> Table | None:
        """The table that carries the open Bock games of this one on."""
        return getattr(self.row, "carried_on_by", None)

    def start(self, rules: RuleSettings) -> Chain:
        """The Bock games that are open before the first line: those carried on, where these rules let them go on."""
        return load_chain(self.carried) if rules.carry else Chain()

    @property
    def left_open(self) -> CarriedBock:
        """What is open behind the last line, for another evening."""
        rules = self.table.rule_set.rules
        if not rules.carry:
            return []
        chain = self.results[-1].chain if self.results else self.start(rules)
        return dump_chain(chain, self.table.pk, self.numbers())

    @cached_property
    def days(self) -> dict[int, datetime.date]:
        """When the tables were played whose Bock games are carried on here, by id: one query, or none."""
        tables = {run[0] for side in self.carried for run in side}
        if not tables:
            return {}
        return dict(Table.objects.filter(pk__in=tables).values_list("pk", "evening__held_on"))


def line_of(game: Game, people: int) -> Line:
    return Line(form=game.form, table=people, dealer=game.dealer, facts=game.facts)


def _games() -> QuerySet[Game]:
    return Game.objects.order_by("round__position", "position", "entered_at")


def _seats() -> QuerySet[Seat]:
    return Seat.objects.select_related(
        "player", "round__table__evening", "round__table__carries_on", "round__table__carried_on_by"
    )


def read_records(table: Table) -> Records:
    """Return the records of a table. Two queries."""
    return assemble(table, list(_games().filter(round__table=table)), _seats().filter(round__table=table))


def numbers_of(tables: Collection[int]) -> dict[str, int]:
    """Return the number on its sheet of each game at the tables with these ids, by its key. One query."""
    games = _games().filter(round__table__in=tables, deleted=False, form__in=GAMES)
    counted: Counter[int] = Counter()
    found = {}
    for table, key in games.values_list("round__table", "key"):
        counted[table] += 1
        found[str(key)] = counted[table]
    return found


def read_all(tables: Sequence[Table]) -> list[Records]:
    """Return the records of several tables. Two queries."""
    games: dict[int, list[Game]] = {table.pk: [] for table in tables}
    for game in _games().filter(round__table__in=tables).annotate(table=F("round__table")):
        games[game.table].append(game)
    seats: dict[int, list[Seat]] = {table.pk: [] for table in tables}
    for seat in _seats().filter(round__table__in=tables):
        seats[seat.round.table_id].append(seat)
    return [assemble(table, games[table.pk], seats[table.pk]) for table in tables]


def assemble(table: Table, games: Sequence[Game], seats: Iterable[Seat]) -> Records:
    """The records of one table from rows already read: seats with their round, its table and those that this carries on."""
    rounds: dict[int, Round] = {}
    carries_on: Table | None = None
    line_ups: dict[int, list[Player]] = {}
    for seat in sorted(seats, key=lambda seat: (seat.round.position, seat.place)):
        rounds.setdefault(seat.round_id, seat.round)
        carries_on = seat.round.table.carries_on
        line_ups.setdefault(seat.round_id, []).append(seat.player)
    for game in games:
        # A round has many games: it is read once, with its seats. Where nobody sits, something is damaged, as `verify` says.
        if game.round_id in rounds:
            game.round = rounds[game.round_id]
    return Records(
        table=table,
        rounds=list(rounds.values()),
        line_ups=line_ups,
        games=[game for game in games if not game.deleted],
        deleted=[game for game in games if game.deleted],
        carried=carries_on.open_bocks if carries_on else [],
    )


@dataclass
class LineUp:
    """Who sits at which place in a round, and the rules there."""

    rule_set: RuleSet
    people: dict[int, str]

    @property
    def rules(self) -> RuleSettings:
        return self.rule_set.rules.at(len(self.people))


def line_ups_of(rounds: set[int]) -> dict[int, LineUp]:
    """The line-ups of these rounds, by round. One query."""
    found: dict[int, LineUp] = {}
    for seat in Seat.objects.filter(round__in=rounds).select_related("player", "round__table__rule_set"):
        line_up = found.setdefault(seat.round_id, LineUp(seat.round.table.rule_set, {}))
        line_up.people[seat.place] = seat.player.name
    return found


# How the rows are found that the history names by these keys.
LOOK_UPS: Final[LookUps] = {"round": line_ups_of, "carries_on": Table.objects.select_related("evening").in_bulk}
