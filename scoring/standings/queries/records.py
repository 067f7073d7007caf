"""The records of a club: the best and the worst evening, the dearest game, the longest series. A record belongs to whoever set
it, guests and people who left among them, and to all who did the same; the first of them stands first."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple
from uuid import UUID

from scoring.club.models import Club, Player
from scoring.play.models import Game

from .evenings import EveningPoints, read_evenings, winners
from .selection import CHUNK, IN_ORDER, Selection, scores_in

# Two of a kind in a row are no series yet, where everybody has one.
SHORTEST_SERIES: Final = 3


class RecordSpot(NamedTuple):
    """Where something happened: on an evening, in a game of it where it was one."""

    day: datetime.date
    evening: int
    table: int | None = None
    game: UUID | None = None


class Feat(NamedTuple):
    """What somebody did, from one spot to another."""

    player: int
    first: RecordSpot
    last: RecordSpot


class RecordKind(NamedTuple):
    """What there is a record of. `signed`: its figure was won or lost; `least`: the lowest one counts."""

    key: str
    signed: bool = False
    least: bool = False


KINDS: Final = (
    RecordKind("best_evening", signed=True),
    RecordKind("worst_evening", signed=True, least=True),
    RecordKind("best_game", signed=True),
    RecordKind("dearest_game", signed=True, least=True),
    RecordKind("solos"),
    RecordKind("games_won"),
    RecordKind("games_lost"),
    RecordKind("evenings_won"),
    RecordKind("evenings_up"),
    RecordKind("evenings_there"),
)


@dataclass
class Record:
    """The highest figure of a kind, or the lowest, and everybody who reached it."""

    kind: RecordKind
    figure: int | None = None
    feats: list[Feat] = field(default_factory=list)

    def takes(self, figure: int) -> bool:
        """Is it the record, or as good? Asked first where there are many, of which few are."""
        return self.figure is None or (figure <= self.figure if self.kind.least else figure >= self.figure)

    def offer(self, figure: int, feat: Feat) -> None:
        if not self.takes(figure):
            return
        if figure != self.figure:
            self.figure, self.feats = figure, []
        self.feats.append(feat)


@dataclass
class _Run:
    """What somebody has done in a row so far."""

    length: int = 0
    first: RecordSpot | None = None
    last: RecordSpot | None = None

    def goes_on(self, spot: RecordSpot) -> None:
        self.length, self.first, self.last = self.length + 1, self.first or spot, spot


class _Runs:
    """The runs of everybody of one kind. One is offered when it ends, so that it is offered once."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self._runs: dict[int, _Run] = defaultdict(_Run)

    def add(self, player: int, holds: bool, spot: RecordSpot) -> None:
        if holds:
            self._runs[player].goes_on(spot)
        else:
            self._end(player)

    def end(self) -> None:
        for player in list(self._runs):
            self._end(player)

    def _end(self, player: int) -> None:
        run = self._runs.pop(player, None)
        if run and run.first and run.last and run.length >= SHORTEST_SERIES:
            self._record.offer(run.length, Feat(player, run.first, run.last))


def read_records(club: Club, selection: Selection) -> tuple[list[Record], dict[int, Player]]:
    """The records of a list in one unit that there are, and whose they are. Three queries."""
    records = {kind.key: Record(kind) for kind in KINDS}
    _of_games(records, _lines(club, selection))
    _of_evenings(records, read_evenings(club, selection))
    found = [record for record in records.values() if record.feats]
    for record in found:
        record.feats.sort(key=lambda feat: (feat.last.day, feat.last.evening))
    return found, Player.objects.in_bulk({feat.player for record in found for feat in record.feats})


def _lines(club: Club, selection: Selection) -> Iterator[tuple[Any, ...]]:
    """What each game brought each of those who played it, in playing order."""
    lines = scores_in(club, selection).filter(played=True).order_by(*IN_ORDER)
    table = "game__round__table"
    where = (f"{table}__evening__held_on", f"{table}__evening", table, "game")
    facts = ("player", "points", "won", "solo", "game__outcome__winner", "game__form")
    return lines.values_list(*facts, *where).iterator(chunk_size=CHUNK)


def _of_games(records: dict[str, Record], lines: Iterable[tuple[Any, ...]]) -> None:
    """A game that nobody won ends a series of either sort."""
    won_runs, lost_runs = _Runs(records["games_won"]), _Runs(records["games_lost"])
    solos: dict[tuple[int, RecordSpot], int] = defaultdict(int)
    best, dearest = records["best_game"], records["dearest_game"]
    spot = None
    for player, points, won, solo, winner, form, *where in lines:
        if spot is None or spot.game != where[-1]:
            spot = RecordSpot(*where)
        for record in (best, dearest):
            if record.takes(points):
                record.offer(points, Feat(player, spot, spot))
        decided = winner != "" or form == Game.Form.SHORT
        won_runs.add(player, won, spot)
        lost_runs.add(player, decided and not won, spot)
        if solo:
            solos[player, RecordSpot(spot.day, spot.evening)] += 1
    won_runs.end()
    lost_runs.end()
    for (player, spot), count in solos.items():
        records["solos"].offer(count, Feat(player, spot, spot))


def _of_evenings(records: dict[str, Record], evenings: list[EveningPoints]) -> None:
    won_by = winners(evenings)
    won, up, there = (_Runs(records[key]) for key in ("evenings_won", "evenings_up", "evenings_there"))
    players = dict.fromkeys(one.player for one in evenings)
    came: dict[RecordSpot, set[int]] = defaultdict(set)
    for one in evenings:
        spot = RecordSpot(one.day, one.evening)
        came[spot].add(one.player)
        for key in ("best_evening", "worst_evening"):
            records[key].offer(one.points, Feat(one.player, spot, spot))
        won.add(one.player, one.player in won_by[one.evening], spot)
        up.add(one.player, one.points > 0, spot)
    for spot, people in came.items():
        for player in players:
            there.add(player, player in people, spot)
    for runs in (won, up, there):
        runs.end()
