"""The form to correct an evening: its day, place and note, and the points of an imported one, with a field for every player."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.club.models import Player
from scoring.club.queries import list_people
from scoring.club.texts import build_long_ago_warning
from scoring.core.formats import mark_as_name
from scoring.core.text import validate_plain
from scoring.evenings.forms import DayAndPlace
from scoring.imports.reading.cells import CellRefused, read_euros, read_points
from scoring.play.models import Evening, Table, TableResult
from scoring.rulesets.models import RuleSet


class CorrectionForm(DayAndPlace):
    """The form to correct an evening, bound to its current values if nothing was posted; a cleaned form has the `points`."""

    note = forms.CharField(label=gettext_lazy("Bemerkung"), max_length=200, required=False, validators=[validate_plain])
    seen = forms.CharField(required=False)

    def __init__(self, posted: Mapping[str, str] | None, *, evening: Evening, table: Table | None) -> None:
        self._evening = evening
        self.current: dict[int, int] = {}
        self._people: list[Player] = []
        self._priced = table is not None and table.rule_set.unit == RuleSet.Unit.CENTS
        if table is not None:
            self.current = dict(TableResult.objects.filter(table=table).values_list("player_id", "points"))
            there = {player.pk: player for player in Player.objects.filter(pk__in=self.current).order_by("pk")}
            others = {player.pk: player for player in list_people(evening.club)}
            self._people = list((there | others).values())
        values = {self._name_field(player.pk): self._format(self.current.get(player.pk)) for player in self._people}
        self._before = {"held_on": evening.held_on.isoformat(), "place": evening.place, "note": evening.note}
        super().__init__({**self._before, **values, **(posted or {})})
        for player in self._people:
            self.fields[self._name_field(player.pk)] = forms.CharField(
                label=mark_as_name(player.name), required=False, max_length=20, widget=forms.TextInput(attrs={"inputmode": "text"})
            )

    @staticmethod
    def _name_field(player: int) -> str:
        return f"points_{player}"

    def _format(self, points: int | None) -> str:
        if points is None:
            return ""
        return f"{points / 100:.2f}".replace(".", ",") if self._priced else str(points)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        self.points: dict[int, int] = {}
        for player in self._people:
            name = self._name_field(player.pk)
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
    def present_fields(self) -> list[BoundField]:
        return [self[self._name_field(player.pk)] for player in self._people if player.pk in self.current]

    @property
    def absent_fields(self) -> list[BoundField]:
        return [self[self._name_field(player.pk)] for player in self._people if player.pk not in self.current]

    @property
    def changes(self) -> list[tuple[str, Any, Any]]:
        """The players whose points change, with the points before and after, None for absent."""
        if not self.is_valid():
            return []
        points = ((player.name, self.current.get(player.pk), self.points.get(player.pk)) for player in self._people)
        return [(name, before, after) for name, before, after in points if before != after]

    @property
    def changes_day(self) -> bool:
        return self.is_valid() and self.cleaned_data["held_on"] != self._evening.held_on

    @property
    def changes_place(self) -> bool:
        return self.is_valid() and self.cleaned_data["place"] != self._evening.place

    @property
    def changes_note(self) -> bool:
        return self.is_valid() and self.cleaned_data["note"] != self._evening.note

    @property
    def day_warning(self) -> str:
        """The warning about a day long ago, or an empty string."""
        day = self.cleaned_data["held_on"] if self.changes_day else None
        return build_long_ago_warning(self._evening.club, day, self._evening.pk)

    @property
    def correction(self) -> dict[str, Any]:
        """The arguments of `correct_evening`; the form is valid."""
        return {
            "held_on": self.cleaned_data["held_on"],
            "place": self.cleaned_data["place"],
            "note": self.cleaned_data["note"],
            "points": self.points if self._people else None,
        }

    @property
    def sum(self) -> int:
        return sum(self.points.values()) if self.is_valid() else 0

    @property
    def fingerprint(self) -> str:
        """A hash of the current and the new values: only what the user has seen is saved."""
        if not self.is_valid():
            return ""
        new = *(self.cleaned_data[name] for name in self._before), sorted(self.points.items())
        values = [self._before, sorted(self.current.items()), *new]
        return hashlib.sha256(json.dumps(values, default=str).encode()).hexdigest()[:16]

