"""What was done to an evening, in the words of the history."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _

from scoring.club.models.history import Change, Verb
from scoring.club.words.changes import Names, Telling, Tellings, Told, Values
from scoring.core.words import day
from scoring.table.words import seating


def _begun(change: Change, values: Values, names: Names) -> Told:
    return seating(values, names, _("Am Tisch"))


def _signed(change: Change, values: Values, names: Names) -> Told:
    return seating(values, names, _("Abgezeichnet von"))


def _about(change: Change, names: Names) -> str:
    evening = names["evening"].get(int(change.subject_id))
    return day(evening.held_on) if evening else ""


CHANGES: Final[Tellings] = {
    **dict.fromkeys(
        (Verb.EVENING_OPENED, Verb.EVENING_REOPENED, Verb.EVENING_DISCARDED), Telling(_begun, _about, subject="evening")
    ),
    Verb.EVENING_CLOSED: Telling(_signed, _about, subject="evening"),
    Verb.TABLE_ADDED: Telling(_begun, subject=None),
}
