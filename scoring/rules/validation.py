"""Sentences about faulty input, and small validators: a `Check` returns a sentence, or None for a valid value."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

Values = Mapping[str, object]


def _(text: str) -> str:
    """Mark a German sentence for translation; the page that shows it translates it."""
    return text


class SeatNumber(int):
    """A seat in a sentence, counted from 0; `Sentence.with_names` replaces it by the player's name."""

    def __str__(self) -> str:
        return f"Sitz {int(self)}"


class Sentence(NamedTuple):
    """A German template for `%` formatting, and its values."""

    text: str
    values: Values = {}

    def __str__(self) -> str:
        return self.text % self.values if self.values else self.text

    def with_names(self, people: Sequence[object]) -> Sentence:
        """Replace the seats by `people`, who are in seating order."""
        values = {name: people[value] if isinstance(value, SeatNumber) else value for name, value in self.values.items()}
        return Sentence(self.text, values)


class Refused(ValueError):
    """Invalid facts or settings: a sentence for each faulty field; `line` is the number of the faulty line of a sheet, from 0."""

    def __init__(self, fields: Mapping[str, Sentence], line: int | None = None) -> None:
        super().__init__("; ".join(f"{field}: {sentence}" for field, sentence in fields.items()))
        self.fields = dict(fields)
        self.line = line

    def with_names(self, people: Sequence[object]) -> Refused:
        return Refused({field: sentence.with_names(people) for field, sentence in self.fields.items()}, self.line)


Faults = dict[str, Sentence]


def whole_number(value: object, lowest: int, highest: int) -> bool:
    """Return whether this is an int (no bool, no float) from `lowest` to `highest`."""
    return type(value) is int and lowest <= value <= highest


Check = Callable[[Any], Sentence | None]


def one_of(*choices: object) -> Check:
    """Accept one of these values of the same type: `True` is not 1."""
    text = ", ".join(json.dumps(choice) for choice in choices)

    def check(value: Any) -> Sentence | None:
        if any(value == choice and type(value) is type(choice) for choice in choices):
            return None
        return Sentence(_("Bitte einen dieser Werte wählen: %(choices)s."), {"choices": text})

    return check


def number(lowest: int, highest: int) -> Check:
    def check(value: Any) -> Sentence | None:
        if whole_number(value, lowest, highest):
            return None
        return Sentence(_("Bitte eine ganze Zahl von %(lowest)s bis %(highest)s angeben."), {"lowest": lowest, "highest": highest})

    return check


def or_null(check: Check) -> Check:
    return lambda value: None if value is None else check(value)


def subset_of(choices: Iterable[object]) -> Check:
    """Accept a list of these values without duplicates, in any order."""
    known = tuple(choices)
    text = ", ".join(json.dumps(choice) for choice in known)

    def check(value: Any) -> Sentence | None:
        if not isinstance(value, (list, tuple)) or any(one_of(*known)(entry) is not None for entry in value):
            return Sentence(_("Bitte eine Liste aus diesen Werten angeben: %(choices)s."), {"choices": text})
        if len(set(value)) < len(value):
            return Sentence(_("Ein Wert steht doppelt in der Liste. Bitte jeden nur einmal angeben."))
        return None

    return check


def fields(required: Mapping[str, Check], optional: Mapping[str, Check] | None = None) -> Check:
    known = {**required, **(optional or {})}

    def check(value: Any) -> Sentence | None:
        is_whole = isinstance(value, Mapping) and set(required) <= set(value)
        if is_whole and set(value) <= set(known):
            return first_fault(known[key](entry) for key, entry in value.items())
        if required and not (is_whole and optional):
            return Sentence(_("Bitte genau diese Angaben machen: %(keys)s."), {"keys": ", ".join(required)})
        return Sentence(_("Bitte nur diese Angaben machen: %(keys)s."), {"keys": ", ".join(known)})

    return check


def find_faults(
    data: Mapping[Any, Any], checks: Mapping[str, Check], needed: Container[str], also: str = ""
) -> dict[str, Sentence]:
    """Return a sentence for each unknown, invalid or missing setting, by key; the setting `also` is checked elsewhere."""
    faults = {
        str(key): Sentence(_("Die Einstellung „%(key)s“ gibt es nicht. Bitte weglassen."), {"key": str(key)})
        for key in data
        if key not in checks and key != also
    }
    for key, check in checks.items():
        if key in data:
            if (fault := check(data[key])) is not None:
                faults[key] = fault
        elif key in needed:
            faults[key] = Sentence(_("Die Einstellung „%(key)s“ fehlt. Bitte angeben."), {"key": key})
    return faults


def any_fields(known: Iterable[str], inner: Check) -> Check:
    """Accept an object with at least one of these keys, whose values all pass `inner`."""
    optional = dict.fromkeys(known, inner)

    def check(value: Any) -> Sentence | None:
        if value == {}:
            return Sentence(_("Bitte mindestens eine dieser Angaben machen: %(keys)s."), {"keys": ", ".join(optional)})
        return fields({}, optional)(value)

    return check


def text(longest: int, blank: bool) -> Check:
    """Accept a text without control characters; with `blank` it may be empty, and have line ends and tabs."""

    def check(value: Any) -> Sentence | None:
        if not isinstance(value, str) or len(value) > longest or not (blank or value.strip()):
            return Sentence(_("Bitte einen Text von höchstens %(longest)s Zeichen angeben."), {"longest": longest})
        if any(unicodedata.category(c) in ("Cc", "Cs") and not (blank and c in "\r\n\t") for c in value):
            return Sentence(_("Bitte den Text ohne Steuerzeichen angeben."))
        return None

    return check


def first_fault(faults: Iterable[Sentence | None]) -> Sentence | None:
    return next((fault for fault in faults if fault is not None), None)


def either(*checks: Check) -> Check:
    """Accept what one of these checks accepts. The sentence is the last check's for an object, else the first check's."""

    def check(value: Any) -> Sentence | None:
        faults = [inner(value) for inner in checks]
        return None if None in faults else faults[-1 if isinstance(value, Mapping) else 0]

    return check
