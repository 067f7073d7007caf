"""The words by which a setting is found: its other names in clubs, and the names of the house rules that it sets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from scoring.core.text import text_key

from .examples import COLLECTION
from .recipes import RECIPES

_CALLED: Final = {
    "deck": gettext_noop("scharfe Runde, mit Luschen, ohne Luschen, Blatt"),
    "kinds": gettext_noop("Solo, Knochenlos, Trumpfabgabe, Armut, Hochzeit"),
    "decided": gettext_noop("aufgeben, Fehlspiel, falsch bedient, Köhler, Nullo"),
    "kontra_121": gettext_noop("120 reichen, Unentschieden, Patt"),
    "tie_120": gettext_noop("Unentschieden, Patt, gespalten"),
    "schwarz_by": gettext_noop("ohne Stich"),
    "nobody_wins": gettext_noop("Unentschieden"),
    "cowardice": gettext_noop("feige, nicht angesagt, Angsthase"),
    "won": gettext_noop("Grundwert, Spielwert, Preis"),
    "limits": gettext_noop("Grenzen, Schneider, keine 90, keine 60, keine 30, schwarz"),
    "limit": gettext_noop("Grenzen, Schneider, verdoppelt"),
    "limit_counts": gettext_noop("Grenzen, abgesagt und verfehlt"),
    "re_limit_more": gettext_noop("Schneider bis 61, Alte Schneider"),
    "won_at_120": gettext_noop("keine 120"),
    "highest": gettext_noop("Deckel, Höchstbetrag, Limit, Obergrenze"),
    "lost_times": gettext_noop("verlorenes Solo doppelt"),
    "gegen_die_alten": gettext_noop("gegen die Kreuz-Damen, gegen die Sau"),
    "re_kontra": gettext_noop("Ansage, Antwort, Erwiderung, Kontra geben"),
    "absage": gettext_noop("keine 90, keine 60, keine 30, schwarz, ab"),
    "missed_absage": gettext_noop("überreizt, verfehlt, zu hoch abgesagt"),
    "specials": gettext_noop(
        "Extrapunkte, Schweinchen, Schweine, Superschweine, Gans, Klabautermann, Fischauge, Agathe, Kaffeekränzchen, Hirsch, "
        "Sub, Spritze, Stuhlbein, Tuck, Klopfen, von vornherein, Charly, Fuchs, Sau, Dulle, Herzstich, eigene Sonderpunkte"
    ),
    "special_payer": gettext_noop("Kasse"),
    "solo_times": gettext_noop("Solo doppelt, Solo dreifach"),
    "soloist_share": gettext_noop("Solo dreifach, mit jedem abgerechnet"),
    "solo_point": gettext_noop("Extrapunkt im Solo"),
    "duty_solo": gettext_noop("Vorführung, Zwangssolo"),
    "counting": gettext_noop("Pluspunkte, Minuspunkte, Nullsumme"),
    "sitter": gettext_noop("Aussetzer, Geber zu fünft"),
    "deal_stays": gettext_noop("noch einmal geben"),
    "seating": gettext_noop("zu sechst, zu siebt, zu acht, Aussetzer"),
    "bock": gettext_noop("Bockrunde, Bockspiel, Doppelbock"),
    "bock__overlap": gettext_noop("Doppelbock, Bock im Bock"),
    "bock__cap": gettext_noop("Doppelbock"),
    "bock__factor": gettext_noop("dreifach, linear"),
    "text": gettext_noop("schmeißen, fünf Neunen, Getränke, Hausordnung"),
    "per_kind": gettext_noop("Nullo, Ramsch, Schieberamsch, Köhler, Martin, Bordell, Kloster, Kontrasolo"),
}


def called(key: str) -> str:
    """Other words for a setting of the form, for a key of its Bock as `bock__<key>`; `per_kind` are all rows by kind of game."""
    rules = (RECIPES[rule["number"]][:2] for rule in COLLECTION if key in set_by(rule))
    return "; ".join(map(_, [*([_CALLED[key]] if key in _CALLED else []), *(text for texts in rules for text in texts)]))


def set_by(rule: Mapping[str, Any]) -> set[str]:
    """The settings by which a rule of the COLLECTION is set, as the form calls them."""
    return {key for way in rule["ways"] for key in _keys(way["rules"])}


def _keys(rules: Mapping[str, Any]) -> Iterator[str]:
    """What one way to set a rule sets, but for what only lets its example begin."""
    for key in rules:
        if key == "bock" and "per_kind" not in rules:
            bock = [key for key in rules["bock"] if key != "triggers" or rules["bock"]["triggers"] != ["manual"]]
            yield from (f"bock__{key}" for key in bock if key != "length" or len(bock) == 1)
            if not bock:
                yield "bock__triggers"
        elif key not in ("base", "bock") and (key != "kinds" or "per_kind" not in rules):
            yield key


def finds(wanted: str, *texts: str) -> bool:
    """Does every word of what is looked for occur in one of these texts?"""
    text = text_key(" ".join(texts))
    return all(word in text for word in text_key(wanted).split())
