"""Founding a club: by a link of the operator, which is made here and good once, or without one where the operator says
FOUNDING=open. The club, its first admin, its people and the rules that they play by are stored together, or not at all."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from itertools import chain, count
from typing import Final

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.text import slugify

from scoring.club.actions import Actor, NotInDemo, add_player, save_login
from scoring.club.models import Club, is_visitor
from scoring.installation.errors import FoundedAlready, LinkOverMeanwhile
from scoring.installation.models import FoundingLink
from scoring.installation.queries import digest_of, open_links
from scoring.rulesets.actions import found_club
from scoring.rulesets.models import RuleSet

SECRET_BYTES: Final = 16
# Of a slug, so that a number has room behind it.
_LONGEST: Final = 35


@transaction.atomic
def make_founding_link() -> str:
    """The secret of a new link, which is kept nowhere. Whatever link there was ends."""
    secret = secrets.token_urlsafe(SECRET_BYTES)
    FoundingLink.objects.all().delete()
    FoundingLink.objects.create(digest=digest_of(secret))
    return secret


@transaction.atomic
def found_by_link(
    *,
    link: int,
    founder: User,
    name: str,
    people: Sequence[str],
    own: str = "",
    begin: Callable[..., RuleSet],
) -> RuleSet:
    """Found a club of these people and return its rule set. The first of them is the `founder`, who runs it; a founder who is
    not stored yet becomes a login. `begin` is `begin_with_answers` or `begin_with_preset` with the rules to play by, `own` the
    preset if it is one. Raises LinkOverMeanwhile, LoginTaken, ValidationError (by field)."""
    if is_visitor(founder):
        raise NotInDemo
    # Of two at the same time the second one waits here, and then finds nothing to take away.
    if not open_links().filter(pk=link).delete()[0]:
        raise LinkOverMeanwhile
    return _found(founder, name, people, own, begin)


@transaction.atomic
def found_openly(
    *, founder: User, name: str, people: Sequence[str], own: str = "", begin: Callable[..., RuleSet]
) -> RuleSet:
    """Found a club like `found_by_link`, but without a link. Raises FoundedAlready if this founder has a club of this name that was
    founded so: the button was tapped twice. Raises LoginTaken, ValidationError (by field)."""
    if is_visitor(founder):
        raise NotInDemo
    if founder.pk:
        User.objects.select_for_update().get(pk=founder.pk)
        if Club.objects.filter(memberships__user=founder, name=name, founded_openly_at__isnull=False).exists():
            raise FoundedAlready
    rule_set = _found(founder, name, people, own, begin)
    # Behind all that founding itself writes into the history: what is written later was entered.
    rule_set.club.founded_openly_at = timezone.now()
    rule_set.club.save(update_fields=["founded_openly_at"])
    return rule_set


def _found(founder: User, name: str, people: Sequence[str], own: str, begin: Callable[..., RuleSet]) -> RuleSet:
    if not founder.pk:
        save_login(founder)
    club, _password = found_club(name=name, slug=_free_slug(name), admin=founder.username, own=own)
    actor = Actor(founder, admin=True)
    add_player(club=club, actor=actor, name=people[0], user=founder)
    return begin(club=club, actor=actor, people=people[1:])


def _free_slug(name: str) -> str:
    """The name in an address, with a number where another club has it."""
    slug = slugify(name)[:_LONGEST].strip("-") or "runde"
    wanted = chain([slug], (f"{slug}-{number}" for number in count(2)))
    return next(slug for slug in wanted if not Club.objects.filter(slug=slug).exists())
