"""Rows beside the books: payments that members report before anybody confirms them, counts of the cash box, the names of a
club's own accounts, who countersigned a month, and the month in which a year of the Kasse begins. None of them is money:
only an entry is."""

from __future__ import annotations

from typing import Final

from django.core.validators import RegexValidator
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.club.models import NAME_LENGTH, Club, Player
from scoring.core.database import max_length_constraint
from scoring.core.text import validate_plain

from .books import MOST_CENTS, Entry, Period, login_of

NOTE_LENGTH: Final = 200
HEADING_LENGTH: Final = 40


class Box(models.TextChoices):
    """Where the money of the club lies."""

    CASH = "cash", _("bar in die Kasse")
    BANK = "bank", _("auf das Konto")


class Report(models.Model):
    """„Ich habe gezahlt“: it waits until the treasurer confirms it, whole, or refuses it with a `reason`. An entry that
    follows from it has its key."""

    class State(models.TextChoices):
        WAITING = "waiting", _("wartet auf Bestätigung")
        CONFIRMED = "confirmed", _("bestätigt")
        REFUSED = "refused", _("abgelehnt")
        WITHDRAWN = "withdrawn", _("zurückgezogen")

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="reports")
    key = models.UUIDField(editable=False)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="reports")
    cents = models.BigIntegerField()
    box = models.CharField(max_length=4, choices=Box.choices)
    date = models.DateField()
    note = models.CharField(max_length=NOTE_LENGTH, blank=True, validators=[validate_plain])
    reported_at = models.DateTimeField(default=timezone.now, editable=False)
    reported_by = login_of()
    state = models.CharField(max_length=9, choices=State.choices, default=State.WAITING)
    reason = models.CharField(max_length=NOTE_LENGTH, blank=True, validators=[validate_plain])
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = login_of()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "key"], name="report_key_once"),
            models.CheckConstraint(condition=Q(cents__gte=1, cents__lte=MOST_CENTS), name="report_cents_in_bounds"),
            models.CheckConstraint(condition=Q(box__in=Box.values), name="report_box_known"),
            models.CheckConstraint(
                condition=Q(state="waiting", decided_at=None)
                | Q(state__in=["confirmed", "refused", "withdrawn"], decided_at__isnull=False),
                name="report_decided_once",
            ),
            models.CheckConstraint(
                condition=Q(state="refused") & ~Q(reason="") | ~Q(state="refused") & Q(reason=""),
                name="report_refused_with_reason",
            ),
            max_length_constraint("note", NOTE_LENGTH, "report_note_length"),
            max_length_constraint("reason", NOTE_LENGTH, "report_reason_length"),
        ]

    def __str__(self) -> str:
        return f"{self.key}: {self.cents}"


class CashCount(models.Model):
    """The cash box as two people counted it, and what the books said then. A difference was booked by `entry`."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="counts")
    key = models.UUIDField(editable=False)
    counted_at = models.DateTimeField(default=timezone.now, editable=False)
    cents = models.BigIntegerField()
    booked = models.BigIntegerField()
    counter = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    witness = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    entry = models.OneToOneField(Entry, on_delete=models.PROTECT, null=True, blank=True, related_name="counted")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "key"], name="count_key_once"),
            models.CheckConstraint(condition=Q(cents__gte=0, cents__lte=MOST_CENTS), name="count_cents_in_bounds"),
            models.CheckConstraint(condition=~Q(counter=F("witness")), name="count_has_witness"),
            models.CheckConstraint(
                condition=Q(cents=F("booked"), entry=None) | ~Q(cents=F("booked")) & Q(entry__isnull=False),
                name="count_difference_booked",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.counted_at:%Y-%m-%d}: {self.cents}"


class Heading(models.Model):
    """What an account of the club's own is called: another kind of income or expense."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="headings")
    code = models.CharField(
        max_length=HEADING_LENGTH, validators=[RegexValidator(r"\A(income|expense):[a-z][a-z0-9_]{0,29}\Z")]
    )
    name = models.CharField(_("Name"), max_length=NAME_LENGTH, validators=[validate_plain])

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "code"], name="heading_code_once"),
            max_length_constraint("code", HEADING_LENGTH, "heading_code_length"),
            max_length_constraint("name", NAME_LENGTH, "heading_name_length"),
            models.CheckConstraint(condition=~Q(name=""), name="heading_named"),
        ]

    def __str__(self) -> str:
        return self.name


class Countersignature(models.Model):
    """Somebody else than who closed a month looked at its statement and says so."""

    period = models.ForeignKey(Period, on_delete=models.PROTECT, related_name="countersignatures")
    signed_at = models.DateTimeField(default=timezone.now, editable=False)
    signed_by = login_of()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["period", "signed_by"], name="countersigned_once")]

    def __str__(self) -> str:
        return f"{self.period_id} @ {self.signed_at:%Y-%m-%d}"


class BookYear(models.Model):
    """In which month the year of a club's Kasse begins, where it is not January."""

    club = models.OneToOneField(Club, on_delete=models.PROTECT, related_name="book_year")
    first_month = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(first_month__gte=1, first_month__lte=12), name="book_year_of_a_month")
        ]

    def __str__(self) -> str:
        return f"{self.club_id}: {self.first_month}"
