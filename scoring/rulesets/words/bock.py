"""What starts a Bock, how long it lasts and what it does, each as a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.rules import labels

from .settings import Say, amount, choice, listed


def bock_sentence(key: str, value: Any) -> str:
    """One key of `bock` as a sentence."""
    return _BOCK[key](value, "points")


def bock_sentences(bock: Mapping[str, Any] | None) -> list[tuple[str, str]]:
    if bock is None:
        return [("bock", _("Bock gibt es nicht."))]
    return [(f"bock.{key}", bock_sentence(key, bock[key])) for key in _BOCK]


def _triggers(value: list[str], unit: str) -> str:
    if not value:
        return _("Nichts löst einen Bock aus.")
    return _("Einen Bock löst aus: %(triggers)s.") % {
        "triggers": listed(_(labels.TRIGGERS[trigger]) for trigger in value)
    }


def _length(value: int | str, unit: str) -> str:
    if value == "table":
        return _("Ein Bock dauert so viele Spiele, wie Personen am Tisch sind.")
    if value == "deal":
        return _("Ein Bock dauert so viele Geber, wie Personen am Tisch sind.")
    return ngettext("Ein Bock dauert %(games)s Spiel.", "Ein Bock dauert %(games)s Spiele.", int(value)) % {
        "games": value
    }


def _effect(value: Any, unit: str) -> str:
    if value == "all":
        return _("Ein Bockspiel zählt doppelt, mit allem, was dazukommt.")
    if value == "game":
        return _("Ein Bockspiel zählt doppelt, aber ohne Sonderpunkte und andere Verdopplungen.")
    return _("Ein Bockspiel zählt je Stufe %(amount)s mehr.") % {"amount": amount(value["add"], unit)}


def _cap(value: int, unit: str) -> str:
    if value == 1:
        return _("Mehr als doppelt zählt kein Bockspiel.")
    return _("Höchstens %(levels)s Böcke wirken auf dasselbe Spiel.") % {"levels": value}


_BOCK: dict[str, Say] = {
    "triggers": _triggers,
    "per_game": choice(
        {
            "one": gettext_lazy("Ein Spiel löst höchstens einen Bock aus."),
            "each": gettext_lazy("Jeder Grund löst einen eigenen Bock aus."),
        }
    ),
    "length": _length,
    "overlap": choice(
        {
            "append": gettext_lazy("Ein Bock im Bock wird hinten angehängt."),
            "stack": gettext_lazy("Ein Bock im Bock läuft gleichzeitig und verdoppelt noch einmal."),
            "extend": gettext_lazy("Ein Bock im Bock lässt den laufenden von vorn beginnen."),
            "ignore": gettext_lazy("Ein Bock im Bock zählt nicht."),
        }
    ),
    "cap": _cap,
    "effect": _effect,
    "duty_solo_uses": choice(
        {
            True: gettext_lazy("Ein Pflichtsolo ist ein Bockspiel wie jedes andere."),
            False: gettext_lazy("Ein Pflichtsolo zählt einfach und verbraucht kein Bockspiel."),
        }
    ),
    "carry": choice(
        {
            True: gettext_lazy("Offene Bockspiele gelten am nächsten Abend derselben Runde weiter."),
            False: gettext_lazy("Offene Bockspiele verfallen am Ende des Abends."),
        }
    ),
}
