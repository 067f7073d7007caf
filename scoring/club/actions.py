"""Write people, logins and their roles. Each action locks the club and ends with a log entry, which stores no names."""

from __future__ import annotations

import datetime
import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID, uuid4

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import Model
from django.forms.models import model_to_dict
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.club.models import (
    PLAYER_FIELDS,
    ROLES,
    VISIBILITY_FIELDS,
    Change,
    Club,
    Invitation,
    Membership,
    Player,
    Verb,
    is_visitor,
)
from scoring.club.queries import find_login, is_last_admin, list_open_invitations
from scoring.core.dates import require_not_in_future
from scoring.core.errors import ActionRefused

# Refused in the demo club of a visitor: it has no other logins, no Kasse, no imports and no public pages.
NOT_IN_DEMO: Final = frozenset(
    {
        *(verb for verb in Verb if verb.startswith(("member.", "link.", "import.", "archive."))),
        *(verb for verb in Verb if verb.startswith("cash.") and verb not in (Verb.CASH_EVENING, Verb.CASH_PINNED)),
        Verb.CLUB_SHOWN,
        Verb.HISTORY_KEPT,
    }
)
IN_DEMO: Final = _("In der Demo geht das nicht. Hier wird nur am Tisch ausprobiert; alles andere kann ein eigener Club.")
NAME_ERASED: Final = _("Der Name dieser Person ist entfernt worden. Das bleibt so.")


class TooManyPasswords(ActionRefused):
    """Too many passwords wait to be hashed, or this one has waited too long; `retry_after` is in seconds."""

    sentence = _("Gerade melden sich zu viele auf einmal an. Bitte in ein paar Sekunden noch einmal versuchen.")
    status = 503
    retry_after = 2


class LoginTaken(ActionRefused):
    sentence = _("Diesen Anmeldenamen gibt es schon. Wem er gehört, meldet sich zuerst an; sonst bitte einen anderen wählen.")


class LoginUnknown(ActionRefused):
    sentence = _("Einen Zugang mit diesem Namen gibt es nicht.")


class AlreadyMember(ActionRefused):
    sentence = _("Dieser Zugang gehört schon zum Club.")


@dataclass(frozen=True)
class Actor:
    """The author of a change: a `login`, or the player `spoken_as` who opened a `link` (its id), or the program itself.
    Only an `admin` changes closed evenings; what that changes in the Kasse needs a `treasurer`, too."""

    login: User | None = None
    spoken_as: Player | None = None
    link: int | None = None
    admin: bool = False
    treasurer: bool = False


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
    """Write a log entry with the values of a row before and after: ids, never names. `subject` is the id of the row; all entries
    of one action have the same `click`. Raise ActionRefused for what is NOT_IN_DEMO."""
    if verb in NOT_IN_DEMO and club.is_visitor_club:
        raise ActionRefused(IN_DEMO, status=403)
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


_LOGGED_FIELDS = PLAYER_FIELDS.keys() - {"name"}  # a log entry stores no names
_READABLE_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # no characters that look alike on paper. Sixteen of them are 79 bits.


@transaction.atomic
def add_player(*, club: Club, actor: Actor, **fields: Any) -> Player:
    """Add a player with these PLAYER_FIELDS. Raise ValidationError (by field), ActionRefused."""
    lock_club(club)
    player = Player(club=club)
    _save_player(player, fields)
    record(club=club, actor=actor, verb=Verb.PLAYER_ADDED, subject=player.pk, after=get_values(player, _LOGGED_FIELDS))
    return player


@transaction.atomic
def change_player(*, player: Player, actor: Actor, **fields: Any) -> Player:
    """Replace the given fields; if nothing differs, log nothing. Raise ValidationError (by field), ActionRefused."""
    lock_club(player.club)
    player = Player.objects.select_related("club").get(pk=player.pk)
    if player.erased_on:
        raise ActionRefused(NAME_ERASED)
    before, old_name = get_values(player, _LOGGED_FIELDS), player.name
    _save_player(player, fields)
    _record_player(player, actor, before, renamed=player.name != old_name)
    return player


