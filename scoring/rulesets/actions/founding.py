"""Founding a club: its name, its place in the address, a rule set for every preset to choose from, and its first admin."""

from __future__ import annotations

from django.db import transaction
from django.utils.text import slugify

from scoring.club.actions.people import give_admin
from scoring.club.models.people import Club
from scoring.rules import labels
from scoring.rules.settings import PRESETS

from .rule_sets import add_rule_set


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
