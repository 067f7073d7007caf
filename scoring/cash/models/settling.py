"""Who pays whom directly, as it was agreed: a settlement with its lines, which never change. It is no money: a line that
was paid is an entry of the books, under the key of the line."""

from __future__ import annotations

from uuid import UUID, uuid5

from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from scoring.club.models import Club, Player
from scoring.play.models import Evening

from .books import MOST_CENTS, login_of


class Settlement(models.Model):
    """Chosen people settle what is open: of an `evening` what is left of it, else their balances."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="settlements")
    key = models.UUIDField(editable=False)
    evening = models.ForeignKey(Evening, on_delete=models.PROTECT, null=True, blank=True, related_name="settlements")
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    made_by = login_of()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["club", "key"], name="settlement_key_once")]

    def __str__(self) -> str:
        return f"{self.made_at:%Y-%m-%d}"


class SettlementLine(models.Model):
    """Somebody pays somebody; nobody is the Kasse, on one side at most."""

    settlement = models.ForeignKey(Settlement, on_delete=models.PROTECT, related_name="lines")
    place = models.PositiveSmallIntegerField()
    payer = models.ForeignKey(Player, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    receiver = models.ForeignKey(Player, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    cents = models.BigIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["settlement", "place"], name="settlement_line_once"),
            models.CheckConstraint(condition=Q(cents__gte=1, cents__lte=MOST_CENTS), name="settlement_line_cents"),
            models.CheckConstraint(
                condition=Q(payer=None, receiver__isnull=False)
                | Q(payer__isnull=False, receiver=None)
                | Q(payer__isnull=False, receiver__isnull=False) & ~Q(payer=F("receiver")),
                name="settlement_line_of_two",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.settlement_id}/{self.place}: {self.cents}"

    @property
    def key(self) -> UUID:
        """Under which it is booked, once."""
        return uuid5(self.settlement.key, f"line/{self.place}")
