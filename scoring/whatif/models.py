"""Valuations by other rules that take longer than one request."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from scoring.club.models import Club


class WhatIfRun(models.Model):
    """One valuation: `done` of its `of` tables are valued, with these `sums` (`Valuation.dump`: ids of players, no names). It is
    valid as long as the stamp of the club is `seen`."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="+")
    query = models.CharField(max_length=1000)
    seen = models.BigIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    of = models.PositiveIntegerField(default=0)
    sums = models.JSONField(default=dict, blank=True)
    valued_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "query"], name="what_if_run_once"),
            models.CheckConstraint(condition=models.Q(done__lte=models.F("of")), name="what_if_run_ends"),
        ]

    def __str__(self) -> str:
        return f"{self.query}: {self.done} / {self.of}"

    @property
    def is_over(self) -> bool:
        return 0 < self.of == self.done
