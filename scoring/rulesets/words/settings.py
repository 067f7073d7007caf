"""Every setting of a rule set but its Bock as a sentence, in the language of the reader, so that nobody has to know what a
key means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop, ngettext

from scoring.rules import labels
from scoring.rules.constants import DEFAULTS

from . import announcements, specials
from .parts import About, Say, about, amount, both, choice, listed, when, word_name, worth


def sentence(key: str, settings: Mapping[str, Any]) -> str:
    """One setting (not `bock`, nor `per_kind`) as a sentence; amounts are in the rule set's unit."""
    return value_sentence(key, settings[key] if key in settings else DEFAULTS[key], about(settings))


def value_sentence(key: str, value: Any, about: About) -> str:
    """A value of one setting as a sentence."""
    return _SENTENCES[key](value, about)


# --- The settings ---------------------------------------------------------------------------------------------------


def _kinds(value: list[str], about: About) -> str:
    names = (word_name(kind, about.kinds) for kind in labels.sort_kinds(value))
    return _("Es gibt diese Spiele: %(kinds)s.") % {"kinds": listed(names)}


def _gegen_in(value: list[str], about: About) -> str:
    if not value:
        return _("Gegen die Alten gibt es in keinem Spiel.")
    return _("Gegen die Alten gibt es in: %(kinds)s.") % {"kinds": listed(_(labels.GEGEN_IN[kind]) for kind in value)}


def _solo_point(value: Any, about: About) -> str:
    if value == 0:
        return _("Einen Solopunkt gibt es nicht.")
    return _("Ein gewonnenes Solo bringt %(amount)s, %(when)s, in: %(kinds)s.") % {
        "amount": amount(value["points"], about.unit),
        "when": when(value["when"]),
        "kinds": listed(word_name(kind, about.kinds) for kind in value["kinds"]),
    }


def _soloist_share(value: int | str, about: About) -> str:
    if value == "opponents":
        return _("Der Solist bekommt oder zahlt den Wert einmal für jeden Gegner.")
    if value == 1:
        return _("Der Solist bekommt oder zahlt den Wert einmal, wie jeder Gegner.")
    return _("Der Solist bekommt oder zahlt das %(times)s-Fache.") % {"times": value}


def _solo_times(value: int, about: About) -> str:
    if value == 1:
        return _("Ein Solo zählt so viel wie ein anderes Spiel.")
    return _("Ein Solo zählt das %(times)s-Fache.") % {"times": value}


def _deal_stays(value: list[str], about: About) -> str:
    if not value:
        return _("Nach jedem Spiel gibt der Nächste.")
    return _("Derselbe gibt noch einmal nach: %(lines)s.") % {
        "lines": listed(_(labels.DEAL_STAYS[line]) for line in value)
    }


_AT_A_TABLE: Final = {"6": gettext_noop("zu sechst"), "7": gettext_noop("zu siebt"), "8": gettext_noop("zu acht")}


def _seating(value: Mapping[str, list[int]], about: About) -> str:
    each = []
    for table, offsets in sorted(value.items()):
        if len(offsets) == int(table):
            each.append(_("%(size)s spielen alle") % {"size": _(_AT_A_TABLE[table])})
        else:
            places = listed(_("Geber") if offset == 0 else str(offset) for offset in offsets)
            each.append(
                _("%(size)s spielen, vom Geber aus gezählt, die Sitze %(places)s")
                % {"size": _(_AT_A_TABLE[table]), "places": places}
            )
    return (
        _("Zu fünft setzt der Geber aus; %(rest)s.") % {"rest": "; ".join(each)}
        if each
        else _("Zu fünft setzt der Geber aus; wer an größeren Tischen aussetzt, steht bei jedem Spiel.")
    )


def _highest(value: int | None, about: About) -> str:
    if value is None:
        return _("Einen Deckel gibt es nicht.")
    return _("Mehr als %(amount)s ist kein Spiel wert.") % {"amount": amount(value, about.unit)}


def _lost_times(value: int, about: About) -> str:
    if value == 1:
        return _("Gewinnt Kontra, zählt das Spiel so viel, wie wenn Re gewinnt.")
    return _("Gewinnt Kontra, zählt das Spiel das %(times)s-Fache.") % {"times": value}


def _times(value: int, about: About) -> str:
    if value == 1:
        return _("Das Spiel zählt einfach.")
    return _("Das Spiel zählt das %(times)s-Fache.") % {"times": value}


def _duty_solo(value: Mapping[str, int] | None, about: About) -> str:
    if value is None:
        return _("Ein Pflichtsolo gibt es nicht.")
    return ngettext(
        "Jeder spielt im ersten Umlauf ein Pflichtsolo; danach wird vorgeführt.",
        "Jeder spielt in den ersten %(rounds)s Umläufen ein Pflichtsolo; danach wird vorgeführt.",
        value["rounds"],
    ) % {"rounds": value["rounds"]}


