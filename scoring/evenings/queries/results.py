"""How an evening went: who won, with equal points on one place, and the games that brought and cost most. Points and
cents are never added up, so an evening whose tables count in both has a ranking for each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from scoring.club.models import Player
from scoring.club.names import Names
from scoring.play.models import Evening, Table, TableResult
from scoring.play.queries import Row, Sheet
from scoring.rules.ranking import rank_all
from scoring.rulesets.models import RuleSet

from .sheets import TableSums, read_evening

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
    found = [EveningPlace(rank, people[player], **added) for rank, player, added in zip(ranks, by_player, sums, strict=True)]
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
