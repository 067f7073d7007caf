"""The books of a club: accounts, entries with their legs, and the months that are closed. They are append-only: what the
database refuses beyond these constraints stands in `laws.py`. An entry is written with its legs and then sealed by getting its
number; only then it counts. No name stands here: a person is their account, and what was typed is the `reason` alone."""

from __future__ import annotations

from typing import Any, Final

from django.conf import settings
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.club.models import Club, Player
from scoring.core.database import max_length_constraint
from scoring.core.text import validate_plain
from scoring.play.models import Evening

from .tariffs import Tariff

# No leg has more cents.
MOST_CENTS: Final = 10**10
HASH_LENGTH: Final = 64
MONTH_LENGTH: Final = 7
CODE_LENGTH: Final = 40
is_month: Final = RegexValidator(r"\A[0-9]{4}-(0[1-9]|1[0-2])\Z")


def login_of() -> Any:
    """A login by its id, which stays when the login is deleted, and then names nobody."""
    return models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        null=True,
        blank=True,
        related_name="+",
    )


class Stored(models.Func):
    """How SQLite stores a value, which takes a fraction or a text in a column of whole numbers. PostgreSQL does not."""

    function = "typeof"
    arity = 1
    output_field = models.CharField()

    def as_postgresql(self, compiler: Any, connection: Any, **extra: Any) -> Any:
        return "'integer'", []


class Year(models.Func):
    """The year of a day, without a function that Python would have to lend to SQLite."""

    template = "CAST(substr(%(expressions)s, 1, 4) AS integer)"
    arity = 1
    output_field = models.PositiveSmallIntegerField()

    def as_postgresql(self, compiler: Any, connection: Any, **extra: Any) -> Any:
        return self.as_sql(compiler, connection, template="EXTRACT(YEAR FROM %(expressions)s)::smallint", **extra)


class Account(models.Model):
    """What the legs of entries are on: the cash box, the bank, what money came from or went for, and one for each person, made
    with their first leg. `code` names it for good, in this club and wherever its archive goes."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="accounts")
    code = models.CharField(
        max_length=CODE_LENGTH,
        validators=[
            RegexValidator(r"\A(cash|bank|equity:opening|member:[1-9][0-9]*|(income|expense):[a-z][a-z0-9_]{0,29})\Z")
        ],
    )
    player = models.OneToOneField(Player, on_delete=models.PROTECT, null=True, blank=True, related_name="account")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "code"], name="account_code_once"),
            max_length_constraint("code", CODE_LENGTH, "account_code_length"),
            models.CheckConstraint(
                condition=Q(code__in=["cash", "bank", "equity:opening"], player=None)
                | Q(code__startswith="income:", player=None)
                | Q(code__startswith="expense:", player=None)
                | Q(code__startswith="member:", player__isnull=False),
                name="account_of_a_kind",
            ),
        ]

    def __str__(self) -> str:
        return self.code


class Kind(models.TextChoices):
    """What was booked."""

    EVENING = "evening", _("Abend")
    REVERSAL = "reversal", _("Storno")
    DUES = "dues", _("Mitgliedsbeiträge")
    FINE = "fine", _("Strafgeld")
    JOINING = "joining", _("Eintrittsgeld")
    LEAVING = "leaving", _("Austritt")
    PAYMENT = "payment", _("Einzahlung")
    PAYOUT = "payout", _("Auszahlung")
    INCOME = "income", _("Einnahme")
    EXPENSE = "expense", _("Ausgabe")
    OUTLAY = "outlay", _("Auslage")
    TRANSFER = "transfer", _("Umbuchung")
    SETTLE = "settle", _("Ausgleich")
    HANDOVER = "handover", _("Schuldübernahme")
    WAIVE = "waive", _("Erlass")
    COUNT = "count", _("Kassensturz")
    OPENING = "opening", _("Anfangsbestand")
    IMPORTED = "imported", _("Aus einer alten Datei")


# Why these were booked has to be said.
EXPLAINED: Final = (Kind.REVERSAL, Kind.WAIVE, Kind.COUNT, Kind.HANDOVER)


class Entry(models.Model):
    """One entry: what happened, on which day it counts, and what it is about, an evening or a month. A `number` seals it."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="entries", db_index=False)
    # Made where it was typed, or from what it follows: a second tap books once.
    key = models.UUIDField(editable=False)
    kind = models.CharField(max_length=10, choices=Kind.choices)
    date = models.DateField()
    year = models.GeneratedField(
        expression=Year("date"), output_field=models.PositiveSmallIntegerField(), db_persist=True
    )
    number = models.PositiveIntegerField(null=True, blank=True, editable=False)
    booked_at = models.DateTimeField(default=timezone.now, editable=False)
    actor = login_of()
    evening = models.ForeignKey(Evening, on_delete=models.PROTECT, null=True, blank=True, related_name="entries")
    month = models.CharField(max_length=MONTH_LENGTH, blank=True, validators=[is_month])
    # By which version it was charged, where it was charged by one.
    tariff = models.ForeignKey(Tariff, on_delete=models.PROTECT, null=True, blank=True, related_name="entries")
    # Nothing but the removal of the club deletes one, and then all of them: only the database looks.
    reverses = models.OneToOneField(
        "self", on_delete=models.DO_NOTHING, null=True, blank=True, related_name="reversed_by"
    )
    reason = models.CharField(_("Grund"), max_length=200, blank=True, validators=[validate_plain])

    class Meta:
        indexes = [models.Index(fields=["club", "date"], name="entry_of_club_by_day")]
        constraints = [
            models.UniqueConstraint(fields=["club", "key"], name="entry_key_once"),
            models.UniqueConstraint(fields=["club", "year", "number"], name="entry_number_once"),
            models.CheckConstraint(condition=Q(number=None) | Q(number__gte=1), name="entry_number_from_1"),
            models.CheckConstraint(condition=Q(evening=None) | Q(month=""), name="entry_about_one_thing"),
            models.CheckConstraint(condition=Q(month="") | Q(month__length=MONTH_LENGTH), name="entry_month_length"),
            models.CheckConstraint(
                condition=Q(kind="reversal", reverses__isnull=False) | ~Q(kind="reversal") & Q(reverses=None),
                name="entry_reversal_reverses",
            ),
            models.CheckConstraint(condition=Q(kind__in=Kind.values), name="entry_kind_known"),
            models.CheckConstraint(condition=~Q(kind__in=EXPLAINED) | ~Q(reason=""), name="entry_explained"),
            max_length_constraint("reason", 200, "entry_reason_length"),
        ]

    def __str__(self) -> str:
        return "–" if self.number is None else f"{self.year}-{self.number:03}"


