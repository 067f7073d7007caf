"""Uploading one file of an old list: read at once, and refused with a sentence where it is none."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.club.models import Club
from scoring.club.queries import get_ids_by_name_key
from scoring.core.text import build_file_name, tidy, validate_plain
from scoring.imports.reading.files import FileRefused, FileSheet, read_file
from scoring.imports.reading.ours import lists_among
from scoring.imports.reading.rows import OUR_LISTS
from scoring.imports.reading.sheets import understood

FILE_NAME_LENGTH: Final = 100


def _titled(sheets: Sequence[FileSheet], name: str) -> Sequence[FileSheet]:
    """The sheets; the only one of our own "Datum × Name" as CSV under its title, which only the name of that file says."""
    title = next((title for title in OUR_LISTS if name.startswith(build_file_name(title))), "")
    return [sheet._replace(name=sheet.name or title) for sheet in sheets]


class UploadForm(forms.Form):
    """One file. What a cleaned form knows of it: its `sheets`, its `digest` and the `kind` it looks like."""

    file = forms.FileField(
        label=gettext_lazy("Datei"),
        widget=forms.FileInput(attrs={"accept": ".csv,.txt,.tsv,.xlsx,.xls,.ods"}),
        help_text=gettext_lazy(
            "CSV, Excel (.xlsx, .xls) oder LibreOffice (.ods), höchstens 2 MB. Erst kommt eine Vorschau."
        ),
    )
    sheets: Sequence[FileSheet]
    kind: str
    digest: str

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.club = club
        self.fields["file"].error_messages["required"] = _("Bitte eine Datei wählen.")

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        data = file.read()
        try:
            self.sheets = self.lists_among(_titled(read_file(data), file.name))
            self.kind = self.kind_of(self.sheets)
        except FileRefused as refused:
            raise ValidationError(str(refused)) from refused
        self.digest = hashlib.sha256(data).hexdigest()
        return file

    def kind_of(self, sheets: Sequence[FileSheet]) -> str:
        """What the first sheet of a list looks like. Raises FileRefused where there is none."""
        return next(iter(understood(sheets, known=set(get_ids_by_name_key(self.club))).values())).kind()

    def lists_among(self, sheets: Sequence[FileSheet]) -> Sequence[FileSheet]:
        """Those that can be lists. Raises FileRefused where there is none."""
        return lists_among(sheets)

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
