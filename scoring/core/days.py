"""Days as they are typed, and how far back one may lie."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Final

from django import forms

# A year of two digits ("0025") is one that somebody did not finish typing, and nothing here is that old.
FIRST_YEAR: Final = 1950
FIRST_DAY: Final = datetime.date(FIRST_YEAR, 1, 1)


class DayInput(forms.DateInput):
    """The browser's own field of a day. It takes a day in this form alone, whatever the language of the page."""

    input_type = "date"

    def __init__(self, attrs: Mapping[str, Any] | None = None) -> None:
        super().__init__(dict(attrs or {}), format="%Y-%m-%d")


def day_field(label: Any) -> forms.DateField:
    """A day that may be left empty."""
    return forms.DateField(label=label, required=False, widget=DayInput())
