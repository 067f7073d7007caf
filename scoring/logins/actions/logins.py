"""The address of mail of a login; deleting a login that belongs to no club any more, by its owner or by itself after a time; and
ending sessions of one's own. What was entered under a deleted login stays; the history says that it was a login that is
gone. A phone whose session ends is logged out at its next request, and what waits in its outbox stays there."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction

from scoring.club.errors import LoginHasClubs, LoginRunsInstallation
from scoring.club.models.people import Membership
from scoring.logins.models import Session
from scoring.logins.queries import name_of


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
