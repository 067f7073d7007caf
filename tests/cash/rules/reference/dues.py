"""Decides what a month costs in dues (section 4, Dues)."""

from __future__ import annotations

from collections import Counter
from typing import Any

MONTHS = {
    "month": ["01", "02", "03", "04", "05", "06", "07", "08", "09", "10", "11", "12"],
    "quarter": ["01", "04", "07", "10"],
    "year": ["01"],
}


def legs_of_month(month: dict[str, Any], tariff: dict[str, Any]) -> Counter[tuple[str, str]]:
    """Section 4, Dues: each who is no guest and a member on its first day, by their status."""
    legs: Counter[tuple[str, str]] = Counter()
    dues = tariff.get("dues")
    if dues is None or not is_due(month, dues):
        return legs
    amounts = {"full": dues["cents"], "reduced": dues.get("reduced", 0), "none": 0}
    for person in month["people"]:
        if not person.get("guest", False) and is_member_on(f"{month['month']}-01", person):
            cents = amounts[person.get("dues", "full")]
            legs["dues", f"member:{person['id']}"] += cents
            legs["dues", "income:dues"] -= cents
    return legs


def is_due(month: dict[str, Any], dues: dict[str, Any]) -> bool:
    if dues.get("when", "always") == "no_evening" and month.get("evenings", 0) > 0:
        return False
    return month["month"][5:] in MONTHS[dues.get("every", "month")]


def is_member_on(day: str, person: dict[str, Any]) -> bool:
    """`from` ≤ it ≤ `until`; a day written YYYY-MM-DD is later when it comes later in the alphabet."""
    begins, ends = person.get("from"), person.get("until")
    return (begins is None or begins <= day) and (ends is None or day <= ends)
