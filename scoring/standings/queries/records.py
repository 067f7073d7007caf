"""Find the records of a club. Guests and players who left can hold one; equal players share it, the earliest first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, Final

from scoring.club.models import Club, Player
from scoring.play.models import Game
from scoring.standings.metrics import Record, Spot, build_records
from scoring.standings.queries.evenings import find_winners, read_evenings
from scoring.standings.queries.selection import CHUNK, PLAYING_ORDER, Selection, filter_scores

# Shorter series are too common for a record.
SHORTEST_SERIES: Final = 3


class _AllSeries:
    """The running series of one kind. A series is offered when it ends, so only once."""

    def __init__(self, record: Record) -> None:
        self._record = record
        # The length, the first and the last spot by player.
        self._runs: dict[int, tuple[int, Spot, Spot]] = {}

    def add(self, player: int, holds: bool, spot: Spot) -> None:
        if holds:
            length, first, _last = self._runs.get(player, (0, spot, spot))
            self._runs[player] = length + 1, first, spot
        elif player in self._runs:
            self._end(player)

    def end(self) -> None:
        for player in list(self._runs):
            self._end(player)

    def _end(self, player: int) -> None:
        length, first, last = self._runs.pop(player)
        if length >= SHORTEST_SERIES:
            self._record.offer(length, player, first, last)


def read_records(club: Club, selection: Selection) -> tuple[list[Record], dict[int, Player]]:
    """Return the records of a list in one unit, and the players who hold them by id. Three queries."""
    records = {record.key: record for record in build_records()}
    _offer_games(records, _read_lines(club, selection))
    _offer_evenings(records, read_evenings(club, selection))
    found = [record for record in records.values() if record.feats]
    for record in found:
        record.feats.sort(key=lambda feat: (feat[2].day, feat[2].evening))
    return found, Player.objects.in_bulk({player for record in found for player, _first, _last in record.feats})


def _read_lines(club: Club, selection: Selection) -> Iterator[tuple[Any, ...]]:
    lines = filter_scores(club, selection).filter(played=True).order_by(*PLAYING_ORDER)
    table = "game__round__table"
    where = (f"{table}__evening__held_on", f"{table}__evening", table, "game")
    facts = ("player", "points", "won", "solo", "game__outcome__winner", "game__form")
    return lines.values_list(*facts, *where).iterator(chunk_size=CHUNK)


def _offer_games(records: dict[str, Record], lines: Iterable[tuple[Any, ...]]) -> None:
    """Offer games, series of games and solos. A game without a winner ends series of wins and of losses."""
    won_runs, lost_runs = _AllSeries(records["games_won"]), _AllSeries(records["games_lost"])
    solos: dict[tuple[int, Spot], int] = defaultdict(int)
    best, dearest = records["best_game"], records["dearest_game"]
    spot = None
    for player, points, won, solo, winner, form, *where in lines:
        if spot is None or spot.game != where[-1]:
            spot = Spot(*where)
        for record in (best, dearest):
            if record.takes(points):
                record.offer(points, player, spot, spot)
        decided = winner != "" or form == Game.Form.SHORT
        won_runs.add(player, won, spot)
        lost_runs.add(player, decided and not won, spot)
        if solo:
            solos[player, Spot(spot.day, spot.evening)] += 1
    won_runs.end()
    lost_runs.end()
    for (player, spot), count in solos.items():
        records["solos"].offer(count, player, spot, spot)


def _offer_evenings(records: dict[str, Record], evenings: list[Any]) -> None:
    won_by = find_winners(evenings)
    won, up, there = (_AllSeries(records[key]) for key in ("evenings_won", "evenings_up", "evenings_there"))
    players = dict.fromkeys(one.player for one in evenings)
    came: dict[Spot, set[int]] = defaultdict(set)
    for one in evenings:
        spot = Spot(one.day, one.evening)
        came[spot].add(one.player)
        for key in ("best_evening", "worst_evening"):
            records[key].offer(one.sum, one.player, spot, spot)
        won.add(one.player, one.player in won_by[one.evening], spot)
        up.add(one.player, one.sum > 0, spot)
    for spot, people in came.items():
        for player in players:
            there.add(player, player in people, spot)
    for runs in (won, up, there):
        runs.end()
