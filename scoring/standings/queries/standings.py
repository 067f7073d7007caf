"""Build the eternal list: the sums of every person of a club, from the yearly rows or from the results of the tables. Points and
cents are two lists and never added up."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any, Final, NamedTuple

from django.db.models import Exists, F, Max, OuterRef, QuerySet, Sum
from django.utils import timezone

from scoring.club.models import Club, Player
from scoring.club.names import Names
from scoring.core.names import name_key
from scoring.league.models import Season
from scoring.play.models import Table, TableResult
from scoring.play.queries import read_years
from scoring.rules.ranking import Figure, rank_all, sort_key
from scoring.standings.metrics import Course, metrics_in, opened, told_of, totals, totals_of_games, with_parts
from scoring.standings.models import OpeningStanding
from scoring.standings.queries.evenings import read_evenings, winners
from scoring.standings.queries.selection import (
    CHUNK,
    IN_ORDER,
    UNITS,
    Selection,
    brought_in,
    counted_in,
    openings_of,
    results_in,
    scores_in,
    tables_in,
)

# People who have not played for so long are hidden from the list of today, unless all are chosen.
AWAY: Final = datetime.timedelta(days=365)


@dataclass(frozen=True)
class Choices:
    """The options of a list: units, rule sets with their units, years and seasons, the newest first. Also the tables that came
    without their games, and the opening balances. `closed_only`: running evenings are left out."""

    units: list[str]
    rule_sets: dict[str, set[str]]
    years: list[int]
    seasons: list[Season]
    without_games: list[Table]
    openings: Sequence[OpeningStanding] = ()
    closed_only: bool = False


@dataclass(frozen=True)
class Standing:
    """One row of the list. `figures` are exact, by the key of their metric; `away`: has not come for long; `before`: the rank
    before the last evening, if there was one; `opening`: the points of the opening balances, None without one."""

    player_id: int
    name: str
    name_key: str
    guest: bool
    left: bool
    rank: int
    figures: Mapping[str, Figure]
    away: bool = False
    before: int | None = None
    opening: int | None = None

    @property
    def points(self) -> Figure:
        return self.figures["points"]


class Hidden(NamedTuple):
    """A person with results who is not shown: a guest, or one who has not come for long."""

    player_id: int
    name: str
    guest: bool


class Listed(NamedTuple):
    """The rows of the list in order, and the people that the selection hides. Ranks are compared with those before `last_day`,
    which is None if there was no list before."""

    rows: list[Standing]
    hidden: list[Hidden]
    last_day: datetime.date | None = None


def standings(
    club: Club,
    selection: Selection | None = None,
    more: bool = False,
    openings: Sequence[OpeningStanding] | None = None,
) -> list[Standing]:
    """Return the list, ordered by points, wins and name. Hidden people take no rank. Four queries, one more with `more` figures,
    one more while an evening is running, one less if `openings` are given."""
    selection = selection or Selection()
    years = _years(club, selection, more)
    rows, _hidden, _unit = _read(club, selection, more, _counted(club, selection, openings), years)
    return rows


def listed(
    club: Club,
    selection: Selection | None = None,
    more: bool = False,
    openings: Sequence[OpeningStanding] | None = None,
) -> Listed:
    """Return the same list with the hidden people and the ranks before its last evening. One query more."""
    selection = selection or Selection()
    counted = _counted(club, selection, openings)
    years = _years(club, selection, more)
    rows, hidden, unit = _read(club, selection, more, counted, years)
    before = read_before(club, replace(selection, unit=unit), [one for one in counted if one.unit == unit], years)
    stood = places_before(before, [row.player_id for row in rows])
    if not stood:
        return Listed(rows, hidden)
    return Listed([replace(row, before=stood.get(row.player_id)) for row in rows], hidden, before.last_day)


def _counted(club: Club, selection: Selection, openings: Sequence[OpeningStanding] | None) -> list[OpeningStanding]:
    return counted_in(openings_of(club) if openings is None else openings, selection)


def _years(club: Club, selection: Selection, more: bool) -> list[YearRow] | None:
    """Read the yearly rows; None if the list does not count whole years."""
    return year_rows(club, selection.closed_only, more) if selection.by_years else None


def _read(
    club: Club,
    selection: Selection,
    more: bool,
    openings: Sequence[OpeningStanding],
    years: Sequence[YearRow] | None,
) -> tuple[list[Standing], list[Hidden], str | None]:
    """Return the rows, the hidden people, and the unit. People who left stay in the list."""
    by_unit = _totals(club, selection, years)
    _add_openings(by_unit, openings)
    unit = selection.unit or next((unit for unit in UNITS if unit in by_unit), None)
    everyone = by_unit.get(unit or "", [])
    away = _away(club, selection, openings, years)
    rows = [row for row in everyone if selection.everyone or not _is_hidden(row, away)]
    hidden = [
        Hidden(row["player"], row["player__name"], row["player__guest"])
        for row in sorted(everyone, key=lambda row: (row["player__name_key"], row["player"]))
        if not selection.everyone and _is_hidden(row, away)
    ]
    ranks = rank_all([row["sums"]["points"] for row in rows])
    courses = read_courses(club, replace(selection, unit=unit), years) if more else None
    shown = in_order(_standing(row, rank, selection, away, courses) for row, rank in zip(rows, ranks, strict=True))
    return shown, hidden, unit


def choices(club: Club, closed_only: bool = False, openings: Sequence[OpeningStanding] = ()) -> Choices:
    """Read the options of a list of this club. Three queries."""
    rule_sets: dict[str, set[str]] = {}
    years = set()
    played = _played(club, closed_only)
    options = played.values_list("rule_set__name", "rule_set__unit", "evening__held_on__year").distinct()
    for name, unit, of_year in sorted(options):
        rule_sets.setdefault(name, set()).add(unit)
        years.add(of_year)
    units = set().union(*rule_sets.values()) | {one.unit for one in openings}
    return Choices(
        units=[unit for unit in UNITS if unit in units],
        rule_sets=rule_sets,
        years=sorted(years, reverse=True),
        seasons=list(Season.objects.filter(club=club).order_by("-first_day", "name")),
        without_games=list(played.filter(without_games=True).defer("rule_set__settings", "open_bocks")),
        openings=openings,
        closed_only=closed_only,
    )


def _played(club: Club, closed_only: bool) -> QuerySet[Table]:
    """Return the tables of a club that have results."""
    tables = tables_in(club, Selection(closed_only=closed_only)).order_by()
    return tables.filter(Exists(TableResult.objects.filter(table=OuterRef("pk"))))


def evenings_without_games(offered: Choices, selection: Selection) -> int:
    """Return how many evenings of this list came without their games, so that no rate counts them. It is 0 for a list of tables of
    one size, since their number of people is not known."""
    if selection.size is not None:
        return 0
    return len({table.evening_id for table in offered.without_games if selection.counts(table)})


def named(rows: Iterable[Standing], names: Names) -> list[Standing]:
    """Return the rows with the names that this reader sees."""
    called = [(row, names.get(row.player_id, row.name)) for row in rows]
    return [replace(row, name=name, name_key=name_key(name)) for row, name in called]


def in_order(rows: Iterable[Standing], key: str = "rank", descending: bool = False) -> list[Standing]:
    """Sort the rows by one column: `rank`, `name` or the key of a metric. Equal rows keep the order of the list, and rows without
    this figure come last, so the order is total in both directions."""
    listed = sorted(rows, key=_list_order)
    if key == "name":
        return sorted(listed, key=lambda row: (row.name_key, row.player_id), reverse=descending)
    if key == "rank":
        return sorted(listed, key=lambda row: row.rank, reverse=descending)
    return sorted(listed, key=lambda row: sort_key(row.figures[key], descending))


def _list_order(row: Standing) -> tuple[object, ...]:
    points, wins = (sort_key(row.figures[key], descending=True) for key in ("points", "wins"))
    return points, wins, row.name_key, row.player_id


def _totals(
    club: Club, selection: Selection, years: Sequence[YearRow] | None
) -> dict[str, list[dict[str, Any]]]:
    """Return the sums of every person, by unit."""
    by_unit: dict[str, list[dict[str, Any]]] = defaultdict(list)
    keys = totals().keys()
    for row in _summed(club, selection) if years is None else totals_of_years(years, selection):
        # A person who sat there without a game or a point does not count as present, as in the league.
        if not row["sum_evenings"] and not row["sum_points"]:
            continue
        sums = {key: row[f"sum_{key}"] for key in keys}
        by_unit[row["unit"]].append({**row, "opening": None, "sums": with_parts(sums)})
    return by_unit


def _summed(club: Club, selection: Selection) -> Any:
    """Add up results, or scores if a size is chosen, in SQL."""
    rows, path, _there = brought_in(club, selection)
    sums = totals() if selection.size is None else totals_of_games()
    people = rows.values(
        "player",
        "player__name",
        "player__name_key",
        "player__guest",
        "player__left_on",
        unit=F(f"{path}__rule_set__unit"),
    )
    return people.annotate(**{f"sum_{key}": total for key, total in sums.items()})


def _add_openings(by_unit: dict[str, list[dict[str, Any]]], openings: Iterable[OpeningStanding]) -> None:
    """Add the opening balances to the sums; people without results get a row as well."""
    found = {(unit, row["player"]): row for unit, rows in by_unit.items() for row in rows}
    for one in openings:
        if (row := found.get((one.unit, one.player_id))) is None:
            row = found[one.unit, one.player_id] = _without_results(one)
            by_unit[one.unit].append(row)
        for key, brought in opened(one).items():
            row["sums"][key] = (row["sums"][key] or 0) + brought
        row["opening"] = (row["opening"] or 0) + one.points


def _without_results(opening: OpeningStanding) -> dict[str, Any]:
    player = opening.player
    return {
        "player": player.pk,
        "player__name": player.name,
        "player__name_key": player.name_key,
        "player__guest": player.guest,
        "player__left_on": player.left_on,
        "opening": None,
        # Nothing is known but what the opening balance says.
        "sums": with_parts(dict.fromkeys(totals())),
    }


def _away(
    club: Club, selection: Selection, openings: Iterable[OpeningStanding], years: Sequence[YearRow] | None
) -> set[int]:
    """Return the people who have not played in the last year, by any rules; the day of an opening balance counts as played. If no
    person played in that year, the club rests, and the year before its last evening counts instead. The set is empty for a list
    that ends on a certain day: all who played in it belong there. One query, none for such a list or if `years` are given."""
    if selection.last_day is not None:
        return set()
    if years is None:
        results = results_in(club, Selection(closed_only=selection.closed_only))
        last = dict(results.values_list("player").annotate(Max("table__evening__held_on")))
    else:
        last = {}
        for row in years:
            last[row.player] = max(row.last_day, last.get(row.player, row.last_day))
    for one in openings:
        last[one.player_id] = max(one.until, last.get(one.player_id, one.until))
    year_ago, latest = timezone.localdate() - AWAY, max(last.values(), default=None)
    since = latest - AWAY if latest and latest <= year_ago else year_ago
    return {player for player, day in last.items() if day <= since}


def _is_hidden(row: Mapping[str, Any], away: set[int]) -> bool:
    return row["player__guest"] or (row["player__left_on"] is None and row["player"] in away)


def _standing(
    row: Mapping[str, Any], rank: int, selection: Selection, away: set[int], courses: Mapping[int, Course] | None
) -> Standing:
    sums = dict(row["sums"])
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
        away=row["player"] in away,
        opening=row["opening"],
    )


class Before(NamedTuple):
    """The day of the last evening of a list, and the points before that day, by person; None and empty for a list of one day."""

    last_day: datetime.date | None
    points: Mapping[int, int]


def read_before(
    club: Club, selection: Selection, openings: Iterable[OpeningStanding] = (), years: Sequence[YearRow] | None = None
) -> Before:
    """Read the points before the last evening of a list in one unit, with the opening balances that it counts. Evenings of the same
    day count as one, since their order is not known. Two queries, one if `years` are given."""
    last_day, points = _by_tables(club, selection) if years is None else _by_years(club, selection, years)
    if last_day is None:
        return Before(None, {})
    for one in openings:
        points[one.player_id] = points.get(one.player_id, 0) + one.points
    return Before(last_day if points else None, points)


def _by_tables(club: Club, selection: Selection) -> tuple[datetime.date | None, dict[int, int]]:
    rows, path, there = brought_in(club, selection)
    day = f"{path}__evening__held_on"
    last_day = rows.filter(there).aggregate(day=Max(day))["day"]
    if last_day is None:
        return None, {}
    before = rows.filter(**{f"{day}__lt": last_day}).order_by().values_list("player").annotate(Sum("points"))
    return last_day, dict(before)


def _by_years(
    club: Club, selection: Selection, years: Sequence[YearRow]
) -> tuple[datetime.date | None, dict[int, int]]:
    """Add up the years before that of the last evening, and the earlier days of its year."""
    counted = [row for row in years if row.is_in(selection)]
    last_day = max((row.last_evening for row in counted if row.last_evening), default=None)
    if last_day is None:
        return None, {}
    points: dict[int, int] = defaultdict(int)
    for row in counted:
        if row.year < last_day.year:
            points[row.player] += row.points
    of_year = results_in(club, replace(selection, since=datetime.date(last_day.year, 1, 1)))
    before = of_year.filter(table__evening__held_on__lt=last_day)
    for player, brought in before.values_list("player").annotate(Sum("points")):
        points[player] += brought
    return last_day, dict(points)


def places_before(before: Before, shown: Collection[int]) -> dict[int, int]:
    """Return the ranks before among the people who are shown now, so that hiding a person lets no other one climb."""
    there = [player for player in shown if player in before.points]
    return dict(zip(there, rank_all([before.points[player] for player in there]), strict=True))



def read_courses(club: Club, selection: Selection, years: Sequence[YearRow] | None = None) -> dict[int, Course]:
    """The courses of everybody on a list in one unit, by id of the player. Two queries, one where the `years` are known."""
    month = timezone.localdate().replace(day=1)
    if years is not None:
        courses = _by_year(row for row in years if row.is_in(selection))
        # Before this month began nothing of it was played.
        evenings = read_evenings(club, replace(selection, since=month))
    else:
        courses = _by_table(club, selection) if selection.size is None else _by_game(club, selection)
        evenings = read_evenings(club, selection)
        won_by = winners(evenings)
        for one in evenings:
            courses[one.player].add_evenings(one.points, one.points, one.day, one.player in won_by[one.evening])
    for one in evenings:
        if one.day >= month:
            courses[one.player].this_month += one.points
    return courses


def _by_year(rows: Iterable[YearRow]) -> dict[int, Course]:
    courses: dict[int, Course] = defaultdict(Course)
    for row in rows:
        course = courses[row.player]
        course.re += row.re
        course.sided += row.sided
        course.bock_points += row.bock_points
        course.add_evenings(row.best_evening, row.worst_evening, row.last_evening, row.evenings_won)
        if row.games:
            course.add_wins(row.games, row.wins, row.wins_first, row.wins_longest, row.wins_last)
    return courses


def _by_table(club: Club, selection: Selection) -> dict[int, Course]:
    courses: dict[int, Course] = defaultdict(Course)
    tables = results_in(club, selection).order_by("table__evening__held_on", "table__evening", "table__number")
    for player, re, sided, bock_points, games, *wins in tables.values_list(
        *("player", "re", "sided", "bock_points", "games", "wins", "wins_first", "wins_longest", "wins_last")
    ):
        course = courses[player]
        course.re += re
        course.sided += sided
        course.bock_points += bock_points
        if games:
            course.add_wins(games, *wins)
    return courses


def _by_game(club: Club, selection: Selection) -> dict[int, Course]:
    courses: dict[int, Course] = defaultdict(Course)
    lines = scores_in(club, selection).order_by(*IN_ORDER)
    columns = lines.values_list("player", "points", "party", "played", "won", "game__outcome__bock")
    # Of a club of many years they are never all held at once.
    for player, points, party, played, won, bock in columns.iterator(chunk_size=CHUNK):
        courses[player].add(points, party, played, won, bock)
    return courses


class YearRow(NamedTuple):
    """The fields of `YearCareer` that lists add up. Those from `re` on are read only for a list with more columns."""

    player: int
    unit: str
    year: int
    last_day: datetime.date
    last_evening: datetime.date | None
    points: int
    points_of_games: int
    evenings: int
    games: int
    wins: int
    solos: int
    solos_won: int
    solo_points: int
    re: int = 0
    sided: int = 0
    bock_points: int = 0
    wins_first: int = 0
    wins_longest: int = 0
    wins_last: int = 0
    evenings_won: int = 0
    best_evening: int | None = None
    worst_evening: int | None = None

    def is_in(self, selection: Selection) -> bool:
        return selection.unit in (None, self.unit) and selection.year in (None, self.year)


SUMS = ("points", "evenings", "games", "wins", "solos_won", "solos", "solo_points", "points_of_games")


def year_rows(club: Club, closed_only: bool, more: bool) -> list[YearRow]:
    """Return the years of everybody, the earliest first; `more`: with all fields. Two queries, one if `closed_only`."""
    names = YearRow._fields if more else YearRow._fields[: YearRow._fields.index("re")]
    return [YearRow(*row) for row in read_years(club.pk, names, closed_only=closed_only)]


def totals_of_years(rows: Sequence[YearRow], selection: Selection) -> Iterator[dict[str, Any]]:
    """Add up the rows by person and unit, with the keys that `_summed` in `standings.py` has. One query, for the people."""
    found: dict[tuple[int, str], list[tuple[int, ...]]] = defaultdict(list)
    summed = attrgetter(*SUMS)
    for row in rows:
        if row.is_in(selection):
            found[row.player, row.unit].append(summed(row))
    people = Player.objects.in_bulk({player for player, _unit in found})
    for (pk, unit), brought in found.items():
        player, sums = people[pk], map(sum, zip(*brought, strict=True))
        yield {
            "player": pk,
            "player__name": player.name,
            "player__name_key": player.name_key,
            "player__guest": player.guest,
            "player__left_on": player.left_on,
            "unit": unit,
            **{f"sum_{name}": total for name, total in zip(SUMS, sums, strict=True)},
        }
