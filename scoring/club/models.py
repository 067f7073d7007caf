"""Clubs, the people who play in them, the logins with their rights, and the log of all changes."""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q
from django.db.models.signals import post_save
from django.dispatch import receiver
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.core.database import max_length_constraint
from scoring.core.names import SIGNS, login_key, name_key
from scoring.core.text import tidy, validate_plain

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

NAME_LENGTH = 40
KEY_LENGTH = 4 * NAME_LENGTH
LOGIN_KEY_LENGTH = 4 * 150 + 20  # normalized, a letter becomes up to four characters; an id can follow
# The pages that a club can show to strangers (values of `access.Role`), each with the field of the club that does.
PUBLIC_PAGES: Final = {"list": "shows_list", "months": "shows_months", "evenings": "shows_evenings"}
VISIBILITY_FIELDS: Final = (*PUBLIC_PAGES.values(), "findable")
# The fields of a person that can be edited, in the order of the form, each with its key in the file that a person downloads.
# Form, history and file are made from them. A field without a key is not in the file, or elsewhere.
PLAYER_FIELDS = {
    "name": "name",
    "guest": "gast",
    "joined_on": "dabei_seit",
    "left_on": "ausgeschieden_am",
    "rests_from": "ruht_ab",
    "rests_until": "ruht_bis",
    "user": "",
    "by_initial": "",
}
# The fields that are emptied when a name is erased, in the row and in the history.
IDENTIFYING_FIELDS = ("joined_on", "rests_from", "rests_until", "user")
# The first character of the slug of a club that is being imported or removed (`imports/actions.py`). No address has it.
HIDDEN_PREFIX = "~"
VISITOR_MARK = "~"  # a character in the names of demo visitors' logins that no typed name can have
INVITATION_PERIOD = datetime.timedelta(days=7)
DEMO_PREFIX = "demo-"  # the slug of a visitor's demo club begins with this; that of an ordinary club may, too


class VisibleClubs(models.Manager["Club"]):
    def get_queryset(self) -> models.QuerySet[Club]:
        return super().get_queryset().exclude(slug__startswith=HIDDEN_PREFIX)


