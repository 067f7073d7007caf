"""The tables of the Kasse.

The books (accounts, entries with their legs, closed months) are append-only; what the database refuses beyond these
constraints stands in `laws.py`. An entry is written with its legs and then sealed by getting its number; only then it counts.
The books hold no names: a person is an account. All other tables hold what the books follow from (tariffs, attendance, fines,
statuses of dues) or what stands beside them (reported payments, counts, settlements, headings); none of these is money."""

from __future__ import annotations

import json
import uuid
from functools import cached_property, lru_cache
from typing import Any, Final
from uuid import UUID, uuid5

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import CheckConstraint, F, Q, UniqueConstraint
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.cash.evening.rules import MOST_DRINKS
from scoring.cash.rules.fields import MOST_CENTS, Fields, is_code
from scoring.cash.tariff.rules import TariffRules, read_tariff
from scoring.club.models import NAME_LENGTH, Club, Player
from scoring.core.database import max_length_constraint
from scoring.core.text import validate_plain
from scoring.play.models import Evening
from scoring.rules.validation import Refused


@lru_cache(maxsize=64)
def _parse_content(data: str) -> TariffRules:
    fields = Fields({"tariff": json.loads(data)}, "", {})
    tariff = read_tariff(fields.get_inner("tariff"))
    fields.finish()
    return tariff


def parse_content(content: Any) -> TariffRules:
    """Check the content of a tariff and return it ready to charge by. Raises Refused, by path from `tariff.` on."""
    return _parse_content(json.dumps(content, sort_keys=True))


