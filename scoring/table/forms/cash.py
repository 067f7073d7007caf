"""What a phone sends of the Kasse at a table, as JSON: a fine under the key made there, or that the fine of a key is struck out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django.utils.translation import gettext_noop

from scoring.cash.rules.fields import is_code
from scoring.club.models.people import NAME_LENGTH
from scoring.core.numbers import whole
from scoring.rules.refused import Refused, Sentence

from .games import NO_KEY, read_key, read_object

_UNKNOWN: Final = gettext_noop("Das Feld „%(field)s“ gibt es nicht. Bitte weglassen.")
_NOBODY: Final = Sentence(gettext_noop("Bitte die Person angeben, mit ihrer Nummer oder ihrem Namen."))
_NO_CODE: Final = Sentence(gettext_noop("Bitte die Strafe mit ihrem Kürzel aus dem Tarif angeben."))
_NO_AMOUNT: Final = Sentence(gettext_noop("Bitte als ganze Zahl angeben, wie oft, wie viele Minuten oder wie viele Cent."))
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
    key: UUID


def read_fine(body: bytes) -> Fined | Struck:
    """Raises Refused."""
    data = read_object(body)
    key, is_strike = read_key(data.get("key")), "struck" in data
    who: Any = data.get("who")
    code: Any = data.get("code")
    amount = data.get("amount", 1)
    faults: dict[str, Sentence] = {} if key else {"key": Sentence(NO_KEY)}
    if is_strike and data["struck"] is not True:
        faults["struck"] = _ONLY_TRUE
    if not is_strike and not _is_person(who):
        faults["who"] = _NOBODY
    if not is_strike and not (isinstance(code, str) and is_code(code)):
        faults["code"] = _NO_CODE
    if not is_strike and (type(amount) is not int or whole(amount) is None):
        faults["amount"] = _NO_AMOUNT
    known = {"key", "struck"} if is_strike else {"key", "who", "code", "amount"}
    faults |= {field: Sentence(_UNKNOWN, {"field": field}) for field in data.keys() - known}
    if faults or key is None:
        raise Refused(faults)
    return Struck(key) if is_strike else Fined(key, who, code, amount)


def _is_person(who: Any) -> bool:
    if isinstance(who, str):
        return 0 < len(who.strip()) <= NAME_LENGTH and who.isprintable()
    return type(who) is int and bool(whole(who))
