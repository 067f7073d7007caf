"""How the documents behind the presets are read where they are open or contradict themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from scoring.rules.settings import PRESETS, get_preset_data


class Document(NamedTuple):
    """The name of a document, and its readings: the settings that say what was chosen, and the sentences about it."""

    name: str
    readings: Sequence[tuple[Sequence[str], str]]


def readings(settings: Mapping[str, Any]) -> Document | None:
    """The document behind the preset that these settings are nearest to, with the readings that they share with it; None where
    there is none."""
    preset = min(PRESETS, key=lambda name: _distance(settings, get_preset_data(name)))
    if preset not in _DOCUMENTS:
        return None
    document, chosen = _DOCUMENTS[preset], get_preset_data(preset)
    shared = [
        (keys, _(text)) for keys, text in document.readings if all(settings.get(key) == chosen.get(key) for key in keys)
    ]
    return Document(_(document.name), shared) if shared else None


def _distance(one: Mapping[str, Any], other: Mapping[str, Any]) -> int:
    return sum(one.get(key) != other.get(key) for key in {*one, *other})


_ONLY_DEALT_ANEW: Final = gettext_noop(
    "Wer nach dem Neugeben gibt: Dort steht nur, dass neu gegeben wird. Gewählt ist, was üblich ist: Derselbe gibt noch einmal."
)
_MATHEMATIKER: Final = Document(
    gettext_noop("Mathematiker-Doppelkopfregeln"),
    [
        (
            ["deal_stays"],
            gettext_noop(
                "Wer nach dem Neugeben gibt: Nach fünf Königen und nach einer Trumpfabgabe, die niemand nimmt, gibt derselbe "
                "noch einmal. Über anderes Neugeben steht dort nichts; auch dann gibt derselbe."
            ),
        )
    ],
)
_DOCUMENTS: Final[Mapping[str, Document]] = {
    "ddv": _MATHEMATIKER,
    "ohne_neunen": _MATHEMATIKER,
    "anleitung": Document(
        gettext_noop("Anleitung"),
        [
            (["deal_stays"], _ONLY_DEALT_ANEW),
            (
                ["kontra_121", "tie_120"],
                gettext_noop(
                    "120 zu 120, wenn Kontra angesagt ist: Wörtlich genommen gewinnt niemand. Gewählt ist: Re gewinnt, auch "
                    "wenn beide angesagt haben."
                ),
            ),
            (
                ["solo_times", "bock"],
                gettext_noop(
                    "Ein gewonnenes Solo im Bock: Im Beispiel stehen 32 Punkte. Nach den Schritten, die davor stehen, sind es "
                    "12 × 2 = 24; so wird gerechnet."
                ),
            ),
            (
                ["solo_times", "lost_announcement"],
                gettext_noop(
                    "Das verlorene Solo: Im Beispiel hat es 154 Augen und wäre damit gewonnen. Gerechnet wird es als "
                    "verloren: 32 Punkte, im Bock 64."
                ),
            ),
            (
                ["specials_in_solo"],
                gettext_noop(
                    "Sonderpunkte im Farbsolo: Zwei Sätze widersprechen sich. Gewählt ist der genauere: Doppelkopf, Karlchen "
                    "und gefangenes Karlchen zählen."
                ),
            ),
            (
                ["soloist_share"],
                gettext_noop(
                    "Der Anteil des Solisten: Von einem dreifachen steht dort nichts. Er bekommt oder zahlt den Wert einmal; "
                    "ein Solo ergibt deshalb zusammen nicht 0."
                ),
            ),
            (
                ["nobody_wins"],
                gettext_noop(
                    "Verfehlen beide ihre Absage: Dazu steht dort nichts. Gewählt ist: Das Spiel zählt 0, auch ohne "
                    "Sonderpunkte; Bock gibt es trotzdem."
                ),
            ),
        ],
    ),
    "vln": Document(
        gettext_noop("Doppelkopf-Regeln des VLN"),
        [
            (["deal_stays"], _ONLY_DEALT_ANEW),
            (
                ["re_kontra", "specials_when", "gegen_when", "solo_point"],
                gettext_noop(
                    "Die Reihenfolge: „Bei Re / Kontra werden die Punkte verdoppelt, Sonderpunkte werden addiert oder "
                    "subtrahiert.“ Gelesen ist es so: Erst wird verdoppelt, bei Re und Kontra vierfach; dann kommen "
                    "Sonderpunkte, gegen die Alten und Solopunkt dazu."
                ),
            ),
            (
                ["kontra_121", "tie_120"],
                gettext_noop(
                    "120 zu 120, wenn Kontra zuletzt angesagt hat: Kontra braucht dann 121, und für Re steht dort auch 121. "
                    "Gewählt ist: Re gewinnt."
                ),
            ),
            (
                ["missed_absage"],
                gettext_noop("Eine verfehlte Absage: Dazu steht dort nichts. Gewählt ist: Das Spiel ist verloren."),
            ),
            (
                ["specials"],
                gettext_noop("Ein Fuchs, der im letzten Stich gefangen wird, ist zwei Sonderpunkte wert: Beide stehen dort."),
            ),
            (
                ["specials_in_solo"],
                gettext_noop("Sonderpunkte im Solo: Eine Grenze steht dort nicht. Gewählt ist: Alle zählen."),
            ),
        ],
    ),
    "klassisch": Document(
        gettext_noop("Artikel „Doppelkopf“"),
        [
            (
                ["deal_stays"],
                gettext_noop(
                    "Wer nach dem Neugeben gibt: Dazu steht dort nichts. Gewählt ist, was üblich ist: Derselbe gibt noch einmal."
                ),
            ),
            (
                ["limits", "re_limit_more"],
                gettext_noop(
                    "Schneider der Alten: Dort ist nur die Gegenpartei mit weniger als 60 Augen Schneider. Gewählt ist "
                    "dasselbe für beide."
                ),
            ),
            (
                ["won", "limit", "gegen_die_alten"],
                gettext_noop(
                    "Die Beträge: Dort steht „nach Vereinbarung“. Gewählt sind 5 Cent, mit Schneider 10, mit schwarz 15, und 5 "
                    "mehr gegen die Alten."
                ),
            ),
            (
                ["special_payer"],
                gettext_noop("Wer den Fuchs bezahlt: die Kasse oder die andere Partei. Gewählt ist die Kasse."),
            ),
            (
                ["sitter"],
                gettext_noop(
                    "Zu fünft ist der Geber „am Gewinn oder Verlust beteiligt“. Gewählt ist: Er bekommt, was jeder Gewinner "
                    "bekommt, und zählt im Solo als Gegner."
                ),
            ),
        ],
    ),
}
