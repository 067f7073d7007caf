"""What starts a Bock, how long it lasts and what it does, each as a sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop, ngettext

from scoring.rules.constants import BOCK_DEFAULTS
from scoring.rules.game_settings import PLAIN_BOCK

from .parts import About, about, amount, listed, trigger_name

Bock = Mapping[str, Any]


def bock_sentence(key: str, bock: Bock, about: About) -> str:
    """One key of `bock` as a sentence."""
    return _BOCK[key]({**BOCK_DEFAULTS, **bock}, about)


def bock_line(key: str, settings: Mapping[str, Any], about: About) -> str:
    """Return one key of the Bock of these settings as a sentence, a plain Bock where they have none."""
    bock = {**BOCK_DEFAULTS, **(settings["bock"] or PLAIN_BOCK)}
    if key == "effect" and bock["effect"] == "all" and settings["specials_when"] == "after" and settings["specials"]:
        return _("Ein Bockspiel zählt %(times)s, nur die Sonderpunkte nicht.") % {"times": _(_TIMES[bock["factor"]])}
    return bock_sentence(key, bock, about)


def bock_sentences(settings: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What the Bock of a rule set says; what may be left out says nothing where it is as ever."""
    bock, known = settings["bock"], about(settings)
    if bock is None:
        return [("bock", _("Bock gibt es nicht."))]
    told = [key for key in _BOCK if bock.get(key, BOCK_DEFAULTS.get(key)) != BOCK_DEFAULTS.get(key)]
    return [(f"bock.{key}", bock_line(key, settings, known)) for key in told]


def _triggers(bock: Bock, about: About) -> str:
    if not bock["triggers"]:
        return _("Nichts löst einen Bock aus.")
    return _("Einen Bock löst aus: %(triggers)s.") % {
        "triggers": listed(trigger_name(trigger, about) for trigger in bock["triggers"])
    }


def _length(bock: Bock, about: About) -> str:
    value = bock["length"]
    if value == "table":
        return _("Ein Bock dauert so viele Spiele, wie Personen am Tisch sind.")
    if value == "deal":
        return _("Ein Bock dauert so viele Geber, wie Personen am Tisch sind.")
    return ngettext("Ein Bock dauert %(games)s Spiel.", "Ein Bock dauert %(games)s Spiele.", int(value)) % {
        "games": value
    }


# How a game of the first level counts.
_TIMES: Final = {
    2: gettext_noop("doppelt"),
    3: gettext_noop("dreifach"),
    4: gettext_noop("vierfach"),
    "linear": gettext_noop("doppelt"),
}


def _effect(bock: Bock, about: About) -> str:
    value, times = bock["effect"], _(_TIMES[bock["factor"]])
    if value == "all":
        return _("Ein Bockspiel zählt %(times)s, mit allem, was dazukommt.") % {"times": times}
    if value == "game":
        return _("Ein Bockspiel zählt %(times)s, aber ohne Sonderpunkte und andere Verdopplungen.") % {"times": times}
    return _("Ein Bockspiel zählt je Stufe %(amount)s mehr.") % {"amount": amount(value["add"], about.unit)}


def _cap(bock: Bock, about: About) -> str:
    if bock["cap"] == 1:
        return _("Mehr als %(times)s zählt kein Bockspiel.") % {"times": _(_TIMES[bock["factor"]])}
    return _("Höchstens %(levels)s Böcke wirken auf dasselbe Spiel.") % {"levels": bock["cap"]}


def _choice(key: str, sentences: Mapping[Any, Any]) -> Callable[[Bock, About], str]:
    return lambda bock, about: str(sentences[bock[key]])


_BOCK: Final[dict[str, Callable[[Bock, About], str]]] = {
    "triggers": _triggers,
    "per_game": _choice(
        "per_game",
        {
            "one": gettext_lazy("Ein Spiel löst höchstens einen Bock aus."),
            "each": gettext_lazy("Jeder Grund löst einen eigenen Bock aus."),
        },
    ),
    "length": _length,
    "overlap": _choice(
        "overlap",
        {
            "append": gettext_lazy("Ein Bock im Bock wird hinten angehängt."),
            "stack": gettext_lazy("Ein Bock im Bock läuft gleichzeitig und verdoppelt noch einmal (Doppelbock)."),
            "extend": gettext_lazy("Ein Bock im Bock lässt den laufenden von vorn beginnen."),
            "ignore": gettext_lazy("Ein Bock im Bock zählt nicht."),
            "fill": gettext_lazy(
                "Ein Bock im Bock macht die nächsten Spiele zum Doppelbock; was über die höchste Stufe geht, hängt hinten an."
            ),
        },
    ),
    "cap": _cap,
    "effect": _effect,
    "factor": _choice(
        "factor",
        {
            2: gettext_lazy("Jeder weitere Bock verdoppelt: doppelt, vierfach, achtfach."),
            3: gettext_lazy("Jeder weitere Bock verdreifacht."),
            4: gettext_lazy("Jeder weitere Bock vervierfacht."),
            "linear": gettext_lazy("Jeder weitere Bock zählt einmal mehr: doppelt, dreifach, vierfach."),
        },
    ),
    "drawn": _choice(
        "drawn",
        {
            "doubled": gettext_lazy("Auch wenn niemand gewinnt, zählt ein Bockspiel mehrfach."),
            "plain": gettext_lazy("Gewinnt niemand, zählt ein Bockspiel einfach."),
        },
    ),
    "duty_solo_uses": _choice(
        "duty_solo_uses",
        {
            True: gettext_lazy("Ein Pflichtsolo ist ein Bockspiel wie jedes andere."),
            False: gettext_lazy("Ein Pflichtsolo zählt einfach und verbraucht kein Bockspiel."),
        },
    ),
    "carry": _choice(
        "carry",
        {
            True: gettext_lazy("Übrige Bockspiele gelten am nächsten Abend derselben Leute weiter."),
            False: gettext_lazy("Übrige Bockspiele verfallen am Ende des Abends."),
        },
    ),
}
