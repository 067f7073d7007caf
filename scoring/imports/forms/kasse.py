"""Uploading a file of an old Kasse, and saying what of it is not in the file: whose each column is, and the days that it leaves
open."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext as _

from scoring.cash.forms import build_unusual_warning
from scoring.cash.ledger.queries import get_first_open_day
from scoring.club.queries import get_ids_by_name_key
from scoring.club.texts import build_long_ago_warning
from scoring.core.forms import build_day_field
from scoring.core.text import text_key
from scoring.imports.actions import MAX_ROWS
from scoring.imports.errors import ImportBookedAlready, ImportTooBig
from scoring.imports.models import Import
from scoring.imports.queries import last_days, not_booked
from scoring.imports.reading.file_formats import OUR_LISTS
from scoring.imports.reading.kasse import (
    KasseOptions,
    KasseReading,
    KasseSheet,
    find_kasse_sheet,
    outline_kasse,
    read_kasse,
)
from scoring.imports.reading.outline import PersonColumn
from scoring.imports.reading.uploads import FileRefused, FileSheet

from .files import SKIP, ColumnsForm, UploadForm, field_of


class KasseUploadForm(UploadForm):
    """One file of an old Kasse."""

    def select_lists(self, sheets: Sequence[FileSheet]) -> Sequence[FileSheet]:
        if any(sheet.name.startswith(OUR_LISTS) for sheet in sheets):
            raise FileRefused(
                _(
                    "Das ist unsere eigene Excel-Datei mit allem; ihre Kasse ist zum Lesen da. Einen ganzen Club bringt sein "
                    "Archiv mit: Bitte „Archiv einlesen“ wählen."
                )
            )
        return sheets

    def kind_of(self, sheets: Sequence[FileSheet]) -> str:
        return find_kasse_sheet(sheets, get_ids_by_name_key(self.club))[1].kind


def _label_of(sheet: FileSheet) -> str:
    return _("%(sheet)s (ausgeblendet)") % {"sheet": sheet.name} if sheet.hidden else sheet.name or "1"


@dataclass(frozen=True)
class BookedSums:
    """What would be booked, in cents: what comes into the Kasse and leaves it, and how many rows are booked already."""

    income: int
    expense: int
    booked: int

    @property
    def in_kasse(self) -> int:
        return self.income - self.expense


class KasseForm(ColumnsForm):
    """What is what in a file that waits, bound to what was proposed where nobody said otherwise; a cleaned form has its
    `reading`. Raises FileRefused where it is no Kasse."""

    day = build_day_field(None)

    def __init__(self, posted: Mapping[str, str] | None, *, brought: Import) -> None:
        self.brought, self.club = brought, brought.club
        self.sheets = [FileSheet(**sheet) for sheet in brought.sheets or ()]
        self._posted = posted or {}
        self.chosen, self.sheet = self._chosen_sheet()
        self.asked = self.sheet.columns
        said = self._posted if self._posted.get("of_sheet") == str(self.chosen) else {}
        people = self.proposed_people(said)
        super().__init__({**said, "sheet": str(self.chosen), "of_sheet": str(self.chosen), **people})
        self.fields["sheet"] = forms.ChoiceField(
            label=_("Blatt"), choices=[(index, _label_of(sheet)) for index, sheet in enumerate(self.sheets)]
        )
        self.fields["day"].label = _("Tag der Bestände")
        self.ask()
        taken = [column.index for column in self.asked if people[field_of(column)] != SKIP]
        self._seasons = last_days(self.club)
        self._first_open = get_first_open_day(self.club)
        self.unknown = read_kasse(self.sheet, self._known(taken)).unknown
        for index, season in enumerate(self.unknown):
            self.fields[f"season_{index}"] = build_day_field(
                _("Letzter Abend von „%(season)s“") % {"season": season}
            )

    def _chosen_sheet(self) -> tuple[int, KasseSheet]:
        chosen, known = self._posted.get("sheet", ""), self.known
        if chosen.isdecimal() and int(chosen[:4]) < len(self.sheets):
            try:
                return int(chosen[:4]), outline_kasse(self.sheets[int(chosen[:4])].rows, known)
            except FileRefused as refused:
                self._not_understood = str(refused)
        return find_kasse_sheet(self.sheets, known)

    def _known(self, people: Sequence[int], day: datetime.date | None = None) -> KasseOptions:
        return KasseOptions(people, self._first_open, self._seasons, day)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if refused := getattr(self, "_not_understood", ""):
            self.add_error("sheet", refused)
        if not self.judge_people(cleaned) and self.sheet.kind == Import.Kind.PAID:
            self.add_error(None, _("Mindestens eine Spalte muss zu einer Person gehören."))
        for index, season in enumerate(self.unknown):
            if day := cleaned.get(f"season_{index}"):
                self._seasons[text_key(season)] = day
        return cleaned

    @cached_property
    def reading(self) -> KasseReading:
        if not self.is_valid():
            return KasseReading()
        return read_kasse(self.sheet, self._known(list(self.people), self.cleaned_data["day"]))

    @cached_property
    def sums(self) -> BookedSums:
        """Of what is in no book yet."""
        missing = not_booked(self.brought, self.chosen, self.reading.rows)
        rows = {row.number: row for row, _part, _key in missing}
        kasse = [row.in_kasse for row in rows.values()]
        return BookedSums(
            sum(cents for cents in kasse if cents > 0),
            -sum(cents for cents in kasse if cents < 0),
            len(self.reading.rows) - len(rows),
        )

    @property
    def odd(self) -> list[str]:
        """What the preview asks about."""
        rows = self.reading.rows
        day = build_long_ago_warning(self.club, min((row.date for row in rows), default=None))
        amount = build_unusual_warning(self.club.pk, (cents for row in rows for cents in row.amounts))
        return [odd for odd in (day, amount) if odd]

    @cached_property
    def in_the_way(self) -> str:
        """Why nothing of this can be booked though it can be read; empty where it can."""
        rows = self.reading.rows
        if len(rows) > MAX_ROWS:
            return str(ImportTooBig())
        return str(ImportBookedAlready()) if rows and self.sums.booked == len(rows) else ""

    @property
    def may_be_taken(self) -> bool:
        reading = self.reading
        open_ones = reading.faults or reading.unknown or reading.day_missing
        return bool(self.is_valid() and reading.rows and not open_ones and not self.in_the_way)

    # --- How it is shown ----------------------------------------------------------------------------------------------

    @property
    def questions(self) -> list[BoundField]:
        """What is asked of this file besides whose its columns are."""
        asked = ["sheet"] if len(self.sheets) > 1 else []
        if self.has_balances and (self.reading.day_missing or self.data.get("day")):
            asked.append("day")
        return [self[name] for name in [*asked, *(f"season_{index}" for index, _season in enumerate(self.unknown))]]

    @property
    def has_balances(self) -> bool:
        """Are the amounts what people owe, and not what they paid? In a template `form.sheet` is the field of that name."""
        return self.sheet.kind == Import.Kind.OPENED

    @property
    def columns(self) -> list[tuple[PersonColumn, BoundField, int]]:
        """Each column with its choice and its cents."""
        return [
            (column, self[field_of(column)], sum(row.of(column.index) for row in self.reading.rows))
            for column in self.asked
        ]

