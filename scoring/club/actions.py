"""Write people, logins and their roles; every action ends with one log entry in its own transaction.

Each action locks the club, so that two admins cannot remove each other and a name is taken once. The log stores no names.
"""

from __future__ import annotations

import datetime
import secrets
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final, Required, TypedDict, Unpack
from uuid import UUID, uuid4

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import Model

from scoring.club.errors import (
    AlreadyMember,
    InvitationOver,
    LastAdmin,
    LoginTaken,
    LoginToInvite,
    LoginUnknown,
    NameErased,
    NotAMember,
    NotInDemo,
)
from scoring.club.models import Change, Club, Membership, Player, Verb, is_visitor
from scoring.club.queries import find_login, is_last_admin, list_open_invitations
from scoring.core.dates import require_not_in_future

# What is never done in the demo club of a visitor: it has no other logins, no Kasse, nothing from elsewhere, and no strangers.
NOT_IN_DEMO: Final = frozenset(
    {
        *(verb for verb in Verb if verb.startswith(("member.", "link.", "import.", "archive."))),
        *(verb for verb in Verb if verb.startswith("cash.") and verb not in (Verb.CASH_EVENING, Verb.CASH_PINNED)),
        Verb.CLUB_SHOWN,
        Verb.HISTORY_KEPT,
    }
)


@dataclass(frozen=True)
class Actor:
    """Who does something at a table, with the rights that access found: a `login`, or somebody without one who came by the link
    of the table (`link`, its id) and said who they are, or neither: the program itself. Only an `admin` changes what is closed,
    and what that costs depends on a `treasurer` as well."""

    login: User | None = None
    spoken_as: Player | None = None
    link: int | None = None
    admin: bool = False
    treasurer: bool = False


# Nine parameters: each is a column of the row, most have a default, and all are named where it is called.
def record(
    *,
    club: Club,
    actor: Actor,
    verb: Verb,
    subject: object,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
    table: Model | None = None,
    undoes: Change | None = None,
    click: UUID | None = None,
) -> Change:
    """One row: what `subject` (an id) was before and after, as ids and values, never as names; `table`: where it was done,
    where that was at a table. Raises NotInDemo."""
    if club.is_visitor_club and verb in NOT_IN_DEMO:
        raise NotInDemo
    return Change.objects.create(
        club=club,
        actor=actor.login,
        spoken_as=actor.spoken_as,
        verb=verb,
        subject_id=str(subject),
        before=before,
        after=after,
        table_id=None if table is None else table.pk,
        undoes=undoes,
        click=click or uuid4(),
    )


ROLES = ("scorer", "treasurer", "admin")
# Without characters that look alike on paper. Sixteen of them are 79 bits.
_READABLE_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"


class PlayerFields(TypedDict, total=False):
    """What is kept of a person."""

    name: Required[str]
    guest: bool
    joined_on: datetime.date | None
    left_on: datetime.date | None
    rests_from: datetime.date | None
    rests_until: datetime.date | None
    user: User | None
    by_initial: bool


@transaction.atomic
def add_player(*, club: Club, actor: Actor, **kept: Unpack[PlayerFields]) -> Player:
    """Somebody whose points are kept from now on. Raises ValidationError (by field), NotAMember."""
    lock_club(club)
    player = Player(club=club)
    _save_player(player, kept)
    record(club=club, actor=actor, verb=Verb.PLAYER_ADDED, subject=player.pk, after=get_player_values(player))
    return player


@transaction.atomic
def change_player(*, player: Player, actor: Actor, **kept: Unpack[PlayerFields]) -> Player:
    """Replace the fields that are given. If nothing differs, nothing is written. Raises ValidationError (by field),
    NotAMember, NameErased."""
    lock_club(player.club)
    player = Player.objects.select_related("club").get(pk=player.pk)
    if player.erased_on:
        raise NameErased
    before, old_name = get_player_values(player), player.name
    _save_player(player, kept)
    _record_player(player, actor, before, renamed=player.name != old_name)
    return player


