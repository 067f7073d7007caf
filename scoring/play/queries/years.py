"""The years of a club: those that are kept, of its closed evenings, and those that running evenings go on with, which are added up
when they are asked for."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterable, Sequence
from functools import cache
from operator import itemgetter
from typing import Any, Final

from django.db.models import DateField, Q, QuerySet

from scoring.club.models.people import Club
from scoring.core.ready import Hole, Ready
from scoring.play.models import TableCareer, TableResult, YearCareer
from scoring.play.rules.years import Brought, Tells, count_years

_ORDER: Final = ("table__evening__held_on", "table__evening", "table__number")
_TABLE: Final = {
    "unit": "table__rule_set__unit",
    "evening": "table__evening",
    "day": "table__evening__held_on",
    "without_games": "table__without_games",
}
# What the games tell, and what lies in their order.
_TOLD: Final = {"told", "mates"}
_IN_ORDER: Final = {"told", "wins_first", "wins_longest", "wins_last"}


def count(club: int, year: int | None = None) -> list[YearCareer]:
    """What the closed evenings of a club come to: of this year, or of all. Two queries."""
    if year is None:
        brought, tells = _brought(club, _CLOSED), _tells(club, _CLOSED)
    else:
        asked = {"club": club, "first": datetime.date(year, 1, 1), "last": datetime.date(year, 12, 31)}
        brought, tells = list(map(Brought._make, _OF_YEAR.ask(**asked))), list(map(Tells._make, _TOLD_OF_YEAR.ask(**asked)))
    return [
        YearCareer(club_id=club, player_id=player, unit=unit, year=year, **fields)
        for (player, unit, year), fields in count_years(brought, tells).items()
    ]


def _brought(club: int, evenings: Q) -> list[Brought]:
    return [Brought._make(row) for row in _results(club, evenings)]


def _results(club: int | Hole, evenings: Q) -> QuerySet[Any, tuple[Any, ...]]:
    """`evenings` is asked of `table__evening__`."""
    results = TableResult.objects.filter(evenings, table__evening__club=club).order_by(*_ORDER)
    return results.values_list(*_columns(Brought._fields))


def _tells(club: int, evenings: Q) -> list[Tells]:
    return [Tells._make(row) for row in _careers(club, evenings)]


def _careers(club: int | Hole, evenings: Q) -> QuerySet[Any, tuple[Any, ...]]:
    careers = TableCareer.objects.filter(evenings, table__evening__club=club).order_by(*_ORDER)
    return careers.values_list(*_columns(Tells._fields))


_RUN: Final = Q(table__evening__closed_at=None)
_CLOSED: Final = Q(table__evening__closed_at__isnull=False)
_IN_YEAR: Final = Q(
    table__evening__held_on__gte=Hole("first", DateField()), table__evening__held_on__lte=Hole("last", DateField())
)
_RUNNING: Final = Ready(lambda: _results(Hole("club"), _RUN))
_OF_YEAR: Final = Ready(lambda: _results(Hole("club"), _CLOSED & _IN_YEAR))
_TOLD_OF_YEAR: Final = Ready(lambda: _careers(Hole("club"), _CLOSED & _IN_YEAR))


def _columns(names: Iterable[str]) -> list[str]:
    return [_TABLE.get(name, name) for name in names]


def _days_of(years: Iterable[int]) -> Q:
    found = Q(pk__in=[])
    for year in years:
        found |= Q(table__evening__held_on__range=(datetime.date(year, 1, 1), datetime.date(year, 12, 31)))
    return found


def read_years(
    club: int,
    names: Sequence[str],
    *,
    people: Collection[int] | None = None,
    unit: str | None = None,
    closed_only: bool = False,
) -> list[tuple[Any, ...]]:
    """These fields, more than one, of the years of a club, in their order; of these people alone and in one unit, where that is
    said. Behind the row of a year stands one of its running evenings, unless `closed_only`. One query, one more for the running
    evenings, and another one where there are any and it is asked what games tell."""
    asked = Q() if people is None else Q(player__in=people)
    limits = {"club": club, **({} if people is None else {"player__in": list(people)}), **({} if unit is None else {"unit": unit})}
    columns = tuple(dict.fromkeys(("year", "last_day", *names)))
    wanted = itemgetter(*map(columns.index, names))
    rows = _stored(columns, tuple(limits)).ask(**limits)
    running = _RUN
    brought = [] if closed_only else [Brought._make(row) for row in _RUNNING.ask(club=club)]
    if not brought:
        return list(map(wanted, rows))
    # Where closed evenings were played behind a running one, the order of the games is that of none of the two.
    days = {one.day for one in brought} if _IN_ORDER & {*names} else set()
    afresh = {day.year for day in days if any(row[0] == day.year and row[1] >= day for row in rows)}
    if afresh:
        running |= _days_of(afresh)
        brought = _brought(club, running)
        rows = [row for row in rows if row[0] not in afresh]
    for key, fields in count_years(brought, _tells(club, running & asked) if _TOLD & {*names} else ()).items():
        said = dict(zip(("player", "unit", "year"), key, strict=True)) | fields
        if (people is None or said["player"] in people) and unit in (None, said["unit"]):
            rows.append(tuple(said[name] for name in columns))
    return [wanted(row) for row in sorted(rows, key=itemgetter(0))]


@cache
def _stored(columns: tuple[str, ...], limited_by: tuple[str, ...]) -> Ready[tuple[Any, ...]]:
    """Pages ask for a few sets of fields."""
    limits = {name: Hole(name) for name in limited_by}
    return Ready(lambda: YearCareer.objects.filter(**limits).order_by("year", "pk").values_list(*columns))


def years_played(club: Club) -> set[int]:
    """The years in which any table brought anybody points. Two queries."""
    running = TableResult.objects.filter(table__evening__club=club, table__evening__closed_at=None)
    days = running.values_list("table__evening__held_on", flat=True).distinct()
    return {
        *YearCareer.objects.filter(club=club).values_list("year", flat=True).distinct(),
        *(day.year for day in days),
    }
