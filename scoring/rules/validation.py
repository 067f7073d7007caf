"""What a refusal is: sentences for people about what cannot be, each by the field that it is about. And the small checks
of single values that answer such a sentence, None if nothing is wrong, and how they are put together.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

Values = Mapping[str, object]


def _(text: str) -> str:
    """Marks a German sentence for translation; the page that shows it translates."""
    return text


class SeatNumber(int):
    """A seat, counted from 0, in a sentence: whoever knows who sits there says their name instead."""

    def __str__(self) -> str:
        return f"Sitz {int(self)}"


class Sentence(NamedTuple):
    """One sentence for people: a German template in the manner of `%`, and the values to fill it with."""

    text: str
    values: Values = {}

    def __str__(self) -> str:
        return self.text % self.values if self.values else self.text

    def with_names(self, people: Sequence[object]) -> Sentence:
        """This sentence about the `people` that sit there, where it has seats."""
        named = {name: people[held] if isinstance(held, SeatNumber) else held for name, held in self.values.items()}
        return Sentence(self.text, named)


class Refused(ValueError):
    """Facts or settings that cannot be. `fields` maps each faulty field to its sentence; `line` is the number of the
    line of the sheet (from 0) where a whole sheet was judged.
    """

    def __init__(self, fields: Mapping[str, Sentence], line: int | None = None) -> None:
        super().__init__("; ".join(f"{field}: {sentence}" for field, sentence in fields.items()))
        self.fields = dict(fields)
        self.line = line

    def with_names(self, people: Sequence[object]) -> Refused:
        """This refusal with people in its sentences, where they have seats."""
        return Refused({field: sentence.with_names(people) for field, sentence in self.fields.items()}, self.line)


Faults = dict[str, Sentence]


# --- The checks of one value -----------------------------------------------------------------------------------------


def whole_number(value: object, lowest: int, highest: int) -> bool:
    """Is this an int (no bool, no float) from lowest to highest?"""
    return type(value) is int and lowest <= value <= highest


Check = Callable[[Any], Sentence | None]


def one_of(*choices: object) -> Check:
    """One of these values, of the same type: `True` is not 1."""
    text = ", ".join(json.dumps(choice) for choice in choices)

    def check(value: Any) -> Sentence | None:
        if any(value == choice and type(value) is type(choice) for choice in choices):
            return None
        return Sentence(_("Bitte einen dieser Werte wählen: %(choices)s."), {"choices": text})

    return check


def number(lowest: int, highest: int) -> Check:
    """A whole number, both ends included."""

    def check(value: Any) -> Sentence | None:
        if whole_number(value, lowest, highest):
            return None
        return Sentence(
            _("Bitte eine ganze Zahl von %(lowest)s bis %(highest)s angeben."), {"lowest": lowest, "highest": highest}
        )

    return check


def or_null(check: Check) -> Check:
    """This check, which takes null as well."""
    return lambda value: None if value is None else check(value)


def subset_of(choices: Iterable[object]) -> Check:
    """A list of these values, none of them twice, in any order."""
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
    """An object with exactly these keys, and any of the optional ones."""
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
    """What is wrong with these settings, by setting: one unknown (but for one that is checked elsewhere), one missing that is
    `needed`, one with a value it cannot have."""
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
    """An object with at least one of these keys, each with a value of one kind."""
    optional = dict.fromkeys(known, inner)

    def check(value: Any) -> Sentence | None:
        if value == {}:
            return Sentence(_("Bitte mindestens eine dieser Angaben machen: %(keys)s."), {"keys": ", ".join(optional)})
        return fields({}, optional)(value)

    return check


def text(longest: int, blank: bool) -> Check:
    """A text of so many characters at most, without control characters but, where it may be blank, ends of lines."""

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
    """What one of these checks takes; the sentence is that of the last one that fits the shape."""

    def check(value: Any) -> Sentence | None:
        faults = [inner(value) for inner in checks]
        return None if None in faults else faults[-1 if isinstance(value, Mapping) else 0]

    return check