@transaction.atomic
def set_by_initial(*, player: Player, actor: Actor, by_initial: bool) -> None:
    """Whether strangers read an initial instead of the name."""
    lock_club(player.club)
    player = Player.objects.select_related("club").get(pk=player.pk)
    before = get_player_values(player)
    player.by_initial = by_initial
    player.save(update_fields=["by_initial"])
    _record_player(player, actor, before)


def get_player_values(player: Player) -> dict[str, Any]:
    """What the history keeps of a person: all but the name."""
    return {
        "guest": player.guest,
        "joined_on": player.joined_on.isoformat() if player.joined_on else None,
        "left_on": player.left_on.isoformat() if player.left_on else None,
        "rests_from": player.rests_from.isoformat() if player.rests_from else None,
        "rests_until": player.rests_until.isoformat() if player.rests_until else None,
        "user": player.user_id,
        "by_initial": player.by_initial,
    }


def add_new_login(*, club: Club, actor: Actor, login: str, roles: Collection[str]) -> tuple[Membership, str]:
    """A new login for the club and its first password, which is kept nowhere else. Raises LoginToInvite, ValidationError
    (of `username`), TooManyPasswords."""
    password = generate_password()
    user = build_login(login, password)
    with transaction.atomic():
        lock_club(club)
        try:
            save_login(user)
        except LoginTaken:
            raise LoginToInvite from None
        return _add_membership(club, actor, user, roles), password


@transaction.atomic
def add_member(*, club: Club, actor: Actor, login: str, roles: Collection[str]) -> Membership:
    """Take a login into the club that exists already, for whoever runs the installation: admins invite. Raises
    LoginUnknown, AlreadyMember."""
    lock_club(club)
    return _add_membership(club, actor, _find_new_login(club, login), roles)


@transaction.atomic
def invite_member(*, club: Club, actor: Actor, login: str, roles: Collection[str]) -> Change:
    """Offer these roles to a login that exists already; it belongs to the club when it accepts, and not before. Ends the
    invitation it had. Raises LoginUnknown, AlreadyMember."""
    lock_club(club)
    user = _find_new_login(club, login)
    offered = {role: role in roles for role in ROLES}
    return record(club=club, actor=actor, verb=Verb.MEMBER_INVITED, subject=user.pk, after=offered)


@transaction.atomic
def accept_invitation(*, invitation: Change, user: User) -> Membership:
    """What was offered to this login becomes its rights, once. Raises InvitationOver, AlreadyMember."""
    lock_club(invitation.club)
    _refuse_closed_invitation(invitation)
    if invitation.subject_id != str(user.pk):
        raise InvitationOver
    if Membership.objects.filter(club=invitation.club, user=user).exists():
        raise AlreadyMember
    offered = [role for role in ROLES if (invitation.after or {})[role]]
    return _add_membership(invitation.club, Actor(user), user, offered)


@transaction.atomic
def withdraw_invitation(*, invitation: Change, actor: Actor) -> None:
    """End an invitation, so that nobody can accept it any more. Raises InvitationOver."""
    lock_club(invitation.club)
    _refuse_closed_invitation(invitation)
    record(
        club=invitation.club,
        actor=actor,
        verb=Verb.MEMBER_UNINVITED,
        subject=invitation.subject_id,
        before=invitation.after,
    )


@transaction.atomic
def change_member(*, membership: Membership, actor: Actor, roles: Collection[str]) -> Membership:
    """Give a member exactly these roles. Raises LastAdmin."""
    lock_club(membership.club)
    member = Membership.objects.select_related("club").get(pk=membership.pk)
    before = get_member_values(member)
    if "admin" not in roles and is_last_admin(member):
        raise LastAdmin
    for role in ROLES:
        setattr(member, role, role in roles)
    if get_member_values(member) != before:
        member.save(update_fields=ROLES)
        record_member(member, actor, before, get_member_values(member))
    return member


