"""Founding a club: its name, its place in the address, the rule sets it can choose from, and its first admin; and what it
shows to strangers."""

from __future__ import annotations

from collections.abc import Mapping

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.text import slugify

from scoring.models import Club, Verb
from scoring.models.people import SHOWN
from scoring.rules import labels
from scoring.rules.settings import PRESETS

from .errors import LoginUnknown
from .history import record
from .people import add_member, add_new_login
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
