"""What is stored of a login beside Django's own row: since when it has no club, and its sessions, so that people can look
through their own sessions and end them."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any, Final

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import DatabaseError, models
from django.db.models import F, Q
from django.utils import timezone

from scoring.club.models.people import Club
from scoring.core.links import SecretLink


class LoginWithoutClub(models.Model):
    """A login that belongs to no club, since when it was first found so: after a time it deletes itself."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="without_club"
    )
    since = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.user_id} since {self.since}"


# What a session keeps from logging in to logging out: since which day (ISO), and the browser and the system by their names.
SINCE, DEVICE = "since", "device"


class Session(AbstractBaseSession):
    """`user` is empty where nobody is logged in, as at the link of a table. Saving one means that it was seen today."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="sessions"
    )
    seen_on = models.DateField(default=timezone.localdate)

    @classmethod
    def get_session_store_class(cls) -> type[SessionStore]:
        return SessionStore


class SessionStore(DatabaseStore):
    """Django's own store, which keeps this model. It reads what it finds in one query, and writes the day once a day: to
    one column, so that nothing that another request of the phone keeps meanwhile is lost. Where that cannot be written
    now, it is not worth an error."""

    def __init__(self, session_key: str | None = None) -> None:
        """Take the key of a cookie if it can be one: Django takes any eight characters, and not every database looks for all."""
        super().__init__(session_key if re.fullmatch("[a-z0-9]{8,40}", session_key or "") else None)

    @classmethod
    def get_model_class(cls) -> type[Session]:
        return Session

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        row: Session = super().create_model_instance(data)  # type: ignore[assignment]  # of get_model_class
        row.user_id = data.get(SESSION_KEY)
        return row

    def _get_session_from_db(self) -> Session | None:
        row: Session | None = super()._get_session_from_db()  # type: ignore[misc]  # the stubs leave it out
        today = timezone.localdate()
        if row is not None and row.user_id is not None and row.seen_on < today:
            with suppress(DatabaseError):
                Session.objects.filter(pk=row.pk).update(seen_on=today)
        return row


# More people than a club invites at once; whoever needs more makes another one.
MOST: Final = 50


class JoinLink(SecretLink):
    """What a club offers to the next `most_uses` people who open it, up to and with the day `ends_on`. Whoever joins by it
    reads, and has these roles besides."""

    salt = "scoring.JoinLink"

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="join_links")
    scorer = models.BooleanField(default=False)
    treasurer = models.BooleanField(default=False)
    admin = models.BooleanField(default=False)
    most_uses = models.PositiveSmallIntegerField(default=1)
    uses = models.PositiveSmallIntegerField(default=0)
    ends_on = models.DateField()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(most_uses__gte=1, most_uses__lte=MOST), name="join_link_for_some"),
            models.CheckConstraint(condition=Q(uses__lte=F("most_uses")), name="join_link_used_at_most"),
            models.CheckConstraint(condition=Q(admin=False) | Q(most_uses=1), name="join_link_one_admin"),
        ]

    def __str__(self) -> str:
        return f"{self.club_id}/{self.pk}"
