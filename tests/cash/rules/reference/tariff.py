"""Decides what a tariff may hold (section 3), and where one that holds something else is refused (section 9)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tests.cash.rules.reference.judging import (
    BOOLEAN,
    CENTS,
    CENTS_FROM_1,
    RATE,
    Judge,
    by_name,
    forbidden,
    integer,
    is_cents,
    is_code,
    is_fraction,
    is_integer,
    is_text,
    judge_object,
    object_of,
    value_that,
    word,
)

SCHEMES = ["minus", "each", "best", "better", "rank"]
ROUND = object_of(
    {
        "to": value_that(lambda value: type(value) is int and value in [1, 5, 10, 50, 100]),
        "how": word("down", "up", "nearest"),
    }
)


def part_up_to(most: int) -> Judge:
    """`winners` and `factors` are written like a rate, from 0."""
    return value_that(lambda value: is_fraction(value) and Fraction(value) <= most)


def are_amounts(value: Any) -> bool:
    """Section 3, `points.amounts`: cents for place 1, 2, …; 1..60 of them."""
    return isinstance(value, list) and 1 <= len(value) <= 60 and all(is_cents(amount) for amount in value)


def judge_points(value: Any, path: str) -> list[str]:
    """Section 3, `points`. An unknown scheme is read as `minus` (section 9), and so is one that is missing."""
    if not isinstance(value, dict):
        return [path]
    scheme = value["scheme"] if value.get("scheme") in SCHEMES else "minus"
    keys = {
        "scheme": word(*SCHEMES),
        "rate": RATE,
        "amounts": forbidden,
        "winners": part_up_to(1) if scheme == "minus" else forbidden,
        "scope": word("evening", "table", "game"),
        "guests": BOOLEAN,
        "dearer": object_of({"beyond": integer(1, 100_000), "rate": RATE}, ["beyond", "rate"]),
        "round": ROUND,
        "cap": CENTS_FROM_1,
        "factors": by_name(part_up_to(100)),
    }
    if scheme != "rank":
        return judge_object(value, path, keys, ["scheme", "rate"])
    keys |= {"rate": forbidden, "dearer": forbidden, "amounts": value_that(are_amounts)}
    return judge_object(value, path, keys, ["scheme", "amounts"])


def judge_pot(value: Any, path: str) -> list[str]:
    """Section 3, `pot`. A `top_up` of 0 with `charge` is refused, also where `buy_in` of 0 stands for it (section 9)."""
    keys = {"buy_in": CENTS, "top_up": CENTS, "empty": word("charge", "warn"), "rest": word("split", "kasse")}
    faults = judge_object(value, path, keys, ["buy_in"])
    if not isinstance(value, dict) or value.get("empty") == "warn":
        return faults
    buy_in, top_up = value.get("buy_in"), value.get("top_up")
    stands = top_up if is_cents(top_up) else buy_in
    empty = type(stands) is int and stands == 0
    return [*faults, f"{path}.top_up"] if empty else faults


def are_steps(value: Any) -> bool:
    """Section 3: 1..9 steps of a number 1..999 and cents; the last and only the last number is null."""
    if not isinstance(value, list) or not 1 <= len(value) <= 9:
        return False
    if not all(isinstance(step, list) and len(step) == 2 and is_cents(step[1]) for step in value):
        return False
    *numbers, last = [step[0] for step in value]
    return last is None and all(is_integer(number, 1, 999) for number in numbers)


def judge_fine(value: Any, path: str) -> list[str]:
    """Section 3, forms of a fine: one with `steps` has steps, one with `open` is open, any other costs `cents`."""
    if not isinstance(value, dict):
        return [path]
    name = value_that(lambda text: is_text(text, 1, 60))
    if "steps" in value:
        steps = {"steps": value_that(are_steps), "counts": word("entries", "lost_games"), "name": name}
        return judge_object(value, path, steps)
    if "open" in value:
        return judge_object(value, path, {"open": value_that(lambda flag: flag is True), "name": name})
    cap = CENTS_FROM_1 if "minutes" in value else forbidden
    keys = {"cents": CENTS, "minutes": integer(1, 1440), "cap": cap, "name": name}
    return judge_object(value, path, keys, ["cents"])


def is_average(value: Any) -> bool:
    """Section 3, `absence`: any of four, each once."""
    words = ["points", "pot", "fines", "drinks"]
    return isinstance(value, list) and all(one in words and value.count(one) == 1 for one in value)


def judge_dues(value: Any, path: str) -> list[str]:
    """Section 3, `dues`: `no_evening` is monthly only."""
    when = word("always", "no_evening")
    if isinstance(value, dict) and value.get("every") in ["quarter", "year"]:
        when = word("always")
    keys = {"cents": CENTS, "reduced": CENTS, "every": word("month", "quarter", "year"), "when": when}
    return judge_object(value, path, keys, ["cents"])


def judge_leaving(value: Any, path: str) -> list[str]:
    """Section 3, `leaving`: `cents` is required with `fixed`."""
    keys = {"payout": word("nothing", "share", "fixed"), "cents": CENTS_FROM_1}
    is_fixed = isinstance(value, dict) and value.get("payout") == "fixed"
    return judge_object(value, path, keys, ["payout", "cents"] if is_fixed else ["payout"])


ABSENCE = object_of({"average": value_that(is_average), "plus": CENTS})
PARTS: dict[str, Judge] = {
    "points": judge_points,
    "pot": judge_pot,
    "fee": object_of({"cents": CENTS, "absent": BOOLEAN}, ["cents"]),
    "guests": object_of({"cents": CENTS, "payer": word("guest", "bringer", "host", "club")}),
    "host": object_of({"cents": CENTS_FROM_1, "from": word("others", "club")}, ["cents"]),
    "drinks": object_of({"flat": CENTS, "list": by_name(CENTS, is_code), "shared": BOOLEAN}),
    "fines": by_name(judge_fine, is_code),
    "absence": object_of({"excused": ABSENCE, "unexcused": ABSENCE, "round": ROUND}),
    "dues": judge_dues,
    "joining": object_of({"cents": CENTS}, ["cents"]),
    "leaving": judge_leaving,
}


def faults_of_tariff(tariff: Any) -> list[str]:
    """Section 3: one JSON object; each key is a part, `{}` is a tariff."""
    return judge_object(tariff, "tariff", PARTS)
