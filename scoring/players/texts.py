"""Sentences about players: merges in the history, and the figures that are compared side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from django.utils.translation import gettext as _

from scoring.club.models import Change, Verb
from scoring.club.texts import (
    ChangeFormat,
    ChangeFormats,
    LabeledValues,
    Names,
    Values,
    get_login_name,
    get_person_name,
    get_subject_name,
)
from scoring.core.formats import format_mean, format_percent, format_points, format_signed
from scoring.play.rules import Streak
from scoring.players.queries import Life
from scoring.rulesets.models import RuleSet


def _list_merge_values(change: Change, values: Values, names: Names) -> LabeledValues:
    """Return the values of a merge: the player it belongs to now, and the login."""
    labeled = {_("Wird geführt als"): ", ".join(get_person_name(names, pk) for pk in values["players"])}
    if values["user"]:
        labeled[_("Zugang")] = get_login_name(names, values["user"])
    return labeled


CHANGES: Final[ChangeFormats] = dict.fromkeys(
    (Verb.PLAYER_MERGED, Verb.PLAYER_PARTED), ChangeFormat(_list_merge_values, get_subject_name, subject="players")
)


def compare_lives(lives: Sequence[Life]) -> list[list[str]]:
    """Return the rows that compare players: a label, and the figure of each."""
    rows: list[tuple[str, Callable[[Life], str]]] = [
        (_("Abende"), lambda life: str(len(life.played))),
        (_("Spiele"), lambda life: str(life.career.all.games)),
        (_("Cent") if lives[0].unit == RuleSet.Unit.CENTS else _("Punkte"), lambda life: format_points(life.points)),
        (_("Ø/Abend"), lambda life: format_mean(life.evening_average)),
        (_("Abendsiege"), lambda life: str(life.evenings_won)),
        (_("Ø/Spiel"), lambda life: format_mean(life.average)),
        (_("Siegquote"), lambda life: format_percent(life.career.all.win_rate)),
        (_("Siegquote als Re"), lambda life: format_percent(life.career.parties["re"].win_rate)),
        (_("Siegquote als Kontra"), lambda life: format_percent(life.career.parties["kontra"].win_rate)),
        (_("Soli: gewonnen / gespielt"), _format_solos),
        (_("Ansagen: gehalten / gemacht"), _format_kept),
        (_("Bester Abend"), lambda life: format_signed(life.best_evening.points if life.best_evening else None)),
        (_("Schlechtester Abend"), lambda life: format_signed(life.worst_evening.points if life.worst_evening else None)),
        (_("Bestes Spiel"), lambda life: format_signed(life.career.best)),
        (_("Teuerstes Spiel"), lambda life: format_signed(life.career.worst)),
        (_("Meiste Siege in Folge"), lambda life: _format_length(life.career.won_longest)),
        (_("Meiste Niederlagen in Folge"), lambda life: _format_length(life.career.lost_longest)),
    ]
    return [[label, *(figure(life) for life in lives)] for label, figure in rows]


def _format_solos(life: Life) -> str:
    solos = life.career.solos.values()
    return f"{sum(solo.wins for solo in solos)}/{sum(solo.games for solo in solos)}"


def _format_kept(life: Life) -> str:
    announced = life.career.announced.values()
    return f"{sum(kept for kept, _missed in announced)}/{sum(map(sum, announced))}"


def _format_length(streak: Streak | None) -> str:
    return str(streak.length) if streak else format_points(None)
