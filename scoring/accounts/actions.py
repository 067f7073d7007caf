from __future__ import annotations

from typing import Any, Final

from django.contrib.auth.models import User
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import gettext_lazy as _

from scoring.accounts.models import LINK_FIELDS, JoinLink, Session
from scoring.accounts.queries import hash_session_key, is_member, list_open_join_links, list_players_without_login
from scoring.club.actions import (
    IN_DEMO,
    Actor,
    AlreadyMember,
    build_login,
    change_player,
    end_invitation,
    get_values,
    lock_club,
    record,
    record_member,
    save_login,
)
from scoring.club.models import ROLES, Club, Membership, Verb, is_visitor
from scoring.club.queries import is_shared_login
from scoring.core.errors import ActionRefused


class JoinLinkExpired(ActionRefused):
    """The link is expired, ended or used up, or the user who made it is no admin any more."""

    sentence = _(
        "Diese Einladung gilt nicht mehr: Sie ist abgelaufen, beendet oder schon benutzt. Ein Verwalter des Clubs kann eine"
        " neue machen."
    )
    status = 410


@transaction.atomic
def delete_login(*, user: User) -> None:
    """Delete a login without a club, with its sessions and uploads. Its entries stay. Raise ActionRefused."""
    locked = User.objects.select_for_update().get(pk=user.pk)
    if locked.is_superuser:
        raise ActionRefused(_("Dieser Zugang verwaltet die ganze Installation und bleibt."))
    if Membership.objects.filter(user=locked).exists():
        raise ActionRefused(_("Dieser Zugang gehört noch zu einem Club. Ein Verwalter des Clubs kann ihn herausnehmen."))
    locked.delete()


def save_mail_address(*, user: User, address: str) -> None:
    """Set the address for links to a new password. Links sent before become invalid."""
    user.email = User.objects.normalize_email(address)
    user.save(update_fields=["email"])


def end_session(*, user: User, hashed_key: str) -> bool:
    """End the session with this hashed key; return False if there is none. Unsent games stay in the phone's outbox (outbox.ts)."""
    keys = [session.pk for session in Session.objects.filter(user=user) if hash_session_key(session.pk) == hashed_key]
    return bool(Session.objects.filter(pk__in=keys).delete()[0])


def end_other_sessions(*, user: User, current_key: str) -> None:
    Session.objects.filter(user=user).exclude(pk=current_key).delete()


class ResetTokens(PasswordResetTokenGenerator):
    """Tokens for a new password, valid once and for a day. Unlike Django's they also end with any change of clubs or of their
    admins: a former admin keeps no way into a login, and no link outlives joining a club."""

    key_salt = "scoring.logins.ResetTokens"

    def _make_hash_value(self, user: User, timestamp: int) -> str:
        memberships = Membership.objects.filter(club__memberships__user=user).order_by("pk")
        clubs = [(one.pk, one.admin) for one in memberships if one.admin or one.user_id == user.pk]
        return f"{super()._make_hash_value(user, timestamp)}{user.is_superuser}{clubs}"


RESET_TOKENS: Final = ResetTokens()


def build_reset_path(user: User) -> str:
    uid, token = urlsafe_base64_encode(force_bytes(user.pk)), RESET_TOKENS.make_token(user)
    return reverse("password_reset_confirm", args=[uid, token])


@transaction.atomic
def make_reset_link(*, membership: Membership, actor: Actor) -> str:
    """Return the path of a link to a new password. The old one works until the link is used.
    Raise ActionRefused if the login is a superuser's or in another club too: no club may take it over."""
    lock_club(membership.club)
    member = Membership.objects.select_related("club", "user").get(pk=membership.pk)
    if is_shared_login(member):
        raise ActionRefused(
            _(
                "Dieser Zugang gehört auch zu einem anderen Club, oder er betreibt die Installation. Ein neues Passwort bekommt er "
                "nur per Mail oder vom Betreiber."
            )
        )
    before = get_values(member, ROLES)
    record_member(member, actor, before, {**before, "reset_link": True})
    return build_reset_path(member.user)


@transaction.atomic
def create_join_link(*, club: Club, actor: Actor, **fields: Any) -> JoinLink:
    """Create a link to join the club with these LINK_FIELDS. Raise ValidationError (by field)."""
    lock_club(club)
    link = JoinLink(club=club, created_by=actor.login, **fields)
    link.full_clean()
    link.save()
    record(club=club, actor=actor, verb=Verb.LINK_MADE, subject=link.pk, after=get_values(link, LINK_FIELDS))
    return link


@transaction.atomic
def end_join_link(*, link: JoinLink, actor: Actor) -> None:
    """End a link before its last day. Raise JoinLinkExpired if it cannot be used any more."""
    locked = _lock_open_link(link)
    locked.ended_at = timezone.now()
    locked.save(update_fields=["ended_at"])
    record(club=link.club, actor=actor, verb=Verb.LINK_ENDED, subject=link.pk, before=get_values(locked, LINK_FIELDS))


@transaction.atomic
def join(*, link: JoinLink, user: User, player_id: int | None) -> Membership:
    """Join the club, as this player if one is given. Raise JoinLinkExpired, AlreadyMember, or ActionRefused (at the form field
    `person` if the player has a login by now, status 403 for a visitor of the demo)."""
    return _join(_lock_open_link(link), user, player_id)


def join_with_new_login(*, link: JoinLink, login: str, password: str, player_id: int | None) -> Membership:
    """Create a login and join with it. Raise LoginTaken, ValidationError, TooManyPasswords, and what `join` raises."""
    user = build_login(login, password)
    with transaction.atomic():
        locked = _lock_open_link(link)
        save_login(user)
        return _join(locked, user, player_id)


def _lock_open_link(link: JoinLink) -> JoinLink:
    """Lock the club and read the link again: of two requests for its last use one is refused."""
    lock_club(link.club)
    locked = list_open_join_links(link.club).filter(pk=link.pk).first()
    if locked is None:
        raise JoinLinkExpired
    return locked


def _join(link: JoinLink, user: User, player_id: int | None) -> Membership:
    if is_visitor(user):
        raise ActionRefused(IN_DEMO, status=403)
    if is_member(link.club, user):
        raise AlreadyMember
    link.uses += 1
    link.save(update_fields=["uses"])
    member = Membership.objects.create(club=link.club, user=user, **{role: getattr(link, role) for role in ROLES})
    record(club=link.club, actor=Actor(user), verb=Verb.MEMBER_JOINED, subject=user.pk, after=get_values(member, ROLES))
    end_invitation(link.club, user.pk)
    if player_id is not None:
        player = list_players_without_login(link.club).filter(pk=player_id).select_related("club").first()
        if player is None:
            sentence = _("Diese Person hat inzwischen einen Zugang. Bitte noch einmal nachsehen.")
            raise ActionRefused(sentence, field="person")
        change_player(player=player, actor=Actor(user), name=player.name, user=user)
    return member
