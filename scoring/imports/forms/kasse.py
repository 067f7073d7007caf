"""The forms for an old Kasse: uploading a file, and saying whose each column is and which days are missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Final

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.cash.forms import build_unusual_warning
from scoring.cash.ledger.queries import get_first_open_day
from scoring.cash.texts import format_euros
from scoring.club.queries import get_ids_by_name_key
from scoring.club.texts import build_long_ago_warning
from scoring.core.forms import build_day_field
from scoring.core.text import text_key
from scoring.imports.actions import BOOKED_ALREADY, MAX_ROWS, TOO_BIG
from scoring.imports.models import Import
from scoring.imports.queries import get_last_days, list_unbooked
from scoring.imports.reading.file_formats import OUR_LISTS
from scoring.imports.reading.kasse import KasseReading, KasseSheet, find_kasse_sheet, outline_kasse, read_kasse
from scoring.imports.reading.outline import PersonColumn
from scoring.imports.reading.uploads import FileRefused, FileSheet
from scoring.imports.rules import KasseRow

from .files import SKIP, ColumnsForm, UploadForm, get_field_name


class KasseUploadForm(UploadForm):
    def select_lists(self, sheets: Sequence[FileSheet]) -> Sequence[FileSheet]:
        if any(sheet.name.startswith(OUR_LISTS) for sheet in sheets):
            raise FileRefused(_(
                "Das ist unsere eigene Excel-Datei mit allem; ihre Kasse ist zum Lesen da. Einen ganzen Club bringt sein "
                "Archiv mit: Bitte „Archiv einlesen“ wählen."
            ))
        return sheets

    def guess_kind(self, sheets: Sequence[FileSheet]) -> str:
        return find_kasse_sheet(sheets, get_ids_by_name_key(self.club))[1].kind


# The choice to book what was there before the first row.
BOOK: Final = "book"


class KasseForm(ColumnsForm):
    """The preview of a waiting file, always bound: to the posted values, otherwise to proposals. A cleaned form has its `reading`.
    Creating it raises FileRefused if the file is no Kasse."""

    day = build_day_field(None)
    box = forms.ChoiceField(
        label=gettext_lazy("Wo ist dieses Geld?"),
        choices=[("cash", gettext_lazy("In der Kasse, bar")), ("bank", gettext_lazy("Auf dem Konto"))],
        required=False,
    )
    opening = forms.ChoiceField(
        choices=[
            ("", gettext_lazy("Bitte wählen")),
            (BOOK, gettext_lazy("Ja, als Anfangsbestand buchen")),
            ("leave", gettext_lazy("Nein, das ist schon gebucht")),
        ],
        required=False,
    )

    def __init__(self, posted: Mapping[str, str] | None, *, file: Import) -> None:
        self.file, self.club = file, file.club
        self.sheets = [FileSheet(**sheet) for sheet in file.sheets or ()]
        self._posted = posted or {}
        self.selected, self.sheet = self._find_sheet()
        self.candidates = self.sheet.columns
        posted = self._posted if self._posted.get("of_sheet") == str(self.selected) else {}
        people = self.propose_people(posted)
        super().__init__({**posted, "sheet": str(self.selected), "of_sheet": str(self.selected), **people})
        hidden = _("%(sheet)s (ausgeblendet)")
        labels = [hidden % {"sheet": sheet.name} if sheet.hidden else sheet.name or "1" for sheet in self.sheets]
        self.fields["sheet"] = forms.ChoiceField(label=_("Blatt"), choices=list(enumerate(labels)))
        self.fields["day"].label = _("Tag der Bestände")
        self.add_column_fields()
        taken = [column.index for column in self.candidates if people[get_field_name(column)] != SKIP]
        self._seasons = get_last_days(self.club)
        self._first_open = get_first_open_day(self.club)
        read = read_kasse(self.sheet, people=taken, first_open=self._first_open, seasons=self._seasons)
        self.unknown, before = read.unknown, format_euros(read.opening)
        self.asks_opening = bool(read.opening)
        self.fields["opening"].label = _("Vor der ersten Zeile waren %(amount)s da. Gehört das dazu?") % {"amount": before}
        for index, season in enumerate(self.unknown):
            self.fields[f"season_{index}"] = build_day_field(_("Letzter Abend von „%(season)s“") % {"season": season})

    def _find_sheet(self) -> tuple[int, KasseSheet]:
        selected, known = self._posted.get("sheet", ""), self.known
        if selected.isdecimal() and int(selected[:4]) < len(self.sheets):
            try:
                return int(selected[:4]), outline_kasse(self.sheets[int(selected[:4])].rows, known)
            except FileRefused as refused:
                self._not_understood = str(refused)
        return find_kasse_sheet(self.sheets, known)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if refused := getattr(self, "_not_understood", ""):
            self.add_error("sheet", refused)
        if not self.check_people() and self.sheet.kind == Import.Kind.PAID:
            self.add_error(None, _("Mindestens eine Spalte muss zu einer Person gehören."))
        for index, season in enumerate(self.unknown):
            if day := cleaned.get(f"season_{index}"):
                self._seasons[text_key(season)] = day
        return cleaned

    @cached_property
    def reading(self) -> KasseReading:
        if not self.is_valid():
            return KasseReading()
        return read_kasse(
            self.sheet,
            people=list(self.people),
            first_open=self._first_open,
            seasons=self._seasons,
            day=self.cleaned_data["day"],
            box=self.cleaned_data["box"] or "cash",
            books_opening=self.cleaned_data["opening"] == BOOK,
        )

    @cached_property
    def sums(self) -> dict[str, int]:
        """The sums in cents that would be booked, and the number of rows that are booked already."""
        missing = list_unbooked(self.file, self.selected, self.reading.rows)
        rows = {row.number: row for row, _part, _key in missing}
        kasse = [row.in_kasse for row in rows.values()]
        income, expense = sum(cents for cents in kasse if cents > 0), -sum(cents for cents in kasse if cents < 0)
        booked = len(self.reading.rows) - len(rows)
        return {"income": income, "expense": expense, "in_kasse": income - expense, "booked": booked}

    @property
    def odd(self) -> list[str]:
        """Warnings about a day long ago and about unusual amounts."""
        rows = self.reading.rows
        day = build_long_ago_warning(self.club, min((row.date for row in rows), default=None))
        amount = build_unusual_warning(self.club.pk, (cents for row in rows for cents in row.amounts))
        return [odd for odd in (day, amount) if odd]

    @cached_property
    def obstacle(self) -> str:
        """The reason why a readable file cannot be booked, or an empty string."""
        rows = self.reading.rows
        if len(rows) > MAX_ROWS:
            return str(TOO_BIG)
        return str(BOOKED_ALREADY) if rows and self.sums["booked"] == len(rows) else ""

    @property
    def may_be_taken(self) -> bool:
        reading = self.reading
        incomplete = reading.faults or reading.unknown or reading.day_missing or self.opening_missing
        return bool(self.is_valid() and reading.rows and not incomplete and not self.obstacle)

    @property
    def opening_missing(self) -> bool:
        """True if the user has to say whether what was there before is booked."""
        return self.asks_opening and not self.data.get("opening")

    @property
    def questions(self) -> list[BoundField]:
        """The fields except those of the columns."""
        names = ["sheet"] if len(self.sheets) > 1 else []
        if self.has_balances and (self.reading.day_missing or self.data.get("day")):
            names.append("day")
        names += ["box"] if self.sheet.book else []
        names += ["opening"] if self.asks_opening else []
        return [self[name] for name in [*names, *(f"season_{index}" for index, _season in enumerate(self.unknown))]]

    @property
    def sheet_rows(self) -> list[KasseRow]:
        """The rows of a cash book, each with its purpose."""
        return self.reading.rows if self.sheet.book else []

    @property
    def has_balances(self) -> bool:
        """True if the amounts are debts, not payments. (In a template `form.sheet` is the field, not the sheet.)"""
        return self.sheet.kind == Import.Kind.OPENED

    @property
    def columns(self) -> list[tuple[PersonColumn, BoundField, int]]:
        """The columns of people, each with its field and its sum in cents."""
        return [
            (column, self[get_field_name(column)], sum(row.sum_column(column.index) for row in self.reading.rows))
            for column in self.candidates
        ]

