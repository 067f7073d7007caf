"""Texts about evenings: log entries in the history, and the sentences about a line-up while players are chosen."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.club.models import Change, Verb
from scoring.club.texts import (
    ChangeFormat,
    ChangeFormats,
    LabeledValues,
    Names,
    Values,
    get_evening_day,
    get_person_name,
)
from scoring.core.formats import format_day
from scoring.play.models import SEATS
from scoring.table.texts import label_line_up, label_seating


def _list_corrected_values(change: Change, values: Values, names: Names) -> LabeledValues:
    labeled = {_("Datum"): format_day(datetime.date.fromisoformat(values["held_on"]))}
    if values.get("place"):
        labeled[_("Ort")] = values["place"]
    if values.get("note"):
        labeled[_("Bemerkung")] = values["note"]
    results = zip(values.get("players", ()), values.get("points", ()), strict=True)
    return labeled | {get_person_name(names, player): str(points) for player, points in results}


CHANGES: Final[ChangeFormats] = {
    **dict.fromkeys(
        (Verb.EVENING_OPENED, Verb.EVENING_REOPENED, Verb.EVENING_DISCARDED, Verb.EVENING_DROPPED),
        ChangeFormat(label_line_up, get_evening_day, subject="evening"),
    ),
    Verb.EVENING_CLOSED: ChangeFormat(
        lambda change, values, names: label_seating(values, names, _("Abgezeichnet von")), get_evening_day, subject="evening"
    ),
    **dict.fromkeys(
        (Verb.EVENING_MENDED, Verb.EVENING_REMOVED), ChangeFormat(_list_corrected_values, get_evening_day, subject="evening")
    ),
    Verb.TABLE_ADDED: ChangeFormat(label_line_up, subject=None),
}

# evenings/line_up.ts fills in the same sentences.
LINE_UP: Final = {
    "first": gettext_lazy("{name} gibt."),
    "order": gettext_lazy("{name} gibt, dann {others}."),
    "one": gettext_lazy("Noch eine Person, dann geht es los."),
    "many": gettext_lazy("Noch {n} Personen, dann geht es los."),
    "new": gettext_lazy("Neu, als Gast: {names}."),
}


def describe_line_up(names: Sequence[str], new: Sequence[str]) -> tuple[str, str]:
    """Return a sentence about the order of dealers, and one about the missing people or else the new ones."""
    missing = SEATS[0] - len(names)
    order = "order" if names[1:] else "first"
    rest = "one" if missing == 1 else "many" if missing > 0 else "new" if new else ""
    return (
        str(LINE_UP[order]).format(name=names[0], others=", ".join(names[1:])) if names else "",
        str(LINE_UP[rest]).format(n=missing, names=", ".join(new)) if rest else "",
    )
