"""Fines in words: what each is called, what it costs by its tariff, and one that was entered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.cash.models.facts import Fine
from scoring.cash.rules.fines import TariffFine

from .money import euros, short_euros

# The fines that a tariff is offered with; a club may call them something else.
FINES: Final[Mapping[str, Any]] = {
    "misdeal": gettext_lazy("Vergeben"),
    "late": gettext_lazy("Zu spät"),
    "phone": gettext_lazy("Handy am Tisch"),
}


def fine_name(content: Mapping[str, Any], code: str) -> str:
    """What a fine of a tariff is called."""
    own = content.get("fines", {}).get(code, {}).get("name")
    return str(own or FINES.get(code) or code)


def fine_said(fine: TariffFine) -> str:
    """What a fine costs."""
    if fine.open:
        return _("was eingetragen wird")
    if fine.steps:
        said = "; ".join(_step_said(place, *step) for place, step in enumerate(fine.steps))
        return _("je verlorenem Spiel: %(steps)s") % {"steps": said} if fine.lost_games else said
    if fine.minutes:
        said = _("%(amount)s je angefangene %(minutes)s Minuten")
        found = said % {"amount": euros(fine.cents), "minutes": fine.minutes}
        return found if fine.cap is None else _("%(cost)s, höchstens %(cap)s") % {"cost": found, "cap": euros(fine.cap)}
    return euros(fine.cents)


def fine_in_short(fine: TariffFine) -> str:
    """What a fine costs, for a button: a fine by minutes without its legal words."""
    if not fine.minutes or fine.open or fine.steps:
        return fine_said(fine)
    said = _("%(amount)s je %(minutes)s Min.") % {"amount": euros(fine.cents), "minutes": fine.minutes}
    if fine.cap is None:
        return said
    cap = _("%(amount)s €").replace(" ", "\u00a0") % {"amount": short_euros(fine.cap)}
    return _("%(cost)s, bis %(cap)s") % {"cost": said, "cap": cap}


def _step_said(place: int, many: int | None, cents: int) -> str:
    said = {"many": many, "amount": euros(cents)}
    if many is None:
        return (_("alle weiteren je %(amount)s") if place else _("je %(amount)s")) % said
    return (_("die nächsten %(many)s je %(amount)s") if place else _("die ersten %(many)s je %(amount)s")) % said


def fine_in_words(fine: Fine, content: Mapping[str, Any]) -> str:
    """Who is fined what for what, by the content of a tariff."""
    return f"{fine.player}: {fine_name(content, fine.code)}, {amount_said(fine)}"


def amount_said(fine: Fine) -> str:
    """How many, how long or how much a fine is for."""
    if fine.unit == Fine.Unit.MINUTES:
        return _("%(count)s Minuten") % {"count": fine.amount}
    return euros(fine.amount) if fine.unit == Fine.Unit.CENTS else f"{fine.amount}\u00a0×"
