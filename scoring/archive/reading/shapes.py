"""Shapes of JSON values, as data: a type, one of several shapes (a tuple), a list of one shape, an object with these keys,
or a function that judges the value. A key that ends in "?" may be missing; keys that are not named are ignored."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeVar

from django.core.exceptions import ValidationError

from scoring.core.text import validate_plain
from scoring.league.rules import validate_league

Shape = Any
_Day = TypeVar("_Day", bound=datetime.date)

MOST: Final = 10**12
LONGEST: Final = 300
_MONTH: Final = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])")


def number(value: Any) -> bool:
    return type(value) is int and -MOST <= value <= MOST


def text(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST and _is_plain(value)


def _is_plain(text: str) -> bool:
    try:
        validate_plain(text)
    except ValidationError:
        return False
    return True


def month(value: Any) -> bool:
    return isinstance(value, str) and bool(_MONTH.fullmatch(value)) and value >= "1900"


def day(value: Any) -> bool:
    return isinstance(value, str) and _read(datetime.date, value) is not None


def moment(value: Any) -> bool:
    """A moment that every clock can show: with its zone, and away from both ends of the calendar."""
    at = _read(datetime.datetime, value) if isinstance(value, str) else None
    return at is not None and at.tzinfo is not None and 1900 <= at.year <= 9000


def _read(kind: type[_Day], text: str) -> _Day | None:
    try:
        return kind.fromisoformat(text)
    except ValueError:
        return None


def settings(value: Any) -> bool:
    return isinstance(value, dict) and not validate_league(value)


def one_of(*values: str) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, str) and value in values


def row_of(*checks: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """A list of just these values."""

    def check(value: Any) -> bool:
        return (
            isinstance(value, list)
            and len(value) == len(checks)
            and all(fits(one) for fits, one in zip(checks, value, strict=True))
        )

    return check


def misfits(value: Any, shape: Shape, way: str = "") -> Iterator[str]:
    """Where a value has another shape, as the way to the place in it."""
    match shape:
        case dict():
            yield from _object_misfits(value, shape, way)
        case [one]:
            if not isinstance(value, list):
                yield way
                return
            for index, entry in enumerate(value):
                yield from misfits(entry, one, f"{way}[{index}]")
        case tuple():
            tried = [list(misfits(value, one, way)) for one in shape]
            if all(tried):
                # Of several, that which got furthest says best what is wrong.
                yield from max(tried, key=lambda ways: len(ways[0]))
        case type():
            if type(value) is not shape:
                yield way
        case None:
            if value is not None:
                yield way
        case _:
            if not shape(value):
                yield way


def _object_misfits(value: Any, shape: Mapping[str, Shape], way: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield way
        return
    for key, one in shape.items():
        name = key.rstrip("?")
        if name in value:
            yield from misfits(value[name], one, f"{way}.{name}")
        elif name == key:
            yield f"{way}.{name}"
