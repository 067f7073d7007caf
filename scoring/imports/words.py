"""Lists that were brought along, in the words of the history."""

from __future__ import annotations

import datetime
from typing import Final

from django.utils.translation import gettext as _

from scoring.club.models.history import Change, Verb
from scoring.club.words.changes import Names, Telling, Tellings, Told, Values, about_evening
from scoring.club.words.people import brought, person
from scoring.core.words import day
from scoring.rulesets.words.rulesets import under


def _brought(change: Change, values: Values, names: Names) -> Told:
    return brought(values) | under(values, names)


def _about(change: Change, names: Names) -> str:
    file = names["import"].get(int(change.subject_id))
    return file.file_name if file else ""


def _mended(change: Change, values: Values, names: Names) -> Told:
    results = zip(values["players"], values["points"], strict=True)
    told = {_("Datum"): day(datetime.date.fromisoformat(values["held_on"]))}
    return told | {person(names, player): str(points) for player, points in results}


CHANGES: Final[Tellings] = {
    **dict.fromkeys((Verb.IMPORT_TAKEN, Verb.IMPORT_UNDONE), Telling(_brought, _about, subject="import")),
    **dict.fromkeys((Verb.EVENING_MENDED, Verb.EVENING_REMOVED), Telling(_mended, about_evening, subject="evening")),
}
