"""The choice of what the cells of an old list are. It is offered where the file does not say it for sure; each choice says
what total somebody would get by it."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from scoring.imports.models import Import
from scoring.imports.reading.guessing.proposals import may_begin_anew, would_come_to
from scoring.imports.reading.listed.ways import BY_SHEET, BY_YEAR, NO_ZEROS, POINTS, THROUGH, TOTALS
from scoring.imports.reading.outline import Outline

Choices = list[tuple[str, str]]


def cell_choices(outline: Outline, people: Sequence[int], kind: str, sure: bool) -> Choices:
    """The choices for a list of this kind, of these columns."""
    if kind == Import.Kind.GAMES:
        return [
            (POINTS, _("Punkte dieses Spiels")),
            (TOTALS, _("Punktestand nach dem Spiel")),
            (THROUGH, _("Punktestand nach dem Spiel, über alle Abende")),
        ]
    anew = {
        BY_SHEET: _("Punktestand nach dem Abend, auf jedem Blatt von vorn"),
        BY_YEAR: _("Punktestand nach dem Abend, jedes Jahr von vorn"),
    }
    choices = [
        (POINTS, _("Punkte dieses Abends")),
        (NO_ZEROS, _("Punkte dieses Abends, 0 heißt: nicht dabei")),
        (TOTALS, _("Punktestand nach dem Abend")),
    ]
    choices += [(way, anew[way]) for way in may_begin_anew(outline, people)]
    return choices if sure else [("", _("Bitte wählen")), *_with_ends(outline, people, choices)]


def _with_ends(outline: Outline, people: Sequence[int], choices: Choices) -> Choices:
    column = next((column for column in outline.columns if column.index in people), None)
    if column is None:
        return choices
    said = _("%(choice)s: %(name)s kommt auf %(points)s")
    return [
        (key, said % {
            "choice": label, "name": column.title, "points": would_come_to(outline, people, column.index, key),
        })
        for key, label in choices
    ]  # fmt: skip
