"""The answers to the five questions that make a rule set, each with what the same game is then worth."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from typing import Any, Final

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from scoring.core.formats import format_signed
from scoring.rules import labels
from scoring.rules.constants import SPECIAL_PREFIX, SPECIALS
from scoring.rulesets import rules
from scoring.rulesets.rules import Answers

from .settings import format_amount

Choices = list[tuple[str, str]]
# A longer run of games with the same worth is summed up.
_MOST_LISTED: Final = 4


def list_choices() -> dict[str, Choices]:
    return {
        "cards": _list_labels(rules.CARDS),
        "re_kontra": _list_labels(rules.RE_KONTRA),
        "lost": _list_labels(rules.LOST),
        "solo": _list_labels(rules.SOLO),
        "duty": _list_labels(rules.DUTY),
        "specials": [
            *((code, _(labels.SPECIALS[code].name)) for code in SPECIALS),
            (rules.CHARLIE, _("Charlie statt Karlchen")),
            *OFFERED.items(),
        ],
        "texts": [(code, str(text)) for code, text in TEXTS.items()],
        "when": [(code, capfirst(_(labels.WHEN[code]))) for code in rules.WHEN],
        "triggers": [(code, capfirst(_(labels.TRIGGERS[code.removeprefix(SPECIAL_PREFIX)]))) for code in rules.TRIGGERS],
        "length": _list_labels(rules.LENGTHS),
        "overlap": _list_labels(rules.OVERLAPS),
    }


def render_worths(answers: Answers) -> dict[str, dict[str, str]]:
    """Return for each answer to a question with a sample game what this game is then worth, the other answers unchanged."""
    return {
        "cards": {code: _render_armut(answers._replace(cards=code)) for code in rules.CARDS},
        "re_kontra": {code: _render_announced(answers._replace(re_kontra=code)) for code in rules.RE_KONTRA},
        "lost": {code: _render_lost(answers._replace(lost=code)) for code in rules.LOST},
        "solo": {code: _render_solo(answers._replace(solo=code)) for code in rules.SOLO},
        "when": _render_when(answers),
        "length": {
            code: _join_worths(rules.compute_bock_worths(answers._replace(length=code), people=5, bocks=1))
            for code in rules.LENGTHS
        },
        "overlap": {code: _join_worths(rules.compute_bock_worths(answers._replace(overlap=code))) for code in rules.OVERLAPS},
    }


def render_totals(answers: Answers) -> dict[str, str]:
    return {"duty": _render_duty(answers), "triggers": _render_started(answers)}


def _list_labels(choices: Mapping[str, rules.Choice]) -> Choices:
    return [(code, _(choice.label)) for code, choice in choices.items()]


def render_samples(answers: Answers) -> dict[str, str]:
    found = {name: str(sample) for name, sample in _SAMPLES.items()}
    if answers.re_kontra == "none":
        found["triggers"] = _("Ein Solo geht mit 110 Augen verloren; zu viert folgen so viele Bockspiele:")
    lost, silent = rules.doubles_lost_announcements(answers), answers.re_kontra == "none"
    texts = _LOST_WITH_SPECIAL if lost else _WON_SILENTLY if silent else _WON_ANNOUNCED
    found["when"] = _(texts[rules.has_bock(answers)])
    return found


# The sample game for `when`, without Bock and in a Bock.
_WON_ANNOUNCED: Final = (
    gettext_noop("Re gewinnt mit 155 Augen, Re gesagt, und hat einen Sonderpunkt:"),
    gettext_noop("Re gewinnt im Bock mit 155 Augen, Re gesagt, und hat einen Sonderpunkt:"),
)
_WON_SILENTLY: Final = (
    gettext_noop("Re gewinnt mit 155 Augen und hat einen Sonderpunkt:"),
    gettext_noop("Re gewinnt im Bock mit 155 Augen und hat einen Sonderpunkt:"),
)
_LOST_WITH_SPECIAL: Final = (
    gettext_noop("Re sagt an, verliert mit 110 Augen und hat einen Sonderpunkt:"),
    gettext_noop("Re sagt im Bock an, verliert mit 110 Augen und hat einen Sonderpunkt:"),
)
_SAMPLES: Final[Mapping[str, Any]] = {
    "cards": gettext_lazy("Eine Armut, die Re mit 155 Augen gewinnt:"),
    "re_kontra": gettext_lazy("Re gewinnt mit 185 Augen, Re gesagt:"),
    "lost": gettext_lazy("Angesagt und mit 110 Augen verloren:"),
    "solo": gettext_lazy("Ein Damensolo, gewonnen mit 155 Augen:"),
    "duty": gettext_lazy("So viele Spiele hat ein Abend, an dem jeder seines spielt:"),
    "triggers": gettext_lazy("Angesagt und mit 110 Augen verloren; zu viert folgen so viele Bockspiele:"),
    "length": gettext_lazy("Zu fünft: was die Spiele nach dem Auslöser zählen, wenn jedes sonst 1 Punkt bringt:"),
    "overlap": gettext_lazy(
        "Drei Spiele nacheinander lösen je einen Bock aus. Was die Spiele ab dem zweiten zählen, wenn jedes sonst 1 Punkt bringt:"
    ),
}


def _format_points(value: int) -> str:
    return format_amount(value, "points")


def _render_announced(answers: Answers) -> str:
    points = _format_points(rules.compute_announced_worth(answers))
    return _("%(points)s, ohne Ansage") % {"points": points} if answers.re_kontra == "none" else points


def _render_when(answers: Answers) -> dict[str, str]:
    """Return the worth of the sample game for each answer; a worth that repeats the one before says so."""
    worths = {code: rules.compute_special_worth(answers._replace(when=code)) for code in rules.WHEN}
    found: dict[str, str] = {}
    before = None
    for code, worth in worths.items():
        points = format_signed(worth) if worth < 0 else _format_points(worth)
        found[code] = _("%(points)s, hier wie darüber") % {"points": points} if worth == before else points
        before = worth
    return found


def _render_lost(answers: Answers) -> str:
    worths = rules.compute_lost_worths(answers)
    if worths is None:
        return _("gibt es nicht")
    return _BY_PARTY % {"re": format_signed(-worths[0]), "kontra": format_signed(-worths[1])}


def _render_started(answers: Answers) -> str:
    bocks = rules.count_lost_bocks(answers)
    return _BY_PARTY % {"re": bocks[0], "kontra": bocks[1]} if len(bocks) > 1 else str(bocks[0])


def _render_duty(answers: Answers) -> str:
    games = [rules.count_duty_games(answers, people) for people in (4, 5)]
    if not games[0]:
        return _("beliebig viele")
    return _("zu viert %(four)s, zu fünft %(five)s") % {"four": games[0], "five": games[1]}


_BY_PARTY = gettext_lazy("Re %(re)s, Kontra %(kontra)s")


def _render_armut(answers: Answers) -> str:
    worth = rules.compute_armut_worth(answers)
    return _("gibt es nicht") if worth is None else _format_points(worth)


def _render_solo(answers: Answers) -> str:
    soloist, opponent = rules.compute_solo_worth(answers)
    return _("Solist %(soloist)s, jeder andere %(other)s") % {"soloist": format_signed(soloist), "other": format_signed(opponent)}


def _join_worths(worths: list[int]) -> str:
    parts: list[str] = []
    for worth, same in groupby(worths):
        games = len(list(same))
        if games > _MOST_LISTED:
            parts.append(_("%(games)s-mal %(worth)s") % {"games": games, "worth": worth})
        else:
            parts += [str(worth)] * games
    return ", ".join(parts)


# Special points that many clubs have and that are not built in.
OFFERED: Final = {"schweinchen": "Schweinchen", "hyperschwein": "Hyperschwein"}
# House rules without points.
TEXTS: Final[Mapping[str, Any]] = {"second_dulle": gettext_lazy("Die zweite Dulle sticht die erste.")}
