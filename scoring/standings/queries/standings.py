"""Build the eternal list: the sums of every person, from the yearly rows or from the results of the tables, in one unit."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Any, Final

from django.db.models import Exists, F, Max, OuterRef, Sum
from django.utils import timezone

from scoring.club.models import Club, Player
from scoring.club.names import Names
from scoring.core.names import name_key
from scoring.league.models import Season
from scoring.play.models import Table, TableResult
from scoring.play.queries import read_years
from scoring.rules.ranking import Figure, rank_all, sort_key
from scoring.standings.metrics import (
    Course,
    add_parts,
    get_course_figures,
    get_opening_totals,
    get_totals,
    get_totals_of_games,
    list_metrics,
)
from scoring.standings.models import OpeningStanding
from scoring.standings.queries.evenings import find_winners, read_evenings
from scoring.standings.queries.selection import (
    CHUNK,
    PLAYING_ORDER,
    UNITS,
    Selection,
    filter_openings,
    filter_results,
    filter_scores,
    filter_tables,
    list_openings,
    select_rows,
)

# The fields of `YearCareer` that each list adds up, and those for more columns.
SUMS: Final = (*get_totals(), "last_evening")
COURSE: Final = (
    "re", "sided", "bock_points", "wins_first", "wins_longest", "wins_last", "evenings_won", "best_evening", "worst_evening",
)  # fmt: skip
# The row of a person, unit and year, with these fields (`read_years`).
YearRow = Mapping[str, Any]

# People who have not played for so long are hidden from the list of today, unless all are chosen.
AWAY: Final = datetime.timedelta(days=365)


@dataclass(frozen=True)
class Choices:
    """The options of a list: units, rule sets with their units, years and seasons, the newest first; tables without their games."""

    units: list[str]
    rule_sets: dict[str, set[str]]
    years: list[int]
    seasons: list[Season]
    without_games: list[Table]
    openings: Sequence[OpeningStanding] = ()
    closed_only: bool = False


@dataclass(frozen=True)
class Standing:
    """One row of the list: exact `figures` by the key of their metric, whether the player was `away` for long, the rank `before`
    the last evening and the points of the `opening` balances (both None without one)."""

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


def list_standings(
    club: Club,
    selection: Selection | None = None,
    more: bool = False,
    openings: Sequence[OpeningStanding] | None = None,
) -> list[Standing]:
    """Return the list, ordered by points, wins and name. Four queries, one more each with `more` figures and while an evening is
    running, one less if `openings` are given."""
    selection = selection or Selection()
    counted = filter_openings(list_openings(club) if openings is None else openings, selection)
    return _read(club, selection, more, counted, _read_years(club, selection, more))[0]


def read_list(
    club: Club,
    selection: Selection | None = None,
    more: bool = False,
    openings: Sequence[OpeningStanding] | None = None,
) -> tuple[list[Standing], list[tuple[int, str, bool]], datetime.date | None]:
    """Return the rows of the list in order, the players that the selection hides (id, name and whether they are guests), and the
    day before which the earlier ranks stood (None without such ranks). One query more than `list_standings`."""
    selection = selection or Selection()
    counted = filter_openings(list_openings(club) if openings is None else openings, selection)
    years = _read_years(club, selection, more)
    rows, hidden, unit = _read(club, selection, more, counted, years)
    last_day, before = _read_before(club, replace(selection, unit=unit), [one for one in counted if one.unit == unit], years)
    # Ranks among the people who are shown now, so that hiding a person lets no other one climb.
    there = [row.player_id for row in rows if row.player_id in before]
    if not there:
        return rows, hidden, None
    stood = dict(zip(there, rank_all([before[player] for player in there]), strict=True))
    return [replace(row, before=stood.get(row.player_id)) for row in rows], hidden, last_day


def _read_years(club: Club, selection: Selection, more: bool) -> Sequence[YearRow] | None:
    """Return the yearly rows, with all fields for `more`; None if the list does not count whole years. Two queries, or one."""
    if not selection.counts_whole_years:
        return None
    return read_years(club.pk, SUMS + COURSE if more else SUMS, closed_only=selection.closed_only)


def _read(
    club: Club, selection: Selection, more: bool, openings: Sequence[OpeningStanding], years: Sequence[YearRow] | None
) -> tuple[list[Standing], list[tuple[int, str, bool]], str | None]:
    """Return the rows, the hidden people, and the unit."""
    by_unit = _read_totals(club, selection, years)
    _add_openings(by_unit, openings)
    unit = selection.unit or next((unit for unit in UNITS if unit in by_unit), None)
    everyone = by_unit.get(unit or "", [])
    away = _find_away(club, selection, openings, years)
    rows = [row for row in everyone if selection.everyone or not _is_hidden(row, away)]
    hidden = [
        (row["player"], row["player__name"], row["player__guest"])
        for row in sorted(everyone, key=itemgetter("player__name_key", "player"))
        if not selection.everyone and _is_hidden(row, away)
    ]
    ranks = rank_all([row["sums"]["points"] for row in rows])
    courses = _read_courses(club, replace(selection, unit=unit), years) if more else None
    shown = sort_standings(_build_standing(row, rank, selection, away, courses) for row, rank in zip(rows, ranks, strict=True))
    return shown, hidden, unit


def read_choices(club: Club, closed_only: bool = False, openings: Sequence[OpeningStanding] = ()) -> Choices:
    """Read the options of a list of this club. Three queries."""
    rule_sets: dict[str, set[str]] = {}
    years = set()
    tables = filter_tables(club, Selection(closed_only=closed_only)).order_by()
    played = tables.filter(Exists(TableResult.objects.filter(table=OuterRef("pk"))))
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


def count_evenings_without_games(offered: Choices, selection: Selection) -> int:
    """Return how many evenings of this list came without their games; 0 for one size, since their number of people is unknown."""
    if selection.size is not None:
        return 0
    return len({table.evening_id for table in offered.without_games if selection.counts(table)})


def apply_names(rows: Iterable[Standing], names: Names) -> list[Standing]:
    named = [(row, names.get(row.player_id, row.name)) for row in rows]
    return [replace(row, name=name, name_key=name_key(name)) for row, name in named]


def sort_standings(rows: Iterable[Standing], key: str = "rank", descending: bool = False) -> list[Standing]:
    """Sort by `rank`, `name` or the key of a metric; equal rows keep the order of the list, rows without the figure come last."""
    in_order = sorted(rows, key=_get_sort_key)
    if key == "name":
        return sorted(in_order, key=lambda row: (row.name_key, row.player_id), reverse=descending)
    if key == "rank":
        return sorted(in_order, key=lambda row: row.rank, reverse=descending)
    return sorted(in_order, key=lambda row: sort_key(row.figures[key], descending))


def _get_sort_key(row: Standing) -> tuple[object, ...]:
    points, wins = (sort_key(row.figures[key], descending=True) for key in ("points", "wins"))
    return points, wins, row.name_key, row.player_id


def _read_totals(club: Club, selection: Selection, years: Sequence[YearRow] | None) -> dict[str, list[dict[str, Any]]]:
    """Return the players by unit: their values and `sums`, by the keys of metrics and parts."""
    by_unit: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row, sums in _sum_rows(club, selection) if years is None else _sum_years(years, selection):
        # A player who sat there without a game or a point does not count as present, as in the league.
        if sums["evenings"] or sums["points"]:
            by_unit[row["unit"]].append({**row, "opening": None, "sums": add_parts(sums)})
    return by_unit


def _sum_rows(club: Club, selection: Selection) -> Iterator[tuple[dict[str, Any], dict[str, int]]]:
    """Yield each player in each unit: the values of the player, and the sums."""
    rows, path, _there = select_rows(club, selection)
    totals = get_totals() if selection.size is None else get_totals_of_games()
    people = rows.values("player", *(f"player__{name}" for name in _OF_PLAYER), unit=F(f"{path}__rule_set__unit"))
    # With a prefix, because fields of the rows have the names of totals.
    for row in people.annotate(**{f"sum_{key}": total for key, total in totals.items()}):
        yield row, {key: row[f"sum_{key}"] for key in totals}


def _add_openings(by_unit: dict[str, list[dict[str, Any]]], openings: Iterable[OpeningStanding]) -> None:
    """Add the opening balances to the sums; people without results get a row as well."""
    found = {(unit, row["player"]): row for unit, rows in by_unit.items() for row in rows}
    for one in openings:
        if (row := found.get((one.unit, one.player_id))) is None:
            # All other figures are unknown.
            sums = add_parts(dict.fromkeys(get_totals()))
            row = found[one.unit, one.player_id] = {**_get_player_values(one.player), "opening": None, "sums": sums}
            by_unit[one.unit].append(row)
        for key, figure in get_opening_totals(one).items():
            row["sums"][key] = (row["sums"][key] or 0) + figure
        row["opening"] = (row["opening"] or 0) + one.points


_OF_PLAYER: Final = ("name", "name_key", "guest", "left_on")


def _get_player_values(player: Player) -> dict[str, Any]:
    """Return the values of a player as `_sum_rows` does."""
    return {"player": player.pk, **{f"player__{name}": getattr(player, name) for name in _OF_PLAYER}}


def _find_away(club: Club, selection: Selection, openings: Iterable[OpeningStanding], years: Sequence[YearRow] | None) -> set[int]:
    """Return the people who have not played in the last year, by any rules; the day of an opening balance counts as played. If
    no person played in that year, the club rests, and the year before its last evening counts instead. In a
    list with a last day no player is away. One query, none for such a list or if `years` are given."""
    if selection.last_day is not None:
        return set()
    if years is None:
        results = filter_results(club, Selection(closed_only=selection.closed_only))
        last = dict(results.values_list("player").annotate(Max("table__evening__held_on")))
    else:
        last = {}
        for row in years:
            last[row["player"]] = max(row["last_day"], last.get(row["player"], row["last_day"]))
    for one in openings:
        last[one.player_id] = max(one.until, last.get(one.player_id, one.until))
    year_ago, latest = timezone.localdate() - AWAY, max(last.values(), default=None)
    since = latest - AWAY if latest and latest <= year_ago else year_ago
    return {player for player, day in last.items() if day <= since}


def _is_hidden(row: Mapping[str, Any], away: set[int]) -> bool:
    """Return whether a player is a guest, or has not come for long. Players who left stay in the list."""
    return row["player__guest"] or (row["player__left_on"] is None and row["player"] in away)


def _build_standing(
    row: Mapping[str, Any], rank: int, selection: Selection, away: set[int], courses: Mapping[int, Course] | None
) -> Standing:
    sums = dict(row["sums"])
    if courses is not None:
        sums |= get_course_figures(courses.get(row["player"], Course()))
    return Standing(
        player_id=row["player"],
        name=row["player__name"],
        name_key=row["player__name_key"],
        guest=row["player__guest"],
        left=row["player__left_on"] is not None,
        rank=rank,
        figures={metric.key: metric.compute(sums, selection.min_games) for metric in list_metrics(None, courses is not None)},
        away=row["player"] in away,
        opening=row["opening"],
    )


def _read_before(
    club: Club, selection: Selection, openings: Iterable[OpeningStanding], years: Sequence[YearRow] | None
) -> tuple[datetime.date | None, dict[int, int]]:
    """Return the day of the last evening of a list, and the points before that day by player. Evenings of the same day count as
    one, since their order is not known. Two queries, one if `years` are given."""
    last_day, points = _read_before_by_tables(club, selection) if years is None else _read_before_by_years(club, selection, years)
    for one in openings if last_day else ():
        points[one.player_id] = points.get(one.player_id, 0) + one.points
    return last_day, points


def _read_before_by_tables(club: Club, selection: Selection) -> tuple[datetime.date | None, dict[int, int]]:
    rows, path, there = select_rows(club, selection)
    day = f"{path}__evening__held_on"
    last_day = rows.filter(there).aggregate(day=Max(day))["day"]
    if last_day is None:
        return None, {}
    before = rows.filter(**{f"{day}__lt": last_day}).order_by().values_list("player").annotate(Sum("points"))
    return last_day, dict(before)


def _read_before_by_years(
    club: Club, selection: Selection, years: Sequence[YearRow]
) -> tuple[datetime.date | None, dict[int, int]]:
    counted = [row for row in years if selection.counts_year(row)]
    last_day = max((row["last_evening"] for row in counted if row["last_evening"]), default=None)
    if last_day is None:
        return None, {}
    points: dict[int, int] = defaultdict(int)
    for row in counted:
        if row["year"] < last_day.year:
            points[row["player"]] += row["points"]
    of_year = filter_results(club, replace(selection, since=datetime.date(last_day.year, 1, 1)))
    before = of_year.filter(table__evening__held_on__lt=last_day)
    for player, total in before.values_list("player").annotate(Sum("points")):
        points[player] += total
    return last_day, dict(points)


def _read_courses(club: Club, selection: Selection, years: Sequence[YearRow] | None) -> dict[int, Course]:
    """Return the course of each player on a list in one unit, by id. Two queries, one if `years` are given."""
    month = timezone.localdate().replace(day=1)
    if years is not None:
        courses = _read_courses_by_year(row for row in years if selection.counts_year(row))
        # The yearly rows have all but the points of this month.
        evenings = read_evenings(club, replace(selection, since=month))
    else:
        courses = _read_courses_by_table(club, selection) if selection.size is None else _read_courses_by_game(club, selection)
        evenings = read_evenings(club, selection)
        won_by = find_winners(evenings)
        for one in evenings:
            courses[one.player].add_evenings(one.sum, one.sum, one.day, one.player in won_by[one.evening])
    for one in evenings:
        if one.day >= month:
            courses[one.player].this_month += one.sum
    return courses


def _read_courses_by_year(rows: Iterable[YearRow]) -> dict[int, Course]:
    courses: dict[int, Course] = defaultdict(Course)
    for row in rows:
        course = courses[row["player"]]
        course.re += row["re"]
        course.sided += row["sided"]
        course.bock_points += row["bock_points"]
        course.add_evenings(row["best_evening"], row["worst_evening"], row["last_evening"], row["evenings_won"])
        if row["games"]:
            course.add_wins(row["games"], row["wins"], row["wins_first"], row["wins_longest"], row["wins_last"])
    return courses


def _read_courses_by_table(club: Club, selection: Selection) -> dict[int, Course]:
    courses: dict[int, Course] = defaultdict(Course)
    tables = filter_results(club, selection).order_by("table__evening__held_on", "table__evening", "table__number")
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


def _read_courses_by_game(club: Club, selection: Selection) -> dict[int, Course]:
    courses: dict[int, Course] = defaultdict(Course)
    lines = filter_scores(club, selection).order_by(*PLAYING_ORDER)
    columns = lines.values_list("player", "points", "party", "played", "won", "game__outcome__bock")
    for player, points, party, played, won, bock in columns.iterator(chunk_size=CHUNK):
        courses[player].add_line(points, party, played, won, bock)
    return courses


def _sum_years(rows: Sequence[YearRow], selection: Selection) -> Iterator[tuple[dict[str, Any], dict[str, int]]]:
    """Add up the rows by player and unit, as `_sum_rows` does. One query, for the players."""
    found: dict[tuple[int, str], list[tuple[int, ...]]] = defaultdict(list)
    keys = get_totals().keys()
    summed = itemgetter(*keys)
    for row in rows:
        if selection.counts_year(row):
            found[row["player"], row["unit"]].append(summed(row))
    people = Player.objects.in_bulk({player for player, _unit in found})
    for (pk, unit), rows_of_player in found.items():
        sums = map(sum, zip(*rows_of_player, strict=True))
        yield {**_get_player_values(people[pk]), "unit": unit}, dict(zip(keys, sums, strict=True))
