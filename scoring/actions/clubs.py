"""What a club shows to strangers; and deleting it, once its archive was taken along."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max

from scoring.errors.archive import ArchiveOutdated
from scoring.models import Change, Club, Table, Verb
from scoring.models.people import SHOWN
from scoring.queries.archive import as_text, read_club
from scoring.queries.snapshot import snapshot

from .history import record
from .removal import hidden, hide


@transaction.atomic
def change_shown(*, club: Club, actor: User | None, shown: Mapping[str, bool]) -> None:
    """What strangers see of a club from now on: its fields of `SHOWN`. Where nothing differs nothing is written."""
    club = Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    before = {name: getattr(club, name) for name in SHOWN}
    after = {name: shown[name] for name in SHOWN}
    if after == before:
        return
    Club.objects.filter(pk=club.pk).update(**after)
    record(club=club, actor=actor, verb=Verb.CLUB_SHOWN, subject=club.pk, before=before, after=after)


def delete_club(*, club: Club, taken: str) -> None:
    """Delete a club with everything in it. `taken` is the SHA-256 of the archive that whoever deletes it has. Raises
    ArchiveOutdated where the club would give another one by now. The archive is read without the write lock; every change
    that is made meanwhile stands in the history."""
    with snapshot():
        last = _last_change(club)
        archive = as_text(read_club(Club.objects.get(pk=club.pk)))
    if sha256(archive.encode()).hexdigest() != taken:
        raise ArchiveOutdated
    with hidden() as slug, transaction.atomic():
        Club.objects.select_for_update().get(pk=club.pk)
        list(Table.objects.select_for_update().filter(evening__club=club).order_by("pk").values_list("pk"))
        if _last_change(club) != last:
            raise ArchiveOutdated
        hide(club, slug)


def _last_change(club: Club) -> int | None:
    return Change.objects.filter(club=club).aggregate(last=Max("pk"))["last"]
