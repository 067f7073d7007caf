"""Decides what a legal random line for `manage.py charges` is: one of the four that section 9 of the description knows. Everything
comes from the generator handed in, so a seed repeats a line."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from tests.cash.rules import reference
from tests.cash.rules.random_records.evenings import NAMES, random_evening
from tests.cash.rules.random_records.tariffs import random_dues, random_tariff, some

Line = dict[str, Any]
DAYS = ["2025-12-31", "2026-01-01", "2026-03-01", "2026-03-02", "2026-04-01", "2026-02-28"]


def random_line(rng: random.Random) -> Line:
    kinds: list[Callable[[random.Random], Line]] = [random_charges, random_month, random_settle, random_split]
    (kind,) = rng.choices(kinds, [8, 2, 2, 1])
    return {**kind(rng), **some(rng, {"note": "a note", "expect": {"legs": 1}}, 0.05)}


def random_charges(rng: random.Random) -> Line:
    tariff = random_tariff(rng)
    line = {"tariff": tariff, "evening": random_evening(rng, tariff)}
    if rng.random() < 0.3:
        line["booked"] = random_booked(rng, line)
    return line


def random_booked(rng: random.Random, line: Line) -> list[dict[str, Any]]:
    """What it comes to, of which some is missing, twice there, or another sum; and a leg of something else."""
    booked = []
    for leg in reference.answer(line)["legs"]:
        cents = rng.choice([[leg["cents"]], [leg["cents"]], [], [leg["cents"], 5], [7, -7], [leg["cents"] * 2]])
        booked += [{**leg, "cents": one} for one in cents if abs(one) <= 10**10]
    more = [
        {"account": "member:Xaver", "cents": -300, "kind": "fee"},
        {"account": "bank", "cents": 10**10, "kind": "ä"},
    ]
    return booked + [leg for leg in more if rng.random() < 0.2]


def random_month(rng: random.Random) -> Line:
    tariff = random_tariff(rng)
    if rng.random() < 0.8:
        tariff["dues"] = random_dues(rng)
    people = []
    for name in rng.sample(NAMES, rng.choice([0, 1, 3, 5, 8, 60])):
        optional = {
            "guest": rng.choice([True, False]),
            "dues": rng.choice(["full", "reduced", "reduced", "none"]),
            "from": rng.choice([None, *DAYS]),
            "until": rng.choice([None, *DAYS]),
        }
        people.append({"id": name, **some(rng, optional)})
    month = {"month": rng.choice(["2026-01", "2026-03", "2026-03", "2026-04", "2026-10"]), "people": people}
    return {"tariff": tariff, "month": {**month, **some(rng, {"evenings": rng.choice([0, 0, 1, 5])}, 0.7)}}


def random_split(rng: random.Random) -> Line:
    weights = [
        rng.choice([0, 1, 1, 1, 2, 3, 100, "1/3", "2", "0", "7/2"]) for _ in range(rng.choice([1, 2, 3, 4, 7, 60]))
    ]
    if not any(Fraction(weight) for weight in weights):
        weights[-1] = 10**12
    cents = rng.choice([0, 1, 2, 100, 1000, -1, -5, -1000, 10**8, -(10**8), rng.randint(-5000, 5000)])
    return {"split": {"cents": cents, "weights": weights, **some(rng, {"turn": rng.choice([0, 1, 2, 5, 10**9])}, 0.7)}}


# --- Balances ---------------------------------------------------------------------------------------------------------


def random_settle(rng: random.Random) -> Line:
    """Few people, around the sixteen up to which all partitions are looked at, or many."""
    number = rng.choice([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, rng.randint(13, 17), rng.randint(18, 60)])
    balances = rng.choice([any_balances, few_amounts, groups_of_0])(rng, number)
    names = rng.sample([name for name in NAMES if name != "kasse"], len(balances) - max(0, len(balances) - 59))
    names += [f"Q{place}" for place in range(len(balances) - len(names))]
    return {"settle": [[name, cents] for name, cents in zip(names, balances, strict=True)]}


def any_balances(rng: random.Random, number: int) -> list[int]:
    most = rng.choice([5, 50, 5000, 10**8])
    return [rng.randint(-most, most) for _ in range(number)]


def few_amounts(rng: random.Random, number: int) -> list[int]:
    """Much of it level."""
    return [rng.choice([-300, -200, -100, 0, 100, 200, 300]) for _ in range(number)]


def groups_of_0(rng: random.Random, number: int) -> list[int]:
    balances: list[int] = []
    while len(balances) < number:
        group = [rng.randint(-9, 9) * 50 for _ in range(min(rng.randint(1, 4), number - len(balances) - 1))]
        balances += [*group, -sum(group)]
    rng.shuffle(balances)
    return balances
