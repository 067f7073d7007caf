"""Amounts as people type them: digits with at most two after a comma or a point. A text that could be read in two ways is
refused, and the form asks what was meant."""

from __future__ import annotations

import re
from typing import Final

_AMOUNT: Final = re.compile(r"([0-9]{1,9})(?:[.,]([0-9]{1,2}))?")
_TWO_WAYS: Final = re.compile(r"[0-9]{1,3}(?:[., ][0-9]{3})+")


def cents_typed(text: str) -> int | None:
    """The cents of an amount; None where it is none."""
    found = _AMOUNT.fullmatch(text.strip())
    return found and 100 * int(found[1]) + int((found[2] or "0").ljust(2, "0"))


def reads_two_ways(text: str) -> bool:
    """Is it like 1.234, which may be more than a thousand or little more than one?"""
    return _TWO_WAYS.fullmatch(text.strip()) is not None
