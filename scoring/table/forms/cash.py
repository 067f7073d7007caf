"""What a phone sends of the Kasse at a table, as JSON under a key made there: a fine, the deletion of a fine, drinks, or
who brought a guest."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django.utils.translation import gettext_noop

from scoring.cash.rules.evening import MOST_DRINKS
from scoring.cash.rules.fields import is_code
from scoring.club.models import NAME_LENGTH
from scoring.core.text import parse_whole
from scoring.rules.validation import Refused, Sentence
from scoring.table.forms.games import NO_KEY, read_key, read_object

_UNKNOWN: Final = gettext_noop("Das Feld „%(field)s“ gibt es nicht. Bitte weglassen.")
_NOBODY: Final = Sentence(gettext_noop("Bitte die Person angeben, mit ihrer Nummer oder ihrem Namen."))
_NO_CODE: Final = Sentence(gettext_noop("Bitte das Strafgeld mit seinem Kürzel aus dem Tarif angeben."))
_NO_AMOUNT: Final = Sentence(gettext_noop("Bitte als ganze Zahl angeben, wie oft, wie viele Minuten oder wie viele Cent."))
_NO_DRINK: Final = Sentence(gettext_noop("Bitte das Getränk so angeben, wie es im Tarif steht."))
_NO_COUNT: Final = Sentence(gettext_noop("Bitte als ganze Zahl angeben, wie viele mehr oder weniger."))
_ONLY_TRUE: Final = Sentence(gettext_noop("Gestrichen wird mit „true“. Bitte sonst weglassen."))


@dataclass(frozen=True)
class Fined:
    """A fine, for somebody by id, or by name whom only the phone knew; `amount` is what its form in the tariff asks for."""

    key: UUID
    who: int | str
    code: str
    amount: int


@dataclass(frozen=True)
class Struck:
    """Take the fine with this key away."""

    key: UUID


@dataclass(frozen=True)
class Drunk:
    """So many more of a drink, below 0 fewer."""

    key: UUID
    who: int | str
    drink: str
    count: int


@dataclass(frozen=True)
class BroughtAlong:
    key: UUID
    who: int | str
    brought_by: int | str


Noted = Fined | Struck | Drunk | BroughtAlong
# For each field: the check of its value, and the sentence if it fails.
_FIELDS: Final[Mapping[str, tuple[Callable[[Any], bool], Sentence]]] = {
    "key": (lambda value: read_key(value) is not None, Sentence(NO_KEY)),
    "who": (lambda value: _is_person(value), _NOBODY),
    "code": (lambda value: isinstance(value, str) and is_code(value), _NO_CODE),
    "amount": (lambda value: type(value) is int and parse_whole(value) is not None, _NO_AMOUNT),
    "struck": (lambda value: value is True, _ONLY_TRUE),
    "drink": (lambda value: isinstance(value, str) and is_code(value), _NO_DRINK),
    "count": (lambda value: type(value) is int and 0 < abs(value) <= MOST_DRINKS, _NO_COUNT),
    "brought_by": (lambda value: _is_person(value), _NOBODY),
}
# By the field that only this kind has; a fine has none.
_KINDS: Final[Mapping[str, tuple[Callable[..., Noted], tuple[str, ...]]]] = {
    "struck": (lambda key, struck: Struck(key), ("key", "struck")),
    "drink": (Drunk, ("key", "who", "drink", "count")),
    "brought_by": (BroughtAlong, ("key", "who", "brought_by")),
    "": (Fined, ("key", "who", "code", "amount")),
}


def read_note(body: bytes) -> Noted:
    """Raises Refused."""
    data = {"amount": 1, **read_object(body)}
    kind = next((field for field in _KINDS if field in data), "")
    make, fields = _KINDS[kind]
    if kind and data["amount"] == 1:
        del data["amount"]
    faults = {field: _FIELDS[field][1] for field in fields if not _FIELDS[field][0](data.get(field))}
    faults |= {field: Sentence(_UNKNOWN, {"field": field}) for field in data.keys() - set(fields)}
    if faults:
        raise Refused(faults)
    return make(**{**data, "key": UUID(data["key"])})


def _is_person(who: Any) -> bool:
    if isinstance(who, str):
        return 0 < len(who.strip()) <= NAME_LENGTH and who.isprintable()
    return type(who) is int and bool(parse_whole(who))
