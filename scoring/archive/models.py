"""The uploaded archive of a login, which is no club yet."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from scoring.core.database import max_length_constraint


class WaitingArchive(models.Model):
    """An uploaded archive until it is imported or discarded. The preview names its `digest`, so that the one shown is imported."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="waiting_archive")
    text = models.TextField()
    digest = models.CharField(max_length=64)
    uploaded_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [
            max_length_constraint("digest", 64, "waiting_archive_digest_length"),
            models.CheckConstraint(condition=~Q(text=""), name="waiting_archive_has_text"),
        ]

    def __str__(self) -> str:
        return f"{self.digest} of {self.user_id}"
