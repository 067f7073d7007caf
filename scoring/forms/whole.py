"""Whole numbers as people write them: Python would also take "1_0" for ten, and digits of other scripts."""

from __future__ import annotations

import re
from typing import Any

from django import forms

_DIGITS = re.compile(r"-?[0-9]+")


class WholeField(forms.IntegerField):
    """A whole number in plain digits."""

    def to_python(self, value: Any) -> int | None:
        if isinstance(value, str) and value.strip() and not _DIGITS.fullmatch(value.strip()):
            raise forms.ValidationError(self.error_messages["invalid"], code="invalid")
        return super().to_python(value)