class Tariff(models.Model):
    """One version of the tariff of a club; the latest one is the tariff of the next evening."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="tariffs")
    version = models.PositiveSmallIntegerField(_("Fassung"), default=1)
    content = models.JSONField(default=dict, blank=True)
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [
            UniqueConstraint(fields=["club", "version"], name="tariff_version_once"),
            CheckConstraint(condition=Q(version__gte=1), name="tariff_version_from_1"),
        ]

    def __str__(self) -> str:
        return str(_("Tarif, Fassung %(version)s") % {"version": self.version})

    def clean(self) -> None:
        try:
            parse_content(self.content)
        except Refused as refused:
            raise ValidationError({"content": [str(s) for s in refused.fields.values()]}) from refused

    @cached_property
    def rules(self) -> TariffRules:
        return parse_content(self.content)


# The largest amount of a leg.
MAX_LEG_CENTS: Final = 10**10
HASH_LENGTH: Final = 64
MONTH_LENGTH: Final = 7
CODE_LENGTH: Final = 40
validate_month: Final = RegexValidator(r"\A[0-9]{4}-(0[1-9]|1[0-2])\Z")


def build_login_key() -> Any:
    """Build a foreign key to a login. The id stays in the row after the login is deleted."""
    return models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        null=True,
        blank=True,
        related_name="+",
    )


class Stored(models.Func):
    """The type by which SQLite stores a value: it accepts a fraction or a text in a column of integers."""

    function = "typeof"
    arity = 1
    output_field = models.CharField()

    def as_postgresql(self, compiler: Any, connection: Any, **extra: Any) -> Any:
        return "'integer'", []


class Year(models.Func):
    """The year of a day, computed in SQL without a function of Python."""

    template = "CAST(substr(%(expressions)s, 1, 4) AS integer)"
    arity = 1
    output_field = models.PositiveSmallIntegerField()

    def as_postgresql(self, compiler: Any, connection: Any, **extra: Any) -> Any:
        return self.as_sql(compiler, connection, template="EXTRACT(YEAR FROM %(expressions)s)::smallint", **extra)


class Account(models.Model):
    """An account: the cash box, the bank, one for opening balances, one per source of income or expense, and one per person, made
    with their first leg. `code` identifies it for good, in this club and in archives of it."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="accounts")
    code = models.CharField(
        max_length=CODE_LENGTH,
        validators=[RegexValidator(r"\A(cash|bank|equity:opening|member:[1-9][0-9]*|(income|expense):[a-z][a-z0-9_]{0,29})\Z")],
    )
    player = models.OneToOneField(Player, on_delete=models.PROTECT, null=True, blank=True, related_name="account")

    class Meta:
        constraints = [
            UniqueConstraint(fields=["club", "code"], name="account_code_once"),
            max_length_constraint("code", CODE_LENGTH, "account_code_length"),
            CheckConstraint(
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


# These kinds need a reason.
EXPLAINED: Final = (Kind.REVERSAL, Kind.WAIVE, Kind.COUNT, Kind.HANDOVER)


class Entry(models.Model):
    """One entry: its kind, the day on which it counts, and the evening or month that it is about. A `number` seals it."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="entries", db_index=False)
    # From the form, or computed from the source of the entry: a second tap books once.
    key = models.UUIDField(editable=False)
    kind = models.CharField(max_length=10, choices=Kind.choices)
    date = models.DateField()
    year = models.GeneratedField(expression=Year("date"), output_field=models.PositiveSmallIntegerField(), db_persist=True)
    number = models.PositiveIntegerField(null=True, blank=True, editable=False)
    booked_at = models.DateTimeField(default=timezone.now, editable=False)
    actor = build_login_key()
    evening = models.ForeignKey(Evening, on_delete=models.PROTECT, null=True, blank=True, related_name="entries")
    month = models.CharField(max_length=MONTH_LENGTH, blank=True, validators=[validate_month])
    # The version by which it was charged, if any.
    tariff = models.ForeignKey(Tariff, on_delete=models.PROTECT, null=True, blank=True, related_name="entries")
    # Only the removal of the club deletes entries, and then all of them; the database alone checks.
    reverses = models.OneToOneField("self", on_delete=models.DO_NOTHING, null=True, blank=True, related_name="reversed_by")
    reason = models.CharField(_("Grund"), max_length=200, blank=True, validators=[validate_plain])

    class Meta:
        indexes = [models.Index(fields=["club", "date"], name="entry_of_club_by_day")]
        constraints = [
            UniqueConstraint(fields=["club", "key"], name="entry_key_once"),
            UniqueConstraint(fields=["club", "year", "number"], name="entry_number_once"),
            CheckConstraint(condition=Q(number=None) | Q(number__gte=1), name="entry_number_from_1"),
            CheckConstraint(condition=Q(evening=None) | Q(month=""), name="entry_about_one_thing"),
            CheckConstraint(condition=Q(month="") | Q(month__length=MONTH_LENGTH), name="entry_month_length"),
            CheckConstraint(
                condition=Q(kind="reversal", reverses__isnull=False) | ~Q(kind="reversal") & Q(reverses=None),
                name="entry_reversal_reverses",
            ),
            CheckConstraint(condition=Q(kind__in=Kind.values), name="entry_kind_known"),
            CheckConstraint(condition=~Q(kind__in=EXPLAINED) | ~Q(reason=""), name="entry_explained"),
            max_length_constraint("reason", 200, "entry_reason_length"),
        ]

    def __str__(self) -> str:
        return "–" if self.number is None else f"{self.year}-{self.number:03}"

    @property
    def kind_label(self) -> str:
        """The kind in words. Django's `get_kind_display` would translate all kinds each time."""
        return str(Kind(self.kind).label)


class Leg(models.Model):
    """Cents on one account, of one kind. Plus is what the club has or is owed."""

    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="legs", db_index=False)
    account = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="legs")
    cents = models.BigIntegerField()
    kind = models.CharField(max_length=CODE_LENGTH, validators=[RegexValidator(r"\A[a-z]{1,9}(\.[a-z][a-z0-9_]{0,29})?\Z")])

    class Meta:
        constraints = [
            UniqueConstraint(fields=["entry", "account", "kind"], name="leg_once"),
            CheckConstraint(
                condition=Q(cents__gte=-MAX_LEG_CENTS, cents__lte=MAX_LEG_CENTS) & ~Q(cents=0), name="leg_cents_in_bounds"
            ),
            CheckConstraint(condition=models.lookups.Exact(Stored(F("cents")), models.Value("integer")), name="leg_cents_whole"),
            max_length_constraint("kind", CODE_LENGTH, "leg_kind_length"),
            CheckConstraint(condition=~Q(kind=""), name="leg_has_kind"),
        ]

    def __str__(self) -> str:
        return f"{self.entry_id} {self.account_id}: {self.cents}"


