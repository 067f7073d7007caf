"""Read a typed object key by key, noting each fault by its path; and the checks of single values that several share."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date
from fractions import Fraction
from typing import Any, Final

from scoring.rules.validation import Check, Faults, Refused, Sentence, _, number

MOST_CENTS: Final = 1_000_000
MOST_BALANCE: Final = 10**8
MOST_TURN: Final = 10**9
MOST_PEOPLE: Final = 60
LONGEST_ID: Final = 40
_FRACTION = re.compile(r"([0-9]{1,6})(?:/([0-9]{1,4}))?")
_CODE = re.compile(r"[a-z][a-z0-9_]{0,29}")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")

MISSING: Final = _("Die Angabe „%(key)s“ fehlt. Bitte angeben.")
NO_OBJECT: Final = Sentence(_("Bitte ein Objekt mit benannten Angaben angeben."))
NO_LIST: Final = Sentence(_("Bitte eine Liste angeben."))
NO_CODE: Final = Sentence(
    _("Bitte als Schlüssel höchstens 30 kleine Buchstaben, Ziffern und Unterstriche angeben, vorn ein Buchstabe.")
)
TWICE: Final = Sentence(_("Diese Person steht schon in der Liste. Bitte jede nur einmal angeben."))


class Fields:
    """One typed object at its path. A value that is no object is refused as a whole; then no key of it counts as missing."""

    def __init__(self, value: object, path: str, faults: Faults) -> None:
        self.path = path
        self.faults = faults
        self.is_object = isinstance(value, dict)
        self.data: dict[str, Any] = value if isinstance(value, dict) else {}
        if not self.is_object:
            self.faults[path] = NO_OBJECT

    def __contains__(self, key: str) -> bool:
        return key in self.data

    def build_path(self, key: object) -> str:
        return f"{self.path}.{key}" if self.path else str(key)

    def refuse(self, key: object, fault: Sentence) -> None:
        """Note a fault; of several at one path the first one stays."""
        self.faults.setdefault(self.build_path(key), fault)

    def allow_only(self, *known: str) -> None:
        for key in self.data:
            if key not in known:
                self.refuse(key, Sentence(_("Die Angabe „%(key)s“ gibt es hier nicht. Bitte weglassen."), {"key": key}))

    def forbid(self, key: str, fault: Sentence) -> None:
        """Refuse a key that another key rules out. The caller does not read it."""
        if key in self.data:
            self.refuse(key, fault)

    def get(self, key: str, check: Check, default: Any = None) -> Any:
        """Return the value of a key, or the default if it is left out or refused."""
        if key not in self.data:
            return default
        value = self.data[key]
        if (fault := check(value)) is None:
            return value
        self.refuse(key, fault)
        return default

    def require(self, key: str, check: Check, instead: Any = None) -> Any:
        """Return the value of a required key, or `instead` if it is missing or refused."""
        if key not in self.data and self.is_object:
            self.refuse(key, Sentence(MISSING, {"key": key}))
        return self.get(key, check, instead)

    def get_inner(self, key: str) -> Fields:
        """Return the object under a key; an empty one if it is left out."""
        return Fields(self.data.get(key, {}), self.build_path(key), self.faults)

    def finish(self) -> None:
        """Raise Refused with all noted faults, of this object and of the others that share the dict of faults."""
        if self.faults:
            raise Refused(self.faults)

    def list_entries(self, key: str) -> Iterator[tuple[Any, str]]:
        """List the entries of a checked list with their paths; nothing if the value is no list."""
        entries = self.data.get(key)
        if isinstance(entries, list):
            yield from ((entry, f"{self.build_path(key)}.{place}") for place, entry in enumerate(entries))

    def list_objects(self, key: str) -> Iterator[Fields]:
        """List the entries of a checked list as objects."""
        return (Fields(entry, path, self.faults) for entry, path in self.list_entries(key))

    def list_codes(self, key: str) -> Iterator[tuple[str, Fields]]:
        """List the codes of the object under a key, each with that object; refuse a key that is no code."""
        inner = self.get_inner(key)
        for code in inner.data:
            if is_code(code):
                yield code, inner
            else:
                inner.refuse(code, NO_CODE)


def is_code(text: str) -> bool:
    return _CODE.fullmatch(text) is not None


CENTS: Final = number(0, MOST_CENTS)
SOME_CENTS: Final = number(1, MOST_CENTS)
BALANCE: Final = number(-MOST_BALANCE, MOST_BALANCE)
TURN: Final = number(0, MOST_TURN)


def parse_fraction(value: object) -> Fraction | None:
    """Return the number from 0 that an integer, "n" or "n/m" stands for; None for anything else."""
    if type(value) is int and value >= 0:
        return Fraction(value)
    found = _FRACTION.fullmatch(value) if isinstance(value, str) else None
    return Fraction(int(found[1]), int(found[2] or 1)) if found and int(found[2] or 1) else None


def fraction(highest: int, from_0: bool = True) -> Check:
    """Check for a number up to `highest`, written as an integer or as a fraction in text."""
    sentence = (
        _("Bitte eine ganze Zahl oder einen Bruch wie \"1/8\" angeben, von 0 bis %(highest)s.")
        if from_0
        else _("Bitte eine ganze Zahl oder einen Bruch wie \"1/8\" angeben, mehr als 0 und höchstens %(highest)s.")
    )  # fmt: skip

    def check(value: Any) -> Sentence | None:
        found = parse_fraction(value)
        fits = found is not None and found <= highest and (from_0 or found > 0)
        return None if fits else Sentence(sentence, {"highest": highest})

    return check


def characters(most: int) -> Check:
    def check(value: Any) -> Sentence | None:
        if isinstance(value, str) and 1 <= len(value) <= most:
            return None
        return Sentence(_("Bitte einen Text von 1 bis %(most)s Zeichen angeben."), {"most": most})

    return check


IDENTITY: Final = characters(LONGEST_ID)


def a_text(value: Any) -> Sentence | None:
    return None if isinstance(value, str) else Sentence(_("Bitte einen Text angeben."))


def a_list(value: Any) -> Sentence | None:
    return None if isinstance(value, list) else NO_LIST


def a_day(value: Any) -> Sentence | None:
    """Check for an existing day, YYYY-MM-DD."""
    if isinstance(value, str) and _DATE.fullmatch(value) and is_day(value):
        return None
    return Sentence(_("Bitte einen Tag wie 2026-03-31 angeben."))


def is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def anything(_value: Any) -> bool:
    return True


def entries(fits: Callable[[Any], bool], fewest: int, most: int, sentence: Sentence) -> Check:
    """Check for a list of `fewest` to `most` entries that all fit; it is accepted or refused as a whole."""

    def check(value: Any) -> Sentence | None:
        is_whole = isinstance(value, list) and fewest <= len(value) <= most and all(map(fits, value))
        return None if is_whole else sentence

    return check


def read_id(person: Fields, seen: set[str]) -> str | None:
    """Return the id of a person in a list, or None if it is refused; add it to `seen`, the ids before it."""
    found: str | None = person.require("id", IDENTITY)
    if found in seen:
        person.refuse("id", TWICE)
        return None
    if found is not None:
        seen.add(found)
    return found
