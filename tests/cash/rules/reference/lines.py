"""Decides what one line answers (section 9): which of the four it is, its faults, or what it comes to."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

from tests.cash.rules.reference.dues import legs_of_month
from tests.cash.rules.reference.evening import legs_of_evening
from tests.cash.rules.reference.facts import TURN, faults_of_evening, faults_of_month
from tests.cash.rules.reference.judging import (
    integer,
    is_fraction,
    is_integer,
    is_text,
    judge_object,
    list_of,
    object_of,
    value_that,
)
from tests.cash.rules.reference.settling import transfers_of
from tests.cash.rules.reference.shares import split
from tests.cash.rules.reference.tariff import faults_of_tariff

Json = dict[str, Any]
Legs = Counter[tuple[str, str]]
MOST_CENTS = 10**8
MOST_BOOKED = 10**10
IGNORED = ["expect", "note"]
# What belongs to each of the four beside itself.
FOUR = {"evening": ["tariff", "booked"], "month": ["tariff"], "settle": [], "split": []}


def answer(line: Any) -> Json:
    """Section 9: exactly one of the four, or `line` is refused."""
    asked = [key for key in FOUR if key in line] if isinstance(line, dict) else []
    if len(asked) != 1:
        return refused(["line"])
    (what,) = asked
    faults = faults_of_line(line, what)
    if faults:
        return refused(faults)
    if what == "evening":
        return answer_evening(line)
    if what == "month":
        return {"legs": written(legs_of_month(line["month"], line["tariff"]))}
    if what == "settle":
        return {"transfers": transfers_of([(name, cents) for name, cents in line["settle"]])}
    weights = [Fraction(weight) for weight in line["split"]["weights"]]
    return {"shares": split(line["split"]["cents"], weights, line["split"].get("turn", 0))}


def refused(paths: list[str]) -> Json:
    return {"error": dict.fromkeys(paths, "refused")}


# --- What it comes to -------------------------------------------------------------------------------------------------


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


# --- What is refused --------------------------------------------------------------------------------------------------


def faults_of_line(line: Json, what: str) -> list[str]:
    """Section 9: the tariff is judged first and its faults answer alone; then all others together."""
    if "tariff" in FOUR[what]:
        faults = faults_of_tariff(line["tariff"]) if "tariff" in line else ["tariff"]
        if faults:
            return faults
    unknown = [key for key in line if key not in [what, *FOUR[what], *IGNORED]]
    if what == "evening":
        booked = faults_of_booked(line["booked"]) if "booked" in line else []
        return unknown + booked + faults_of_evening(line["evening"], line["tariff"])
    if what == "month":
        return unknown + faults_of_month(line["month"])
    return unknown + (faults_of_settle if what == "settle" else faults_of_split)(line[what])


def faults_of_booked(value: Any) -> list[str]:
    """Section 9, `booked`: legs, whose cents are never 0 and at most 10^10 (section 1, law 3)."""
    text = value_that(lambda name: isinstance(name, str))
    cents = value_that(lambda number: is_integer(number, -MOST_BOOKED, MOST_BOOKED) and number != 0)
    leg = object_of({"account": text, "cents": cents, "kind": text}, ["account", "cents", "kind"])
    return list_of(leg)(value, "booked")


def faults_of_settle(value: Any) -> list[str]:
    """Section 9, `settle`: at most 60, each id once and not `kasse`. A balance is refused as a whole."""
    if not isinstance(value, list) or len(value) > 60:
        return ["settle"]
    names: list[str] = []
    faults = []
    for place, balance in enumerate(value):
        if is_balance(balance) and balance[0] not in names:
            names.append(balance[0])
        else:
            faults.append(f"settle.{place}")
    return faults


def is_balance(value: Any) -> bool:
    if not isinstance(value, list) or len(value) != 2:
        return False
    name, cents = value
    return is_text(name, 1, 40) and name != "kasse" and is_integer(cents, -MOST_CENTS, MOST_CENTS)


def faults_of_split(value: Any) -> list[str]:
    """Section 9, `split`."""
    keys = {"cents": integer(-MOST_CENTS, MOST_CENTS), "weights": value_that(are_weights), "turn": TURN}
    return judge_object(value, "split", keys, ["cents", "weights"])


def are_weights(value: Any) -> bool:
    """Section 9: 1..60 integers or fractions from 0, not all 0."""
    if not isinstance(value, list) or not 1 <= len(value) <= 60:
        return False
    return all(is_fraction(weight) for weight in value) and any(Fraction(weight) > 0 for weight in value)