@transaction.atomic
def remove_member(*, membership: Membership, actor: Actor) -> None:
    """Take the login's rights in the club away; the person it belonged to stays, without a login. Raises LastAdmin."""
    lock_club(membership.club)
    member = Membership.objects.select_related("club").get(pk=membership.pk)
    if is_last_admin(member):
        raise LastAdmin
    click = uuid4()
    for player in Player.objects.filter(club=member.club_id, user=member.user_id).select_related("club"):
        before = get_player_values(player)
        player.user = None
        player.save(update_fields=["user"])
        _record_player(player, actor, before, click=click)
    record_member(member, actor, get_member_values(member), None, click)
    member.delete()


def get_member_values(member: Membership) -> dict[str, Any]:
    """What a member may do; the history keeps it under the id of the login."""
    return {role: getattr(member, role) for role in ROLES}


def record_member(
    member: Membership,
    actor: Actor,
    before: dict[str, Any] | None,
    after: dict[str, Any] | None,
    click: UUID | None = None,
) -> None:
    """Into the history, under the id of the login: what a member may do, before and after."""
    record(
        club=member.club,
        actor=actor,
        verb=Verb.MEMBER_CHANGED,
        subject=member.user_id,
        before=before,
        after=after,
        click=click,
    )


def generate_password() -> str:
    return "-".join("".join(secrets.choice(_READABLE_LETTERS) for _ in range(4)) for _ in range(4))


def build_login(login: str, password: str) -> User:
    """A login that is not kept yet: its password is hashed before anybody else has to wait for the database. Raises
    TooManyPasswords."""
    user = User(username=User.normalize_username(login))
    user.set_password(password)
    return user


def save_login(user: User) -> None:
    """Keep a new login. Raises LoginTaken, ValidationError (of `username`)."""
    user.full_clean(validate_unique=False)
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError as taken:
        raise LoginTaken from taken


def lock_club(club: Club) -> None:
    """Whoever changes the people of the same club waits here; whoever enters a game does not."""
    Club.with_hidden.select_for_update(no_key=True).get(pk=club.pk)


def _find_new_login(club: Club, login: str) -> User:
    user = find_login(login)
    if user is None or not user.is_active or is_visitor(user):
        raise LoginUnknown
    if Membership.objects.filter(club=club, user=user).exists():
        raise AlreadyMember
    return user


def _refuse_closed_invitation(invitation: Change) -> None:
    if not list_open_invitations(invitation.club).filter(pk=invitation.pk).exists():
        raise InvitationOver


def _save_player(player: Player, kept: PlayerFields) -> None:
    user = kept.get("user")
    if user is not None and not Membership.objects.filter(club=player.club_id, user=user).exists():
        raise NotAMember
    for field, value in kept.items():
        setattr(player, field, value)
    if joined_on := kept.get("joined_on"):
        require_not_in_future("joined_on", joined_on)
    player.full_clean()
    player.save()


def _record_player(
    player: Player,
    actor: Actor,
    before: dict[str, Any],
    renamed: bool = False,
    click: UUID | None = None,
) -> None:
    after = get_player_values(player)
    if renamed or after != before:
        record(
            club=player.club,
            actor=actor,
            verb=Verb.PLAYER_CHANGED,
            subject=player.pk,
            before=before,
            after={**after, "renamed": True} if renamed else after,
            click=click,
        )


def _add_membership(club: Club, actor: Actor, user: User, roles: Collection[str]) -> Membership:
    member = Membership.objects.create(club=club, user=user, **{role: role in roles for role in ROLES})
    record_member(member, actor, None, get_member_values(member))
    return member


@transaction.atomic
def add_first_admin(*, club: Club, admin: str) -> str | None:
    """The first admin of a club: a login that exists, or a new one, of which this is the first password. Raises
    ValidationError (by field)."""
    try:
        add_member(club=club, actor=Actor(), login=admin, roles=ROLES)
    except LoginUnknown:
        return add_new_login(club=club, actor=Actor(), login=admin, roles=ROLES)[1]
    return None