class Leg(models.Model):
    """So many cents on one account, of one kind. Plus is what the club has or is owed."""

    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="legs", db_index=False)
    account = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="legs")
    cents = models.BigIntegerField()
    kind = models.CharField(
        max_length=CODE_LENGTH, validators=[RegexValidator(r"\A[a-z]{1,9}(\.[a-z][a-z0-9_]{0,29})?\Z")]
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["entry", "account", "kind"], name="leg_once"),
            models.CheckConstraint(
                condition=Q(cents__gte=-MOST_CENTS, cents__lte=MOST_CENTS) & ~Q(cents=0), name="leg_cents_in_bounds"
            ),
            models.CheckConstraint(
                condition=models.lookups.Exact(Stored(F("cents")), models.Value("integer")), name="leg_cents_whole"
            ),
            max_length_constraint("kind", CODE_LENGTH, "leg_kind_length"),
            models.CheckConstraint(condition=~Q(kind=""), name="leg_has_kind"),
        ]

    def __str__(self) -> str:
        return f"{self.entry_id} {self.account_id}: {self.cents}"


class Period(models.Model):
    """A month that is closed: its `statement` as it was published, and the SHA-256 of that. Months close in order, and none
    opens again."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="periods")
    month = models.CharField(max_length=MONTH_LENGTH, validators=[is_month])
    statement = models.TextField()
    sha256 = models.CharField(max_length=HASH_LENGTH)
    closed_at = models.DateTimeField(default=timezone.now)
    closed_by = login_of()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "month"], name="period_month_once"),
            models.CheckConstraint(condition=Q(month__length=MONTH_LENGTH), name="period_month_length"),
            models.CheckConstraint(condition=Q(sha256__length=HASH_LENGTH), name="period_hashed"),
            models.CheckConstraint(condition=~Q(statement=""), name="period_has_statement"),
        ]

    def __str__(self) -> str:
        return self.month
