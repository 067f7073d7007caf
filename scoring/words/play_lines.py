"""A line of the sheet in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _

from scoring.core.words import yes_or_no
from scoring.models import Game
from scoring.rules import labels


def line_in_words(values: Mapping[str, Any], seat: Callable[[int], str]) -> dict[str, str]:
    """What was typed of a line, by label; `seat` says who sits there."""
    facts = values["facts"]
    told: dict[str, str] = {}
    if values["form"] != Game.Form.PLAYED:
        told[_("Zeile")] = str(Game.Form(values["form"]).label)
    if values["dealer"] is not None:
        told[_("Geber")] = seat(values["dealer"])
    for key, label in _fact_labels().items():
        if key in facts:
            told[label] = _fact(key, facts[key], seat)
    if values["note"]:
        told[_("Bemerkung")] = values["note"]
    return told


def _fact_labels() -> dict[str, str]:
    """The facts of every form, in the order in which they are told."""
    return {
        "kind": _("Spiel"),
        "duty": _("Pflichtsolo"),
        "re": _("Re"),
        "out": _("Setzt aus"),
        "eyes": _("Augen von Re"),
        "band": _("Augen von Re, ungefähr"),
        "no_trick": _("Ohne Stich"),
        "re_said": _("Re sagte"),
        "kontra_said": _("Kontra sagte"),
        "last_said": _("Zuletzt sagte an"),
        "re_specials": _("Sonderpunkte von Re"),
        "kontra_specials": _("Sonderpunkte von Kontra"),
        "winners": _("Gewinner"),
        "base": _("Punkte vor Bock"),
        "solo": _("Solo"),
        "starts_bock": _("Löst Böcke aus"),
        "bock": _("Bock von Hand"),
        "points": _("Punkte"),
        "seat": _("Wer"),
        "reason": _("Grund"),
    }


def _fact(key: str, value: Any, seat: Callable[[int], str]) -> str:
    match key:
        case "kind":
            return _(labels.KINDS[value])
        case "re" | "out" | "winners":
            return ", ".join(seat(place) for place in value)
        case "seat":
            return seat(value)
        case "re_said" | "kontra_said":
            return _(labels.SAID[value])
        case "band":
            return _(labels.BANDS[value])
        case "no_trick" | "last_said":
            return {"re": _("Re"), "kontra": _("Kontra"), "none": _("niemand")}[value]
        case "re_specials" | "kontra_specials":
            return ", ".join(
                _(labels.SPECIALS[special].name) + (f" ×{value[special]}" if value[special] > 1 else "")
                for special in labels.SPECIALS
                if special in value
            )
        case "points":
            signed = ((seat(place), f"{points:+d}".replace("-", "−")) for place, points in enumerate(value) if points)
            return ", ".join(f"{name} {points}" for name, points in signed)
    if isinstance(value, bool):
        return yes_or_no(value)
    return str(value)
