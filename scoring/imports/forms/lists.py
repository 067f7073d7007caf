"""Uploading an old list, and saying what is what in it: whose each column is, what a row means, under which rules it was
played. Everything is proposed from the file, and what is taken in is what was seen."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Final

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.forms import BoundField
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.core.text import tidy, validate_plain
from scoring.evenings.queries.evenings import last_line_up
from scoring.imports.actions.lists import NewRules, is_too_big
from scoring.imports.errors import ImportTooBig, RulesHaveBock
from scoring.imports.models import Import
from scoring.imports.reading.cells import read_euros, read_points
from scoring.imports.reading.files import FileRefused, Sheet, read_file, too_big
from scoring.imports.reading.outline import Column, Outline, first_understood, refuse_our_own, understand
from scoring.imports.reading.reading import Amounts, Reading, looks_priced, looks_running, read_evenings, read_games
from scoring.play.models import SEATS
from scoring.rules.settings import RuleSettings
from scoring.rulesets.models import RuleSet
from scoring.rulesets.queries import current_rule_sets

from .columns import NEW, SKIP, ColumnsForm, field_of

POINTS, TOTALS = "points", "totals"
EUROS, CENTS = "euros", "cents"
FILE_NAME_LENGTH: Final = 100


class UploadForm(forms.Form):
    """One file. What a cleaned form knows of it: its `sheets`, its `digest` and the `kind` it looks like."""

    file = forms.FileField(
        label=gettext_lazy("Datei"),
        widget=forms.FileInput(attrs={"accept": ".csv,.txt,.tsv,.xlsx"}),
        help_text=gettext_lazy("CSV oder Excel (.xlsx), höchstens 2 MB. Erst kommt eine Vorschau."),
    )
    sheets: Sequence[Sheet]
    kind: str
    digest: str

    def __init__(self, *args: Any, length: int = 0, **kwargs: Any) -> None:
        """`length` is that of the whole request: a file that is much too big never gets here."""
        super().__init__(*args, **kwargs)
        missing = too_big() if length > settings.FILE_UPLOAD_MAX_MEMORY_SIZE else _("Bitte eine Datei wählen.")
        self.fields["file"].error_messages["required"] = missing

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        data = file.read()
        try:
            self.sheets = read_file(data)
            refuse_our_own(self.sheets)
            self.kind = self.kind_of(self.sheets)
        except FileRefused as refused:
            raise ValidationError(str(refused)) from refused
        self.digest = hashlib.sha256(data).hexdigest()
        return file

    def kind_of(self, sheets: Sequence[Sheet]) -> str:
        """What the first sheet of a list looks like. Raises FileRefused where there is none."""
        return first_understood(sheets)[1].kind()

    @property
    def file_name(self) -> str:
        name = tidy(self.cleaned_data["file"].name)[-FILE_NAME_LENGTH:]
        try:
            validate_plain(name)
        except ValidationError:
            return str(_("Datei"))
        return name

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The sheets as they are kept."""
        return [sheet._asdict() for sheet in self.sheets]


