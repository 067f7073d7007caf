"""Ending sessions of one's own: one, or all but the one that asks. The phone is logged out at its next request; what waits
in its outbox stays there."""

from __future__ import annotations

from django.contrib.auth.models import User

from scoring.logins.models.sessions import Session
from scoring.logins.queries import name_of


def end_session(*, user: User, name: str) -> bool:
    """End the session that has this name in the list; False where it had ended already."""
    named = [session.pk for session in Session.objects.filter(user=user) if name_of(session.pk) == name]
    return bool(Session.objects.filter(pk__in=named).delete()[0])


def end_other_sessions(*, user: User, here: str) -> None:
    """End every session of this login but the one with the key `here`."""
    Session.objects.filter(user=user).exclude(pk=here).delete()
