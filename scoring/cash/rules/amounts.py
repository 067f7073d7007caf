"""Amounts as people write them: "3,50", "1.234,56", "1 000,00", ",50", "5,-", "5 €". A text that could be read in two ways is
refused, and the form asks what was meant. `table/fining.js` reads the same."""

from __future__ import annotations

import re
from typing import Final

_EURO: Final = r"(?:€|EUR|Euro)"
_AMOUNT: Final = re.compile(
    rf"(?:{_EURO} ?)?"
    r"(?:(?P<plain>[0-9]{1,9})|(?P<grouped>[0-9]{1,3}(?P<gap>[ .,'’])[0-9]{3}(?:(?P=gap)[0-9]{3})?))?"
    r"(?:(?P<point>[.,])(?P<cents>[0-9]{1,2}|--?|–|—))?"
    rf"(?: ?{_EURO})?",
    re.IGNORECASE,
)


def cents_typed(text: str) -> int | None:
    """Return the cents of an amount; None where the text is none, or could be two."""
    found = _found(text)
    if found is None or _is_unclear(found):
        return None
    whole, cents = re.sub("[^0-9]", "", found["plain"] or found["grouped"] or ""), found["cents"] or "0"
    if not whole and not (found["cents"] and cents.isdigit()):
        return None
    return 100 * int(whole or "0") + (int(cents.ljust(2, "0")) if cents.isdigit() else 0)


def reads_two_ways(text: str) -> bool:
    """Return whether it is like 1.234, which may be more than a thousand or little more than one."""
    found = _found(text)
    return found is not None and _is_unclear(found)


def _found(text: str) -> re.Match[str] | None:
    """The parts of an amount whose thousands and cents do not stand behind the same sign."""
    found = _AMOUNT.fullmatch(" ".join(text.split()))
    return None if found is None or (found["point"] and found["point"] == found["gap"]) else found


def _is_unclear(found: re.Match[str]) -> bool:
    return found["gap"] in (".", ",") and not found["point"] and found["grouped"].count(found["gap"]) == 1
