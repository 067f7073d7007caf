"""What somebody types to delete a club: its name, so that nobody deletes one by a slip of the finger."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.club.models import Club
from scoring.core.text import text_key


class DeleteForm(forms.Form):
    """The name of the club or its part of the address; upper and lower case are the same."""

    name = forms.CharField(
        label=gettext_lazy("Name des Clubs"),
        widget=forms.TextInput(attrs={"class": "form-control", "autocomplete": "off"}),
    )

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.club = club

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if text_key(name) not in (text_key(self.club.name), text_key(self.club.slug)):
            raise forms.ValidationError(_("Bitte den Namen so eingeben: %(name)s.") % {"name": self.club.name})
        return name
