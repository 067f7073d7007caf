"""Validate the text of a published month: its pages must be able to show it, because it cannot be repaired later. Whether its
figures are correct cannot be checked; the hash only shows that the text is unchanged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from scoring.league.rules import ROOT, TIE_BREAKS
from scoring.rulesets.models import RuleSet

from .shapes import day, list_misfits, moment, month, number, one_of, settings, text

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
    """Yield the paths of faults in the content of a row of closings or supplements."""
    found = list(list_misfits(content, CLOSING if kind == "closings" else SUPPLEMENT))
    yield from found
    if not found:
        yield from _list_mismatches(content if kind == "closings" else content["counted"])


def _list_mismatches(content: Mapping[str, Any]) -> Iterator[str]:
    """Yield the paths of parts that do not fit together."""
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
