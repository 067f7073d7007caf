"""What was brought along so far: the files of a club, whether one was taken in before, what is there already on the days
that a file names, and whether the club itself came from an archive."""

from __future__ import annotations

import datetime
from collections.abc import Collection

from django.contrib.auth.models import User
from django.db.models import QuerySet

from scoring.models import Change, Club, Evening, Import, Verb, WaitingArchive


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


# --- A whole club -----------------------------------------------------------------------------------------------------


def waiting_archive(user: User) -> WaitingArchive | None:
    """The archive that somebody uploaded and has not decided about."""
    return WaitingArchive.objects.filter(user=user).first()


def came_from_archive(club: Club) -> Change | None:
    """How this club came here, where it came as an archive."""
    return Change.objects.filter(club=club, verb=Verb.ARCHIVE_TAKEN).select_related("actor").first()


def changed_since(taken: Change) -> bool:
    """Did anything happen in the club since it came?"""
    return Change.objects.filter(club=taken.club_id, pk__gt=taken.pk).exists()
