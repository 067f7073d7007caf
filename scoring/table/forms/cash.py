"""Entries for the Kasse that a phone sends as JSON with a key: a fine, its deletion, drinks, or who brought a guest."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final
from uuid import UUID

from django.utils.translation import gettext_noop

from scoring.cash.evening.rules import MOST_DRINKS
from scoring.cash.rules.fields import is_code
from scoring.club.models import NAME_LENGTH
from scoring.core.text import parse_whole
from scoring.rules.validation import Refused, Sentence
from scoring.table.forms.games import NO_KEY, parse_key, parse_object, refuse_fields

_NO_PERSON: Final = Sentence(gettext_noop("Bitte die Person angeben, mit ihrer Nummer oder ihrem Namen."))
_NO_CODE: Final = Sentence(gettext_noop("Bitte das Strafgeld mit seinem Kürzel aus dem Tarif angeben."))
_NO_AMOUNT: Final = Sentence(gettext_noop("Bitte als ganze Zahl angeben, wie oft, wie viele Minuten oder wie viele Cent."))
_NO_DRINK: Final = Sentence(gettext_noop("Bitte das Getränk so angeben, wie es im Tarif steht."))
_NO_COUNT: Final = Sentence(gettext_noop("Bitte als ganze Zahl angeben, wie viele mehr oder weniger."))
_ONLY_TRUE: Final = Sentence(gettext_noop("Gestrichen wird mit „true“. Bitte sonst weglassen."))


# For each field: the check of its value, and the sentence if it fails.
_FIELDS: Final[Mapping[str, tuple[Callable[[Any], bool], Sentence]]] = {
    "key": (lambda value: parse_key(value) is not None, Sentence(NO_KEY)),
    "who": (lambda value: _is_person(value), _NO_PERSON),
    "code": (lambda value: isinstance(value, str) and is_code(value), _NO_CODE),
    "amount": (lambda value: type(value) is int and parse_whole(value) is not None, _NO_AMOUNT),
    "struck": (lambda value: value is True, _ONLY_TRUE),
    "drink": (lambda value: isinstance(value, str) and is_code(value), _NO_DRINK),
    "count": (lambda value: type(value) is int and 0 < abs(value) <= MOST_DRINKS, _NO_COUNT),
    "brought_by": (lambda value: _is_person(value), _NO_PERSON),
}
# The fields of each kind of entry, by the field that only this kind has; a fine has none.
_KINDS: Final[Mapping[str, tuple[str, ...]]] = {
    "struck": ("key", "struck"),
    "drink": ("key", "who", "drink", "count"),
    "brought_by": ("key", "who", "brought_by"),
    "": ("key", "who", "code", "amount"),
}


def parse_note(body: bytes) -> dict[str, Any]:
    """Parse one entry. `amount` is a count, minutes or cents as the tariff says; `count` may be negative. Raise Refused."""
    data = {"amount": 1, **parse_object(body)}
    kind = next((field for field in _KINDS if field in data), "")
    fields = _KINDS[kind]
    if kind and data["amount"] == 1:
        del data["amount"]
    faults = {field: _FIELDS[field][1] for field in fields if not _FIELDS[field][0](data.get(field))}
    faults |= refuse_fields(data.keys() - set(fields))
    if faults:
        raise Refused(faults)
    return {**data, "key": UUID(data["key"])}


def _is_person(who: Any) -> bool:
    if isinstance(who, str):
        return 0 < len(who.strip()) <= NAME_LENGTH and who.isprintable()
    return type(who) is int and bool(parse_whole(who))