@transaction.atomic
def set_by_initial(*, player: Player, actor: Actor, by_initial: bool) -> None:
    lock_club(player.club)
    player = Player.objects.select_related("club").get(pk=player.pk)
    before = get_values(player, _LOGGED_FIELDS)
    player.by_initial = by_initial
    player.save(update_fields=["by_initial"])
    _record_player(player, actor, before)


@transaction.atomic
def change_visibility(*, club: Club, actor: Actor, visibility: Mapping[str, bool]) -> None:
    """Set what strangers see: `visibility` has all VISIBILITY_FIELDS. Raise ActionRefused in a demo club."""
    club = Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    before = get_values(club, VISIBILITY_FIELDS)
    after = {name: visibility[name] for name in VISIBILITY_FIELDS}
    if after == before:
        return
    Club.objects.filter(pk=club.pk).update(**after)
    record(club=club, actor=actor, verb=Verb.CLUB_SHOWN, subject=club.pk, before=before, after=after)


def get_values(row: Model, fields: Collection[str]) -> dict[str, Any]:
    """Return these fields of a row for the log."""
    values = model_to_dict(row, fields=fields)
    return {name: one.isoformat() if isinstance(one, datetime.date) else one for name, one in values.items()}


def add_new_login(*, club: Club, actor: Actor, login: str, roles: Collection[str]) -> tuple[Membership, str]:
    """Create a login in the club; return its membership and its first password. Raise LoginTaken, TooManyPasswords,
    ValidationError (of `username`), ActionRefused in a demo club."""
    password = generate_password()
    user = build_login(login, password)
    with transaction.atomic():
        lock_club(club)
        try:
            save_login(user)
        except LoginTaken:
            raise LoginTaken(
                _("Diesen Anmeldenamen gibt es schon. Bitte einen anderen wählen, oder den vorhandenen Zugang einladen.")
            ) from None
        return _add_membership(club, actor, user, roles), password


@transaction.atomic
def add_member(*, club: Club, actor: Actor, login: str, roles: Collection[str]) -> Membership:
    """Add an existing login to the club. For the operator: admins invite. Raise LoginUnknown, AlreadyMember."""
    lock_club(club)
    return _add_membership(club, actor, _find_new_login(club, login), roles)


@transaction.atomic
def invite_member(*, club: Club, actor: Actor, login: str, roles: Collection[str]) -> Invitation:
    """Invite an existing login with these roles; an earlier invitation ends. Raise LoginUnknown, AlreadyMember."""
    lock_club(club)
    user = _find_new_login(club, login)
    offered = {role: role in roles for role in ROLES}
    record(club=club, actor=actor, verb=Verb.MEMBER_INVITED, subject=user.pk, after=offered)
    end_invitation(club, user.pk)
    return Invitation.objects.create(club=club, user=user, created_by=actor.login, **offered)


@transaction.atomic
def accept_invitation(*, invitation: Invitation, user: User) -> Membership:
    """Add the login to the club with the roles of the invitation. Raise ActionRefused, AlreadyMember."""
    lock_club(invitation.club)
    _check_open(invitation, user.pk)
    if Membership.objects.filter(club=invitation.club, user=user).exists():
        raise AlreadyMember
    offered = [role for role in ROLES if getattr(invitation, role)]
    return _add_membership(invitation.club, Actor(user), user, offered)


@transaction.atomic
def withdraw_invitation(*, invitation: Invitation, actor: Actor) -> None:
    """End an invitation. Raise ActionRefused if it has ended."""
    lock_club(invitation.club)
    _check_open(invitation, invitation.user_id)
    end_invitation(invitation.club, invitation.user_id)
    record(
        club=invitation.club,
        actor=actor,
        verb=Verb.MEMBER_UNINVITED,
        subject=invitation.user_id,
        before=get_values(invitation, ROLES),
    )


def end_invitation(club: Club, user: int) -> None:
    """End the invitation of the login with the id `user` into the club, if there is one."""
    Invitation.objects.filter(club=club, user=user, ended_at=None).update(ended_at=timezone.now())


