"""Seasons, and what was published of their months, written once. Only erasing a person (`administration/actions.py`) replaces a
name in it, and keeps the old hashes in `former`."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.club.models import Club
from scoring.core.database import max_length_constraint
from scoring.core.text import validate_plain
from scoring.rules.validation import Refused
from scoring.rulesets.models import RuleSet

from .rules import parse_league_settings

HASH_LENGTH = 64
MONTH_LENGTH = 7
LONGEST_DAYS = 3 * 366
# The fields of a season that can be edited. Form, action and history are made from them.
SEASON_FIELDS = ("name", "first_day", "last_day", "unit", "settings")


class Season(models.Model):
    """A range of days whose months are counted in one way and one unit. `version` counts its edits."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="seasons")
    name = models.CharField(_("Name"), max_length=60, validators=[validate_plain])
    first_day = models.DateField(_("Erster Tag"))
    last_day = models.DateField(_("Letzter Tag"))
    unit = models.CharField(_("Gezählt in"), max_length=6, choices=RuleSet.Unit.choices, default=RuleSet.Unit.POINTS)
    settings = models.JSONField(_("Einstellungen"))
    version = models.PositiveIntegerField(default=1)
    # Derived: the waiting months (`Waits` in `queries/news.py`); null before they were computed for the first time.
    waits = models.JSONField(null=True, blank=True, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["club", "name"],
                name="season_name_once",
                violation_error_message=_("Eine Saison dieses Namens gibt es schon. Bitte einen anderen wählen."),
            ),
            max_length_constraint("name", 60, "season_name_length"),
            models.CheckConstraint(condition=~Q(name=""), name="season_named"),
            models.CheckConstraint(
                condition=Q(last_day__gte=F("first_day")),
                name="season_ends_after_it_begins",
                violation_error_message=_("Der letzte Tag einer Saison kommt nach dem ersten."),
            ),
            models.CheckConstraint(condition=Q(unit__in=["points", "cents"]), name="season_unit_known"),
            models.CheckConstraint(condition=Q(version__gte=1), name="season_version_from_1"),
        ]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        if self.first_day and self.last_day and (self.last_day - self.first_day).days >= LONGEST_DAYS:
            raise ValidationError({"last_day": _("Eine Saison dauert höchstens drei Jahre.")})
        try:
            parse_league_settings(self.settings)
        except Refused as refused:
            raise ValidationError({"settings": [str(s) for s in refused.fields.values()]}) from refused


class WrittenOnce(models.QuerySet[Any]):
    """A queryset that refuses changes."""

    def update(self, **kwargs: Any) -> int:
        raise TypeError("What was published is never changed.")

    def delete(self) -> tuple[int, dict[str, int]]:
        raise TypeError("What was published is never deleted.")


class Published(models.Model):
    """The common base of closed months and supplements: rows that are written once."""

    season = models.ForeignKey(Season, on_delete=models.PROTECT, related_name="%(class)ss")
    month = models.CharField(max_length=MONTH_LENGTH)
    content = models.TextField()
    # Imported with an archive: the ids of this installation for the ids in `content`.
    ids = models.JSONField(null=True, blank=True, editable=False)

    objects = WrittenOnce.as_manager()

    class Meta:
        abstract = True

    def save(self, **kwargs: Any) -> None:
        if not self._state.adding:
            raise TypeError("What was published is never changed.")
        super().save(**{**kwargs, "force_insert": True})

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        raise TypeError("What was published is never deleted.")


class MonthClosing(Published):
    """One version of a closed month (`month` like 2026-03): its content as JSON, and its Excel file."""

    version = models.PositiveSmallIntegerField()
    content_sha256 = models.CharField(max_length=HASH_LENGTH)
    file = models.BinaryField()
    file_sha256 = models.CharField(max_length=HASH_LENGTH)
    closed_at = models.DateTimeField(default=timezone.now)
    closed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True)
    # The hashes before names were erased, the oldest first: content_sha256, file_sha256, at (ISO 8601).
    former = models.JSONField(default=list, blank=True, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["season", "month", "version"], name="month_closing_version_once"),
            models.CheckConstraint(condition=Q(version__gte=1), name="month_closing_version_from_1"),
            models.CheckConstraint(condition=Q(month__length=MONTH_LENGTH), name="month_closing_month_length"),
            models.CheckConstraint(
                condition=Q(content_sha256__length=HASH_LENGTH) & Q(file_sha256__length=HASH_LENGTH),
                name="month_closing_hashed",
            ),
            models.CheckConstraint(condition=~Q(content=""), name="month_closing_has_content"),
        ]

    def __str__(self) -> str:
        return f"{self.season_id} {self.month} ({self.version})"


class Supplement(Published):
    """A correction of the closed month `about` that counts in the open `month` (its content: see `read_content`)."""

    about = models.CharField(max_length=MONTH_LENGTH)
    reason = models.CharField(_("Grund"), max_length=200, validators=[validate_plain])
    at = models.DateTimeField(default=timezone.now)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(about__lt=F("month")), name="supplement_goes_forward"),
            models.CheckConstraint(
                condition=Q(month__length=MONTH_LENGTH) & Q(about__length=MONTH_LENGTH), name="supplement_month_length"
            ),
            max_length_constraint("reason", 200, "supplement_reason_length"),
            models.CheckConstraint(condition=~Q(reason="") & ~Q(content=""), name="supplement_explained"),
        ]

    def __str__(self) -> str:
        return f"{self.season_id} {self.about} > {self.month}"