class Club(models.Model):
    name = models.CharField(_("Name"), max_length=60, validators=[validate_plain])
    slug = models.SlugField(_("Kürzel in der Adresse"), max_length=40, unique=True)
    shows_list = models.BooleanField(_("die ewige Liste"), default=False)
    shows_months = models.BooleanField(_("die abgeschlossenen Monate der Liga"), default=False)
    shows_evenings = models.BooleanField(_("die Ergebnisse der abgeschlossenen Abende"), default=False)
    findable = models.BooleanField(_("Suchmaschinen dürfen diese Seiten finden"), default=False)
    keep_history_years = models.PositiveSmallIntegerField(_("Verlauf aufheben (Jahre)"), null=True, blank=True)
    # Set for a club that was founded without a link of the operator: it is deleted if it stays empty.
    founded_openly_at = models.DateTimeField(null=True, editable=False)
    # The day of that deletion, once it is announced (`administration/actions.py`).
    goes_on = models.DateField(null=True, editable=False)
    # The club is being removed for good, with its books (`cash/laws.py`).
    leaving = models.BooleanField(default=False, editable=False)
    demo_until = models.DateTimeField(null=True, blank=True, editable=False)  # set for a demo club: when it is removed

    objects = VisibleClubs()
    with_hidden: models.Manager[Club] = models.Manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(keep_history_years=None) | Q(keep_history_years__gte=1), name="club_keeps_history_from_1"
            ),
            max_length_constraint("name", 60, "club_name_length"),
            max_length_constraint("slug", 40, "club_slug_length"),
            models.CheckConstraint(condition=~Q(name="") & ~Q(slug=""), name="club_named"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_public(self) -> bool:
        return any(getattr(self, field) for field in PUBLIC_PAGES.values())

    @property
    def is_visitor_club(self) -> bool:
        """True for the demo club of a visitor; OF_VISITOR is the same as a condition."""
        return self.demo_until is not None and self.slug.startswith(DEMO_PREFIX)


OF_VISITOR = Q(demo_until__isnull=False, slug__startswith=DEMO_PREFIX)


def is_visitor(user: User | AnonymousUser) -> bool:
    return VISITOR_MARK in user.get_username()


class Player(models.Model):
    """A person whose points are counted, with or without a login.
    `merged_into` is the same person under another name. If the name was `erased_on` a day, a neutral one replaced it."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="players")
    name = models.CharField(_("Name"), max_length=NAME_LENGTH, validators=[validate_plain])
    name_key = models.CharField(max_length=KEY_LENGTH, editable=False)
    guest = models.BooleanField(_("Gast"), default=False)
    joined_on = models.DateField(_("Dabei seit"), null=True, blank=True)
    left_on = models.DateField(_("Ausgeschieden am"), null=True, blank=True)
    # A break; without a last day it has no end yet.
    rests_from = models.DateField(_("Pause ab"), null=True, blank=True)
    rests_until = models.DateField(_("Pause bis"), null=True, blank=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="players",
        verbose_name=_("Zugang"),
    )
    merged_into = models.ForeignKey("self", on_delete=models.PROTECT, null=True, blank=True, related_name="merged", editable=False)
    by_initial = models.BooleanField(_("Fremde sehen nur den Anfangsbuchstaben"), default=False)
    erased_on = models.DateField(null=True, blank=True, editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(merged_into=None) | ~Q(merged_into=F("id")), name="player_merged_into_another"),
            models.CheckConstraint(condition=Q(merged_into=None) | Q(user=None), name="player_merged_has_no_login"),
            models.CheckConstraint(condition=Q(erased_on=None) | Q(user=None), name="player_erased_has_no_login"),
            models.UniqueConstraint(
                fields=["club", "name_key"],
                name="player_name_once",
                violation_error_message=_("Diesen Namen gibt es im Club schon. Bitte einen Zusatz wählen."),
            ),
            models.UniqueConstraint(fields=["club", "user"], name="player_login_once"),
            max_length_constraint("name", NAME_LENGTH, "player_name_length"),
            models.CheckConstraint(condition=~Q(name="") & ~Q(name_key=""), name="player_named"),
            models.CheckConstraint(
                condition=Q(joined_on=None) | Q(left_on=None) | Q(left_on__gte=F("joined_on")),
                name="player_left_after_joining",
            ),
            models.CheckConstraint(
                condition=Q(rests_until=None) | Q(rests_from__isnull=False, rests_until__gte=F("rests_from")),
                name="player_rests_from_a_day",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def is_resting_on(self, day: datetime.date) -> bool:
        starts = self.rests_from is not None and self.rests_from <= day
        return starts and (self.rests_until is None or day <= self.rests_until)

    def save(self, **kwargs: Any) -> None:
        self._set_key()
        super().save(**kwargs)

    def _set_key(self) -> None:
        """Set the key of the name. One that differs only by the kind of apostrophe or hyphen stays: old versions allowed both."""
        key = name_key(self.name)
        if self.name_key.translate(SIGNS) != key:
            self.name_key = key

    def clean_fields(self, exclude: Collection[str] | None = None) -> None:
        """Validate the name; the key follows from it, so errors of the key are shown at the name."""
        self.name = tidy(self.name)
        self._set_key()
        super().clean_fields({*(exclude or ()), "name_key"})
        if exclude and "name" in exclude:
            return
        if not self.name_key.strip("' "):
            raise ValidationError({"name": _("Bitte einen Namen eingeben.")})
        if len(self.name_key) > KEY_LENGTH:
            raise ValidationError({"name": _("Bitte einen kürzeren Namen eingeben.")})

    def clean(self) -> None:
        """Check the days at their fields; the constraints refuse the same, without a field."""
        errors = {}
        if self.joined_on and self.left_on and self.left_on < self.joined_on:
            errors["left_on"] = _("Ausgeschieden ist man erst nach dem Eintritt.")
        if self.rests_until and (self.rests_from is None or self.rests_until < self.rests_from):
            errors["rests_until"] = _("Das Ende der Pause liegt vor ihrem Anfang.")
        if errors:
            raise ValidationError(errors)

    def validate_constraints(self, exclude: Collection[str] | None = None) -> None:
        without = set(exclude or ())
        super().validate_constraints(without | {"name_key"} if "name" in without else without)


class ClubRole(NamedTuple):
    """What a login may do in a club besides reading. `rights` are values of `access.Role`, `key` is in the file of a person."""

    name: StrOrPromise
    label: StrOrPromise
    does: StrOrPromise
    key: str
    rights: Collection[str]


# The roles by the name of their field in `WithRoles`, in the order of forms. Forms, texts, log entries and the checks of rights
# are made from this list.
ROLES: Final = {
    "scorer": ClubRole(
        name=_("Schreiber"),
        label=_("Schreiber: gibt Abende ein und berichtigt sie"),
        does=_("schreibt"),
        key="schreibt",
        rights=("scorer",),
    ),
    "treasurer": ClubRole(
        name=_("Kassenwart"),
        label=_("Kassenwart: führt die Kasse"),
        does=_("führt die Kasse"),
        key="fuehrt_die_kasse",
        rights=("books", "treasurer"),
    ),
    "admin": ClubRole(
        name=_("Verwalter"),
        label=_("Verwalter: Personen, Regeln, geschlossene Abende"),
        does=_("verwaltet"),
        key="verwaltet",
        rights=("scorer", "admin"),
    ),
}


class WithRoles(models.Model):
    """The ROLES that a login has in a club, or that an invitation gives. Every member may read; the roles can be combined."""

    scorer = models.BooleanField(ROLES["scorer"].label, default=False)
    treasurer = models.BooleanField(ROLES["treasurer"].label, default=False)
    admin = models.BooleanField(ROLES["admin"].label, default=False)

    class Meta:
        abstract = True

    @property
    def rights_text(self) -> str:
        return " · ".join(describe_roles(name for name in ROLES if getattr(self, name)))


def describe_roles(roles: Iterable[str]) -> list[str]:
    """Return what a login with these roles does, in words."""
    return [str(_("liest")), *(str(ROLES[name].does) for name in roles)]


class ClubLogin(WithRoles):
    """A login with its roles in a club."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="%(class)ss")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="%(class)ss")

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.user_id} @ {self.club_id}"