class Period(models.Model):
    """A closed month: its `statement` as it was published, and the SHA-256 of it."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="periods")
    month = models.CharField(max_length=MONTH_LENGTH, validators=[validate_month])
    statement = models.TextField()
    sha256 = models.CharField(max_length=HASH_LENGTH)
    closed_at = models.DateTimeField(default=timezone.now)
    closed_by = build_login_key()

    class Meta:
        constraints = [
            UniqueConstraint(fields=["club", "month"], name="period_month_once"),
            CheckConstraint(condition=Q(month__length=MONTH_LENGTH), name="period_month_length"),
            CheckConstraint(condition=Q(sha256__length=HASH_LENGTH), name="period_hashed"),
            CheckConstraint(condition=~Q(statement=""), name="period_has_statement"),
        ]

    def __str__(self) -> str:
        return self.month


NOTE_LENGTH: Final = 200
HEADING_LENGTH: Final = 40


class Box(models.TextChoices):
    CASH = "cash", _("bar in die Kasse")
    BANK = "bank", _("auf das Konto")


class Report(models.Model):
    """A payment that a member reports. It waits until the treasurer confirms it as a whole, or refuses it with a `reason`.
    The entry that follows has its key."""

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
    reported_by = build_login_key()
    state = models.CharField(max_length=9, choices=State.choices, default=State.WAITING)
    reason = models.CharField(max_length=NOTE_LENGTH, blank=True, validators=[validate_plain])
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = build_login_key()

    class Meta:
        constraints = [
            UniqueConstraint(fields=["club", "key"], name="report_key_once"),
            CheckConstraint(condition=Q(cents__gte=1, cents__lte=MAX_LEG_CENTS), name="report_cents_in_bounds"),
            CheckConstraint(condition=Q(box__in=Box.values), name="report_box_known"),
            CheckConstraint(
                condition=Q(state="waiting", decided_at=None)
                | Q(state__in=["confirmed", "refused", "withdrawn"], decided_at__isnull=False),
                name="report_decided_once",
            ),
            CheckConstraint(
                condition=Q(state="refused") & ~Q(reason="") | ~Q(state="refused") & Q(reason=""),
                name="report_refused_with_reason",
            ),
            max_length_constraint("note", NOTE_LENGTH, "report_note_length"),
            max_length_constraint("reason", NOTE_LENGTH, "report_reason_length"),
        ]

    def __str__(self) -> str:
        return f"{self.key}: {self.cents}"


class CashCount(models.Model):
    """A count of the cash box by two people, with the booked amount of that moment. `entry` booked a difference."""

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
            UniqueConstraint(fields=["club", "key"], name="count_key_once"),
            CheckConstraint(condition=Q(cents__gte=0, cents__lte=MAX_LEG_CENTS), name="count_cents_in_bounds"),
            CheckConstraint(condition=~Q(counter=F("witness")), name="count_has_witness"),
            CheckConstraint(
                condition=Q(cents=F("booked"), entry=None) | ~Q(cents=F("booked")) & Q(entry__isnull=False),
                name="count_difference_booked",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.counted_at:%Y-%m-%d}: {self.cents}"


class Heading(models.Model):
    """The name of an account of the club's own: another kind of income or expense."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="headings")
    code = models.CharField(max_length=HEADING_LENGTH, validators=[RegexValidator(r"\A(income|expense):[a-z][a-z0-9_]{0,29}\Z")])
    name = models.CharField(_("Name"), max_length=NAME_LENGTH, validators=[validate_plain])

    class Meta:
        constraints = [
            UniqueConstraint(fields=["club", "code"], name="heading_code_once"),
            max_length_constraint("code", HEADING_LENGTH, "heading_code_length"),
            max_length_constraint("name", NAME_LENGTH, "heading_name_length"),
            CheckConstraint(condition=~Q(name=""), name="heading_named"),
        ]

    def __str__(self) -> str:
        return self.name


class Countersignature(models.Model):
    """A second login confirms the statement of a closed month."""

    period = models.ForeignKey(Period, on_delete=models.PROTECT, related_name="countersignatures")
    signed_at = models.DateTimeField(default=timezone.now, editable=False)
    signed_by = build_login_key()

    class Meta:
        constraints = [UniqueConstraint(fields=["period", "signed_by"], name="countersigned_once")]

    def __str__(self) -> str:
        return f"{self.period_id} @ {self.signed_at:%Y-%m-%d}"


class BookYear(models.Model):
    """The month in which the year of a club's Kasse begins, if it is not January."""

    club = models.OneToOneField(Club, on_delete=models.PROTECT, related_name="book_year")
    first_month = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [CheckConstraint(condition=Q(first_month__gte=1, first_month__lte=12), name="book_year_of_a_month")]

    def __str__(self) -> str:
        return f"{self.club_id}: {self.first_month}"


# The fields of a status of dues that the treasurer sets, each with its key in the file that a person downloads. Form, action and
# file are made from them.
DUES_FIELDS: Final = {"month": "ab", "status": "stufe"}


