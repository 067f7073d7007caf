"""Every setting of a rule set but its Bock as a sentence, in the language of the reader, so that nobody has to know what a
key means."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop, ngettext

from scoring.rules import labels


def sentence(key: str, settings: Mapping[str, Any]) -> str:
    """One setting (not `bock`) as a sentence; amounts are in the rule set's unit."""
    return _SENTENCES[key](settings[key], settings["unit"])


# --- Parts of sentences ---------------------------------------------------------------------------------------------

Say = Callable[[Any, str], str]


def amount(number: int, unit: str) -> str:
    if unit == "cents":
        return _("%(number)s Cent") % {"number": number}
    return ngettext("%(number)s Punkt", "%(number)s Punkte", number) % {"number": number}


def listed(words: Iterable[str]) -> str:
    return ", ".join(words) or _("nichts")


def _worth(template: Any) -> Say:
    """A sentence around an amount."""
    return lambda value, unit: template % {"amount": amount(value, unit)}


def choice(sentences: Mapping[Any, Any]) -> Say:
    """One sentence for each value the setting can have."""
    return lambda value, unit: str(sentences[value])


def _both(say: Say) -> Say:
    """One value, or one for partner games and one for solos."""

    def both(value: Any, unit: str) -> str:
        if isinstance(value, str):
            return say(value, unit)
        return _("Im Spiel zu zweien: %(partner)s Im Solo: %(solo)s") % {
            "partner": say(value["partner"], unit),
            "solo": say(value["solo"], unit),
        }

    return both


def _when(value: str) -> str:
    return _(labels.WHEN[value])


def limit_name(limit: int) -> str:
    """A limit is called like the announcement of it."""
    code = f"no{limit}" if limit else "schwarz"
    return _(labels.SAID[code])


# --- The settings ---------------------------------------------------------------------------------------------------


def _kinds(value: list[str], unit: str) -> str:
    return _("Es gibt diese Spiele: %(kinds)s.") % {"kinds": listed(_(labels.KINDS[kind]) for kind in value)}


def _limits(value: list[int], unit: str) -> str:
    if not value:
        return _("Keine Stufe unter der Hälfte zählt.")
    return _("Diese Stufen zählen: %(limits)s.") % {"limits": listed(map(limit_name, value))}


def _re_kontra(value: Mapping[str, int] | None, unit: str) -> str:
    if value is None:
        return _("An- und Absagen gibt es nicht.")
    if "add" in value:
        return _("Re und Kontra zählen je %(amount)s mehr.") % {"amount": amount(value["add"], unit)}
    return _("Re multipliziert den Wert mit %(times)s, Kontra ebenso.") % {"times": value["times"]}


def _gegen_in(value: list[str], unit: str) -> str:
    if not value:
        return _("Gegen die Alten gibt es in keinem Spiel.")
    return _("Gegen die Alten gibt es in: %(kinds)s.") % {"kinds": listed(_(labels.GEGEN_IN[kind]) for kind in value)}


def _specials(value: Mapping[str, int], unit: str) -> str:
    if not value:
        return _("Sonderpunkte gibt es nicht.")
    each = [
        _("%(special)s %(amount)s") % {"special": _(labels.SPECIALS[special].name), "amount": amount(worth, unit)}
        for special, worth in value.items()
    ]
    return _("Sonderpunkte: %(specials)s.") % {"specials": listed(each)}


def _solo_point(value: Any, unit: str) -> str:
    if value == 0:
        return _("Einen Solopunkt gibt es nicht.")
    return _("Wer ein Solo gewinnt, bekommt %(amount)s, %(when)s, in: %(kinds)s.") % {
        "amount": amount(value["points"], unit),
        "when": _when(value["when"]),
        "kinds": listed(_(labels.KINDS[kind]) for kind in value["kinds"]),
    }


def _lost_announcement(value: Mapping[str, Any] | None, unit: str) -> str:
    if value is None:
        return _("Angesagt und verloren kostet nichts zusätzlich.")
    if value["when"] == "ansage":
        return _("Wer Re oder Kontra ansagt und verliert, verliert das %(times)s-Fache.") % value
    return _("Wer eine Absage macht und verliert, verliert das %(times)s-Fache.") % value


def _soloist_share(value: int | str, unit: str) -> str:
    if value == "opponents":
        return _("Der Solist bekommt oder zahlt den Wert einmal für jeden Gegner.")
    if value == 1:
        return _("Der Solist bekommt oder zahlt den Wert einmal, wie jeder Gegner.")
    return _("Der Solist bekommt oder zahlt das %(times)s-Fache.") % {"times": value}


def _solo_times(value: int, unit: str) -> str:
    if value == 1:
        return _("Ein Solo zählt so viel wie ein anderes Spiel.")
    return _("Ein Solo zählt das %(times)s-Fache.") % {"times": value}


def _deal_stays(value: list[str], unit: str) -> str:
    if not value:
        return _("Nach jedem Spiel gibt der Nächste.")
    return _("Derselbe gibt noch einmal nach: %(lines)s.") % {
        "lines": listed(_(labels.DEAL_STAYS[line]) for line in value)
    }


_AT_A_TABLE: Final = {"6": gettext_noop("zu sechst"), "7": gettext_noop("zu siebt"), "8": gettext_noop("zu acht")}


