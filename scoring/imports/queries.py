"""What was brought along so far: the files of a club, whether one was taken in before, what is there already on the days
that a file names, and what goes where one is taken back."""

from __future__ import annotations

import datetime
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from django.db.models import Q, QuerySet

from scoring.club.models.history import Change, Verb
from scoring.club.models.people import Club, Player
from scoring.league.models import MonthClosing
from scoring.play.models import Evening, Seat, Table, TableResult
from scoring.rulesets.models import RuleSet

from .models import Import

# How the rows are found that the history names by these keys.
LOOK_UPS: Final = {"import": Import.objects.defer("sheets").in_bulk}


def imports_of(club: Club) -> QuerySet[Import]:
    """Every file that was taken in, the latest first."""
    taken = Import.objects.filter(club=club, imported_at__isnull=False)
    return taken.select_related("imported_by").defer("sheets").order_by("-imported_at", "-id")


def waiting_imports(club: Club) -> QuerySet[Import]:
    """The files that were read and wait for somebody to look at them."""
    return Import.objects.filter(club=club, imported_at=None).defer("sheets").order_by("-id")


def same_file(brought: Import) -> Import | None:
    """The same file, taken in before and not taken back."""
    standing = Import.objects.filter(club=brought.club_id, imported_at__isnull=False, undone_at=None)
    return standing.filter(digest=brought.digest).exclude(pk=brought.pk).order_by("-imported_at").first()


def days_with_evenings(club: Club, days: Collection[datetime.date]) -> list[datetime.date]:
    """Which of these days have an evening already."""
    if not days:
        return []
    between = Evening.objects.filter(club=club, held_on__range=(min(days), max(days)))
    return sorted(set(days) & set(between.values_list("held_on", flat=True)))


# --- Taking back ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Leaving:
    """What goes with a file: how many evenings and people, and the published months they are in, each as the name of its
    season and the month. What was published stays as it is."""

    evenings: int
    people: int
    months: list[tuple[str, str]]


def what_goes(brought: Import) -> Leaving:
    """What would go if this file was taken back now."""
    tables = set(Table.objects.filter(imported=brought).values_list("evening", "evening__held_on", "rule_set__unit"))
    played = {(day, unit) for _evening, day, unit in tables}
    published = MonthClosing.objects.filter(season__club=brought.club_id, version=1).select_related("season")
    months = [
        (closing.season.name, closing.month)
        for closing in published.defer("content", "file").order_by("month", "season__name")
        if any(
            unit == closing.season.unit
            and f"{day:%Y-%m}" == closing.month
            and closing.season.first_day <= day <= closing.season.last_day
            for day, unit in played
        )
    ]
    return Leaving(len({evening for evening, _day, _unit in tables}), people_who_go(brought).count(), months)


def people_who_go(brought: Import) -> QuerySet[Player]:
    """The people this file brought, as far as nothing else needs them by now."""
    seated = Seat.objects.exclude(round__table__imported=brought).values("player")
    counted = TableResult.objects.exclude(table__imported=brought).values("player")
    people = Player.objects.filter(club=brought.club_id, pk__in=brought.made.get("players", []), user=None, merged=None)
    unbooked = people.filter(account=None, attendance=None, fines=None, brought=None, hosted=None, bills_paid=None)
    return unbooked.exclude(pk__in=seated).exclude(pk__in=counted)


def rule_sets_that_go(brought: Import) -> QuerySet[RuleSet]:
    """The rule sets this file brought, as far as no other table plays by them."""
    played = Table.objects.filter(Q(imported=None) | ~Q(imported=brought)).values("rule_set")
    made = RuleSet.objects.filter(club=brought.club_id, pk__in=brought.made.get("rule_sets", []))
    return made.exclude(pk__in=played)


def people_or_rules_changed(brought: Import) -> bool:
    """Was anybody whom this file brought changed since, or merged with somebody, or a rule set that came with it; or were
    its points handed over because two people were one?"""
    people, rule_sets = set(brought.made["players"]), set(brought.made["rule_sets"])
    changed = Q(verb=Verb.PLAYER_CHANGED, subject_id__in=map(str, people))
    renamed = Q(verb=Verb.RULES_RENAMED, subject_id__in=map(str, rule_sets))
    of_club = Change.objects.filter(club=brought.club_id)
    if of_club.filter(changed | renamed).exists():
        return True
    versions = of_club.filter(verb=Verb.RULES_CHANGED).values_list("before", flat=True)
    if any((before or {})["rule_set"] in rule_sets for before in versions):
        return True
    standing = of_club.filter(verb=Verb.PLAYER_MERGED, undone_by=None).values_list("before", "after")
    merges = [(before or {}, after or {}) for before, after in standing]
    if not merges:
        return False
    seats = set(Seat.objects.filter(round__table__imported=brought).values_list("pk", flat=True))
    results = set(TableResult.objects.filter(table__imported=brought).values_list("pk", flat=True))
    return any(
        not people.isdisjoint([*before["players"], *after["players"]])
        or not seats.isdisjoint(before["seats"])
        or not results.isdisjoint(before["results"])
        for before, after in merges
    )
