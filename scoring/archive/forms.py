"""The upload of an archive."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.archive.actions import ArchiveRefused
from scoring.archive.reading.archive import validate_upload

# Faults that are shown.
MAX_FAULTS = 5


class ArchiveForm(forms.Form):
    """One file; `text` is the valid archive in it after the form was cleaned."""

    file = forms.FileField(
        label=gettext_lazy("Archiv"),
        widget=forms.FileInput(attrs={"accept": ".json,.zip"}),
        help_text=gettext_lazy(
            "Eine Datei .json, auch als ZIP gepackt, höchstens 10 MB. Erst kommt eine Vorschau. Eine größere Datei "
            "liest ein, wer die Seite betreibt: mit „manage.py archive import“ auf dem Server."
        ),
    )
    text: str

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["file"].error_messages["required"] = _("Bitte eine Datei wählen.")

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        try:
            self.text = validate_upload(file.read())
        except ArchiveRefused as refused:
            raise ValidationError(refused.faults[:MAX_FAULTS]) from refused
        return file