_SENTENCES: dict[str, Say] = {
    "deck": choice(
        {
            40: gettext_lazy("Gespielt wird mit 40 Karten, ohne Neunen."),
            48: gettext_lazy("Gespielt wird mit 48 Karten, mit Neunen."),
            64: gettext_lazy("Gespielt wird mit 64 Karten."),
        }
    ),
    "kinds": _kinds,
    "unit": choice(
        {
            "points": gettext_lazy("Aufgeschrieben werden Punkte."),
            "cents": gettext_lazy("Aufgeschrieben werden Cent."),
        }
    ),
    "kontra_121": both(
        choice(
            {
                "never": gettext_lazy("Kontra gewinnt schon mit 120 Augen."),
                "only_kontra": gettext_lazy("Kontra braucht 121 Augen, wenn nur Kontra angesagt ist, sonst 120."),
                "kontra_said": gettext_lazy("Kontra braucht 121 Augen, wenn Kontra angesagt ist, sonst 120."),
                "kontra_last": gettext_lazy("Kontra braucht 121 Augen, wenn Kontra als Letztes ansagte, sonst 120."),
                "always": gettext_lazy("Kontra braucht immer 121 Augen."),
                "unless_re": gettext_lazy("Kontra braucht 121 Augen, wenn Re nichts angesagt hat, sonst 120."),
            }
        )
    ),
    "tie_120": choice(
        {
            "re": gettext_lazy("Braucht Kontra 121 Augen, gewinnt bei 120 zu 120 Re."),
            "kontra": gettext_lazy("Braucht Kontra 121 Augen, gewinnt bei 120 zu 120 trotzdem Kontra."),
            "nobody": gettext_lazy("Braucht Kontra 121 Augen, gewinnt bei 120 zu 120 niemand."),
        }
    ),
    "schwarz_by": choice(
        {
            "tricks": gettext_lazy("Schwarz ist, wer keinen Stich macht."),
            "eyes": gettext_lazy("Schwarz ist, wer kein Auge bekommt."),
        }
    ),
    "won": worth(gettext_lazy("Ein gewonnenes Spiel zählt %(amount)s.")),
    "nobody_wins": choice(
        {
            "net": gettext_lazy("Gewinnt niemand, zählen die erreichten Stufen und Sonderpunkte gegeneinander."),
            "zero": gettext_lazy("Gewinnt niemand, zählt das Spiel nichts."),
        }
    ),
    "gegen_die_alten": worth(gettext_lazy("Gegen die Alten gewonnen zählt %(amount)s mehr.")),
    "gegen_in": _gegen_in,
    "gegen_when": lambda value, about: _("Gegen die Alten wird %(when)s gerechnet.") % {"when": when(value)},
    "solo_point": _solo_point,
    "solo_times": _solo_times,
    "soloist_share": _soloist_share,
    "negative": choice(
        {
            "keep": gettext_lazy("Überwiegen die Sonderpunkte der Verlierer, zahlt der Gewinner."),
            "zero": gettext_lazy("Überwiegen die Sonderpunkte der Verlierer, zählt das Spiel nichts."),
        }
    ),
    "counting": both(
        choice(
            {
                "plus_minus": gettext_lazy("Gewinner schreiben Plus, Verlierer Minus."),
                "winners": gettext_lazy("Nur die Gewinner schreiben etwas auf."),
                "losers": gettext_lazy("Nur die Verlierer schreiben etwas auf."),
            }
        )
    ),
    "sitter": choice(
        {
            "nothing": gettext_lazy("Fürs Aussetzen gibt es nichts."),
            "winners": gettext_lazy("Fürs Aussetzen gibt es so viel wie für einen Gewinner."),
            "kontra": gettext_lazy("Aussetzen zählt wie Kontra."),
            "re": gettext_lazy("Aussetzen zählt wie Re, im Solo wie die Gegner."),
        }
    ),
    "deal_stays": _deal_stays,
    "seating": _seating,
    "duty_solo": _duty_solo,
    "decided": choice(
        {
            "eyes": gettext_lazy("Die Augen sagen, wer gewonnen hat."),
            "hand": gettext_lazy("Augen werden nicht gezählt; eingetragen wird, wer gewonnen hat."),
            "both": gettext_lazy("Die Augen sagen, wer gewonnen hat, oder es wird eingetragen, etwa wo jemand aufgibt."),
        }
    ),
    "won_at_120": choice(
        {
            True: gettext_lazy("Bei 120 zu 120 zählt der Gewinn wie sonst."),
            False: gettext_lazy("Bei 120 zu 120 zählt der Gewinn selbst nichts."),
        }
    ),
    "lost_times": _lost_times,
    "highest": _highest,
    "text": lambda value, about: value,
    "times": _times,
    "in_bock": choice(
        {
            "plays": gettext_lazy("Im Bock ist es ein Bockspiel wie jedes andere."),
            "plain": gettext_lazy("Im Bock zählt es einfach und verbraucht ein Bockspiel."),
            "skips": gettext_lazy("Im Bock zählt es einfach und verbraucht kein Bockspiel."),
            "keeps": gettext_lazy("Im Bock zählt es mehrfach und verbraucht kein Bockspiel."),
        }
    ),
    **announcements.SENTENCES,
    **specials.SENTENCES,
}
