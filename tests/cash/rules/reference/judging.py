"""Decides how a value of a line is judged: a judge is handed a value and its path, and answers the paths at fault.

Judging goes from the outside in. What is refused as a whole is read as if it were not there, so nothing inside it is
judged (section 9).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import date
from fractions import Fraction
from typing import Any

Judge = Callable[[Any, str], list[str]]
Test = Callable[[Any], bool]
MOST_CENTS = 1_000_000


# --- Tests of one value -----------------------------------------------------------------------------------------------


def is_integer(value: Any, low: int, high: int | None = None) -> bool:
    """Section 9: true is no number, 10.0 no integer."""
    return type(value) is int and value >= low and (high is None or value <= high)


def is_cents(value: Any) -> bool:
    """Section 3: cents are 0..1000000."""
    return is_integer(value, 0, MOST_CENTS)


def is_fraction(value: Any) -> bool:
    """Section 3: an integer, or "n" or "n/m" with n up to 6 digits and m 1..9999; not below 0."""
    if isinstance(value, str):
        found = re.fullmatch("[0-9]{1,6}(?:/([0-9]{1,4}))?", value)
        return found is not None and (found[1] is None or int(found[1]) > 0)
    return is_integer(value, 0)


def is_rate(value: Any) -> bool:
    """Section 3: above 0 and at most 10000."""
    return is_fraction(value) and 0 < Fraction(value) <= 10_000


def is_text(value: Any, low: int, high: int) -> bool:
    return isinstance(value, str) and low <= len(value) <= high


def is_code(value: str) -> bool:
    """Section 3: codes are `[a-z][a-z0-9_]{0,29}`."""
    return re.fullmatch("[a-z][a-z0-9_]{0,29}", value) is not None


def is_date(value: Any) -> bool:
    """Section 9: YYYY-MM-DD, a day that there is."""
    if not isinstance(value, str) or not re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", value):
        return False
    try:
        date.fromisoformat(value)
    except ValueError:
        return False
    return True


def is_month(value: Any) -> bool:
    return isinstance(value, str) and is_date(f"{value}-01")


# --- Judges -----------------------------------------------------------------------------------------------------------


def value_that(test: Test) -> Judge:
    """Refused at its own path where the test fails."""
    return lambda value, path: [] if test(value) else [path]


def integer(low: int, high: int | None = None) -> Judge:
    return value_that(lambda value: is_integer(value, low, high))


def word(*choices: str) -> Judge:
    return value_that(lambda value: isinstance(value, str) and value in choices)


def or_null(judge: Judge) -> Judge:
    """Section 9: null as if left out."""
    return lambda value, path: [] if value is None else judge(value, path)


def forbidden(_value: Any, path: str) -> list[str]:
    """Section 9: a key that another one forbids, whatever it holds."""
    return [path]


def anything(_value: Any, _path: str) -> list[str]:
    return []


BOOLEAN = value_that(lambda value: isinstance(value, bool))
CENTS = value_that(is_cents)
CENTS_FROM_1 = integer(1, MOST_CENTS)
RATE = value_that(is_rate)
ID = value_that(lambda value: is_text(value, 1, 40))
DATE = value_that(is_date)


def judge_object(value: Any, path: str, keys: dict[str, Judge], required: Iterable[str] = ()) -> list[str]:
    """Section 9: an unknown key is named itself, a missing one as well, each other value is judged by its key."""
    if not isinstance(value, dict):
        return [path]
    unknown = [f"{path}.{key}" for key in value if key not in keys]
    missing = [f"{path}.{key}" for key in required if key not in value]
    wrong = [fault for key in value if key in keys for fault in keys[key](value[key], f"{path}.{key}")]
    return unknown + missing + wrong


def object_of(keys: dict[str, Judge], required: Iterable[str] = ()) -> Judge:
    return lambda value, path: judge_object(value, path, keys, required)


def by_name(judge: Judge, is_name: Callable[[str], bool] = lambda _: True) -> Judge:
    """An object whose keys are names of one kind; any other key is an unknown one."""

    def judge_each(value: Any, path: str) -> list[str]:
        if not isinstance(value, dict):
            return [path]
        wrong = [fault for name in value if is_name(name) for fault in judge(value[name], f"{path}.{name}")]
        return wrong + [f"{path}.{name}" for name in value if not is_name(name)]

    return judge_each


def list_of(judge: Judge, low: int = 0, high: int | None = None) -> Judge:
    """A list of so many, each judged at its place, from 0."""

    def judge_each(value: Any, path: str) -> list[str]:
        if not isinstance(value, list) or not is_integer(len(value), low, high):
            return [path]
        return [fault for place, one in enumerate(value) for fault in judge(one, f"{path}.{place}")]

    return judge_each
