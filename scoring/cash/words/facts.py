"""What was done to tariffs and to the facts of an evening, in the words of the history."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from scoring.club.models import Change, Verb
from scoring.club.texts import ChangeFormat, ChangeFormats, LabeledValues, Names, Values, get_evening_day
from scoring.core.formats import format_day

from .fines import FINES
from .money import euros

_LISTS: Final = {
    "players": gettext_lazy("Da"),
    "guests": gettext_lazy("Gäste"),
    "excused": gettext_lazy("Entschuldigt"),
    "unexcused": gettext_lazy("Unentschuldigt"),
    "free": gettext_lazy("Frei"),
}


def _version(change: Change, values: Values, names: Names) -> LabeledValues:
    return {_("Fassung"): str(int(values["version"]))}


def _list(change: Change, values: Values, names: Names) -> LabeledValues:
    """Who stands where, or what was drunk."""
    if "drinks" in values:
        payer = {_("Bezahlt von"): _people([values["player"]], names)} if values.get("player") else {}
        return {_("Getränke"): str(int(values["drinks"])), pgettext("Getränke", "Rechnung"): euros(int(values["bill"]))} | payer
    return {str(label): _people(values[key], names) for key, label in _LISTS.items() if values.get(key)} | (
        {_("Gastgeber"): _people([values["host"]], names)} if values.get("host") else {}
    )


def _people(ids: list[int], names: Names) -> str:
    return ", ".join(str(names["players"].get(int(pk), "?")) for pk in ids)


def _fine(change: Change, values: Values, names: Names) -> LabeledValues:
    code = str(values["code"])
    amount = next(str(int(values[unit])) for unit in ("count", "minutes", "cents") if unit in values)
    return {_("Wer"): _people([values["player"]], names), str(FINES.get(code, code)): amount}


def _of_fine(change: Change, names: Names) -> str:
    evening = names["evening"].get((change.after or change.before or {}).get("evening", 0))
    return format_day(evening.held_on) if evening else ""


CHANGES: Final[ChangeFormats] = {
    Verb.CASH_TARIFF: ChangeFormat(_version, subject=""),
    Verb.CASH_PINNED: ChangeFormat(_version, get_evening_day, subject="evening"),
    Verb.CASH_EVENING: ChangeFormat(_list, get_evening_day, subject="evening"),
    **dict.fromkeys(
        (Verb.CASH_FINED, Verb.CASH_UNFINED, Verb.CASH_FINE_LATE, Verb.CASH_FINE_NOT_TAKEN),
        ChangeFormat(_fine, _of_fine, subject=None),
    ),
}
