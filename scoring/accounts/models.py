"""Tables of logins besides Django's own `User`: sessions, logins that belong to no club, and links to join or found a club."""

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

from scoring.club.models import ROLES, Club, WithRoles
from scoring.core.database import max_length_constraint
from scoring.core.links import SecretLink

# Keys in the data of a session: the day of its login (ISO), and the names of browser and system.
SINCE, DEVICE = "since", "device"
LINK_FIELDS: Final = (*ROLES, "most_uses", "ends_on")  # of a link to join: the form and the history
MAX_USES: Final = 50  # a club that invites more people at once makes another link


class LoginWithoutClub(models.Model):
    """A login found to belong to no club at `since`. The hourly tidying deletes it after a time."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="without_club")
    since = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.user_id} since {self.since}"


class Session(AbstractBaseSession):
    """A session that names its login, so that a user can list and end sessions. At the link of a table `user` is empty."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="sessions")
    seen_on = models.DateField(default=timezone.localdate)

    @classmethod
    def get_session_store_class(cls) -> type[SessionStore]:
        return SessionStore


class SessionStore(DatabaseStore):
    """The store that writes `seen_on` once a day: in one column, since a parallel request may be saving the data."""

    def __init__(self, session_key: str | None = None) -> None:
        """Drop a key that Django cannot have made: some databases cannot look up all characters."""
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


class JoinLink(WithRoles, SecretLink):
    """An invitation link: its holder may join the club with these roles, until the end of `ends_on`, at most `most_uses` times."""

    salt = "scoring.JoinLink"

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="join_links")
    most_uses = models.PositiveSmallIntegerField(default=1)
    uses = models.PositiveSmallIntegerField(default=0)
    ends_on = models.DateField()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(most_uses__gte=1, most_uses__lte=MAX_USES), name="join_link_for_some"),
            models.CheckConstraint(condition=Q(uses__lte=F("most_uses")), name="join_link_used_at_most"),
            models.CheckConstraint(condition=Q(admin=False) | Q(most_uses=1), name="join_link_one_admin"),
        ]

    def __str__(self) -> str:
        return f"{self.club_id}/{self.pk}"


class FoundingLink(models.Model):
    """A link that founds one club. Founding deletes the row, and so does a newer link. Only a hash of its secret is stored, so that
    a copy of the database opens nothing."""

    digest = models.CharField(max_length=64, unique=True, editable=False)
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [max_length_constraint("digest", 64, "founding_link_digest_length")]

    def __str__(self) -> str:
        return f"{self.made_at:%Y-%m-%d}"
