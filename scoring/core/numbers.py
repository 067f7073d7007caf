"""Whole numbers as people write them: Python would also take "1_0" for ten, and digits of other scripts."""

from __future__ import annotations

import re
from typing import Any

from django import forms

_DIGITS = re.compile(r"-?[0-9]+")


def whole(value: Any) -> int | None:
    """A whole number from 0 on, given as an int or as a text of plain digits; None for anything else. `isdigit` would
    accept "²" as well. More than 18 digits are refused: no row has such a number, and not every database could take it."""
    if type(value) is int:
        return value if 0 <= value < 10**18 else None
    return int(value) if isinstance(value, str) and re.fullmatch("[0-9]{1,18}", value) else None


class WholeField(forms.IntegerField):
    """A whole number in plain digits."""

    def to_python(self, value: Any) -> int | None:
        if isinstance(value, str) and value.strip() and not _DIGITS.fullmatch(value.strip()):
            raise forms.ValidationError(self.error_messages["invalid"], code="invalid")
        return super().to_python(value)
