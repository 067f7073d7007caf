"""Decides what one legal line answers (section 9)."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

from tests.cash.rules.reference.dues import legs_of_month
from tests.cash.rules.reference.evening import legs_of_evening
from tests.cash.rules.reference.settling import transfers_of
from tests.cash.rules.reference.shares import split

Json = dict[str, Any]
Legs = Counter[tuple[str, str]]


def answer(line: Json) -> Json:
    """Section 9: one of the four."""
    if "evening" in line:
        return answer_evening(line)
    if "month" in line:
        return {"legs": written(legs_of_month(line["month"], line["tariff"]))}
    if "settle" in line:
        return {"transfers": transfers_of([(name, cents) for name, cents in line["settle"]])}
    weights = [Fraction(weight) for weight in line["split"]["weights"]]
    return {"shares": split(line["split"]["cents"], weights, line["split"].get("turn", 0))}


def answer_evening(line: Json) -> Json:
    """Section 9: the legs, and where something is booked how it differs from them."""
    legs = legs_of_evening(line["evening"], line["tariff"])
    if "booked" not in line:
        return {"legs": written(legs)}
    booked: Legs = Counter()
    for leg in line["booked"]:
        booked[leg["kind"], leg["account"]] += leg["cents"]
    difference = [
        {"account": account, "kind": kind, "was": booked[kind, account], "is": legs[kind, account]}
        for kind, account in sorted({*legs, *booked})
        if booked[kind, account] != legs[kind, account]
    ]
    return {"legs": written(legs), "difference": difference}


def written(legs: Legs) -> list[Json]:
    """Section 9: sorted by kind, then account; section 4: a sum of 0 is no leg."""
    return [
        {"account": account, "cents": cents, "kind": kind} for (kind, account), cents in sorted(legs.items()) if cents
    ]
