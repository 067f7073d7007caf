"""The years of a club: those that are kept, of its closed evenings, and those that running evenings go on with, which are added up
when they are asked for."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Any

from django.db.models import Q

from scoring.club.models.people import Club
from scoring.play.models import TableCareer, TableResult, YearCareer
from scoring.play.rules.years import Brought, Tells, count_years

_ORDER = ("table__evening__held_on", "table__evening", "table__number")


def count(club: int, evenings: Q) -> list[YearCareer]:
    """What these evenings of a club come to; `evenings` is asked of `table__evening__`. Two queries."""
    return _counted(club, evenings, _brought(club, evenings))


def _brought(club: int, evenings: Q) -> list[Brought]:
    results = TableResult.objects.filter(evenings, table__evening__club=club).order_by(*_ORDER)
    columns = results.values_list(
        *("player", "table__rule_set__unit", "table__evening", "table__evening__held_on"),
        *("points", "games", "table__without_games"),
    )
    return [
        Brought(player, unit, evening, day, points, bool(games) or bare, bare)
        for player, unit, evening, day, points, games, bare in columns
    ]


def _counted(club: int, evenings: Q, results: Iterable[Brought]) -> list[YearCareer]:
    careers = TableCareer.objects.filter(evenings, table__evening__club=club).order_by(*_ORDER)
    columns = careers.values_list("player", "table__rule_set__unit", "table__evening__held_on", "told", "mates")
    return [
        YearCareer(club_id=club, player_id=player, unit=unit, year=year, **fields)
        for (player, unit, year), fields in count_years(results, map(Tells._make, columns)).items()
    ]


def closed_in(years: Iterable[int] | None) -> Q:
    """The evenings that a row of these years counts; None: of all years."""
    closed = Q(table__evening__closed_at__isnull=False)
    return closed if years is None else closed & days_of(years)


def days_of(years: Iterable[int]) -> Q:
    found = Q(pk__in=[])
    for year in years:
        found |= Q(table__evening__held_on__range=(datetime.date(year, 1, 1), datetime.date(year, 12, 31)))
    return found


def read_years(club: int, names: Sequence[str], *, closed_only: bool = False, **only: Any) -> list[tuple[Any, ...]]:
    """These fields of the years of a club, in their order, with the running evenings unless `closed_only`; `only` as in a filter,
    by field or field__in. One query, one more for the running evenings, and another one where there are any."""
    stored = YearCareer.objects.filter(club=club, **only).order_by("year", "pk")
    rows = list(stored.values_list("year", "last_day", *names))
    asked = Q(table__evening__closed_at=None)
    running = [] if closed_only else _brought(club, asked)
    if not running:
        return [row[2:] for row in rows]
    # Where closed evenings were played behind a running one, the order of the games is that of none of the two.
    days = {one.day for one in running}
    afresh = {day.year for day in days if any(row[0] == day.year and row[1] >= day for row in rows)}
    if afresh:
        asked |= days_of(afresh)
        running = _brought(club, asked)
    values = attrgetter("year", "last_day", *(_attribute(name) for name in names))
    rows = [row for row in rows if row[0] not in afresh]
    rows += [values(row) for row in _counted(club, asked, running) if _is_asked_for(row, only)]
    return [row[2:] for row in sorted(rows, key=lambda row: row[0])]


def years_played(club: Club) -> set[int]:
    """Those in which any table brought anybody anything. Two queries."""
    running = TableResult.objects.filter(table__evening__club=club, table__evening__closed_at=None)
    days = running.values_list("table__evening__held_on", flat=True).distinct()
    return {*YearCareer.objects.filter(club=club).values_list("year", flat=True).distinct(), *(day.year for day in days)}


def _attribute(name: str) -> str:
    return "player_id" if name == "player" else name


def _is_asked_for(row: YearCareer, only: dict[str, Any]) -> bool:
    for name, wanted in only.items():
        field, _, many = name.partition("__")
        if getattr(row, _attribute(field)) not in (wanted if many else (wanted,)):
            return False
    return True
