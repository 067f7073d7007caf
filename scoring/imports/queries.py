"""Imported files of a club, evenings on the days of a file, and the rows that are removed if an import is undone."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any, Final
from uuid import UUID

from django.db.models import Min, Q, QuerySet

from scoring.cash.models import Entry, Period
from scoring.club.models import Change, Club, Player, Verb
from scoring.core.text import text_key
from scoring.league.models import MonthClosing
from scoring.play.models import Evening, Seat, Table, TableResult
from scoring.rulesets.models import RuleSet
from scoring.standings.models import OpeningStanding
from scoring.table.models import LateEntry

from .models import KASSE_KINDS, Import
from .rules import PARTS, KasseRow, build_key

# Lookups of the rows that history entries refer to.
LOOKUPS: Final = {"import": Import.objects.defer("sheets").in_bulk}

FRIDAY: Final = 4
# How many evenings show on which weekday a club meets.
MAX_RECENT: Final = 50


def list_imports(club: Club, kasse: bool = False) -> QuerySet[Import]:
    """Return the lists that were taken in, or the files of the Kasse, the latest first."""
    taken = _filter_kasse(club, kasse).filter(imported_at__isnull=False)
    return taken.select_related("imported_by").defer("sheets").order_by("-imported_at", "-id")


def list_waiting_imports(club: Club, kasse: bool = False) -> QuerySet[Import]:
    """Return the lists, or the files of the Kasse, that wait to be taken in."""
    return _filter_kasse(club, kasse).filter(imported_at=None).defer("sheets").order_by("-id")


def _filter_kasse(club: Club, kasse: bool) -> QuerySet[Import]:
    of_club = Import.objects.filter(club=club)
    return of_club.filter(kind__in=KASSE_KINDS) if kasse else of_club.exclude(kind__in=KASSE_KINDS)


def find_same_file(file: Import) -> Import | None:
    """Return the latest import of the same file that was not undone."""
    return _filter_same_file(file).order_by("-imported_at").first()


def get_taken_sheets(file: Import) -> set[int]:
    """Return the indexes of the sheets of this file that were taken in before, as far as known."""
    reports = _filter_same_file(file).exclude(kind__in=KASSE_KINDS).values_list("report", flat=True)
    return {index for report in reports for index in report.get("sheets", ())}


def _filter_same_file(file: Import) -> QuerySet[Import]:
    taken = Import.objects.filter(club=file.club_id, imported_at__isnull=False, undone_at=None)
    return taken.filter(digest=file.digest).exclude(pk=file.pk)


def list_days_with_evenings(club: Club, days: Collection[datetime.date]) -> list[datetime.date]:
    """Return those of these days that have an evening."""
    if not days:
        return []
    between = Evening.objects.filter(club=club, held_on__range=(min(days), max(days)))
    return sorted(set(days) & set(between.values_list("held_on", flat=True)))


def find_usual_weekday(club: Club) -> int:
    """Return the weekday of most recent evenings that were not imported, 0 for Monday; Friday for a new club."""
    own = Evening.objects.filter(club=club).exclude(tables__imported__isnull=False)
    days = own.order_by("-held_on").values_list("held_on", flat=True)[:MAX_RECENT]
    return next((weekday for weekday, _times in Counter(day.weekday() for day in days).most_common(1)), FRIDAY)


def list_evenings(file: Import) -> list[Evening]:
    return list(Evening.objects.filter(tables__imported=file).order_by("-held_on", "-pk"))


def count_undone(file: Import, sheet: int) -> Counter[int]:
    """Count how often the booking of each row of this sheet was undone, also under an earlier upload of the same file."""
    undone = Import.objects.filter(club=file.club_id, digest=file.digest, undone_at__isnull=False)
    reports = undone.filter(kind__in=KASSE_KINDS).values_list("report", flat=True)
    return Counter(row for report in reports if report["sheet"] == sheet for row, _times_undone in report["rows"])


def list_unbooked(file: Import, sheet: int, rows: Sequence[KasseRow]) -> list[tuple[KasseRow, str, UUID]]:
    """Return the entries of these rows that are not booked yet, each as row, kind and key."""
    times = count_undone(file, sheet)
    keys = {build_key(file.digest, sheet, row.number, part, times[row.number]): (row, part) for row in rows for part in row.entries}
    booked = set(Entry.objects.filter(club=file.club_id, key__in=keys).values_list("key", flat=True))
    return [(row, part, key) for key, (row, part) in keys.items() if key not in booked]


def list_booked_entries(file: Import) -> QuerySet[Entry]:
    sheet = file.report["sheet"]
    rows = file.report["rows"]
    keys = [build_key(file.digest, sheet, row, part, times_undone) for row, times_undone in rows for part in PARTS]
    return Entry.objects.filter(club=file.club_id, key__in=keys).order_by("pk")


def has_dependents(file: Import) -> bool:
    """Return whether an entry of this file is in a closed month or reversed."""
    entries = list_booked_entries(file)
    first = entries.aggregate(first=Min("date"))["first"]
    closed = Period.objects.filter(club=file.club_id, month__gte=f"{first:%Y-%m}" if first else "")
    return closed.exists() or entries.filter(reversed_by__isnull=False).exists()


def get_last_days(club: Club) -> dict[str, datetime.date]:
    """Return the last day of each season with imported evenings of an old Kasse, by the text key of its name."""
    taken = Import.objects.filter(club=club, kind=Import.Kind.PAID, imported_at__isnull=False, undone_at=None)
    days: dict[str, datetime.date] = {}
    for report in taken.values_list("report", flat=True):
        for name, day in report["seasons"]:
            last = datetime.date.fromisoformat(day)
            days[text_key(name)] = max(last, days.get(text_key(name), last))
    return days


def preview_removal(file: Import) -> dict[str, Any]:
    """Return what would be removed if this file was undone now; the published months (season and month) of its evenings stay."""
    tables = set(Table.objects.filter(imported=file).values_list("evening", "evening__held_on", "rule_set__unit"))
    played = {(day, unit) for _evening, day, unit in tables}
    published = MonthClosing.objects.filter(season__club=file.club_id, version=1).select_related("season")
    months = []
    for closing in published.defer("content", "file").order_by("month", "season__name"):
        season = closing.season
        days = [day for day, unit in played if unit == season.unit and f"{day:%Y-%m}" == closing.month]
        if any(season.first_day <= day <= season.last_day for day in days):
            months.append((season.name, closing.month))
    return {
        "evenings": len({evening for evening, _day, _unit in tables}),
        "people": list_removable_players(file).count(),
        "months": months,
        "openings": file.openings.count() if file.kind == Import.Kind.SUMS else 0,
    }


def list_removable_players(file: Import) -> QuerySet[Player]:
    """Return the new players of this file that nothing else needs."""
    seated = Seat.objects.exclude(round__table__imported=file).values("player")
    counted = TableResult.objects.exclude(table__imported=file).values("player")
    people = Player.objects.filter(club=file.club_id, pk__in=file.made.get("players", []), user=None, merged=None)
    opened = OpeningStanding.objects.exclude(imported=file).values("player")
    unbooked = people.filter(account=None, attendance=None, fines=None, brought=None, hosted=None, bills_paid=None)
    return unbooked.exclude(pk__in=seated).exclude(pk__in=counted).exclude(pk__in=opened)


def list_removable_rule_sets(file: Import) -> QuerySet[RuleSet]:
    played = Table.objects.filter(Q(imported=None) | ~Q(imported=file)).values("rule_set")
    made = RuleSet.objects.filter(club=file.club_id, pk__in=file.made.get("rule_sets", []))
    return made.exclude(pk__in=played)


def has_changed_evenings(file: Import) -> bool:
    """Return whether a table of this file was changed, or other data depends on it or its evening."""
    tables = Table.objects.filter(imported=file)
    others = Table.objects.exclude(pk__in=tables)
    return (
        others.filter(evening__in=tables.values("evening")).exists()
        or others.filter(carries_on__in=tables).exists()
        or Change.objects.filter(table__in=tables).exists()
        or LateEntry.objects.filter(table__in=tables).exists()
    )


def has_changed_people_or_rules(file: Import) -> bool:
    """Return whether a new player or rule set of this file was changed, or a merge of players moved its points."""
    people, rule_sets = set(file.made.get("players", ())), set(file.made.get("rule_sets", ()))
    changed = Q(verb=Verb.PLAYER_CHANGED, subject_id__in=map(str, people))
    renamed = Q(verb=Verb.RULES_RENAMED, subject_id__in=map(str, rule_sets))
    of_club = Change.objects.filter(club=file.club_id)
    if of_club.filter(changed | renamed).exists():
        return True
    versions = of_club.filter(verb=Verb.RULES_CHANGED).values_list("before", flat=True)
    if any((before or {})["rule_set"] in rule_sets for before in versions):
        return True
    standing = of_club.filter(verb=Verb.PLAYER_MERGED, undone_by=None).values_list("before", "after")
    merges = [(before or {}, after or {}) for before, after in standing]
    if not merges:
        return False
    seats = set(Seat.objects.filter(round__table__imported=file).values_list("pk", flat=True))
    results = set(TableResult.objects.filter(table__imported=file).values_list("pk", flat=True))
    openings = set(file.openings.values_list("pk", flat=True))
    return any(
        not people.isdisjoint([*before["players"], *after["players"]])
        or not seats.isdisjoint(before["seats"])
        or not results.isdisjoint(before["results"])
        or not openings.isdisjoint(before.get("openings", ()))
        for before, after in merges
    )
