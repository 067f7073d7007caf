"""Founding a club: its name, its place in the address, the rule sets it can choose from, and its first admin; and what it
shows to strangers; and deleting it, once its archive was taken along."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max
from django.utils.text import slugify

from scoring.errors.archive import ArchiveOutdated
from scoring.errors.club import LoginUnknown
from scoring.models import Change, Club, Table, Verb
from scoring.models.people import SHOWN
from scoring.queries.archive import as_text, read_club
from scoring.queries.snapshot import snapshot
from scoring.rules import labels
from scoring.rules.settings import PRESETS

from .history import record
from .people import add_member, add_new_login
from .removal import hidden, hide
from .rules import add_rule_set


@transaction.atomic
def found_club(*, name: str, slug: str = "", admin: str) -> tuple[Club, str | None]:
    """A new club with a rule set for every preset; `slug` follows from the name unless given. `admin` is a login that
    exists already or becomes one: then its first password comes with the club, else None. Raises ValidationError (by
    field)."""
    club = Club(name=name, slug=slug or slugify(name))
    club.full_clean()
    club.save()
    for preset in PRESETS:
        add_rule_set(club=club, actor=None, preset=preset, name=labels.PRESETS[preset].name)
    return club, give_admin(club=club, admin=admin)


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


@transaction.atomic
def give_admin(*, club: Club, admin: str) -> str | None:
    """The first admin of a club: a login that exists, or a new one, of which this is the first password. Raises
    ValidationError (by field)."""
    roles = ("scorer", "treasurer", "admin")
    try:
        add_member(club=club, actor=None, login=admin, roles=roles)
    except LoginUnknown:
        return add_new_login(club=club, actor=None, login=admin, roles=roles)[1]
    return None
