"""The tables of an evening as money takes them: in points or in cents, as lines or as a sum, and how they are
read.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from scoring.rules.validation import Sentence, _, number, one_of

from .fields import SOME_CENTS, Fields, a_list, a_text

MOST_POINTS: Final = 100_000

_NOT_THERE: Final = Sentence(_("Punkte hat nur, wer an diesem Abend da ist. Bitte jemanden angeben, der da ist."))
_NO_SEATS: Final = Sentence(_("Bitte in einer Liste angeben, wer da ist und mitspielt, jeden nur einmal."))
_ONLY_LINES: Final = Sentence(_("Ein Tisch in Cent braucht seine Zeilen. Bitte „lines“ statt der Summen angeben."))
_LINES_ENOUGH: Final = Sentence(_("Neben den Zeilen braucht es keine Summen. Bitte weglassen."))
_ONLY_CENTS: Final = Sentence(_("Nachgelegt wird nur an einem Tisch in Cent. Bitte weglassen."))
_FOR_EACH_SEAT: Final = Sentence(_("Bitte für jeden Sitz der Zeile eine Zahl angeben."))
_A_NUMBER: Final = number(-MOST_POINTS, MOST_POINTS)


class TableLine(NamedTuple):
    """What each seat of a line got, in points or cents, and what each put into the pot before."""

    seats: tuple[str, ...]
    points: tuple[int, ...]
    top_up: int = 0


class ChargedTable(NamedTuple):
    """One table. Its sums without lines are one line."""

    in_points: bool
    rules: str | None
    lines: tuple[TableLine, ...]


def read_table(fields: Fields, is_there: Callable[[Any], bool]) -> ChargedTable:
    """The table that stands there; `is_there` says who can have points at all."""
    fields.only("unit", "rules", "points", "lines")
    unit = fields.need("unit", one_of("points", "cents"))
    rules = fields.get("rules", a_text)
    if "lines" in fields or "points" not in fields:
        fields.forbid("points", _LINES_ENOUGH)
        fields.need("lines", a_list)
        lines = [_line(Fields(line, at, fields.faults), unit, is_there) for line, at in fields.each("lines")]
    elif unit == "cents":
        fields.forbid("points", _ONLY_LINES)
        lines = []
    else:
        lines = [_sums(fields.inner("points"), is_there)]
    return ChargedTable(unit == "points", rules, tuple(lines))


def _sums(fields: Fields, is_there: Callable[[Any], bool]) -> TableLine:
    for who in fields.data:
        if not is_there(who):
            fields.refuse(who, _NOT_THERE)
    return TableLine(tuple(fields.data), tuple(fields.get(who, _A_NUMBER, 0) for who in fields.data))


def _line(fields: Fields, unit: str | None, is_there: Callable[[Any], bool]) -> TableLine:
    def may_sit(value: Any) -> Sentence | None:
        is_list = isinstance(value, list) and value and all(map(is_there, value)) and len(set(value)) == len(value)
        return None if is_list else _NO_SEATS

    seats = fields.need("seats", may_sit)
    if "top_up" in fields and "points" not in fields:
        fields.only("seats", "top_up")
        if unit == "points":
            fields.forbid("top_up", _ONLY_CENTS)
        return TableLine(tuple(seats or ()), (0,) * len(seats or ()), fields.get("top_up", SOME_CENTS, 0))
    fields.only("seats", "points")
    points = fields.need("points", a_list, [])
    if seats is not None and "points" in fields and len(points) != len(seats):
        fields.refuse("points", _FOR_EACH_SEAT)
    for entry, at in fields.each("points"):
        if (fault := _A_NUMBER(entry)) is not None:
            fields.faults[at] = fault
    return TableLine(tuple(seats or ()), tuple(points))
