"""The answers to the five questions that make a rule set, each with what the same game is then worth."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import groupby
from typing import Final, NamedTuple

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from scoring.core.formats import format_signed
from scoring.rules import labels
from scoring.rules.constants import SPECIAL_PREFIX, SPECIALS
from scoring.rulesets import rules
from scoring.rulesets.rules import Answers

from .settings import format_amount

# A longer run of games with the same worth is summed up.
_MOST_LISTED: Final = 4
# Special points that many clubs have and that are not built in.
OFFERED: Final = {"schweinchen": "Schweinchen", "hyperschwein": "Hyperschwein"}
# House rules without points.
TEXTS: Final = {"second_dulle": gettext_noop("Die zweite Dulle sticht die erste.")}


class Question(NamedTuple):
    """A question about the rules: its label and style on the page, its answers by code, and the sample game that explains them."""

    label: str
    # `rows` (radio buttons, each with what the sample is then worth), `numbers`, `pills` (checkboxes) or `text`.
    style: str
    choices: Mapping[str, str] = {}
    worth: Callable[[Answers], str] | None = None
    sample: str = ""

    def list_choices(self) -> list[tuple[str, str]]:
        return [(code, capfirst(_(label))) for code, label in self.choices.items()]


def render_sample(name: str, answers: Answers) -> str:
    """Return the sample game of a question in words."""
    silent = answers.re_kontra == "none"
    if name == "triggers" and silent:
        return _("Ein Solo geht mit 110 Augen verloren; zu viert folgen so viele Bockspiele:")
    if name == "when":
        texts = _WON_SILENTLY if silent else _WON_ANNOUNCED
        return _((_LOST_WITH_SPECIAL if rules.doubles_lost_announcements(answers) else texts)[rules.has_bock(answers)])
    return _(QUESTIONS[name].sample)


def render_worths(name: str, answers: Answers) -> dict[str, str]:
    """Return for each answer what the sample game of a question is then worth, the other answers unchanged."""
    worth, choices = QUESTIONS[name].worth, QUESTIONS[name].choices
    return {code: worth(answers._replace(**{name: code})) for code in choices} if worth else {}


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


def _format_points(value: int) -> str:
    return format_amount(value, "points")


def _render_announced(answers: Answers) -> str:
    points = _format_points(rules.compute_announced_worth(answers))
    return _("%(points)s, ohne Ansage") % {"points": points} if answers.re_kontra == "none" else points


def _render_when(answers: Answers) -> str:
    """Return the worth of the sample game; a worth that repeats that of the answer above says so."""
    worth = rules.compute_special_worth(answers)
    points = format_signed(worth) if worth < 0 else _format_points(worth)
    above = rules.WHEN.index(answers.when) - 1
    if above < 0 or worth != rules.compute_special_worth(answers._replace(when=rules.WHEN[above])):
        return points
    return _("%(points)s, hier wie darüber") % {"points": points}


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


def _get_labels(choices: Mapping[str, rules.Choice]) -> dict[str, str]:
    return {code: choice.label for code, choice in choices.items()}


# The questions by title, in the order of the page.
TITLES: Final[Mapping[str, Mapping[str, Question]]] = {
    gettext_noop("1. Mit Neunen oder ohne, und gibt es Armut?"): {
        "cards": Question(
            gettext_noop("Karten und Armut"), "rows", _get_labels(rules.CARDS), _render_armut,
            gettext_noop("Eine Armut, die Re mit 155 Augen gewinnt:"),
        ),
    },
    gettext_noop("2. Was zählen Re und Kontra?"): {
        "re_kontra": Question(
            gettext_noop("Re und Kontra"), "rows", _get_labels(rules.RE_KONTRA), _render_announced,
            gettext_noop("Re gewinnt mit 185 Augen, Re gesagt:"),
        ),
        "lost": Question(
            gettext_noop("Angesagt und verloren"), "rows", _get_labels(rules.LOST), _render_lost,
            gettext_noop("Angesagt und mit 110 Augen verloren:"),
        ),
    },
    gettext_noop("3. Was zählt ein Solo, und gibt es Pflichtsolo?"): {
        "solo": Question(
            gettext_noop("Solo"), "rows", _get_labels(rules.SOLO), _render_solo,
            gettext_noop("Ein Damensolo, gewonnen mit 155 Augen:"),
        ),
        "duty": Question(
            gettext_noop("Pflichtsolo: in so vielen Umläufen"), "numbers", _get_labels(rules.DUTY), _render_duty,
            gettext_noop("So viele Spiele hat ein Abend, an dem jeder seines spielt:"),
        ),
    },
    gettext_noop("4. Welche Sonderpunkte gibt es?"): {
        "specials": Question(
            gettext_noop("Je 1 Punkt für"), "pills",
            {code: labels.SPECIALS[code] for code in SPECIALS}
            | {rules.CHARLIE: gettext_noop("Charlie statt Karlchen")}
            | OFFERED,
        ),
        "own": Question(gettext_noop("Eigene Sonderpunkte, mit Komma getrennt"), "text"),
        "when": Question(
            gettext_noop("Sonderpunkte zählen"), "rows", {code: labels.WHEN[code] for code in rules.WHEN}, worth=_render_when
        ),
        "texts": Question(gettext_noop("Ohne Punkte, steht bei den Hausregeln"), "pills", TEXTS),
    },
    gettext_noop("5. Wann gibt es Bock, wie lange, und was ist mit zweien zugleich?"): {
        "triggers": Question(
            gettext_noop("Bock gibt es nach; ohne Auswahl gibt es keinen"), "pills",
            {code: labels.TRIGGERS[code.removeprefix(SPECIAL_PREFIX)] for code in rules.TRIGGERS},
            _render_started,
            gettext_noop("Angesagt und mit 110 Augen verloren; zu viert folgen so viele Bockspiele:"),
        ),
        "length": Question(
            gettext_noop("So lange dauert ein Bock"), "rows", _get_labels(rules.LENGTHS),
            lambda answers: _join_worths(rules.compute_bock_worths(answers, people=5, bocks=1)),
            gettext_noop("Zu fünft: was die Spiele nach dem Auslöser zählen, wenn jedes sonst 1 Punkt bringt:"),
        ),
        "overlap": Question(
            gettext_noop("Kommt im Bock noch einer dazu"), "rows", _get_labels(rules.OVERLAPS),
            lambda answers: _join_worths(rules.compute_bock_worths(answers)),
            gettext_noop(
                "Drei Spiele nacheinander lösen je einen Bock aus. Was die Spiele ab dem zweiten zählen, wenn jedes sonst 1 Punkt "
                "bringt:"
            ),
        ),
    },
}
QUESTIONS: Final = {name: question for questions in TITLES.values() for name, question in questions.items()}
