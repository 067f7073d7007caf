"""Founding a club: its name, its place in the address, a rule set for every preset to choose from, and its first admin; and
what its first evening needs, the people and the rules that they play by."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db import transaction
from django.utils.text import slugify

from scoring.club.actions.history import Actor
from scoring.club.actions.people import add_player, give_admin
from scoring.club.models.people import Club
from scoring.rules import labels
from scoring.rules.settings import PRESETS
from scoring.rulesets.models import RuleSet
from scoring.rulesets.queries import current_rule_sets

from .rule_sets import add_rule_set, add_whole_rule_set


@transaction.atomic
def found_club(*, name: str, slug: str = "", admin: str, own: str = "") -> tuple[Club, str | None]:
    """A new club with a rule set for every preset, its `own` last, which the first evening proposes; `slug` follows from the name
    unless given. `admin` is a login that exists already or becomes one: then its first password comes with the club, else None.
    Raises ValidationError (by field)."""
    club = Club(name=name, slug=slug or slugify(name))
    club.full_clean()
    club.save()
    for preset in sorted(PRESETS, key=lambda preset: preset == own):
        add_rule_set(club=club, actor=Actor(), preset=preset, name=labels.PRESETS[preset].name)
    return club, give_admin(club=club, admin=admin)


@transaction.atomic
def begin_with_answers(
    *, club: Club, actor: Actor, name: str, settings: Mapping[str, Any], people: Iterable[str]
) -> RuleSet:
    """A rule set of complete settings, and these people, in this order. Raises ValidationError by field."""
    rule_set = add_whole_rule_set(club=club, actor=actor, name=name, settings=settings)
    for person in people:
        add_player(club=club, actor=actor, name=person)
    return rule_set


@transaction.atomic
def begin_with_preset(*, club: Club, actor: Actor, preset: str, people: Iterable[str]) -> RuleSet:
    """The club's rule set that is called like the preset, made where there is none, and these people, in this order. Raises
    ValidationError by field."""
    name = labels.PRESETS[preset].name
    for person in people:
        add_player(club=club, actor=actor, name=person)
    standing = current_rule_sets(club).filter(name=name).first()
    return standing or add_rule_set(club=club, actor=actor, preset=preset, name=name)