@transaction.atomic
def change_member(*, membership: Membership, actor: Actor, roles: Collection[str]) -> Membership:
    """Replace the roles of a login. Raise ActionRefused if the last admin would lose that role."""
    lock_club(membership.club)
    member = Membership.objects.select_related("club").get(pk=membership.pk)
    before = get_values(member, ROLES)
    if "admin" not in roles:
        _refuse_last_admin(member)
    for role in ROLES:
        setattr(member, role, role in roles)
    if get_values(member, ROLES) != before:
        member.save(update_fields=ROLES)
        record_member(member, actor, before, get_values(member, ROLES))
    return member


@transaction.atomic
def remove_member(*, membership: Membership, actor: Actor) -> None:
    """Remove a login from the club; its player stays, without a login. Raise ActionRefused for the last admin."""
    lock_club(membership.club)
    member = Membership.objects.select_related("club").get(pk=membership.pk)
    _refuse_last_admin(member)
    click = uuid4()
    for player in Player.objects.filter(club=member.club_id, user=member.user_id).select_related("club"):
        before = get_values(player, _LOGGED_FIELDS)
        player.user = None
        player.save(update_fields=["user"])
        _record_player(player, actor, before, click=click)
    record_member(member, actor, get_values(member, ROLES), None, click)
    member.delete()


def record_member(
    member: Membership, actor: Actor, before: dict[str, Any] | None, after: dict[str, Any] | None, click: UUID | None = None
) -> None:
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
    return "-".join("".join(secrets.choice(_READABLE_LETTERS) for _letter in range(4)) for _block in range(4))


def build_login(login: str, password: str) -> User:
    """Return an unsaved login. Hashing is slow, so it is done before the database is locked. Raise TooManyPasswords."""
    user = User(username=User.normalize_username(login))
    user.set_password(password)
    return user


def save_login(user: User) -> None:
    """Raise ValidationError (of `username`), LoginTaken."""
    user.full_clean(validate_unique=False)
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError as taken:
        raise LoginTaken from taken


def lock_club(club: Club) -> None:
    """Lock a club against other changes of its people. Games can be entered meanwhile."""
    Club.with_hidden.select_for_update(no_key=True).get(pk=club.pk)


def _find_new_login(club: Club, login: str) -> User:
    user = find_login(login)
    if user is None or not user.is_active or is_visitor(user):
        raise LoginUnknown
    if Membership.objects.filter(club=club, user=user).exists():
        raise AlreadyMember
    return user


def _check_open(invitation: Invitation, user: int) -> None:
    if not list_open_invitations(invitation.club).filter(pk=invitation.pk, user=user).exists():
        raise ActionRefused(_("Diese Einladung gilt nicht mehr. Bitte den Verwalter des Clubs um eine neue."))


def _refuse_last_admin(member: Membership) -> None:
    if is_last_admin(member):
        raise ActionRefused(_("Ein Club braucht mindestens einen Verwalter."))


def _save_player(player: Player, fields: Mapping[str, Any]) -> None:
    user = fields.get("user")
    if user is not None and not Membership.objects.filter(club=player.club_id, user=user).exists():
        raise ActionRefused(_("Dieser Zugang gehört nicht zum Club."))
    for field, value in fields.items():
        setattr(player, field, value)
    if joined_on := fields.get("joined_on"):
        require_not_in_future("joined_on", joined_on)
    player.full_clean()
    player.save()


def _record_player(
    player: Player, actor: Actor, before: dict[str, Any], renamed: bool = False, click: UUID | None = None
) -> None:
    after = get_values(player, _LOGGED_FIELDS)
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
    record_member(member, actor, None, get_values(member, ROLES))
    end_invitation(club, user.pk)
    return member


@transaction.atomic
def add_first_admin(*, club: Club, admin: str) -> str | None:
    """Add the first admin of a club; for a new login return its first password.
    Raise ValidationError (of `username`), LoginTaken for a login that is blocked."""
    try:
        add_member(club=club, actor=Actor(), login=admin, roles=ROLES)
    except LoginUnknown:
        return add_new_login(club=club, actor=Actor(), login=admin, roles=ROLES)[1]
    return None
