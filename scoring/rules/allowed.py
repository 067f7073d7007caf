"""What a setting may hold, for the settings of a rule set and of a season alike: each check takes a value as it came and
answers nothing, or a sentence that says what is asked for instead.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from scoring.rules.facts import Sentence, whole_number


def _(text: str) -> str:
    """Marks a German sentence for translation; the page that shows it translates."""
    return text


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


def some_of(choices: Iterable[object]) -> Check:
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


def fields(required: Mapping[str, Check]) -> Check:
    """An object with exactly these keys."""

    def check(value: Any) -> Sentence | None:
        if not isinstance(value, Mapping) or set(value) != set(required):
            return Sentence(_("Bitte genau diese Angaben machen: %(keys)s."), {"keys": ", ".join(required)})
        return next((fault for key, inner in required.items() if (fault := inner(value[key])) is not None), None)

    return check


def either(*checks: Check) -> Check:
    """What one of these checks takes; the sentence is that of the last one that fits the shape."""

    def check(value: Any) -> Sentence | None:
        faults = [inner(value) for inner in checks]
        return None if None in faults else faults[-1 if isinstance(value, Mapping) else 0]

    return check
