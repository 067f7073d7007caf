"""The facts that decide what an evening costs: who was there and as what, and the fines. Facts can be corrected; what follows
from them is booked (`actions/evenings.py`). When two people are merged, each keeps their own rows, and both are read as one
person (`queries/facts.py`)."""

from __future__ import annotations

import uuid
from typing import Final

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.cash.rules.evening import MOST_DRINKS
from scoring.cash.rules.fields import MOST_CENTS, is_code
from scoring.club.models import Player
from scoring.core.database import max_length_constraint
from scoring.play.models import Evening

CODE_LENGTH: Final = 30


class Attendance(models.Model):
    """Somebody of an evening: there, as a guest or a member, or a member who was absent. `place` is the order by which odd cents
    go. What somebody is later, a member or a guest, changes nothing here."""

    class Absence(models.TextChoices):
        EXCUSED = "excused", _("entschuldigt")
        UNEXCUSED = "unexcused", _("unentschuldigt")
        FREE = "free", _("frei")

    evening = models.ForeignKey(Evening, on_delete=models.PROTECT, related_name="attendance", db_index=False)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="attendance")
    place = models.PositiveSmallIntegerField()
    guest = models.BooleanField(default=False)
    absence = models.CharField(max_length=9, choices=Absence.choices, blank=True)
    brought_by = models.ForeignKey(Player, on_delete=models.PROTECT, null=True, blank=True, related_name="brought")
    # How many of each drink of the tariff's list, by its code.
    drinks = models.JSONField(default=dict, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["evening", "player"], name="attendance_once"),
            models.UniqueConstraint(fields=["evening", "place"], name="attendance_place_once"),
            models.CheckConstraint(
                condition=Q(absence__in=["", "excused", "unexcused", "free"]), name="attendance_absence_known"
            ),
            models.CheckConstraint(condition=~Q(guest=True) | Q(absence=""), name="attendance_guest_is_there"),
            models.CheckConstraint(
                condition=Q(brought_by=None) | Q(guest=True) & ~Q(brought_by=F("player")),
                name="attendance_guest_brought",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.evening_id}/{self.place}"

    def clean(self) -> None:
        drunk = self.drinks.items() if isinstance(self.drinks, dict) else [("", 0)]
        if not all(is_code(code) and type(count) is int and 1 <= count <= MOST_DRINKS for code, count in drunk):
            raise ValidationError({"drinks": _("Je Getränk eine Anzahl von 1 bis 999.")})


class Fine(models.Model):
    """One fine of an evening. `amount` is what its form in the tariff asks for: how many, minutes or cents, as `unit` says. One
    that is struck out costs nothing, nor does one that `waits`: it came too late, for somebody who decides."""

    class Unit(models.TextChoices):
        COUNT = "count", _("Anzahl")
        MINUTES = "minutes", _("Minuten")
        CENTS = "cents", _("Cent")

    # Made on the phone: a second tap on the same button is the same fine.
    key = models.UUIDField(primary_key=True, default=uuid.uuid4)
    evening = models.ForeignKey(Evening, on_delete=models.PROTECT, related_name="fines")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="fines")
    code = models.CharField(max_length=CODE_LENGTH, validators=[RegexValidator(r"\A[a-z][a-z0-9_]{0,29}\Z")])
    unit = models.CharField(max_length=7, choices=Unit.choices)
    amount = models.PositiveIntegerField()
    struck = models.BooleanField(default=False)
    waits = models.BooleanField(default=False)
    entered_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True)
    entered_at = models.DateTimeField(default=timezone.now, editable=False)
    # Where it came too late, the id of the table's link by which it came: one link can send only so many.
    by_link = models.PositiveBigIntegerField(null=True, blank=True)

    class Meta:
        constraints = [
            max_length_constraint("code", CODE_LENGTH, "fine_code_length"),
            models.CheckConstraint(condition=~Q(code=""), name="fine_has_code"),
            models.CheckConstraint(condition=Q(waits=False) | Q(struck=False), name="fine_waits_or_is_struck"),
            models.CheckConstraint(
                condition=Q(unit="minutes", amount__lte=1440)
                | Q(unit="count", amount__gte=1, amount__lte=999)
                | Q(unit="cents", amount__gte=1, amount__lte=MOST_CENTS),
                name="fine_amount_in_bounds",
            ),
        ]

    def __str__(self) -> str:
        return str(self.key)
