"""Makes and ends an invitation by link, and lets people join by it. Each action locks the club: when two people come at once
for the last place, or for the same person, one of them is refused and nothing of it is kept."""

from __future__ import annotations

import datetime
from collections.abc import Collection
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from scoring.club.actions.history import Actor, record
from scoring.club.actions.people import ROLES, change_player, keep_login, lock_club, member_values, new_login
from scoring.club.errors import AlreadyMember, NotInDemo
from scoring.club.models.history import Verb
from scoring.club.models.people import Club, Membership, is_visitor

from .errors import JoinLinkOver, PersonTaken
from .models import JoinLink
from .queries import belongs_to, free_people, open_links


@transaction.atomic
def make_link(*, club: Club, actor: Actor, roles: Collection[str], most_uses: int, ends_on: datetime.date) -> JoinLink:
    """A new invitation. Raises ValidationError."""
    lock_club(club)
    link = JoinLink(
        club=club,
        created_by=actor.login,
        most_uses=most_uses,
        ends_on=ends_on,
        **{role: role in roles for role in ROLES},
    )
    link.full_clean()
    link.save()
    record(club=club, actor=actor, verb=Verb.LINK_MADE, subject=link.pk, after=link_values(link))
    return link


@transaction.atomic
def end_link(*, link: JoinLink, actor: Actor) -> None:
    """Nobody can join by it any more. Raises JoinLinkOver."""
    standing = _lock(link)
    standing.ended_at = timezone.now()
    standing.save(update_fields=["ended_at"])
    record(club=link.club, actor=actor, verb=Verb.LINK_ENDED, subject=link.pk, before=link_values(standing))


@transaction.atomic
def join(*, link: JoinLink, user: User, person: int | None) -> Membership:
    """A login that exists joins with the roles of the link; `person` (an id) is who they say they are. Raises JoinLinkOver,
    AlreadyMember, PersonTaken."""
    return _join(_lock(link), user, person)


def join_as_new(*, link: JoinLink, login: str, password: str, person: int | None) -> Membership:
    """The same with a new login. Raises LoginTaken, ValidationError (of `username`) and TooManyPasswords besides."""
    user = new_login(login, password)
    with transaction.atomic():
        standing = _lock(link)
        keep_login(user)
        return _join(standing, user, person)


def link_values(link: JoinLink) -> dict[str, Any]:
    """What the history keeps of a link."""
    roles = {role: getattr(link, role) for role in ROLES}
    return {**roles, "most_uses": link.most_uses, "ends_on": link.ends_on.isoformat()}


def _lock(link: JoinLink) -> JoinLink:
    """The link as it stands, while nobody else uses or ends it."""
    lock_club(link.club)
    standing = open_links(link.club).filter(pk=link.pk).first()
    if standing is None:
        raise JoinLinkOver
    return standing


def _join(link: JoinLink, user: User, person: int | None) -> Membership:
    if is_visitor(user):
        raise NotInDemo
    if belongs_to(link.club, user):
        raise AlreadyMember
    link.uses += 1
    link.save(update_fields=["uses"])
    member = Membership.objects.create(club=link.club, user=user, **{role: getattr(link, role) for role in ROLES})
    record(club=link.club, actor=Actor(user), verb=Verb.MEMBER_JOINED, subject=user.pk, after=member_values(member))
    if person is not None:
        player = free_people(link.club).filter(pk=person).select_related("club").first()
        if player is None:
            raise PersonTaken
        change_player(player=player, actor=Actor(user), name=player.name, user=user)
    return member
