"""The link by which somebody founds a club without having one here. Of its secret only a hash is stored, so that what stands in
the database, or in a copy of it, opens nothing."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from scoring.core.database import max_length_constraint


class FoundingLink(models.Model):
    """A link that founds one club. The row is there as long as it can: founding takes it away, and so does a newer link."""

    digest = models.CharField(max_length=64, unique=True, editable=False)
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [max_length_constraint("digest", 64, "founding_link_digest_length")]

    def __str__(self) -> str:
        return f"{self.made_at:%Y-%m-%d}"
