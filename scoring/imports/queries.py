"""What was imported so far: the files of a club, whether a file was taken in before, what already stands on the days of a
file, and what goes away when an import is taken back."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.db.models import Min, Q, QuerySet

from scoring.cash.models import Entry, Period
from scoring.club.models import Change, Club, Player, Verb
from scoring.core.errors import ActionRefused
from scoring.core.text import text_key
from scoring.league.models import MonthClosing
from scoring.play.models import Evening, Seat, Table, TableResult
from scoring.rulesets.models import RuleSet
from scoring.standings.models import OpeningStanding
from scoring.table.models import LateEntry

from .errors import ImportBuiltOn, ImportPeopleChanged
from .models import OF_KASSE, Import
from .rules import PARTS, KasseRow, key_of

# How the rows are found that the history names by these keys.
LOOKUPS: Final = {"import": Import.objects.defer("sheets").in_bulk}

FRIDAY: Final = 4
# So many evenings tell on which weekday a club meets.
LAST: Final = 50


def imports_of(club: Club, kasse: bool = False) -> QuerySet[Import]:
    """Every list that was taken in, the latest first; or what came into the books of the Kasse."""
    taken = _of(club, kasse).filter(imported_at__isnull=False)
    return taken.select_related("imported_by").defer("sheets").order_by("-imported_at", "-id")


def waiting_imports(club: Club, kasse: bool = False) -> QuerySet[Import]:
    """The lists that were read and wait for somebody to look at them, or what waits for the books."""
    return _of(club, kasse).filter(imported_at=None).defer("sheets").order_by("-id")


def _of(club: Club, kasse: bool) -> QuerySet[Import]:
    of_club = Import.objects.filter(club=club)
    return of_club.filter(kind__in=OF_KASSE) if kasse else of_club.exclude(kind__in=OF_KASSE)


def same_file(brought: Import) -> Import | None:
    """The same file, taken in before and not taken back."""
    return _same(brought).order_by("-imported_at").first()


def sheets_taken(brought: Import) -> set[int]:
    """The sheets of this file that were taken in before, by their index, as far as that is known."""
    reports = _same(brought).exclude(kind__in=OF_KASSE).values_list("report", flat=True)
    return {index for report in reports for index in report.get("sheets", ())}


def _same(brought: Import) -> QuerySet[Import]:
    standing = Import.objects.filter(club=brought.club_id, imported_at__isnull=False, undone_at=None)
    return standing.filter(digest=brought.digest).exclude(pk=brought.pk)


def days_with_evenings(club: Club, days: Collection[datetime.date]) -> list[datetime.date]:
    """Which of these days have an evening already."""
    if not days:
        return []
    between = Evening.objects.filter(club=club, held_on__range=(min(days), max(days)))
    return sorted(set(days) & set(between.values_list("held_on", flat=True)))


def usual_weekday(club: Club) -> int:
    """The weekday of most of the last evenings that no import brought, from Monday on; of a club without any a Friday."""
    own = Evening.objects.filter(club=club).exclude(tables__imported__isnull=False)
    days = own.order_by("-held_on").values_list("held_on", flat=True)[:LAST]
    return next((weekday for weekday, _times in Counter(day.weekday() for day in days).most_common(1)), FRIDAY)


def evenings_of(brought: Import) -> list[Evening]:
    """The evenings that this file brought and that are still there, the latest first."""
    return list(Evening.objects.filter(tables__imported=brought).order_by("-held_on", "-pk"))


# --- The Kasse --------------------------------------------------------------------------------------------------------


def times_undone(brought: Import, sheet: int) -> Counter[int]:
    """How often each row of this sheet of the file was booked and taken back."""
    undone = Import.objects.filter(club=brought.club_id, digest=brought.digest, undone_at__isnull=False)
    reports = undone.filter(kind__in=OF_KASSE).values_list("report", flat=True)
    return Counter(row for report in reports if report["sheet"] == sheet for row, _again in report["rows"])


def not_booked(brought: Import, sheet: int, rows: Sequence[KasseRow]) -> list[tuple[KasseRow, str, UUID]]:
    """The entries of these rows that are in no book yet, each as its row, its kind and its key."""
    again = times_undone(brought, sheet)
    keys = {
        key_of(brought.digest, sheet, row.number, part, again[row.number]): (row, part)
        for row in rows
        for part in row.entries
    }
    booked = set(Entry.objects.filter(club=brought.club_id, key__in=keys).values_list("key", flat=True))
    return [(row, part, key) for key, (row, part) in keys.items() if key not in booked]


def booked_by(brought: Import) -> QuerySet[Entry]:
    """The entries that a file booked, those first that came first."""
    sheet = brought.report["sheet"]
    keys = [key_of(brought.digest, sheet, row, part, again) for row, again in brought.report["rows"] for part in PARTS]
    return Entry.objects.filter(club=brought.club_id, key__in=keys).order_by("pk")


def is_built_on(brought: Import) -> bool:
    """Is a month closed over one of the entries of this file, or one of them reversed?"""
    entries = booked_by(brought)
    first = entries.aggregate(first=Min("date"))["first"]
    closed = Period.objects.filter(club=brought.club_id, month__gte=f"{first:%Y-%m}" if first else "")
    return closed.exists() or entries.filter(reversed_by__isnull=False).exists()


def last_days(club: Club) -> dict[str, datetime.date]:
    """The last day of each season, by the key of its name, of which evenings of an old Kasse were brought along."""
    standing = Import.objects.filter(club=club, kind=Import.Kind.PAID, imported_at__isnull=False, undone_at=None)
    found: dict[str, datetime.date] = {}
    for report in standing.values_list("report", flat=True):
        for name, day in report["seasons"]:
            last = datetime.date.fromisoformat(day)
            found[text_key(name)] = max(last, found.get(text_key(name), last))
    return found


# --- Taking back ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Leaving:
    """What goes with a file: how many evenings and people, and the published months they are in, each as the name of its
    season and the month; and of how many people their opening balance. What was published stays as it is."""

    evenings: int
    people: int
    months: list[tuple[str, str]]
    openings: int


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
    evenings = {evening for evening, _day, _unit in tables}
    openings = brought.openings.count() if brought.kind == Import.Kind.SUMS else 0
    return Leaving(len(evenings), people_who_go(brought).count(), months, openings)


def people_who_go(brought: Import) -> QuerySet[Player]:
    """The people this file brought, as far as nothing else needs them by now."""
    seated = Seat.objects.exclude(round__table__imported=brought).values("player")
    counted = TableResult.objects.exclude(table__imported=brought).values("player")
    people = Player.objects.filter(club=brought.club_id, pk__in=brought.made.get("players", []), user=None, merged=None)
    opened = OpeningStanding.objects.exclude(imported=brought).values("player")
    unbooked = people.filter(account=None, attendance=None, fines=None, brought=None, hosted=None, bills_paid=None)
    return unbooked.exclude(pk__in=seated).exclude(pk__in=counted).exclude(pk__in=opened)


def rule_sets_that_go(brought: Import) -> QuerySet[RuleSet]:
    """The rule sets this file brought, as far as no other table plays by them."""
    played = Table.objects.filter(Q(imported=None) | ~Q(imported=brought)).values("rule_set")
    made = RuleSet.objects.filter(club=brought.club_id, pk__in=brought.made.get("rule_sets", []))
    return made.exclude(pk__in=played)


def why_it_stays(brought: Import) -> ActionRefused | None:
    """Why this file cannot be taken back any more; None where it can."""
    if _evenings_changed(brought):
        return ImportBuiltOn()
    return ImportPeopleChanged() if _people_or_rules_changed(brought) else None


def _evenings_changed(brought: Import) -> bool:
    """Was one of its tables changed since, or does anything else hang on one of them or on its evening?"""
    tables = Table.objects.filter(imported=brought)
    others = Table.objects.exclude(pk__in=tables)
    return (
        others.filter(evening__in=tables.values("evening")).exists()
        or others.filter(carries_on__in=tables).exists()
        or Change.objects.filter(table__in=tables).exists()
        or LateEntry.objects.filter(table__in=tables).exists()
    )


def _people_or_rules_changed(brought: Import) -> bool:
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
    openings = set(brought.openings.values_list("pk", flat=True))
    return any(
        not people.isdisjoint([*before["players"], *after["players"]])
        or not seats.isdisjoint(before["seats"])
        or not results.isdisjoint(before["results"])
        or not openings.isdisjoint(before.get("openings", ()))
        for before, after in merges
    )
