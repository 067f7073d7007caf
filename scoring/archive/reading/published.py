"""Validate the text of a published month: its pages must be able to show it, because it cannot be repaired later. Whether its
figures are correct cannot be checked; the hash only shows that the text is unchanged.

A shape is a type, a tuple of alternatives, a list with the shape of its items, an object with shapes by key, or a function that
returns whether the value is valid. A key that ends in "?" is optional; other keys are ignored."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from django.core.exceptions import ValidationError

from scoring.core.text import validate_plain
from scoring.league.rules import ROOT, TIE_BREAKS, validate_league
from scoring.rulesets.models import RuleSet

Shape = Any

MAX_NUMBER: Final = 10**12
MAX_LENGTH: Final = 300
_MONTH_TEXT: Final = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])")


def number(value: Any) -> bool:
    return type(value) is int and -MAX_NUMBER <= value <= MAX_NUMBER


def text(value: Any) -> bool:
    if not isinstance(value, str) or len(value) > MAX_LENGTH:
        return False
    try:
        validate_plain(value)
    except ValidationError:
        return False
    return True


def month(value: Any) -> bool:
    return isinstance(value, str) and bool(_MONTH_TEXT.fullmatch(value)) and value >= "1900"


def day(value: Any) -> bool:
    try:
        datetime.date.fromisoformat(value)
    except (ValueError, TypeError):
        return False
    return True


def moment(value: Any) -> bool:
    """Return whether the value is a time with a zone, between 1900 and 9000."""
    try:
        at = datetime.datetime.fromisoformat(value)
    except (ValueError, TypeError):
        return False
    return at.tzinfo is not None and 1900 <= at.year <= 9000


def settings(value: Any) -> bool:
    return isinstance(value, dict) and not validate_league(value)


def one_of(*values: str) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, str) and value in values


def row_of(*checks: Callable[[Any], bool]) -> Callable[[Any], bool]:
    def check(value: Any) -> bool:
        fits = isinstance(value, list) and len(value) == len(checks)
        return fits and all(fits_item(one) for fits_item, one in zip(checks, value, strict=True))

    return check


def list_misfits(value: Any, shape: Shape, path: str = "") -> Iterator[str]:
    """Yield the paths at which a value does not match the shape."""
    match shape:
        case dict():
            if not isinstance(value, dict):
                yield path
                return
            for key, one in shape.items():
                name = key.rstrip("?")
                if name in value:
                    yield from list_misfits(value[name], one, f"{path}.{name}")
                elif name == key:
                    yield f"{path}.{name}"
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


_STEP: Final = (
    {"kind": one_of("sum"), "evenings": number, "value": number},
    {"kind": one_of("average", "unweighted"), "points": number, "games": number, "value": number},
    {"kind": one_of(ROOT, "deduction"), "games": number, "value": number},
    {"kind": one_of("supplement"), "supplement": number, "value": number},
)
_CELL: Final = {
    "points": number,
    "games": (None, number),
    "place": number,
    "value": (None, number),
    "why": one_of("", "dropped", "no_games"),
}
_ROW: Final = {
    "player": number,
    "name": text,
    "guest": bool,
    "rank": (None, number),
    "before": (None, number),
    "new": bool,
    "result": (None, number),
    "brought": number,
    "why": one_of("", "few_evenings", "few_games", "unknown_games", "no_games", "no_evening"),
    "evenings": number,
    "games": (None, number),
    "cells": [(None, _CELL)],
    "supplements": [(None, number)],
    "steps": [_STEP],
    "breaks": [[(one_of(*TIE_BREAKS), None, number)]],
}
_STANDING: Final = (None, {"rank": (None, number), "result": (None, number)})
_DIFFERENCE: Final = {
    "player": number,
    "name": text,
    "before": _STANDING,
    "after": _STANDING,
    "difference": number,
    "evenings": [{"held_on": day, "before": (None, [(None, number)]), "after": (None, [(None, number)])}],
}
_MONTH: Final = {
    "format": lambda value: value == 1,
    "club": text,
    "season": text,
    "month": month,
    "days": [day],
    "unit": one_of(*RuleSet.Unit.values),
    "settings": settings,
    "evenings": [{"id": number, "held_on": day, "place": text, "open": bool, "without_games": bool}],
    "supplements": [{"about": month, "reason": text, "changes": [number]}],
    "before": (None, month),
    "left_out": [number],
    "rows": [_ROW],
    "version": number,
    "changes?": [number],
    "differences?": [_DIFFERENCE],
}
CLOSING: Final = {**_MONTH, "closed_at": moment, "closed_by": (None, text)}
SUPPLEMENT: Final = {"changes": [number], "counted": _MONTH, "differences": [_DIFFERENCE]}


def list_content_faults(kind: str, content: Any) -> Iterator[str]:
    found = list(list_misfits(content, CLOSING if kind == "closings" else SUPPLEMENT))
    yield from found
    if not found:
        yield from _list_mismatches(content if kind == "closings" else content["counted"])


def _list_mismatches(content: Mapping[str, Any]) -> Iterator[str]:
    if len(content["days"]) != 2:
        yield ".days"
    seen = set()
    for index, row in enumerate(content["rows"]):
        if row["player"] in seen:
            yield f".rows[{index}].player"
        seen.add(row["player"])
        yield from (f".rows[{index}].{key}" for key in _list_row_mismatches(content, row))


def _list_row_mismatches(content: Mapping[str, Any], row: Mapping[str, Any]) -> Iterator[str]:
    for key, of_month in (("cells", "evenings"), ("supplements", "supplements")):
        if len(row[key]) != len(content[of_month]):
            yield key
    if (row["rank"] is None) != bool(row["why"]) or (row["result"] is None and not row["why"]):
        yield "rank"
    if any(len(one) != 2 or not isinstance(one[0], str) or isinstance(one[1], str) for one in row["breaks"]):
        yield "breaks"
    for step in row["steps"]:
        match step["kind"]:
            case "supplement":
                sound = 0 <= step["supplement"] < len(content["supplements"])
            case "deduction":
                sound = isinstance(content["settings"]["few_games"], dict)
            case "sum":
                sound = step["evenings"] >= 0
            case _:
                sound = step["games"] > 0
        if not sound:
            yield "steps"
