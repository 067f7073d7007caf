"""The Kasse in sentences. Every member reads the history, so it names no person and no amount of a single payment."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping
from typing import Any, Final

from django.utils.formats import get_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from scoring.cash.models import Kind, Leg, SettlementLine
from scoring.cash.queries import BrokenLaw
from scoring.club.models import Change, Verb
from scoring.club.texts import ChangeFormat, ChangeFormats, LabeledValues, Names, Values, get_evening_day
from scoring.core.formats import fill_in_names, format_day, format_month, mark_as_name

# The names of the accounts that every club has, by code.
ACCOUNT_NAMES: Final[Mapping[str, Any]] = {
    "cash": gettext_lazy("Bar"),
    "bank": gettext_lazy("Konto"),
    "equity:opening": gettext_lazy("Anfangsbestand"),
    "income:points": gettext_lazy("Punktgeld"),
    "income:pot": gettext_lazy("Rest aus dem Topf"),
    "income:fee": gettext_lazy("Abendbeiträge"),
    "income:guest": gettext_lazy("Gastbeiträge"),
    "income:drinks": gettext_lazy("Getränke"),
    "income:fines": gettext_lazy("Strafgelder"),
    "income:absence": gettext_lazy("Beitrag, wenn jemand fehlt"),
    "income:dues": gettext_lazy("Mitgliedsbeiträge"),
    "income:joining": gettext_lazy("Eintrittsgelder"),
    "income:surplus": gettext_lazy("Überschuss beim Zählen"),
    "income:other": gettext_lazy("Sonstige Einnahmen"),
    "expense:host": gettext_lazy("Gastgeber"),
    "expense:guests": gettext_lazy("Gäste des Clubs"),
    "expense:leaving": gettext_lazy("Auszahlung beim Austritt"),
    "expense:waived": gettext_lazy("Erlassen"),
    "expense:shortage": gettext_lazy("Fehlbetrag beim Zählen"),
    "expense:trip": gettext_lazy("Ausflug"),
    "expense:prizes": gettext_lazy("Preise"),
    "expense:drinks": gettext_lazy("Getränke"),
    "expense:rent": gettext_lazy("Miete"),
    "expense:other": gettext_lazy("Sonstige Ausgaben"),
}


def format_euros(cents: int) -> str:
    """Format an amount, with a real minus sign if the Kasse itself stands below 0."""
    text = _("%(amount)s €").replace(" ", "\u00a0") % {"amount": format_amount(abs(cents))}
    return f"−{text}" if cents < 0 else text


def format_amount(cents: int) -> str:
    """Format an amount without the euro sign, for places that name the euro beside it."""
    return f"{_format_whole_euros(cents)}{get_format('DECIMAL_SEPARATOR')}{abs(cents) % 100:02}"


def format_short_amount(cents: int) -> str:
    """Format a round figure beside a chart: whole euros without cents."""
    return format_amount(cents) if cents % 100 else _format_whole_euros(cents)


def _format_whole_euros(cents: int) -> str:
    """Group the digits by three. Django's own function is too slow for the hundreds of amounts of a page."""
    return f"{'−' * (cents < 0)}{abs(cents) // 100:,}".replace(",", get_format("THOUSAND_SEPARATOR"))


def format_balance(cents: int) -> str:
    if cents > 0:
        return _("schuldet %(amount)s") % {"amount": format_euros(cents)}
    if cents < 0:
        return _("Guthaben %(amount)s") % {"amount": format_euros(-cents)}
    return _("ausgeglichen")


def format_own_balance(cents: int) -> str:
    """Describe the debt or credit of a person to themselves."""
    if cents > 0:
        return _("Sie schulden %(amount)s") % {"amount": format_euros(cents)}
    if cents < 0:
        return _("Sie haben %(amount)s gut") % {"amount": format_euros(-cents)}
    return _("ausgeglichen")


def format_charge(cents: int) -> str:
    """Describe what one entry added to the debt of a person, or took from it."""
    values = {"amount": format_euros(abs(cents))}
    return _("%(amount)s berechnet") % values if cents > 0 else _("%(amount)s gutgeschrieben") % values


def format_transfer(found: SettlementLine) -> SafeString:
    return fill_in_names(
        _("%(payer)s an %(receiver)s: %(amount)s"),
        payer=mark_as_name(found.payer) if found.payer else _("Kasse"),
        receiver=mark_as_name(found.receiver) if found.receiver else _("die Kasse"),
        amount=format_euros(found.cents),
    )


def get_account_name(code: str, own: Mapping[str, str]) -> str:
    """Return the name of an account that belongs to no person; `own` are the names that the club gave."""
    return str(own.get(code) or ACCOUNT_NAMES.get(code) or code.partition(":")[2])


def describe_leg(leg: Leg, people: Mapping[int, str], own: Mapping[str, str]) -> str:
    """Describe one leg in a sentence; `people` are the present names of people by id."""
    account = leg.account
    values = {"who": people.get(account.player_id or 0, ""), "amount": format_euros(abs(leg.cents))}
    values["what"] = get_account_name(account.code, own)
    plus = leg.cents > 0
    if account.player_id is not None:
        sentence = _("%(who)s schuldet %(amount)s mehr") if plus else _("%(who)s schuldet %(amount)s weniger")
        return fill_in_names(sentence, who=mark_as_name(values["who"]), amount=values["amount"])
    match account.code.partition(":")[0]:
        case "income":
            sentence = _("Einnahme „%(what)s“: %(amount)s weniger") if plus else _("Einnahme „%(what)s“: %(amount)s")
        case "expense":
            sentence = _("Ausgabe „%(what)s“: %(amount)s") if plus else _("Ausgabe „%(what)s“: %(amount)s weniger")
        case "equity":
            sentence = _("%(what)s: %(amount)s weniger") if plus else _("%(what)s: %(amount)s mehr")
        case _code:
            sentence = _("%(what)s: %(amount)s hinein") if plus else _("%(what)s: %(amount)s heraus")
    return sentence % values