class DuesStatus(models.Model):
    """The dues status of a member from this month on, until a later row. A member without a row pays full dues."""

    class Status(models.TextChoices):
        FULL = "full", _("voll")
        REDUCED = "reduced", _("ermäßigt")
        NONE = "none", _("kein Beitrag")

    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="dues")
    month = models.CharField(max_length=MONTH_LENGTH, validators=[validate_month])
    status = models.CharField(max_length=7, choices=Status.choices)

    class Meta:
        constraints = [
            UniqueConstraint(fields=["player", "month"], name="dues_status_once"),
            CheckConstraint(condition=Q(month__length=MONTH_LENGTH), name="dues_status_month_length"),
            CheckConstraint(condition=Q(status__in=["full", "reduced", "none"]), name="dues_status_known"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}, {self.month}: {self.status}"


FINE_CODE_LENGTH: Final = 30


class Attendance(models.Model):
    """A person of an evening: present as a guest or a member, or an absent member. `place` is the order in which odd cents
    are shared. A later change from guest to member changes nothing here."""

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
    # The number of each drink, by its code in the tariff.
    drinks = models.JSONField(default=dict, blank=True)

    class Meta:
        constraints = [
            UniqueConstraint(fields=["evening", "player"], name="attendance_once"),
            UniqueConstraint(fields=["evening", "place"], name="attendance_place_once"),
            CheckConstraint(condition=Q(absence__in=["", "excused", "unexcused", "free"]), name="attendance_absence_known"),
            CheckConstraint(condition=~Q(guest=True) | Q(absence=""), name="attendance_guest_is_there"),
            CheckConstraint(
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
    """One fine of an evening. `amount` is a count, minutes or cents, as `unit` says. A fine that is struck out costs
    nothing, nor does one that `waits` for a decision because it came too late."""

    class Unit(models.TextChoices):
        COUNT = "count", _("Anzahl")
        MINUTES = "minutes", _("Minuten")
        CENTS = "cents", _("Cent")

    # Made on the phone: a second tap on the same button is the same fine.
    key = models.UUIDField(primary_key=True, default=uuid.uuid4)
    evening = models.ForeignKey(Evening, on_delete=models.PROTECT, related_name="fines")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="fines")
    code = models.CharField(max_length=FINE_CODE_LENGTH, validators=[RegexValidator(r"\A[a-z][a-z0-9_]{0,29}\Z")])
    unit = models.CharField(max_length=7, choices=Unit.choices)
    amount = models.PositiveIntegerField()
    struck = models.BooleanField(default=False)
    waits = models.BooleanField(default=False)
    entered_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True)
    entered_at = models.DateTimeField(default=timezone.now, editable=False)
    # For a late fine the id of the table link that sent it: the number of late fines per link is limited.
    by_link = models.PositiveBigIntegerField(null=True, blank=True)

    class Meta:
        constraints = [
            max_length_constraint("code", FINE_CODE_LENGTH, "fine_code_length"),
            CheckConstraint(condition=~Q(code=""), name="fine_has_code"),
            CheckConstraint(condition=Q(waits=False) | Q(struck=False), name="fine_waits_or_is_struck"),
            CheckConstraint(
                condition=Q(unit="minutes", amount__lte=1440)
                | Q(unit="count", amount__gte=1, amount__lte=999)
                | Q(unit="cents", amount__gte=1, amount__lte=MOST_CENTS),
                name="fine_amount_in_bounds",
            ),
        ]

    def __str__(self) -> str:
        return str(self.key)


class Settlement(models.Model):
    """People settle what is open between them: what is unpaid of an `evening`, otherwise their balances."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="settlements")
    key = models.UUIDField(editable=False)
    evening = models.ForeignKey(Evening, on_delete=models.PROTECT, null=True, blank=True, related_name="settlements")
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    made_by = build_login_key()

    class Meta:
        constraints = [UniqueConstraint(fields=["club", "key"], name="settlement_key_once")]

    def __str__(self) -> str:
        return f"{self.made_at:%Y-%m-%d}"


class SettlementLine(models.Model):
    """A transfer between two people; None is the Kasse, on one side at most. `list_settlements` sets its state, and the entry that
    paid it."""

    class State(models.TextChoices):
        OPEN = "open"
        PAID = "paid"
        REVERSED = "reversed"
        LAPSED = "lapsed"

    state: State
    entry: Entry | None

    settlement = models.ForeignKey(Settlement, on_delete=models.PROTECT, related_name="lines")
    place = models.PositiveSmallIntegerField()
    payer = models.ForeignKey(Player, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    receiver = models.ForeignKey(Player, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    cents = models.BigIntegerField()

    class Meta:
        constraints = [
            UniqueConstraint(fields=["settlement", "place"], name="settlement_line_once"),
            CheckConstraint(condition=Q(cents__gte=1, cents__lte=MAX_LEG_CENTS), name="settlement_line_cents"),
            CheckConstraint(
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
        """Return the key of the entry that pays this line, which is booked once."""
        return uuid5(self.settlement.key, f"line/{self.place}")
