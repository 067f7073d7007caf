"""Read what each year brought the people of a club: the stored rows of closed evenings, and the sums of running evenings, which
are added up on request."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import reduce
from operator import itemgetter, or_
from typing import Any, Final

from django.db.models import Q

from scoring.club.models.people import Club
from scoring.play.models import TableCareer, TableResult, YearCareer
from scoring.play.rules.years import Brought, Tells, count_years

_ORDER: Final = ("table__evening__held_on", "table__evening", "table__number")
# The columns of `Brought` and `Tells` that are called otherwise in the database.
_COLUMNS: Final = {
    "unit": "table__rule_set__unit",
    "evening": "table__evening",
    "day": "table__evening__held_on",
    "without_games": "table__without_games",
}
_CLOSED: Final = Q(table__evening__closed_at__isnull=False)
_RUNNING: Final = Q(table__evening__closed_at=None)
# Fields that come from `TableCareer`, and fields that depend on the order of the games.
_TOLD: Final = {"told", "mates"}
_IN_ORDER: Final = {"told", "wins_first", "wins_longest", "wins_last"}


def count(club: int, years: Collection[int] | None = None) -> list[YearCareer]:
    """Add up the closed evenings of a club in these years (None: all). Two queries."""
    evenings = _CLOSED if years is None else _CLOSED & _in_years(years)
    return [
        YearCareer(club_id=club, player_id=player, unit=unit, year=year, **fields)
        for (player, unit, year), fields in count_years(_brought(club, evenings), _tells(club, evenings)).items()
    ]


def _in_years(years: Collection[int]) -> Q:
    return reduce(or_, (Q(table__evening__held_on__year=year) for year in years), Q(pk__in=[]))


def _brought(club: int, evenings: Q) -> list[Brought]:
    """Read the results of all tables of these evenings; `evenings` is a condition on `table__evening`."""
    results = TableResult.objects.filter(evenings, table__evening__club=club).order_by(*_ORDER)
    return [Brought._make(row) for row in results.values_list(*(_COLUMNS.get(name, name) for name in Brought._fields))]


def _tells(club: int, evenings: Q) -> list[Tells]:
    careers = TableCareer.objects.filter(evenings, table__evening__club=club).order_by(*_ORDER)
    return [Tells._make(row) for row in careers.values_list(*(_COLUMNS.get(name, name) for name in Tells._fields))]


def read_years(
    club: int,
    names: Sequence[str],
    *,
    people: Collection[int] | None = None,
    closed_only: bool = False,
) -> list[tuple[Any, ...]]:
    """Return these fields (at least two) of each person, unit and year of a club, ordered by year; of these people, where they are
    given. Running evenings have a row of their own behind that of their year, unless `closed_only`. It takes one query, one more
    for the running evenings, and another one if there are any and `names` has a field of `TableCareer`."""
    asked = Q() if people is None else Q(player__in=people)
    stored = YearCareer.objects.filter(asked, club=club)
    columns = tuple(dict.fromkeys(("year", "last_day", *names)))
    wanted = itemgetter(*map(columns.index, names))
    rows = list(stored.order_by("year", "pk").values_list(*columns))
    running = _RUNNING
    brought = [] if closed_only else _brought(club, running)
    if not brought:
        return list(map(wanted, rows))
    # A year with a closed evening after a running one is added up from its tables: its games cannot be told in order otherwise.
    days = {one.day for one in brought} if _IN_ORDER & {*names} else set()
    afresh = {day.year for day in days if any(row[0] == day.year and row[1] >= day for row in rows)}
    if afresh:
        running |= _in_years(afresh)
        brought = _brought(club, running)
        rows = [row for row in rows if row[0] not in afresh]
    for key, fields in count_years(brought, _tells(club, running & asked) if _TOLD & {*names} else ()).items():
        said = dict(zip(("player", "unit", "year"), key, strict=True)) | fields
        if people is None or said["player"] in people:
            rows.append(tuple(said[name] for name in columns))
    return [wanted(row) for row in sorted(rows, key=itemgetter(0))]


def years_played(club: Club) -> set[int]:
    """Return the years in which a table brought points. Two queries."""
    running = TableResult.objects.filter(table__evening__club=club, table__evening__closed_at=None)
    days = running.values_list("table__evening__held_on", flat=True).distinct()
    return {
        *YearCareer.objects.filter(club=club).values_list("year", flat=True).distinct(),
        *(day.year for day in days),
    }
