"""What rows have in common that a club adds itself, special points and kinds of game: their names, and which empty rows a
form has."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.core.text import tidy, validate_plain
from scoring.rules.settings_schema import MAX_NAME_LENGTH


class NameField(forms.CharField):
    """The name of something of a club's own, tidied."""

    def __init__(self, label: str) -> None:
        widget = forms.TextInput(attrs={"class": "form-control", "autocomplete": "off"})
        super().__init__(
            label=label, max_length=MAX_NAME_LENGTH, required=False, validators=[validate_plain], widget=widget
        )

    def clean(self, value: Any) -> str:
        return tidy(super().clean(value))


class BoxField(forms.BooleanField):
    """A box that says whether something exists."""

    def __init__(self, label: str) -> None:
        widget = forms.CheckboxInput(attrs={"class": "form-check-input"})
        super().__init__(label=label, required=False, widget=widget)


NAME_MISSING: Final = _("Bitte einen Namen angeben.")
NAME_TAKEN: Final = _("So heißt schon etwas anderes. Bitte einen anderen Namen wählen.")


def new_rows(data: Mapping[str, Any] | None, name: str, one_more: bool) -> list[str]:
    """The rows of the form that are not stored yet, by number: an empty one at first, then those that came back and, where
    that was asked for, one more."""
    if data is None:
        return ["0"]
    found = [match[1] for key in data if (match := re.fullmatch(rf"{name}__([0-9]{{1,2}})-name", key))]
    if one_more or not found:
        found.append(next(str(number) for number in range(100) if str(number) not in found))
    return found
