"""The answers to the five questions in the words of players, each with what one and the same game is then worth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any, Final

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.core.words import signed
from scoring.rules import labels
from scoring.rules.codes import SPECIALS
from scoring.rulesets import rules
from scoring.rulesets.rules import Answers

from .parts import amount

Choices = list[tuple[str, str]]
# More games in a row that count the same are told by their number.
_MOST_LISTED: Final = 4


def choices() -> dict[str, Choices]:
    """By question, every answer."""
    return {
        "cards": list(_texts(_CARDS)),
        "re_kontra": list(_texts(_RE_KONTRA)),
        "solo": list(_texts(_SOLO)),
        "specials": [(code, _(labels.SPECIALS[code].name)) for code in SPECIALS],
        "when": [(code, capfirst(_(labels.WHEN[code]))) for code in rules.WHEN],
        "triggers": [(code, capfirst(labels_of_trigger(code))) for code in rules.TRIGGERS],
        "length": list(_texts(_LENGTH)),
        "overlap": list(_texts(_OVERLAP)),
    }


def worths(answers: Answers) -> dict[str, dict[str, str]]:
    """By question with a sample game and by answer, what that game is worth where the others are answered so."""
    return {
        "cards": {code: _armut(answers._replace(cards=code)) for code in rules.CARDS},
        "re_kontra": {code: _points(rules.fox_worth(answers._replace(re_kontra=code))) for code in rules.RE_KONTRA},
        "solo": {code: _solo(answers._replace(solo=code)) for code in rules.SOLO},
        "when": {code: _points(rules.fox_worth(answers._replace(when=code), bock=True)) for code in rules.WHEN},
        "length": {
            code: _listed(rules.bock_worths(answers._replace(length=code), people=5, bocks=1)) for code in rules.LENGTHS
        },
        "overlap": {code: _listed(rules.bock_worths(answers._replace(overlap=code))) for code in rules.OVERLAPS},
    }


def _texts(answers: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    return ((code, str(text)) for code, text in answers.items())


def labels_of_trigger(code: str) -> str:
    """A trigger as it stands in a sentence."""
    return _(labels.TRIGGERS["herzstich" if code == rules.HERZSTICH else code])


# The sample game of each question.
SAMPLES: Final[Mapping[str, Any]] = {
    "cards": gettext_lazy("Eine Armut, die Re mit 155 Augen gewinnt:"),
    "re_kontra": gettext_lazy("Re gewinnt mit 155 Augen, Re gesagt, Kontra verliert einen Fuchs:"),
    "solo": gettext_lazy("Ein Damensolo, gewonnen mit 155 Augen:"),
    "when": gettext_lazy("Re gewinnt im Bock mit 155 Augen, Re gesagt, Kontra verliert einen Fuchs:"),
    "length": gettext_lazy("Zu fünft: was die Spiele nach dem Auslöser zählen, wenn jedes sonst 1 Punkt bringt:"),
    "overlap": gettext_lazy(
        "Drei Spiele nacheinander lösen je einen Bock aus. Was die Spiele ab dem zweiten zählen, wenn jedes sonst 1 Punkt bringt:"
    ),
}


def _points(value: int) -> str:
    return amount(value, "points")


def _armut(answers: Answers) -> str:
    worth = rules.armut_worth(answers)
    return _("gibt es nicht") if worth is None else _points(worth)


def _solo(answers: Answers) -> str:
    soloist, opponent = rules.solo_worth(answers)
    return _("Solist %(soloist)s, jeder andere %(other)s") % {"soloist": signed(soloist), "other": signed(opponent)}


def _listed(worths: list[int]) -> str:
    told: list[str] = []
    for worth, same in groupby(worths):
        games = len(list(same))
        one = str(worth)
        told += [one] * games if games <= _MOST_LISTED else [_("%(games)s-mal %(worth)s") % {"games": games, "worth": one}]
    return ", ".join(told)


_CARDS: Final[Mapping[str, Any]] = {
    "nines": gettext_lazy("Mit Neunen, ohne Armut"),
    "nines_armut": gettext_lazy("Mit Neunen und Armut"),
    "no_nines": gettext_lazy("Ohne Neunen, ohne Armut"),
    "no_nines_armut": gettext_lazy("Ohne Neunen, mit Armut"),
}
_RE_KONTRA: Final[Mapping[str, Any]] = {
    "add": gettext_lazy("Zwei Punkte dazu"),
    "times": gettext_lazy("Jede Ansage verdoppelt"),
}
_SOLO: Final[Mapping[str, Any]] = {
    "each": gettext_lazy("Mit jedem abgerechnet"),
    "times": gettext_lazy("Verdoppelt"),
    "plain": gettext_lazy("Wie ein anderes Spiel"),
}
_LENGTH: Final[Mapping[str, Any]] = {
    "table": gettext_lazy("So viele Spiele, wie am Tisch sitzen"),
    "4": gettext_lazy("Vier Spiele"),
    "8": gettext_lazy("Acht Spiele"),
}
_OVERLAP: Final[Mapping[str, Any]] = {
    "append": gettext_lazy("Der zweite kommt hinten dran"),
    "fill": gettext_lazy("Doppelbock, mehr nicht; der Rest kommt hinten dran"),
    "stack": gettext_lazy("Beide zugleich, jeder verdoppelt noch einmal"),
    "extend": gettext_lazy("Der laufende beginnt von vorn"),
    "ignore": gettext_lazy("Der zweite zählt nicht"),
}
