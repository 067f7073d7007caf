"""Deleting a club, once its archive was taken along."""

from __future__ import annotations

from hashlib import sha256

from django.db import transaction

from scoring.archive.errors import ArchiveOutdated
from scoring.archive.queries import club_archive
from scoring.club.models.people import Club
from scoring.club.queries import done_so_far
from scoring.core.snapshot import snapshot
from scoring.imports.actions.hidden import hidden, hide
from scoring.play.actions.locking import lock_club


def delete_club(*, club: Club, taken: str) -> None:
    """Delete a club with everything in it. `taken` is the SHA-256 of the archive that whoever deletes it has. Raises
    ArchiveOutdated where the club would give another one by now. The archive is read without the write lock; every change
    that is made meanwhile stands in the history."""
    with snapshot():
        seen = done_so_far(club.pk)
        archive = club_archive(club)
    if sha256(archive).hexdigest() != taken:
        raise ArchiveOutdated
    with hidden() as slug, transaction.atomic():
        lock_club(club)
        if done_so_far(club.pk) != seen:
            raise ArchiveOutdated
        hide(club, slug)
