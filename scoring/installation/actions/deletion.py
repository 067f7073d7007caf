"""Deleting a club, once its archive was taken along."""

from __future__ import annotations

from hashlib import sha256

from django.db import transaction

from scoring.archive.errors import ArchiveOutdated
from scoring.archive.queries import club_archive
from scoring.club.models.history import Change
from scoring.club.models.people import Club
from scoring.core.snapshot import snapshot
from scoring.imports.actions.hidden import hidden, hide
from scoring.play.models import Table


def delete_club(*, club: Club, taken: str) -> None:
    """Delete a club with everything in it. `taken` is the SHA-256 of the archive that whoever deletes it has. Raises
    ArchiveOutdated where the club would give another one by now. The archive is read without the write lock; every change
    that is made meanwhile stands in the history."""
    with snapshot():
        last = _last_change(club)
        archive = club_archive(club)
    if sha256(archive).hexdigest() != taken:
        raise ArchiveOutdated
    with hidden() as slug, transaction.atomic():
        Club.objects.select_for_update().get(pk=club.pk)
        list(Table.objects.select_for_update().filter(evening__club=club).order_by("pk").values_list("pk"))
        if _last_change(club) != last:
            raise ArchiveOutdated
        hide(club, slug)


def _last_change(club: Club) -> int | None:
    return Change.objects.filter(club=club).order_by("-pk").values_list("pk", flat=True).first()
