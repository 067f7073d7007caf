"""The address of mail of a login; deleting a login that belongs to no club any more, by its owner or by itself after a time; and
ending sessions of one's own. What was entered under a deleted login stays; the history says that it was a login that is
gone. A phone whose session ends is logged out at its next request, and what waits in its outbox stays there."""

from __future__ import annotations

import datetime
from collections.abc import Collection
from typing import Any, Final

from django.contrib.auth.models import User
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import gettext_lazy as _

from scoring.accounts.models import JoinLink, Session
from scoring.accounts.queries import belongs_to, free_people, name_of, open_links
from scoring.club.actions.history import Actor, record
from scoring.club.actions.people import (
    ROLES,
    change_player,
    keep_login,
    lock_club,
    member_values,
    new_login,
    record_member,
)
from scoring.club.errors import AlreadyMember, LoginHasClubs, LoginOfOthersToo, LoginRunsInstallation, NotInDemo
from scoring.club.models.history import Verb
from scoring.club.models.people import Club, Membership, is_visitor
from scoring.club.queries import belongs_to_others_too
from scoring.core.errors import ActionRefused


@transaction.atomic
def delete_login(*, user: User) -> None:
    """The login, its sessions and what it uploaded are gone. Raises LoginHasClubs, LoginRunsInstallation."""
    locked = User.objects.select_for_update().get(pk=user.pk)
    if locked.is_superuser:
        raise LoginRunsInstallation
    if Membership.objects.filter(user=locked).exists():
        raise LoginHasClubs
    locked.delete()


def keep_mail_address(*, user: User, address: str) -> None:
    """Where a link to a new password goes from now on; links that are under way end."""
    user.email = User.objects.normalize_email(address)
    user.save(update_fields=["email"])


def end_session(*, user: User, name: str) -> bool:
    """End the session that has this name in the list; False where it had ended already."""
    named = [session.pk for session in Session.objects.filter(user=user) if name_of(session.pk) == name]
    return bool(Session.objects.filter(pk__in=named).delete()[0])


def end_other_sessions(*, user: User, here: str) -> None:
    """End every session of this login but the one with the key `here`."""
    Session.objects.filter(user=user).exclude(pk=here).delete()


class ResetTokens(PasswordResetTokenGenerator):
    """Django's own, which end with a new password, the next login, another address of mail and after a day. Here they also end
    when the login joins or leaves a club, when somebody becomes an admin of one or is none any more, and when it runs the
    installation: an admin who goes takes no key along, and a key to one club never opens another."""

    key_salt = "scoring.logins.ResetTokens"

    def _make_hash_value(self, user: User, timestamp: int) -> str:
        around = Membership.objects.filter(club__memberships__user=user).order_by("pk")
        clubs = [(one.pk, one.admin) for one in around if one.admin or one.user_id == user.pk]
        return f"{super()._make_hash_value(user, timestamp)}{user.is_superuser}{clubs}"


TOKENS: Final = ResetTokens()


def reset_path(user: User) -> str:
    """Where this login gets a new password."""
    return reverse(
        "password_reset_confirm", args=[urlsafe_base64_encode(force_bytes(user.pk)), TOKENS.make_token(user)]
    )


@transaction.atomic
def make_reset_link(*, membership: Membership, actor: Actor) -> str:
    """A link to be handed to a member who forgot the password; until it is used the old one holds. Raises LoginOfOthersToo: no
    club may take over the login of another."""
    lock_club(membership.club)
    member = Membership.objects.select_related("club", "user").get(pk=membership.pk)
    if belongs_to_others_too(member):
        raise LoginOfOthersToo
    before = member_values(member)
    record_member(member, actor, before, {**before, "reset_link": True})
    return reset_path(member.user)


class JoinLinkOver(ActionRefused):
    """Its day has passed, it was ended or used up, or whoever made it runs the club no more."""

    sentence = _(
        "Diese Einladung gilt nicht mehr: Sie ist abgelaufen, beendet oder schon benutzt. Ein Verwalter des Clubs kann eine"
        " neue machen."
    )
    status = 410


class PersonTaken(ActionRefused):
    sentence = _("Diese Person hat inzwischen einen Zugang. Bitte noch einmal nachsehen.")


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
