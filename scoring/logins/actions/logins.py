"""Deleting a login that belongs to no club any more: by its owner, or by itself after a time. What was entered under it
stays; the history says that it was a login that is gone."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction

from scoring.club.errors import LoginHasClubs, LoginRunsInstallation
from scoring.club.models.people import Membership


@transaction.atomic
def delete_login(*, user: User) -> None:
    """The login, its sessions and what it uploaded are gone. Raises LoginHasClubs, LoginRunsInstallation."""
    locked = User.objects.select_for_update().get(pk=user.pk)
    if locked.is_superuser:
        raise LoginRunsInstallation
    if Membership.objects.filter(user=locked).exists():
        raise LoginHasClubs
    locked.delete()
