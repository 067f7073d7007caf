"""A question of What if that takes longer than one request: how far it has come, and the sums so far. It is valid as long
as nothing changes in the club. Of people it stores only their numbers."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from scoring.club.models import Club


class WhatIfRun(models.Model):
    """`query` is what was asked, as the end of its address; `seen` the stamp of the club when it was valued (`get_change_stamp`);
    `done` of all its tables, `of`, are valued, and `sums` are theirs (`whatif/queries.py`)."""

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
