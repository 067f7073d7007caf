"""Money in words: amounts, what somebody owes or has to their credit, what accounts are called, and a leg as a sentence. On a page
no amount stands for a debt by its sign alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.utils.formats import get_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.cash.models.books import Account, Leg
from scoring.cash.queries.settling import Pays
from scoring.core.formats import fill_in_names, mark_as_name

# What the accounts are called that every club has, by their codes.
ACCOUNTS: Final[Mapping[str, Any]] = {
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


def euros(cents: int) -> str:
    """An amount as it is written here, with a real minus sign where the Kasse itself stands below 0."""
    said = _("%(amount)s €").replace(" ", "\u00a0") % {"amount": bare_euros(abs(cents))}
    return f"−{said}" if cents < 0 else said


def bare_euros(cents: int) -> str:
    """An amount without the sign of the euro, for places that name the euro beside it."""
    return f"{_whole_euros(cents)}{get_format('DECIMAL_SEPARATOR')}{abs(cents) % 100:02}"


def short_euros(cents: int) -> str:
    """A round figure beside a chart: whole euros without cents."""
    return bare_euros(cents) if cents % 100 else _whole_euros(cents)


def _whole_euros(cents: int) -> str:
    """In groups of three. A page of the Kasse has hundreds of amounts: for one Django takes longer than for all else about it."""
    return f"{'−' * (cents < 0)}{abs(cents) // 100:,}".replace(",", get_format("THOUSAND_SEPARATOR"))


def balance(cents: int) -> str:
    """What a person owes or has to their credit."""
    if cents > 0:
        return _("schuldet %(amount)s") % {"amount": euros(cents)}
    if cents < 0:
        return _("Guthaben %(amount)s") % {"amount": euros(-cents)}
    return _("ausgeglichen")


def own_balance(cents: int) -> str:
    """The same, to the person themselves."""
    if cents > 0:
        return _("Sie schulden %(amount)s") % {"amount": euros(cents)}
    if cents < 0:
        return _("Sie haben %(amount)s gut") % {"amount": euros(-cents)}
    return _("ausgeglichen")


def owes_more(cents: int) -> str:
    """What one entry added to what a person owes, or took from it."""
    said = {"amount": euros(abs(cents))}
    return _("%(amount)s berechnet") % said if cents > 0 else _("%(amount)s gutgeschrieben") % said


def pays(found: Pays) -> SafeString:
    """Who pays whom how much."""
    return fill_in_names(
        _("%(payer)s an %(receiver)s: %(amount)s"),
        payer=mark_as_name(found.payer) if found.payer else _("Kasse"),
        receiver=mark_as_name(found.receiver) if found.receiver else _("die Kasse"),
        amount=euros(found.cents),
    )


def account_name(code: str, own: Mapping[str, str]) -> str:
    """What an account is called that is nobody's; `own` are the names that the club gave."""
    return str(own.get(code) or ACCOUNTS.get(code) or code.partition(":")[2])


def leg_sentence(leg: Leg, people: Mapping[int, str], own: Mapping[str, str]) -> str:
    """One leg in plain words; `people` says by the id of an account's person what they are called now."""
    account: Account = leg.account
    said = {"who": people.get(account.player_id or 0, ""), "amount": euros(abs(leg.cents))}
    said["what"] = account_name(account.code, own)
    plus = leg.cents > 0
    if account.player_id is not None:
        sentence = _("%(who)s schuldet %(amount)s mehr") if plus else _("%(who)s schuldet %(amount)s weniger")
        return fill_in_names(sentence, who=mark_as_name(said["who"]), amount=said["amount"])
    match account.code.partition(":")[0]:
        case "income":
            return (
                _("Einnahme „%(what)s“: %(amount)s weniger") % said
                if plus
                else _("Einnahme „%(what)s“: %(amount)s") % said
            )
        case "expense":
            return (
                _("Ausgabe „%(what)s“: %(amount)s") % said
                if plus
                else _("Ausgabe „%(what)s“: %(amount)s weniger") % said
            )
        case "equity":
            return _("%(what)s: %(amount)s weniger") % said if plus else _("%(what)s: %(amount)s mehr") % said
    return _("%(what)s: %(amount)s hinein") % said if plus else _("%(what)s: %(amount)s heraus") % said
