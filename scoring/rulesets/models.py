"""The rule sets of a club."""

from __future__ import annotations

import json
from functools import cached_property, lru_cache

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from scoring.club.models import Club
from scoring.core.database import max_length_constraint
from scoring.core.text import validate_plain
from scoring.rules.settings import RuleSettings
from scoring.rules.validation import Refused


@lru_cache(maxsize=128)
def _ready(data: str) -> RuleSettings:
    """Parse settings once per process: this prepares every case of announcements and eyes."""
    return RuleSettings.from_data(json.loads(data))


class RuleSet(models.Model):
    """One version of a club's rules. A version that a table has played by never changes: an edit makes the next one."""

    class Unit(models.TextChoices):
        POINTS = "points", _("Punkte")
        CENTS = "cents", _("Cent")

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="rule_sets")
    name = models.CharField(_("Name"), max_length=60, validators=[validate_plain])
    version = models.PositiveSmallIntegerField(_("Fassung"), default=1)
    settings = models.JSONField(_("Einstellungen"))
    unit = models.CharField(_("Einheit"), max_length=6, choices=Unit.choices, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "name", "version"], name="rule_set_version_once"),
            max_length_constraint("name", 60, "rule_set_name_length"),
            models.CheckConstraint(condition=~Q(name=""), name="rule_set_named"),
            models.CheckConstraint(condition=Q(version__gte=1), name="rule_set_version_from_1"),
            models.CheckConstraint(condition=Q(unit__in=["points", "cents"]), name="rule_set_unit_known"),
        ]

    def __str__(self) -> str:
        if self.version == 1:
            return self.name
        return str(_("%(name)s (Fassung %(version)s)") % {"name": self.name, "version": self.version})

    def clean(self) -> None:
        try:
            self.unit = RuleSettings.from_data(self.settings).unit
        except Refused as refused:
            raise ValidationError({"settings": [str(s) for s in refused.fields.values()]}) from refused

    @cached_property
    def rules(self) -> RuleSettings:
        return _ready(json.dumps(self.settings, sort_keys=True))