def _seating(value: Mapping[str, list[int]], unit: str) -> str:
    each = []
    for table, offsets in sorted(value.items()):
        if len(offsets) == int(table):
            each.append(_("%(size)s spielen alle") % {"size": _(_AT_A_TABLE[table])})
        else:
            places = listed(_("Geber") if offset == 0 else str(offset) for offset in offsets)
            each.append(
                _("%(size)s spielen, vom Geber aus gezählt, die Plätze %(places)s")
                % {"size": _(_AT_A_TABLE[table]), "places": places}
            )
    return (
        _("Zu fünft setzt der Geber aus; %(rest)s.") % {"rest": "; ".join(each)}
        if each
        else _("Zu fünft setzt der Geber aus; wer in größeren Runden aussetzt, steht bei jedem Spiel.")
    )


def _duty_solo(value: Mapping[str, int] | None, unit: str) -> str:
    if value is None:
        return _("Ein Pflichtsolo gibt es nicht.")
    return ngettext(
        "Jeder spielt in der ersten Runde ein Pflichtsolo; danach wird vorgeführt.",
        "Jeder spielt in den ersten %(rounds)s Runden ein Pflichtsolo; danach wird vorgeführt.",
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
    "kontra_121": _both(
        choice(
            {
                "never": gettext_lazy("Kontra gewinnt schon mit 120 Augen."),
                "only_kontra": gettext_lazy("Kontra braucht 121 Augen, wenn nur Kontra angesagt ist, sonst 120."),
                "kontra_said": gettext_lazy("Kontra braucht 121 Augen, wenn Kontra angesagt ist, sonst 120."),
                "kontra_last": gettext_lazy("Kontra braucht 121 Augen, wenn Kontra als Letztes ansagte, sonst 120."),
                "always": gettext_lazy("Kontra braucht immer 121 Augen."),
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
    "won": _worth(gettext_lazy("Ein gewonnenes Spiel zählt %(amount)s.")),
    "limits": _limits,
    "limit": _worth(gettext_lazy("Jede dieser Stufen zählt %(amount)s.")),
    "limit_counts": choice(
        {
            "reached": gettext_lazy("Eine Stufe zählt, wenn sie erreicht ist."),
            "reached_or_missed": gettext_lazy(
                "Eine Stufe zählt, wenn sie erreicht ist, und auch, wenn der Verlierer sie abgesagt hatte."
            ),
        }
    ),
    "re_kontra": _re_kontra,
    "absage": _worth(gettext_lazy("Jede abgesagte Stufe zählt %(amount)s.")),
    "against_absage": choice(
        {
            "cumulative": gettext_lazy("Gegen eine Absage 30 Augen mehr als nötig: je Stufe ein weiteres Mal."),
            "highest": gettext_lazy("Gegen eine Absage 30 Augen mehr als nötig: einmal, für die höchste Stufe."),
            "off": gettext_lazy("Gegen eine Absage besonders gut zu spielen zählt nichts zusätzlich."),
        }
    ),
    "nobody_wins": choice(
        {
            "net": gettext_lazy("Gewinnt niemand, zählen die erreichten Stufen und Sonderpunkte gegeneinander."),
            "zero": gettext_lazy("Gewinnt niemand, zählt das Spiel nichts."),
        }
    ),
    "gegen_die_alten": _worth(gettext_lazy("Gegen die Alten gewonnen zählt %(amount)s mehr.")),
    "gegen_in": _gegen_in,
    "gegen_when": lambda value, unit: _("Gegen die Alten wird %(when)s gerechnet.") % {"when": _when(value)},
    "specials": _specials,
    "specials_when": lambda value, unit: (
        _("Sonderpunkte werden %(when)s gerechnet.") % {"when": _when(value)}
        if value != "paid"
        else _("Sonderpunkte werden einzeln ausgezahlt und verändern den Wert des Spiels nicht.")
    ),
    "specials_in_solo": choice(
        {
            "none": gettext_lazy("Im Solo gibt es keine Sonderpunkte."),
            "all": gettext_lazy("Im Solo zählen alle Sonderpunkte."),
            "by_kind": gettext_lazy("Im Solo zählen die Sonderpunkte, die zu seinen Trümpfen passen."),
        }
    ),
    "solo_point": _solo_point,
    "lost_announcement": _lost_announcement,
    "solo_times": _solo_times,
    "soloist_share": _soloist_share,
    "negative": choice(
        {
            "keep": gettext_lazy("Überwiegen die Sonderpunkte der Verlierer, zahlt der Gewinner."),
            "zero": gettext_lazy("Überwiegen die Sonderpunkte der Verlierer, zählt das Spiel nichts."),
        }
    ),
    "counting": _both(
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
            "nothing": gettext_lazy("Wer aussetzt, bekommt nichts."),
            "winners": gettext_lazy("Wer aussetzt, bekommt so viel wie ein Gewinner."),
            "kontra": gettext_lazy("Wer aussetzt, schreibt mit Kontra."),
        }
    ),
    "special_payer": choice(
        {
            "kasse": gettext_lazy("Einzeln ausgezahlte Sonderpunkte zahlt die Kasse."),
            "players": gettext_lazy("Einzeln ausgezahlte Sonderpunkte zahlen die Gegner."),
        }
    ),
    "deal_stays": _deal_stays,
    "seating": _seating,
    "duty_solo": _duty_solo,
}
