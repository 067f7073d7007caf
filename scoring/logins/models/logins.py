"""What is kept of a login beside what Django keeps."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone


class LoginWithoutClub(models.Model):
    """A login that belongs to no club, since when it was first found so: after a time it deletes itself."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="without_club"
    )
    since = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.user_id} since {self.since}"
