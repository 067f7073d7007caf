"""Decides which tariffs random lines have: every part and key, alone and together, with small and extreme values."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

Json = dict[str, Any]

CENTS = [0, 1, 10, 20, 50, 99, 100, 250, 333, 1000, 1_000_000]
FROM_1 = [cents for cents in CENTS if cents]
RATES: list[int | str] = [1, 2, 5, 10, 10, 50, 50, 10_000]
RATES += ["1/2", "1/2", "1/8", "1/8", "5/3", "25/2", "7/3", "3", "10", "1/9999", "999999/9999", "010", "3/08"]
CODES = ["late", "phone", "misdeal", "glas", "lost", "x", "a_1", "lost_game2", "z" + "9" * 29]
DRINKS = ["bier", "wasser", "korn", "saft_0_2"]
RULES = ["ddv", "VLN", "klassisch", "Eigene Regeln"]


def random_tariff(rng: random.Random) -> Json:
    """Sometimes without a part, sometimes with one or two, sometimes with all; what is played for more often than others."""
    how_many = rng.choice([0, 0.2, 0.4, 0.4, 0.7, 1])
    played_for = {"points": 0.4, "pot": 0.2} if how_many else {}
    return {part: PARTS[part](rng) for part in PARTS if rng.random() < how_many + played_for.get(part, 0)}


def some(rng: random.Random, keys: Json, chance: float = 0.4) -> Json:
    """Some of these keys."""
    return {key: value for key, value in keys.items() if rng.random() < chance}


def random_round(rng: random.Random) -> Json:
    return some(rng, {"to": rng.choice([1, 5, 10, 50, 100]), "how": rng.choice(["down", "up", "nearest"])}, 0.8)


def random_points(rng: random.Random) -> Json:
    scheme = rng.choice(["minus", "minus", "each", "best", "better", "rank"])
    optional = {
        "scope": rng.choice(["evening", "table", "game"]),
        "guests": rng.choice([True, False]),
        "round": random_round(rng),
        "cap": rng.choice([1, 50, 100, 333, 1000]),
        "factors": {
            name: rng.choice([0, 1, 2, 100, "1/2", "0", "2/3", "100"]) for name in rng.sample(RULES, rng.randint(0, 4))
        },
    }
    points = {"scheme": scheme, **some(rng, optional)}
    if scheme == "rank":
        amounts = rng.choice([[100], [0, 100], [200, 300, 400, 500], [500, 201, 100, 0], [0], [1] * 60])
        return {**points, "amounts": amounts}
    points["rate"] = rng.choice(RATES)
    points |= some(rng, {"dearer": {"beyond": rng.choice([1, 5, 20, 100, 100_000]), "rate": rng.choice(RATES)}})
    if scheme == "minus":
        points |= some(rng, {"winners": rng.choice([0, 1, "1/2", "2/3", "0", "1", "1/9999"])}, 0.6)
    return points


def random_pot(rng: random.Random) -> Json:
    pot = {"buy_in": rng.choice([0, 5, 10, 50, 100, 101]), **some(rng, {"rest": rng.choice(["split", "kasse"])}, 0.7)}
    pot |= some(rng, {"empty": rng.choice(["charge", "warn"])}, 0.6)
    pot |= some(rng, {"top_up": rng.choice([5, 7, 20, 100])}, 0.6)
    if pot.get("empty") != "warn" and pot.get("top_up", pot["buy_in"]) == 0:
        pot["top_up"] = 10
    elif pot.get("empty") == "warn" and rng.random() < 0.2:
        pot["top_up"] = 0
    return pot


def random_fine(rng: random.Random) -> Json:
    name = some(rng, {"name": rng.choice(["Verspätung", "x", "ü" * 60, " "])}, 0.3)
    form = rng.choice(["event", "minutes", "entries", "lost_games", "open"])
    if form == "event":
        return {"cents": rng.choice(CENTS), **name}
    if form == "minutes":
        late = {"cents": rng.choice([1, 50, 100]), "minutes": rng.choice([1, 5, 15, 60, 1440])}
        return {**late, **some(rng, {"cap": rng.choice([1, 120, 500])}, 0.5), **name}
    if form == "open":
        return {"open": True, **name}
    steps = [[rng.choice([1, 2, 3, 10, 999]), rng.choice([0, 50, 100])] for _ in range(rng.choice([0, 1, 2, 8]))]
    counts = {"counts": form} if form == "lost_games" else some(rng, {"counts": form}, 0.5)
    return {"steps": [*steps, [None, rng.choice([0, 100, 200])]], **counts, **name}


def random_absence(rng: random.Random) -> Json:
    words = ["points", "pot", "fines", "drinks"]
    parts = {
        kind: some(rng, {"average": rng.sample(words, rng.randint(0, 4)), "plus": rng.choice(CENTS[:-1])}, 0.8)
        for kind in ("excused", "unexcused")
    }
    return some(rng, {**parts, "round": random_round(rng)}, 0.8)


def random_dues(rng: random.Random) -> Json:
    every = some(rng, {"every": rng.choice(["month", "month", "quarter", "year"])}, 0.7)
    monthly = every.get("every", "month") == "month"
    when = some(rng, {"when": rng.choice(["always", "no_evening", "no_evening"] if monthly else ["always"])}, 0.6)
    return {"cents": rng.choice(CENTS), **every, **when, **some(rng, {"reduced": rng.choice(CENTS)})}


def random_drinks(rng: random.Random) -> Json:
    prices = {code: rng.choice(CENTS[:-1]) for code in rng.sample(DRINKS, rng.randint(0, 4))}
    return some(rng, {"flat": rng.choice(CENTS[:-1]), "list": prices, "shared": rng.random() < 0.8}, 0.7)


def random_leaving(rng: random.Random) -> Json:
    payout = rng.choice(["nothing", "share", "fixed"])
    return {"payout": payout, **({"cents": rng.choice(FROM_1)} if payout == "fixed" else {})}


PARTS: dict[str, Callable[[random.Random], Json]] = {
    "points": random_points,
    "pot": random_pot,
    "fee": lambda rng: {"cents": rng.choice(CENTS), **some(rng, {"absent": rng.choice([True, False])}, 0.6)},
    "guests": lambda rng: some(
        rng,
        {"cents": rng.choice(CENTS), "payer": rng.choice(["guest", "bringer", "bringer", "host", "club", "club"])},
        0.8,
    ),
    "host": lambda rng: {"cents": rng.choice(FROM_1), **some(rng, {"from": rng.choice(["others", "club"])}, 0.6)},
    "drinks": random_drinks,
    "fines": lambda rng: {code: random_fine(rng) for code in rng.sample(CODES, rng.randint(0, 6))},
    "absence": random_absence,
    "dues": random_dues,
    "joining": lambda rng: {"cents": rng.choice(CENTS)},
    "leaving": random_leaving,
}
