"""Check JSON values against shapes. A shape is a type, a tuple of alternatives, a list with the shape of its items, an object
with shapes by key, or a function that returns whether the value is valid. A key that ends in "?" is optional; other keys are
ignored."""

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

MAX_NUMBER: Final = 10**12
MAX_LENGTH: Final = 300
_MONTH: Final = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])")


def number(value: Any) -> bool:
    return type(value) is int and -MAX_NUMBER <= value <= MAX_NUMBER


def text(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= MAX_LENGTH and _is_plain(value)


def _is_plain(text: str) -> bool:
    try:
        validate_plain(text)
    except ValidationError:
        return False
    return True


def month(value: Any) -> bool:
    return isinstance(value, str) and bool(_MONTH.fullmatch(value)) and value >= "1900"


def day(value: Any) -> bool:
    return isinstance(value, str) and _parse(datetime.date, value) is not None


def moment(value: Any) -> bool:
    """Return whether the value is a time with a zone, between 1900 and 9000."""
    at = _parse(datetime.datetime, value) if isinstance(value, str) else None
    return at is not None and at.tzinfo is not None and 1900 <= at.year <= 9000


def _parse(kind: type[_Day], text: str) -> _Day | None:
    try:
        return kind.fromisoformat(text)
    except ValueError:
        return None


def settings(value: Any) -> bool:
    return isinstance(value, dict) and not validate_league(value)


def one_of(*values: str) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, str) and value in values


def row_of(*checks: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Return a check for a list with these items."""

    def check(value: Any) -> bool:
        return (
            isinstance(value, list)
            and len(value) == len(checks)
            and all(fits(one) for fits, one in zip(checks, value, strict=True))
        )

    return check


def list_misfits(value: Any, shape: Shape, path: str = "") -> Iterator[str]:
    """Yield the paths at which a value does not match the shape."""
    match shape:
        case dict():
            yield from _list_object_misfits(value, shape, path)
        case [one]:
            if not isinstance(value, list):
                yield path
                return
            for index, entry in enumerate(value):
                yield from list_misfits(entry, one, f"{path}[{index}]")
        case tuple():
            tried = [list(list_misfits(value, one, path)) for one in shape]
            if all(tried):
                # Report the alternative that matches furthest.
                yield from max(tried, key=lambda paths: len(paths[0]))
        case type():
            if type(value) is not shape:
                yield path
        case None:
            if value is not None:
                yield path
        case _:
            if not shape(value):
                yield path


def _list_object_misfits(value: Any, shape: Mapping[str, Shape], path: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield path
        return
    for key, one in shape.items():
        name = key.rstrip("?")
        if name in value:
            yield from list_misfits(value[name], one, f"{path}.{name}")
        elif name == key:
            yield f"{path}.{name}"
