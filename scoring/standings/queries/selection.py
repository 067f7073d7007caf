"""Decide which games and opening balances a list counts, so that the same choice means the same games on every page."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F, Q, QuerySet

from scoring.club.models import Club, Player
from scoring.play.models import Round, Score, Table, TableCareer, TableResult
from scoring.play.queries import filter_evenings
from scoring.rulesets.models import RuleSet
from scoring.standings.models import OpeningStanding

UNITS = tuple(RuleSet.Unit.values)
# Lines fetched at once: those of a club of many years do not fit into memory.
CHUNK = 2_000
# The order of scores in which they were played.
PLAYING_ORDER = (
    "game__round__table__evening__held_on",
    "game__round__table__evening",
    "game__round__table__number",
    "game__round__position",
    "game__position",
)


@dataclass(frozen=True)
class Selection:
    """The choice of a list: a unit (None: both; a list shows points, or cents in a club without points), a rule set in all its
    versions or those of a season, one evening by id, the days from `since` to `until` and of a year, the `size` of a table with
    those who sat out. A rate needs `min_games`; `everyone` includes guests and people who have not come for long, `closed_only`
    no running evening."""

    unit: str | None = None
    rule_set: str = ""
    rules_of_season: tuple[str, ...] = ()
    evening: int | None = None
    year: int | None = None
    since: datetime.date | None = None
    until: datetime.date | None = None
    size: int | None = None
    min_games: int = 0
    everyone: bool = False
    closed_only: bool = False

    @property
    def first_day(self) -> datetime.date | None:
        begins = [self.since, self.year and datetime.date(self.year, 1, 1)]
        return max((day for day in begins if day), default=None)

    @property
    def last_day(self) -> datetime.date | None:
        ends = [self.until, self.year and datetime.date(self.year, 12, 31)]
        return min((day for day in ends if day), default=None)

    @property
    def is_partial(self) -> bool:
        """Return whether anything but the days after a last day is left out. Such a list counts no opening balances."""
        return bool(self.rule_set or self.rules_of_season or self.evening or self.first_day or self.size)

    @property
    def counts_whole_years(self) -> bool:
        """Return whether all tables of the chosen years are counted, so that the yearly rows can be added up instead."""
        return not (self.rule_set or self.rules_of_season or self.evening or self.since or self.until or self.size)

    def counts_year(self, row: Mapping[str, Any]) -> bool:
        """Return whether a row of `read_years` is chosen, if whole years are counted."""
        return self.unit in (None, row["unit"]) and self.year in (None, row["year"])

    def counts(self, table: Table) -> bool:
        """Return whether the table is chosen; `size` and `closed_only` are not looked at."""
        day = table.evening.held_on
        return (
            self.unit in (None, table.rule_set.unit)
            and self.rule_set in ("", table.rule_set.name)
            and (not self.rules_of_season or table.rule_set.name in self.rules_of_season)
            and self.evening in (None, table.evening_id)
            and (self.first_day or day) <= day <= (self.last_day or day)
        )


def filter_results(club: Club, selection: Selection) -> QuerySet[TableResult]:
    """Return the results of the chosen tables. `size` is not looked at, since people come and go during an evening."""
    return TableResult.objects.filter(_tables(club, selection, "table"))


def filter_careers(club: Club, selection: Selection) -> QuerySet[TableCareer]:
    return TableCareer.objects.filter(_tables(club, selection, "table"))


def filter_scores(club: Club, selection: Selection) -> QuerySet[Score]:
    scores = Score.objects.filter(_tables(club, selection, "game__round__table"))
    if selection.size is None:
        return scores
    rounds = Round.objects.filter(table__evening__club=club).annotate(people=Count("seats"))
    return scores.filter(game__round__in=rounds.filter(people=selection.size).values("pk"))


def select_rows(club: Club, selection: Selection) -> tuple[Any, str, Q]:
    """Return the rows to add up (scores if a `size` is chosen), the path from there to the table, and the condition of presence."""
    if selection.size is None:
        return filter_results(club, selection), "table", Q(games__gt=0) | Q(table__without_games=True)
    return filter_scores(club, selection), "game__round__table", Q(played=True)


def filter_tables(club: Club, selection: Selection) -> QuerySet[Table]:
    """Return the chosen tables in playing order, with their rule sets and evenings; `size` is not looked at."""
    tables = Table.objects.filter(_tables(club, selection, "")).select_related("rule_set", "evening")
    return tables.order_by("evening__held_on", "evening", "number")


def _tables(club: Club, selection: Selection, path: str) -> Q:
    path = f"{path}__" if path else ""
    lookups = {
        "evening__club": club,
        "rule_set__unit": selection.unit,
        "rule_set__name": selection.rule_set,
        "rule_set__name__in": selection.rules_of_season,
        "evening": selection.evening,
        "evening__held_on__gte": selection.first_day,
        "evening__held_on__lte": selection.last_day,
    }
    conditions = {f"{path}{lookup}": value for lookup, value in lookups.items() if value}
    return Q(**conditions) & filter_evenings(f"{path}evening__", selection.closed_only)


def list_openings(club: Club) -> list[OpeningStanding]:
    """Return every opening balance of a club, with its person. One query."""
    return list(OpeningStanding.objects.filter(player__club=club).select_related("player").order_by("pk"))


def list_openings_of_player(player: Player) -> list[OpeningStanding]:
    """Return the opening balances of one person: more than one row if two people were merged. One query."""
    return list(OpeningStanding.objects.filter(player=player).order_by("until", "pk"))


def filter_openings(openings: Iterable[OpeningStanding], selection: Selection) -> list[OpeningStanding]:
    """Return the opening balances that a list counts: none if it is limited by a first day, by rules or by tables."""
    if selection.is_partial:
        return []
    last = selection.last_day
    return [one for one in openings if selection.unit in (None, one.unit) and (last is None or one.until <= last)]


def list_stray_openings(club: Club | None = None) -> Iterable[OpeningStanding]:
    """Return the rows that belong to no imported list: they were not written by the actions. One query."""
    rows = OpeningStanding.objects.filter(**({} if club is None else {"player__club": club}))
    stray = ~Q(imported__club=F("player__club")) | ~Q(imported__kind="sums") | Q(imported__imported_at=None)
    return rows.filter(stray | Q(imported__undone_at__isnull=False)).select_related("player__club")