# The names of the fines that are offered; a club can give other names.
FINE_NAMES: Final[Mapping[str, Any]] = {
    "misdeal": gettext_lazy("Vergeben"),
    "late": gettext_lazy("Zu spät"),
    "phone": gettext_lazy("Handy am Tisch"),
}


def describe_broken_law(fault: BrokenLaw) -> str:
    sentence = _(fault.law.value) % fault.values
    return f"{fault.club}, {sentence}" if fault.club else sentence


def _get_number(change: Change, names: Names) -> str:
    return str((change.after or {}).get("number", ""))


def _summarize_entry(change: Change, names: Names) -> str:
    """Return the number of the entry, its kind and its day."""
    if not change.after:
        return ""
    return " · ".join([_get_number(change, names), *_describe_entry(change, change.after, names).values()])


def _get_month(change: Change, names: Names) -> str:
    month = (change.after or {}).get("month")
    return format_month(month) if month else ""


_LISTS: Final = {
    "players": gettext_lazy("Da"),
    "guests": gettext_lazy("Gäste"),
    "excused": gettext_lazy("Entschuldigt"),
    "unexcused": gettext_lazy("Unentschuldigt"),
    "free": gettext_lazy("Frei"),
}


def _describe_attendance(change: Change, values: Values, names: Names) -> LabeledValues:
    """Describe the lists of attendance, or the drinks."""
    if "drinks" in values:
        payer = {_("Bezahlt von"): _list_names([values["player"]], names)} if values.get("player") else {}
        drinks = {_("Getränke"): str(int(values["drinks"]))}
        return drinks | {pgettext("Getränke", "Rechnung"): format_euros(int(values["bill"]))} | payer
    host = {_("Gastgeber"): _list_names([values["host"]], names)} if values.get("host") else {}
    return {str(label): _list_names(values[key], names) for key, label in _LISTS.items() if values.get(key)} | host


def _list_names(ids: list[int], names: Names) -> str:
    return ", ".join(str(names["players"].get(int(pk), "?")) for pk in ids)


def _describe_fine(change: Change, values: Values, names: Names) -> LabeledValues:
    code = str(values["code"])
    unit, number = next((unit, int(values[unit])) for unit in ("count", "minutes", "cents") if unit in values)
    minutes = _("%(count)s Minuten") % {"count": number}
    amount = {"count": str(number), "minutes": minutes, "cents": format_euros(number)}[unit]
    return {_("Wer"): _list_names([values["player"]], names), str(FINE_NAMES.get(code, code)): amount}


def _get_day_of_fine(change: Change, names: Names) -> str:
    evening = names["evening"].get((change.after or change.before or {}).get("evening", 0))
    return format_day(evening.held_on) if evening else ""


def _label(**labels: tuple[Any, Callable[[Any], str]]) -> Callable[[Change, Values, Names], LabeledValues]:
    """Return a function that describes a change: the value of each of these keys, with a label and a function that formats it."""
    return lambda change, values, names: {str(label): write(values[key]) for key, (label, write) in labels.items()}


def _format_number(value: Any) -> str:
    """Format a whole number. Raises ValueError, TypeError for any other value, so that an archive with it is refused."""
    return str(int(value))


_describe_entry = _label(
    kind=(gettext_lazy("Art"), lambda kind: str(Kind(kind).label)),
    date=(gettext_lazy("Tag"), lambda day: format_day(datetime.date.fromisoformat(day))),
)
_describe_count = _label(cents=(gettext_lazy("Gezählt"), format_euros), booked=(gettext_lazy("Gebucht"), format_euros))
_describe_closing = _label(sha256=(gettext_lazy("Prüfsumme"), str))
_describe_version = _label(version=(gettext_lazy("Fassung"), _format_number))
CHANGES: Final[ChangeFormats] = {
    Verb.CASH_BOOKED: ChangeFormat(_describe_entry, _summarize_entry),
    Verb.CASH_REVERSED: ChangeFormat(_describe_entry, _get_number),
    Verb.CASH_COUNTED: ChangeFormat(_describe_count),
    **dict.fromkeys((Verb.CASH_CLOSED, Verb.CASH_COUNTERSIGNED), ChangeFormat(_describe_closing, _get_month)),
    # Not the person: every member reads the history.
    Verb.CASH_DUES_SET: ChangeFormat(_label(month=(gettext_lazy("Ab"), format_month))),
    Verb.CASH_SETTLED: ChangeFormat(_label(lines=(gettext_lazy("Zahlungen"), _format_number))),
    Verb.CASH_HEADING_ADDED: ChangeFormat(_label(code=(gettext_lazy("Konto"), str))),
    Verb.CASH_YEAR_SET: ChangeFormat(_label(first_month=(gettext_lazy("Beginnt im Monat"), str))),
    Verb.CASH_TARIFF: ChangeFormat(_describe_version, subject=""),
    Verb.CASH_PINNED: ChangeFormat(_describe_version, get_evening_day, subject="evening"),
    Verb.CASH_EVENING: ChangeFormat(_describe_attendance, get_evening_day, subject="evening"),
    **dict.fromkeys(
        (Verb.CASH_FINED, Verb.CASH_UNFINED, Verb.CASH_FINE_LATE, Verb.CASH_FINE_NOT_TAKEN),
        ChangeFormat(_describe_fine, _get_day_of_fine, subject=None),
    ),
}
