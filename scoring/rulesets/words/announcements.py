"""Limits, announcements and what becomes of them, each as a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from .parts import About, Say, amount, choice, limit_name, listed, said_name, worth


def _limits(value: list[int], about: About) -> str:
    if not value:
        return _("Keine Stufe unter der Hälfte zählt.")
    return _("Diese Stufen zählen: %(limits)s.") % {"limits": listed(map(limit_name, value))}


def _limit(value: Any, about: About) -> str:
    if isinstance(value, int):
        return _("Jede dieser Stufen zählt %(amount)s.") % {"amount": amount(value, about.unit)}
    if "times" in value:
        return _("Jede dieser Stufen multipliziert den Wert mit %(times)s.") % {"times": value["times"]}
    each = {limit_name(int(limit)): points for limit, points in value.items()}
    return _("Von den Stufen zählen: %(steps)s.") % {"steps": _by_step(each, about)}


def _absage(value: Any, about: About) -> str:
    if isinstance(value, int):
        return _("Jede abgesagte Stufe zählt %(amount)s.") % {"amount": amount(value, about.unit)}
    if "times" in value:
        return _("Jede abgesagte Stufe multipliziert den Wert mit %(times)s.") % {"times": value["times"]}
    each = {said_name(step): points for step, points in value.items()}
    return _("Von den abgesagten Stufen zählen: %(steps)s.") % {"steps": _by_step(each, about)}


def _by_step(each: Mapping[str, int], about: About) -> str:
    return listed(f"{name} {amount(points, about.unit)}" for name, points in each.items())


_TWO: Final = {
    "re": gettext_lazy("Re %(one)s, Kontra %(other)s."),
    "won": gettext_lazy("Re oder Kontra vom Gewinner %(one)s, vom Verlierer %(other)s."),
    "first": gettext_lazy("Die erste Ansage von Re und Kontra %(one)s, die Antwort darauf %(other)s."),
}


def _re_kontra(value: Mapping[str, Any] | None, about: About) -> str:
    if value is None:
        return _("An- und Absagen gibt es nicht.")
    if "add" in value:
        return _("Re und Kontra zählen je %(amount)s mehr.") % {"amount": amount(value["add"], about.unit)}
    if "times" in value:
        return _("Re zählt den Wert mal %(times)s, Kontra auch.") % value
    by = next(key for key in value if key in _TWO)
    other = next(key for key in value if key != by)
    return _TWO[by] % {"one": _ansage(value[by], about), "other": _ansage(value[other], about)}


def _ansage(value: Mapping[str, int], about: About) -> str:
    if "add" in value:
        return _("zählt %(amount)s mehr") % {"amount": amount(value["add"], about.unit)}
    return _("multipliziert den Wert mit %(times)s") % value


def _lost_announcement(value: Mapping[str, Any] | None, about: About) -> str:
    if value is None:
        return _("Angesagt und verloren kostet nichts zusätzlich.")
    if value["when"] == "ansage":
        return _("Nach angesagtem Re oder Kontra kostet eine Niederlage das %(times)s-Fache.") % value
    if value["when"] == "re":
        return _("Nach angesagtem Re kostet eine Niederlage das %(times)s-Fache; nach Kontra nicht.") % value
    return _("Nach einer Absage kostet eine Niederlage das %(times)s-Fache.") % value


def _cowardice(value: Mapping[str, Any] | None, about: About) -> str:
    if value is None:
        return _("Feigheit gibt es nicht.")
    if value["then"] == "loses":
        return _("Feigheit: Eine Partei, die %(levels)s Stufen mehr erreicht als angesagt, hat verloren.") % value
    if value["then"] == "nobody":
        return _(
            "Feigheit: Eine Partei, die %(levels)s Stufen mehr erreicht als angesagt, gewinnt nicht; niemand gewinnt."
        ) % value
    return _("Feigheit: Eine Partei, die %(levels)s Stufen mehr erreicht als angesagt, verliert %(amount)s.") % {
        "levels": value["levels"],
        "amount": amount(value["then"], about.unit),
    }


SENTENCES: Final[dict[str, Say]] = {
    "limits": _limits,
    "limit": _limit,
    "limit_counts": choice(
        {
            "reached": gettext_lazy("Eine Stufe zählt, wenn sie erreicht ist."),
            "reached_or_missed": gettext_lazy(
                "Eine Stufe zählt, wenn sie erreicht ist, und auch, wenn der Verlierer sie abgesagt hatte."
            ),
            "reached_and_missed": gettext_lazy(
                "Eine Stufe zählt, wenn sie erreicht ist, und noch einmal, wenn der Verlierer sie abgesagt hatte."
            ),
        }
    ),
    "re_limit_more": choice(
        {
            0: gettext_lazy("Auch Re ist erst mit weniger als 90, 60 oder 30 Augen unter der Stufe."),
            1: gettext_lazy("Re ist schon mit genau 90, 60 oder 30 Augen unter der Stufe."),
        }
    ),
    "re_kontra": _re_kontra,
    "absage": _absage,
    "missed_absage": choice(
        {
            "loses": gettext_lazy("Eine verfehlte Absage verliert das Spiel."),
            "costs": gettext_lazy("Eine verfehlte Absage verliert nicht das Spiel; ihre Punkte bekommt die Gegenpartei."),
        }
    ),
    "against_absage": choice(
        {
            "cumulative": gettext_lazy("Gegen eine Absage 30 Augen mehr als nötig: je Stufe ein weiteres Mal."),
            "highest": gettext_lazy("Gegen eine Absage 30 Augen mehr als nötig: einmal, für die höchste Stufe."),
            "off": gettext_lazy("Gegen eine Absage besonders gut zu spielen zählt nichts zusätzlich."),
        }
    ),
    "against": worth(gettext_lazy("Jede Stufe gegen eine Absage zählt %(amount)s.")),
    "lost_announcement": _lost_announcement,
    "cowardice": _cowardice,
}
