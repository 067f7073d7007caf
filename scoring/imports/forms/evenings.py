"""Another day and place for an evening, and other points for one of an old list: a field for every person of the club, those who
were there first. Blank is who was not there."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext as _

from scoring.club.models import Player
from scoring.club.queries import list_people
from scoring.club.texts import build_long_ago_warning
from scoring.core.formats import mark_as_name
from scoring.evenings.forms import DayAndPlace
from scoring.imports.reading.cells import CellRefused, read_euros, read_points
from scoring.play.models import Evening, Table, TableResult
from scoring.rulesets.models import RuleSet


class MendForm(DayAndPlace):
    """Bound to what stands where nothing was posted; `points` of a cleaned form are those of whoever was there."""

    seen = forms.CharField(required=False)

    def __init__(self, posted: Mapping[str, str] | None, *, evening: Evening, table: Table | None) -> None:
        self._evening = evening
        self.stands: dict[int, int] = {}
        self._people: list[Player] = []
        self._priced = table is not None and table.rule_set.unit == RuleSet.Unit.CENTS
        if table is not None:
            self.stands = dict(TableResult.objects.filter(table=table).values_list("player_id", "points"))
            there = {player.pk: player for player in Player.objects.filter(pk__in=self.stands).order_by("pk")}
            others = {player.pk: player for player in list_people(evening.club)}
            self._people = list((there | others).values())
        standing = {self._field(player.pk): self._said(self.stands.get(player.pk)) for player in self._people}
        self._before = {"held_on": evening.held_on.isoformat(), "place": evening.place}
        super().__init__({**self._before, **standing, **(posted or {})})
        for player in self._people:
            self.fields[self._field(player.pk)] = forms.CharField(
                label=mark_as_name(player.name),
                required=False,
                max_length=20,
                widget=forms.TextInput(attrs={"inputmode": "text"}),
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
    def goes_elsewhere(self) -> bool:
        return self.is_valid() and self.cleaned_data["place"] != self._evening.place

    @property
    def long_ago(self) -> str:
        """What is odd about the new day."""
        day = self.cleaned_data["held_on"] if self.moves else None
        return build_long_ago_warning(self._evening.club, day, self._evening.pk)

    @property
    def correction(self) -> dict[str, Any]:
        """What `correct_evening` is told; the form is valid."""
        return {
            "held_on": self.cleaned_data["held_on"],
            "place": self.cleaned_data["place"],
            "points": self.points if self._people else None,
        }

    @property
    def sum(self) -> int:
        return sum(self.points.values()) if self.is_valid() else 0

    @property
    def fingerprint(self) -> str:
        """A hash of what stands and of what is to stand, so that only what somebody has seen is saved."""
        if not self.is_valid():
            return ""
        to_be = self.cleaned_data["held_on"], self.cleaned_data["place"], sorted(self.points.items())
        said = [self._before, sorted(self.stands.items()), *to_be]
        return hashlib.sha256(json.dumps(said, default=str).encode()).hexdigest()[:16]

