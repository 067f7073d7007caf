"""The link with which a club can be founded. Only a hash of its secret is stored, so that a copy of the database opens nothing."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from scoring.core.database import max_length_constraint


class FoundingLink(models.Model):
    """A link that founds one club. Founding deletes the row, and so does a newer link."""

    digest = models.CharField(max_length=64, unique=True, editable=False)
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [max_length_constraint("digest", 64, "founding_link_digest_length")]

    def __str__(self) -> str:
        return f"{self.made_at:%Y-%m-%d}"
