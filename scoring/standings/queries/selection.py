"""Which part of a club's games a list counts: by rules, by time, by how many sat at the table. Every list that adds
something up asks here, so that the same words above two pages mean the same games."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, QuerySet

from scoring.club.models.people import Club
from scoring.play.models import Round, Score, Table, TableCareer, TableResult
from scoring.play.queries.closing import over
from scoring.rulesets.models import RuleSet

UNITS = tuple(RuleSet.Unit.values)


@dataclass(frozen=True)
class Selection:
    """What a list counts. `unit` None: points, or cents in a club that counts in nothing else; `rule_set` by name, all
    its versions, empty for all; the one `evening`, by id, or the days from `since` to `until`, both included, and of
    them those of `year`; `size` how many sat at the table, those who sat out among them; `min_games` how many games a
    rate needs; `everyone` shows guests and people who have not come for long as well; `closed_only`
    leaves out evenings that are still running, as for strangers."""

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
    def is_of_a_part(self) -> bool:
        """Does it leave out anything but what comes after a day? Sums of which nothing more is known are in no such list."""
        return bool(self.rule_set or self.rules_of_season or self.evening or self.first_day or self.size)

    @property
    def by_years(self) -> bool:
        """Does it count every table of the years that it counts? Then those are added up instead of the tables."""
        return not (self.rule_set or self.rules_of_season or self.evening or self.since or self.until or self.size)

    def counts(self, table: Table) -> bool:
        """Is this table, with its rule set and evening, counted, whatever the number of people?"""
        day = table.evening.held_on
        return (
            self.unit in (None, table.rule_set.unit)
            and self.rule_set in ("", table.rule_set.name)
            and (not self.rules_of_season or table.rule_set.name in self.rules_of_season)
            and self.evening in (None, table.evening_id)
            and (self.first_day or day) <= day <= (self.last_day or day)
        )


def results_in(club: Club, selection: Selection) -> QuerySet[TableResult]:
    """The sums of whole tables, those that came without their games among them. They know no size of a table, since
    people come and go during an evening."""
    return TableResult.objects.filter(_tables(club, selection, "table"))


def careers_in(club: Club, selection: Selection) -> QuerySet[TableCareer]:
    """What whole tables tell of everybody's games."""
    return TableCareer.objects.filter(_tables(club, selection, "table"))


def scores_in(club: Club, selection: Selection) -> QuerySet[Score]:
    """What each line brought each person."""
    scores = Score.objects.filter(_tables(club, selection, "game__round__table"))
    if selection.size is None:
        return scores
    rounds = Round.objects.filter(table__evening__club=club).annotate(people=Count("seats"))
    return scores.filter(game__round__in=rounds.filter(people=selection.size).values("pk"))


def brought_in(club: Club, selection: Selection) -> tuple[Any, str, Q]:
    """What the games brought each person, by table or, of tables of one size, by game; the way from there to the table; and where
    the person was there."""
    if selection.size is None:
        return results_in(club, selection), "table", Q(games__gt=0) | Q(table__without_games=True)
    return scores_in(club, selection), "game__round__table", Q(played=True)


def tables_in(club: Club, selection: Selection) -> QuerySet[Table]:
    """The tables themselves, in playing order, with their rule sets and evenings; whatever the number of people."""
    tables = Table.objects.filter(_tables(club, selection, "")).select_related("rule_set", "evening")
    return tables.order_by("evening__held_on", "evening", "number")


def _tables(club: Club, selection: Selection, path: str) -> Q:
    """What is asked of the table at the end of this path, "" for the table itself."""
    path = f"{path}__" if path else ""
    asked = Q(**{f"{path}evening__club": club})
    if selection.unit:
        asked &= Q(**{f"{path}rule_set__unit": selection.unit})
    if selection.rule_set:
        asked &= Q(**{f"{path}rule_set__name": selection.rule_set})
    if selection.rules_of_season:
        asked &= Q(**{f"{path}rule_set__name__in": selection.rules_of_season})
    if selection.evening:
        asked &= Q(**{f"{path}evening": selection.evening})
    if selection.first_day:
        asked &= Q(**{f"{path}evening__held_on__gte": selection.first_day})
    if selection.last_day:
        asked &= Q(**{f"{path}evening__held_on__lte": selection.last_day})
    return asked & over(f"{path}evening__", selection.closed_only)
