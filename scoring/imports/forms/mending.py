"""Another day and other points for one evening of an old list: a field for everybody of the club, whoever was there first. Blank is
who was not there."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.club.models.people import Player
from scoring.club.queries import people_of
from scoring.core.days import DayInput
from scoring.imports.reading.cells import CellRefused, read_euros, read_points
from scoring.imports.reading.days.asked import NO_DAY
from scoring.play.models import Evening, Table, TableResult
from scoring.rulesets.models import RuleSet


class MendForm(forms.Form):
    """Bound to what stands where nothing was posted; `points` of a cleaned form are those of whoever was there."""

    held_on = forms.DateField(
        label=gettext_lazy("Tag"), widget=DayInput()
    )
    seen = forms.CharField(required=False)

    def __init__(self, posted: Mapping[str, str] | None, *, evening: Evening, table: Table) -> None:
        self._evening, self._table = evening, table
        self.stands = dict(TableResult.objects.filter(table=table).values_list("player_id", "points"))
        self._priced = table.rule_set.unit == RuleSet.Unit.CENTS
        there = {player.pk: player for player in Player.objects.filter(pk__in=self.stands).order_by("pk")}
        others = {player.pk: player for player in people_of(evening.club)}
        self._people = list((there | others).values()) if table.without_games else []
        standing = {self._field(player.pk): self._said(self.stands.get(player.pk)) for player in self._people}
        super().__init__({"held_on": evening.held_on.isoformat(), **standing, **(posted or {})})
        for player in self._people:
            self.fields[self._field(player.pk)] = forms.CharField(
                label=player.name, required=False, max_length=20, widget=forms.TextInput(attrs={"inputmode": "text"})
            )

    @staticmethod
    def _field(player: int) -> str:
        return f"points_{player}"

    def _said(self, points: int | None) -> str:
        if points is None:
            return ""
        return f"{points / 100:.2f}".replace(".", ",") if self._priced else str(points)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if (day := cleaned.get("held_on")) and not NO_DAY <= day <= timezone.localdate():
            self.add_error("held_on", _("Bitte einen Tag von 1950 bis heute."))
        self.points: dict[int, int] = {}
        for player in self._people:
            name = self._field(player.pk)
            try:
                points = (read_euros if self._priced else read_points)(cleaned.get(name, ""))
            except CellRefused as refused:
                self.add_error(name, f"{refused}.")
                continue
            if points is not None:
                self.points[player.pk] = points
        if self._people and not self.points and not self.errors:
            self.add_error(None, _("Dann war niemand da: Bitte den Abend entfernen."))
        return cleaned

    @property
    def there(self) -> list[BoundField]:
        return [self[self._field(player.pk)] for player in self._people if player.pk in self.stands]

    @property
    def others(self) -> list[BoundField]:
        return [self[self._field(player.pk)] for player in self._people if player.pk not in self.stands]

    @property
    def changes(self) -> list[tuple[str, Any, Any]]:
        """Whose points change, from what to what; None is somebody who was not there."""
        if not self.is_valid():
            return []
        found = ((player.name, self.stands.get(player.pk), self.points.get(player.pk)) for player in self._people)
        return [(name, before, after) for name, before, after in found if before != after]

    @property
    def moves(self) -> bool:
        return self.is_valid() and self.cleaned_data["held_on"] != self._evening.held_on

    @property
    def sum(self) -> int:
        return sum(self.points.values()) if self.is_valid() else 0

    @property
    def fingerprint(self) -> str:
        """A hash of what stands and of what is to stand, so that only what somebody has seen is saved."""
        if not self.is_valid():
            return ""
        said = [self._evening.held_on, sorted(self.stands.items()), self.cleaned_data["held_on"], sorted(self.points.items())]
        return hashlib.sha256(json.dumps(said, default=str).encode()).hexdigest()[:16]
