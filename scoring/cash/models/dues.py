"""What dues somebody pays: all, less or none, from a month on. Whoever has no row pays all."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from scoring.club.models import Player

from .books import MONTH_LENGTH, is_month


class DuesStatus(models.Model):
    """From this month on, until a later row says something else."""

    class Status(models.TextChoices):
        FULL = "full", _("voll")
        REDUCED = "reduced", _("ermäßigt")
        NONE = "none", _("kein Beitrag")

    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="dues")
    month = models.CharField(max_length=MONTH_LENGTH, validators=[is_month])
    status = models.CharField(max_length=7, choices=Status.choices)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["player", "month"], name="dues_status_once"),
            models.CheckConstraint(condition=Q(month__length=MONTH_LENGTH), name="dues_status_month_length"),
            models.CheckConstraint(condition=Q(status__in=["full", "reduced", "none"]), name="dues_status_known"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}, {self.month}: {self.status}"