class ImportForm(ColumnsForm):
    """What is what in a list that waits. It is always bound, to what was proposed where nobody said otherwise; a cleaned form
    has the `people` of the columns, the `rules` and the `reading` that follows. Raises FileRefused where it is no list."""

    kind = forms.ChoiceField(
        label=gettext_lazy("Was steht in einer Zeile?"),
        choices=[(Import.Kind.EVENINGS, gettext_lazy("Ein Abend")), (Import.Kind.GAMES, gettext_lazy("Ein Spiel"))],
    )
    cells = forms.ChoiceField(
        label=gettext_lazy("Was steht in den Zellen?"),
        choices=[(POINTS, gettext_lazy("Punkte dieses Spiels")), (TOTALS, gettext_lazy("Stand nach dem Spiel"))],
    )
    money = forms.ChoiceField(
        label=gettext_lazy("Wie sind die Beträge geschrieben?"),
        choices=[(EUROS, gettext_lazy("In Euro, wie 2,50")), (CENTS, gettext_lazy("In Cent, wie 250"))],
    )
    day = forms.DateField(
        label=gettext_lazy("Tag des Abends"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )

    def __init__(self, posted: Mapping[str, str] | None, *, brought: Import) -> None:
        self.brought, self.club = brought, brought.club
        self.sheets = [Sheet(**sheet) for sheet in brought.sheets or ()]
        refuse_our_own(self.sheets)
        self._posted = posted or {}
        self._rule_sets = {str(rule_set.pk): rule_set for rule_set in current_rule_sets(self.club)}
        chosen, self.outline = self._chosen_sheet()
        self.asked = self.outline.columns
        data = {**self._proposed(chosen), **self._of_this_sheet(chosen)}
        super().__init__(data)
        self.fields["sheet"] = forms.TypedChoiceField(
            label=_("Blatt"),
            coerce=int,
            choices=[(index, sheet.name or "1") for index, sheet in enumerate(self.sheets)],
        )
        self.fields["rule_set"] = forms.ChoiceField(label=_("Unter welchen Regeln?"), choices=self._rule_choices())
        self.ask()

    # --- What is proposed ---------------------------------------------------------------------------------------------

    def _chosen_sheet(self) -> tuple[int, Outline]:
        chosen = self._posted.get("sheet", "")
        if chosen.isdecimal() and int(chosen[:4]) < len(self.sheets):
            try:
                return int(chosen[:4]), understand(self.sheets[int(chosen[:4])].rows)
            except FileRefused:
                self._not_understood = True
        return first_understood(self.sheets)

    def _of_this_sheet(self, chosen: int) -> dict[str, str]:
        """What was posted; whose the columns are was said of the sheet that was shown then."""
        if self._posted.get("of_sheet") == str(chosen):
            return dict(self._posted)
        return {name: self._posted[name] for name in ("rule_set", "day") if name in self._posted}

    def _proposed(self, chosen: int) -> dict[str, str]:
        kind = self.outline.kind()
        said = self._of_this_sheet(chosen)
        columns = self.proposed_people(said)
        people = [column.index for column in self.outline.columns if columns[field_of(column)] != SKIP]
        running = kind == Import.Kind.GAMES and looks_running(self.outline, people)
        return {
            "sheet": str(chosen),
            "of_sheet": str(chosen),
            "kind": kind,
            "cells": TOTALS if running else POINTS,
            "money": EUROS if looks_priced(self.outline, people) else CENTS,
            "rule_set": self._usual_rules(said.get("kind", kind)),
            **columns,
        }

    def _usual_rules(self, kind: str) -> str:
        """Those of the last evening; for lines of games only without Bock."""
        usual, _players = last_line_up(self.club)
        own = next((pk for pk, rule_set in self._rule_sets.items() if rule_set.name == self.new_rules), NEW)
        if usual is None or (kind == Import.Kind.GAMES and has_bock(usual.rules)):
            return own
        return str(usual.pk)

    @property
    def new_rules(self) -> str:
        """What a rule set for old games is called."""
        return _("Übernommen")

    def _rule_choices(self) -> list[tuple[str, str]]:
        choices = [(pk, str(rule_set)) for pk, rule_set in self._rule_sets.items()]
        if any(rule_set.name == self.new_rules for rule_set in self._rule_sets.values()):
            return choices
        return [*choices, (NEW, _("neu: „%(name)s“, ohne Bock") % {"name": self.new_rules})]

    # --- What was said ------------------------------------------------------------------------------------------------

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if getattr(self, "_not_understood", False):
            self.add_error("sheet", _("Auf diesem Blatt fehlt eine Kopfzeile mit den Namen über den Punkten."))
        if cleaned.get("kind") == Import.Kind.EVENINGS and self.outline.day is None:
            self.add_error("kind", _("Für eine Liste nach Abenden fehlt eine Spalte mit dem Datum."))
        if cleaned.get("kind") == Import.Kind.GAMES and "rule_set" in cleaned and has_bock(self.rules):
            self.add_error("rule_set", str(RulesHaveBock()))
        if not self.judge_people(cleaned):
            self.add_error(None, _("Mindestens eine Spalte muss zu einer Person gehören."))
        return cleaned

    @property
    def played_by(self) -> RuleSet | NewRules:
        """The rules that were chosen."""
        return self._rule_sets.get(self.cleaned_data["rule_set"], NewRules(self.new_rules))

    @property
    def rules(self) -> RuleSettings:
        return self.played_by.rules

    @cached_property
    def reading(self) -> Reading:
        if not self.is_valid():
            return Reading()
        if self.cleaned_data["kind"] == Import.Kind.EVENINGS:
            return read_evenings(self.outline, list(self.people), self._amounts)
        running = self.cleaned_data["cells"] == TOTALS
        day = self.cleaned_data["day"]
        return read_games(self.outline, list(self.people), day, running, self.rules, self._amounts)

    @property
    def _amounts(self) -> Amounts:
        priced = self.rules.unit == RuleSet.Unit.CENTS and self.cleaned_data["money"] == EUROS
        return read_euros if priced else read_points

    @property
    def may_be_taken(self) -> bool:
        if not self.is_valid() or self.reading.faults or self.reading.day_missing:
            return False
        return bool(self.reading.sittings) and not self.too_big

    @cached_property
    def too_big(self) -> str:
        """Why this cannot be taken in all at once; empty where it can."""
        return str(ImportTooBig()) if is_too_big(self.reading.sittings) else ""

    # --- How it is shown ----------------------------------------------------------------------------------------------

    @property
    def questions(self) -> list[BoundField]:
        """What is asked of this file besides whose its columns are."""
        asked = ["sheet"] if len(self.sheets) > 1 else []
        asked.append("kind")
        if self.data["kind"] == Import.Kind.GAMES:
            asked += ["cells", *(["day"] if self.outline.day is None else [])]
        asked.append("rule_set")
        chosen = self._rule_sets.get(self.data["rule_set"])
        if chosen is not None and chosen.unit == RuleSet.Unit.CENTS:
            asked.append("money")
        return [self[name] for name in asked]

    @property
    def columns(self) -> list[tuple[Column, BoundField, tuple[int, int]]]:
        """Each column with its choice, its points and its evenings."""
        return [(column, self[field_of(column)], self.reading.totals(column.index)) for column in self.outline.columns]


def has_bock(rules: RuleSettings) -> bool:
    """Whether a Bock can start, at any size of table."""
    return any(rules.at(people).has_bock for people in SEATS)
