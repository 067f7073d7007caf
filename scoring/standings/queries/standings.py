"""The eternal list: what every person of a club has brought together, added up from the results of the tables.
Points and cents are never added up: they are two lists."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from django.db.models import Exists, F, Max, OuterRef

from scoring.club.models.people import Club
from scoring.club.names import Names
from scoring.core.text import fold
from scoring.league.models import Season
from scoring.play.models import Table, TableResult
from scoring.rules.ranking import Figure, places, sort_key

from .courses import Course, read_courses
from .metrics import metrics_in, told_of, totals, totals_of_games
from .selection import UNITS, Selection, results_in, scores_in, tables_in

# Who has not played for so long before the last evening that counts is hidden unless asked for.
AWAY: Final = datetime.timedelta(days=365)


@dataclass(frozen=True)
class Choices:
    """What there is to select: the units, each rule set with its units, the years and the seasons, the newest first;
    and the tables of the club that came without their games. `closed_only`: of closed evenings alone."""

    units: list[str]
    rule_sets: dict[str, set[str]]
    years: list[int]
    seasons: list[Season]
    without_games: list[Table]
    closed_only: bool = False


@dataclass(frozen=True)
class Standing:
    """One row of the list. `figures` by the key of their metric, exact; `away`: has not come for long."""

    player_id: int
    name: str
    name_key: str
    guest: bool
    left: bool
    rank: int
    figures: Mapping[str, Figure]
    away: bool = False

    @property
    def points(self) -> Figure:
        return self.figures["points"]


class Hidden(NamedTuple):
    """Somebody with results whom the list does not show: a guest, or who has not come for long."""

    player_id: int
    name: str
    guest: bool


class Listed(NamedTuple):
    """The rows in their order, and whom the selection hides, by name."""

    rows: list[Standing]
    hidden: list[Hidden]


def standings(club: Club, selection: Selection | None = None, more: bool = False) -> list[Standing]:
    """The list in its order: by points, then wins, then name. Who is hidden takes no place. Two queries, four with
    `more` figures."""
    return listed(club, selection, more).rows


def listed(club: Club, selection: Selection | None = None, more: bool = False) -> Listed:
    """The same list, and who is not in it. Who left stays in it: it is the list of everything that was played."""
    selection = selection or Selection()
    by_unit = _totals(club, selection)
    unit = selection.unit or next((unit for unit in UNITS if unit in by_unit), None)
    everyone = by_unit.get(unit or "", [])
    present = _present(club, selection)
    rows = [row for row in everyone if selection.everyone or not _is_hidden(row, present)]
    hidden = [
        Hidden(row["player"], row["player__name"], row["player__guest"])
        for row in sorted(everyone, key=lambda row: (row["player__name_key"], row["player"]))
        if not selection.everyone and _is_hidden(row, present)
    ]
    ranks = places([row["sum_points"] for row in rows])
    courses = read_courses(club, replace(selection, unit=unit)) if more else None
    shown = in_order(_standing(row, rank, selection, present, courses) for row, rank in zip(rows, ranks, strict=True))
    return Listed(shown, hidden)


def choices(club: Club, closed_only: bool = False) -> Choices:
    """What the club's results can be filtered by. Two queries."""
    tables = tables_in(club, Selection(closed_only=closed_only)).order_by()
    played = tables.filter(Exists(TableResult.objects.filter(table=OuterRef("pk"))))
    found = list(played.defer("rule_set__settings", "open_bocks"))
    rule_sets: dict[str, set[str]] = {}
    for table in sorted(found, key=lambda table: table.rule_set.name):
        rule_sets.setdefault(table.rule_set.name, set()).add(table.rule_set.unit)
    units = {table.rule_set.unit for table in found}
    return Choices(
        units=[unit for unit in UNITS if unit in units],
        rule_sets=rule_sets,
        years=sorted({table.evening.held_on.year for table in found}, reverse=True),
        seasons=list(Season.objects.filter(club=club).order_by("-first_day", "name")),
        without_games=[table for table in found if table.without_games],
        closed_only=closed_only,
    )


def evenings_without_games(offered: Choices, selection: Selection) -> int:
    """How many evenings of this list came without their games; no rate counts them. None where a list counts tables of
    one size: how many sat there is not known."""
    if selection.size is not None:
        return 0
    return len({table.evening_id for table in offered.without_games if selection.counts(table)})


def named(rows: Iterable[Standing], names: Names) -> list[Standing]:
    """The rows with the people as one reader knows them."""
    called = [(row, names.of(row.player_id, row.name)) for row in rows]
    return [replace(row, name=name, name_key=fold(name)) for row, name in called]


def in_order(rows: Iterable[Standing], key: str = "rank", descending: bool = False) -> list[Standing]:
    """The rows by one column: `rank`, `name` or the key of a metric. Whoever is equal there stands as in the
    list itself, and who has no figure comes last, so the order is total in both directions."""
    listed = sorted(rows, key=_list_order)
    if key == "name":
        return sorted(listed, key=lambda row: (row.name_key, row.player_id), reverse=descending)
    if key == "rank":
        return sorted(listed, key=lambda row: row.rank, reverse=descending)
    return sorted(listed, key=lambda row: sort_key(row.figures[key], descending))


def _list_order(row: Standing) -> tuple[object, ...]:
    points, wins = (sort_key(row.figures[key], descending=True) for key in ("points", "wins"))
    return points, wins, row.name_key, row.player_id


def _totals(club: Club, selection: Selection) -> dict[str, list[dict[str, Any]]]:
    """The sums of every person, by unit."""
    if selection.size is None:
        rows: Any = results_in(club, selection)
        sums, path = totals(), "table"
    else:
        rows = scores_in(club, selection)
        sums, path = totals_of_games(), "game__round__table"
    people = rows.values(
        "player",
        "player__name",
        "player__name_key",
        "player__guest",
        "player__left_on",
        unit=F(f"{path}__rule_set__unit"),
    )
    by_unit: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in people.annotate(**{f"sum_{key}": total for key, total in sums.items()}):
        by_unit[row["unit"]].append(row)
    return by_unit


def _present(club: Club, selection: Selection) -> set[int]:
    """Who has played in the year before the last evening of the club that counts, by whatever rules. One query."""
    results = results_in(club, Selection(until=selection.last_day, closed_only=selection.closed_only))
    last = dict(results.values_list("player").annotate(Max("table__evening__held_on")))
    return {player for player, day in last.items() if day > max(last.values()) - AWAY}


def _is_hidden(row: Mapping[str, Any], present: set[int]) -> bool:
    return row["player__guest"] or (row["player__left_on"] is None and row["player"] not in present)


def _standing(
    row: Mapping[str, Any], rank: int, selection: Selection, present: set[int], courses: Mapping[int, Course] | None
) -> Standing:
    sums = {key: row[f"sum_{key}"] for key in totals()}
    if courses is not None:
        sums |= told_of(courses.get(row["player"], Course()))
    return Standing(
        player_id=row["player"],
        name=row["player__name"],
        name_key=row["player__name_key"],
        guest=row["player__guest"],
        left=row["player__left_on"] is not None,
        rank=rank,
        figures={
            metric.key: metric.figure(sums, selection.min_games)
            for metric in metrics_in(None, more=courses is not None)
        },
        away=row["player"] not in present,
    )
