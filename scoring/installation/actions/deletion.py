"""Deleting a club: by an admin, once its archive was taken along, or by itself if it was founded without a link and is empty."""

from __future__ import annotations

from hashlib import sha256

from django.db import transaction
from django.utils import timezone

from scoring.archive.errors import ArchiveOutdated
from scoring.archive.queries import club_archive
from scoring.cash.actions.posting import hold
from scoring.club.models import Club
from scoring.club.queries import get_change_stamp
from scoring.core.database import snapshot
from scoring.imports.actions.hidden import hidden, hide
from scoring.installation.queries import unused_clubs
from scoring.play.actions import lock_club


def delete_club(*, club: Club, taken: str) -> None:
    """Delete a club with everything in it. `taken` is the SHA-256 of the archive that whoever deletes it has. Raises
    ArchiveOutdated where the club would give another one by now. The archive is read without the write lock; every change
    that is made meanwhile stands in the history."""
    with snapshot():
        seen = get_change_stamp(club.pk)
        archive = club_archive(club)
    if sha256(archive).hexdigest() != taken:
        raise ArchiveOutdated
    with hidden() as slug, transaction.atomic():
        lock_club(club)
        if get_change_stamp(club.pk) != seen:
            raise ArchiveOutdated
        hide(club, slug)


def delete_unused_club(*, club: Club) -> bool:
    """Delete a club that was founded without a link, if its day has come and nothing is entered; return whether it was deleted. The
    locks wait for an evening, a file, a login or a booking that is just being entered. Raises Club.DoesNotExist."""
    with hidden() as slug, transaction.atomic():
        hold(lock_club(club))
        if not unused_clubs().filter(pk=club.pk, goes_on__lte=timezone.localdate()).exists():
            return False
        hide(club, slug)
    return True
