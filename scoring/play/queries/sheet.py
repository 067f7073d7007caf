"""The sheet of a table as people read it: numbered lines with running totals, and what the next game looks like. It is
computed from the facts like everything else, so that the screen shows points, steps and totals of one and the same
fold."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from scoring.club.models.people import Player
from scoring.play.models import Game, Table
from scoring.rules.bock import Chain, EarlierGame, Origin
from scoring.rules.deal import Progress, Proposal
from scoring.rules.parsing import GameFacts, PointsFacts, RedealFacts, ShortFacts
from scoring.rules.settings import RuleSettings
from scoring.rules.sheet import LineResult

from .deal import progress_along
from .records import GAMES, Records, read_records


@dataclass(frozen=True)
class Source:
    """Games whose Bock another game is: their numbers on this sheet, or on that of the evening of `day`."""

    day: datetime.date | None
    numbers: Sequence[int]


class Cell(NamedTuple):
    """What a line means to one person of the sheet: `total` after it, None where they did not sit at the table. A long file
    has very many of them."""

    player: Player
    seat: int | None
    points: int
    total: int | None
    out: bool
    won: bool
    solo: bool
    deals: bool
    party: str

    @property
    def is_idle(self) -> bool:
        """Whether the line left this person out: a dash on the sheet instead of a total."""
        return self.total is None or (self.out and not self.points)

    @property
    def shown(self) -> int | None:
        """The total as the sheet shows it."""
        return None if self.is_idle else self.total


@dataclass(frozen=True)
class Row:
    """One line of the sheet. `number` counts the games that were played, None for every other line; `bock_from` are the
    games whose Bock this one was. `turn` is the seat whose turn it was to deal, None where that seat did. `rules` are those
    at its table."""

    game: Game
    rules: RuleSettings
    result: LineResult
    number: int | None
    cycle: int
    ends_cycle: bool
    cells: Sequence[Cell]
    bock_from: Sequence[Source]
    turn: int | None

    @property
    def dealer(self) -> Player | None:
        return self._seated(self.game.dealer)

    @property
    def in_turn(self) -> Player | None:
        """The person who should have dealt; None if they did."""
        return self._seated(self.turn)

    @property
    def label(self) -> str:
        """What the line is called: its number, or what kind of line it is."""
        return str(self.number or self.game.get_form_display())

    @property
    def reason(self) -> str:
        """Why a line that is no game is on the sheet: the person who caused it, if known, and the reason that was typed."""
        facts = self.result.facts
        if isinstance(facts, PointsFacts):
            return facts.reason
        if not isinstance(facts, RedealFacts):
            return ""
        person = self._seated(facts.seat)
        return ": ".join(part for part in (str(person or ""), facts.reason) if part)

    def _seated(self, seat: int | None) -> Player | None:
        return None if seat is None else next((cell.player for cell in self.cells if cell.seat == seat), None)

    @property
    def value(self) -> int:
        """What the game was worth to its winners; what Re gets where nobody won."""
        outcome = self.result.outcome
        return -outcome.value if outcome.winner == "kontra" and self.game.form == Game.Form.PLAYED else outcome.value

    @property
    def sum(self) -> int:
        return sum(cell.points for cell in self.cells)


@dataclass(frozen=True)
class Next:
    """What the next game at the table looks like: `people` in seating order, `levels` the Bock games to come, `bock_from`
    the games that started the Bock it is played in, `bock_runs` those that started any that is to come, each with how many
    it still brings (see Chain.list_runs)."""

    rules: RuleSettings
    number: int
    proposal: Proposal
    people: Sequence[Player]
    levels: Sequence[int]
    bock_from: Sequence[Source]
    bock_runs: Sequence[tuple[Source, int]]

    @property
    def dealer(self) -> Player:
        return self.people[self.proposal.dealer]

    @property
    def leader(self) -> Player | None:
        return None if self.proposal.leader is None else self.people[self.proposal.leader]

    @property
    def out(self) -> list[Player]:
        return [self.people[seat] for seat in self.proposal.out or ()]

    @property
    def owing(self) -> list[Player]:
        return [self.people[seat] for seat in self.proposal.owing]

    @property
    def soloist(self) -> Player | None:
        return None if self.proposal.soloist is None else self.people[self.proposal.soloist]

    @property
    def owing_besides(self) -> list[Player]:
        """Who owes a Pflichtsolo besides the player who is made to play one now."""
        return [player for player in self.owing if player != self.soloist]

    @property
    def playing(self) -> list[tuple[int, Player]]:
        """Seat and person of everybody who plays; all of them where who sits out has yet to be said."""
        out = self.proposal.out or ()
        return [(seat, player) for seat, player in enumerate(self.people) if seat not in out]

    @property
    def level(self) -> int:
        return self.levels[0] if self.levels else 0


@dataclass(frozen=True)
class Carry:
    """The Bock games of an earlier evening that were open before the first line: the table they were left at and its
    day, their levels, and the games that started the first of them."""

    table: Table
    day: datetime.date
    levels: Sequence[int]
    bock_from: Sequence[Source]


@dataclass(frozen=True)
class Sheet:
    """All lines of a table, the oldest first, one column for everybody who ever sat there; `carried` is what was open
    when it began."""

    records: Records
    players: Sequence[Player]
    rows: Sequence[Row]
    next: Next
    carried: Carry | None

    @property
    def table(self) -> Table:
        return self.records.table

    @cached_property
    def totals(self) -> dict[int, int]:
        """The sum of every person, by id."""
        return {
            player.pk: sum(row.cells[column].points for row in self.rows) for column, player in enumerate(self.players)
        }

    @property
    def columns(self) -> list[tuple[Player, int]]:
        return [(player, self.totals[player.pk]) for player in self.players]

    @property
    def sum(self) -> int:
        """The cross-sum: 0 where the rules give as much as they take."""
        return sum(self.totals.values())

    @property
    def games_uneven(self) -> bool:
        """Is the cross-sum not 0 because of the games?"""
        return self.sum != 0 and any(row.sum for row in self.rows if row.number)

    @property
    def others_uneven(self) -> bool:
        """Is it because of a line that is no game?"""
        return self.sum != 0 and any(row.sum for row in self.rows if not row.number)

    @property
    def games_played(self) -> int:
        return self.next.number - 1

    @property
    def is_full(self) -> bool:
        """Whether all games that were planned are played."""
        planned = self.table.planned_games
        return planned is not None and self.games_played >= planned

    @property
    def has_odd_dealers(self) -> bool:
        return any(row.turn is not None for row in self.rows)

    def row_of(self, key: object) -> Row | None:
        return next((row for row in self.rows if row.game.key == key), None)


def read_sheet(table: Table) -> Sheet:
    """The sheet of a table, in two queries."""
    return sheet_of(read_records(table))


def sheet_of(records: Records, since: int = 0) -> Sheet:
    """The sheet without its first `since` rows, for whoever asks for those behind them alone."""
    results = records.results
    *progress, ahead = progress_along(records, [result.facts for result in results])
    rules = records.table.rule_set.rules.at(len(records.current))
    rows: list[Row] = []
    players = records.players
    totals = {player.pk: 0 for player in players}
    numbers = records.numbers()
    for index, (game, result) in enumerate(zip(records.games, results, strict=True)):
        if index < since:
            for player, points in zip(records.line_up(game), result.outcome.points, strict=True):
                totals[player.pk] += points
            continue
        after = progress[index + 1] if index + 1 < len(progress) else ahead
        rows.append(
            Row(
                game=game,
                rules=records.rules_of(game),
                result=result,
                number=numbers[index] if game.form in GAMES else None,
                cycle=progress[index].cycles + 1,
                ends_cycle=after.cycles > progress[index].cycles,
                cells=_cells(players, records.line_up(game), game.dealer, result, totals),
                bock_from=_sources(records, numbers, result.started_by),
                turn=_turn(records, game, progress[index]),
            )
        )
    start = records.start(rules)
    chain = results[-1].chain if results else start
    following = Next(
        rules=rules,
        number=(numbers[-1] if numbers else 0) + 1,
        proposal=ahead.propose(rules),
        people=records.current,
        levels=chain.list_levels(rules),
        bock_from=_sources(records, numbers, chain.list_origins()),
        bock_runs=[(source, left) for origin, left in chain.list_runs() for source in _sources(records, numbers, [origin])],
    )
    return Sheet(records, players, rows, following, _carry(records, start))


def _turn(records: Records, game: Game, progress: Progress) -> int | None:
    """The seat whose deal it would have been, None where it dealt or nobody did."""
    if game.dealer is None:
        return None
    turn, _soloist = progress.get_turn(records.rules_of(game))
    return None if turn == game.dealer else turn


def _carry(records: Records, start: Chain) -> Carry | None:
    """What is told of the Bock games that were open: at the size of the table as it began."""
    first = records.line_ups[records.rounds[0].pk]
    levels = start.list_levels(records.table.rule_set.rules.at(len(first)))
    table = records.row.carries_on
    if not levels or table is None:
        return None
    return Carry(table, table.evening.held_on, levels, _sources(records, [], start.list_origins()))


def _sources(records: Records, numbers: Sequence[int], started_by: Iterable[Origin]) -> list[Source]:
    """Each game once, in order, those of earlier evenings first: one game can start several Böcke."""
    found: dict[datetime.date | None, set[int]] = defaultdict(set)
    for origin in started_by:
        if isinstance(origin, EarlierGame):
            found[records.days.get(origin.table)].add(origin.number)
        else:
            found[None].add(numbers[origin])
    return [Source(day, sorted(found[day])) for day in sorted(found, key=lambda day: day or datetime.date.max)]


def _cells(
    players: list[Player], line_up: list[Player], dealer: int | None, result: LineResult, totals: dict[int, int]
) -> list[Cell]:
    """The line as everybody sees it; `totals` are carried on."""
    seats = {player.pk: seat for seat, player in enumerate(line_up)}
    cells = []
    for player in players:
        seat = seats.get(player.pk)
        points = 0 if seat is None else result.outcome.points[seat]
        totals[player.pk] += points
        cells.append(_cell(player, seat, points, totals[player.pk], dealer, result))
    return cells


def _cell(player: Player, seat: int | None, points: int, total: int, dealer: int | None, result: LineResult) -> Cell:
    facts = result.facts
    dealt = facts if isinstance(facts, (GameFacts, ShortFacts)) else None
    party = ""
    if isinstance(facts, GameFacts):
        party = "re" if seat in facts.re else "kontra" if seat in facts.kontra else ""
    return Cell(
        player=player,
        seat=seat,
        points=points,
        total=None if seat is None else total,
        out=dealt is not None and seat in dealt.out,
        won=seat in result.outcome.winners,
        solo=dealt is not None and seat is not None and seat == dealt.soloist,
        deals=seat is not None and seat == dealer,
        party=party,
    )