class Membership(ClubLogin):
    class Meta:
        constraints = [models.UniqueConstraint(fields=["club", "user"], name="membership_once")]


class Invitation(ClubLogin):
    """An invitation of an existing login. `ended_at` is set when the login joins the club, or the invitation is withdrawn or
    replaced. Until then it can be accepted for INVITATION_PERIOD, while the login that made it is an admin."""

    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["club", "user"], condition=Q(ended_at=None), name="invitation_open_once")]

    @property
    def until(self) -> datetime.datetime:
        return self.created_at + INVITATION_PERIOD


class LoginKey(models.Model):
    """The unique key of a login's name. If old logins had the same key, a space and its id follow that of each newer one."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="login_key")
    key = models.CharField(max_length=LOGIN_KEY_LENGTH, unique=True)

    class Meta:
        constraints = [max_length_constraint("key", LOGIN_KEY_LENGTH, "login_key_length")]

    def __str__(self) -> str:
        return self.key


@receiver(post_save, sender=User)
def save_login_key(instance: User, created: bool, **_signal: Any) -> None:
    """Save the key of every login that is created or renamed. Raise IntegrityError."""
    key = login_key(instance.username)
    if created:
        LoginKey.objects.create(user=instance, key=key)
    else:
        LoginKey.objects.filter(user=instance).exclude(key__in=(key, f"{key} {instance.pk}")).update(key=key)


class Verb(models.TextChoices):
    EVENING_OPENED = "evening.opened", _("Abend begonnen")
    EVENING_CLOSED = "evening.closed", _("Abend abgeschlossen")
    EVENING_REOPENED = "evening.reopened", _("Abend wieder geöffnet")
    TABLE_ADDED = "table.added", _("Tisch dazugestellt")
    TABLE_SEATED = "table.seated", _("Sitzordnung geändert")
    TABLE_PLANNED = "table.planned", _("Geplante Spiele geändert")
    TABLE_CARRIES_ON = "table.carries_on", _("Übrige Böcke eines früheren Abends")
    TABLE_REVALUED = "table.revalued", _("Durch einen früheren Abend neu gewertet")
    EVENING_DISCARDED = "evening.discarded", _("Leerer Abend entfernt")
    EVENING_DROPPED = "evening.dropped", _("Abend zählt nicht mehr")
    EVENING_MENDED = "evening.mended", _("Abend berichtigt")
    EVENING_REMOVED = "evening.removed", _("Abend einer Datei entfernt")
    GAME_ADDED = "game.added", _("Spiel eingetragen")
    GAME_INSERTED = "game.inserted", _("Spiel eingefügt")
    GAME_MOVED = "game.moved", _("Spiel verschoben")
    GAME_CORRECTED = "game.corrected", _("Spiel berichtigt")
    GAME_DELETED = "game.deleted", _("Spiel gestrichen")
    GAME_RESTORED = "game.restored", _("Spiel wiederhergestellt")
    GAME_CAME_LATE = "game.came_late", _("Spiel zu spät angekommen")
    GAME_NOT_TAKEN = "game.not_taken", _("Zu spät angekommenes Spiel verworfen")
    PLAYER_ADDED = "player.added", _("Person aufgenommen")
    PLAYER_CHANGED = "player.changed", _("Person geändert")
    MEMBER_INVITED = "member.invited", _("In den Club eingeladen")
    MEMBER_UNINVITED = "member.uninvited", _("Einladung zurückgenommen")
    MEMBER_JOINED = "member.joined", _("Über einen Link beigetreten")
    MEMBER_CHANGED = "member.changed", _("Rechte geändert")
    LINK_MADE = "link.made", _("Link zum Beitreten gemacht")
    LINK_ENDED = "link.ended", _("Link zum Beitreten beendet")
    PLAYER_MERGED = "player.merged", _("Zwei Personen zusammengeführt")
    PLAYER_PARTED = "player.parted", _("Zusammenführung zurückgenommen")
    PLAYER_ERASED = "player.erased", _("Name einer Person entfernt")
    RULES_ADDED = "rules.added", _("Regelwerk angelegt")
    RULES_CHANGED = "rules.changed", _("Regelwerk geändert")
    RULES_RENAMED = "rules.renamed", _("Regelwerk umbenannt")
    RULES_MOVED = "rules.moved", _("Tisch nach anderen Regeln gewertet")
    SEASON_ADDED = "season.added", _("Saison angelegt")
    SEASON_CHANGED = "season.changed", _("Saison geändert")
    MONTH_CLOSED = "month.closed", _("Monat abgeschlossen")
    MONTH_SUPPLEMENTED = "month.supplemented", _("Nachtrag zu einem Monat")
    IMPORT_TAKEN = "import.taken", _("Datei übernommen")
    IMPORT_UNDONE = "import.undone", _("Übernahme zurückgenommen")
    CLUB_SHOWN = "club.shown", _("Geändert, was Fremde sehen")
    ARCHIVE_TAKEN = "archive.taken", _("Archiv eingelesen")
    CASH_BOOKED = "cash.booked", _("In der Kasse gebucht")
    CASH_REVERSED = "cash.reversed", _("Buchung storniert")
    CASH_TARIFF = "cash.tariff", _("Tarif geändert")
    CASH_PINNED = "cash.pinned", _("Tarif eines Abends geändert")
    CASH_EVENING = "cash.evening", _("Anwesenheit geändert")
    CASH_FINED = "cash.fined", _("Strafgeld eingetragen")
    CASH_UNFINED = "cash.unfined", _("Strafgeld gestrichen")
    CASH_FINE_LATE = "cash.fine_late", _("Strafgeld zu spät angekommen")
    CASH_FINE_NOT_TAKEN = "cash.fine_not_taken", _("Strafgeld verworfen")
    CASH_DUES_SET = "cash.dues_set", _("Mitgliedsbeitrag einer Person geändert")
    CASH_SETTLED = "cash.settled", _("Ausgleich gemacht")
    CASH_COUNTED = "cash.counted", _("Kasse gezählt")
    CASH_CLOSED = "cash.closed", _("Monat der Kasse abgeschlossen")
    CASH_COUNTERSIGNED = "cash.countersigned", _("Monat der Kasse gegengezeichnet")
    CASH_HEADING_ADDED = "cash.heading_added", _("Eigene Art für Einnahmen oder Ausgaben")
    CASH_YEAR_SET = "cash.year_set", _("Geändert, wann ein Kassenjahr beginnt")
    HISTORY_KEPT = "history.kept", _("Geändert, wie lange der Verlauf aufgehoben wird")


class Change(models.Model):
    """A log entry: who changed what, with the values before and after (null: it did not exist). By the link of a table it was the
    player `spoken_as`. The entries of one action share a `click`. The id of the `actor` stays when the login is deleted."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="changes", db_index=False)
    at = models.DateTimeField(default=timezone.now, editable=False)
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.DO_NOTHING, db_constraint=False, null=True, blank=True)
    spoken_as = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    click = models.UUIDField(default=uuid.uuid4)
    verb = models.CharField(max_length=20, choices=Verb.choices)
    table = models.ForeignKey("Table", on_delete=models.PROTECT, null=True, blank=True, related_name="changes", db_index=False)
    subject_id = models.CharField(max_length=36)
    before = models.JSONField(null=True, blank=True)
    after = models.JSONField(null=True, blank=True)
    undoes = models.OneToOneField("self", on_delete=models.PROTECT, null=True, blank=True, related_name="undone_by")

    class Meta:
        indexes = [
            models.Index(fields=["club", "-id"], name="change_of_club"),
            models.Index(fields=["table", "-id"], name="change_of_table"),
        ]
        constraints = [models.CheckConstraint(condition=models.Q(verb__in=Verb.values), name="change_known_verb")]

    def __str__(self) -> str:
        return f"{self.verb} {self.subject_id}"

    @property
    def done(self) -> str:
        """The verb in words. Django's `get_verb_display` would translate all verbs each time."""
        return str(Verb(self.verb).label)
