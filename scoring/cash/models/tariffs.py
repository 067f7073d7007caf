"""The tariff of a club as data, with versions. A version that an evening or an entry names never changes (`laws.py`); an edit
of it makes the next version, and no old evening is touched."""

from __future__ import annotations

import json
from functools import cached_property, lru_cache
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.cash.rules.fields import Fields
from scoring.cash.rules.tariff import TariffRules, read_tariff
from scoring.club.models import Club
from scoring.rules.validation import Refused


@lru_cache(maxsize=64)
def _ready(data: str) -> TariffRules:
    fields = Fields({"tariff": json.loads(data)}, "", {})
    tariff = read_tariff(fields.inner("tariff"))
    fields.finish()
    return tariff


def read_content(content: Any) -> TariffRules:
    """The content of a tariff, judged and ready to charge by. Raises Refused, by path from `tariff.` on."""
    return _ready(json.dumps(content, sort_keys=True))


class Tariff(models.Model):
    """One version of what a club charges; the latest one is that of the next evening."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="tariffs")
    version = models.PositiveSmallIntegerField(_("Fassung"), default=1)
    content = models.JSONField(default=dict, blank=True)
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "version"], name="tariff_version_once"),
            models.CheckConstraint(condition=Q(version__gte=1), name="tariff_version_from_1"),
        ]

    def __str__(self) -> str:
        return str(_("Tarif, Fassung %(version)s") % {"version": self.version})

    def clean(self) -> None:
        try:
            read_content(self.content)
        except Refused as refused:
            raise ValidationError({"content": [str(s) for s in refused.fields.values()]}) from refused

    @cached_property
    def rules(self) -> TariffRules:
        """The content, ready to charge by."""
        return read_content(self.content)
