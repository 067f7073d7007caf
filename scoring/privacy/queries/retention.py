"""Which rows of its history a club need not keep: those of logins and of entries that are older than it says, where nothing
else depends on them. Never what was played, points, what was published, or the history of people, evenings, rules and
months."""

from __future__ import annotations

import datetime
from typing import Final

from django.db.models import Exists, OuterRef, Q

from scoring.club.models import Change, Club
from scoring.league.models import MonthClosing, Supplement
from scoring.league.queries.books import read_content, replace_ids
from scoring.play.queries import list_sheet_changes

# What says that a login was invited or let in, or a line was typed: nothing follows from it any more.
_LOGINS: Final = Q(verb__startswith="member.") | Q(verb__startswith="link.")
_ENTRIES: Final = Q(verb__startswith="game.")


def oldest_kept(years: int, now: datetime.datetime) -> datetime.datetime:
    """What was done before this moment is older than so many years."""
    day = min(now.day, 28) if now.month == 2 else now.day
    return now.replace(year=max(now.year - years, 1), day=day)


def forgettable(club: Club, years: int, now: datetime.datetime) -> list[int]:
    """The ids of the changes that may be deleted, the latest first; four queries. Kept are: the last change of each table,
    because phones and the taking back of an import ask for it; what a published month or a supplement names; and what a
    kept change has taken back."""
    later = list_sheet_changes(OuterRef("table")).filter(pk__gt=OuterRef("pk"))
    old = Change.objects.filter(_LOGINS | _ENTRIES, club=club, at__lt=oldest_kept(years, now))
    rows = old.filter(Q(table=None) | Exists(later)).order_by("-pk").values_list("pk", "undone_by")
    named = _named_by_months(club)
    going: dict[int, None] = {}
    for pk, undone_by in rows.iterator(chunk_size=2000):
        if pk not in named and (undone_by is None or undone_by in going):
            going[pk] = None
    return list(going)


def _named_by_months(club: Club) -> set[int]:
    """The changes that led to what was published."""
    found: set[int] = set()

    def note(kind: str, pk: int) -> int:
        if kind == "changes":
            found.add(pk)
        return pk

    for model in (MonthClosing, Supplement):
        for row in model.objects.filter(season__club=club).only("content", "ids"):
            replace_ids(read_content(row), note)
    return found
