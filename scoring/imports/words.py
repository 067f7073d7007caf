"""Lists that were brought along, in the words of the history."""

from __future__ import annotations

from typing import Final

from scoring.club.models.history import Change, Verb
from scoring.club.words.changes import Names, Telling, Tellings, Told, Values
from scoring.club.words.people import brought
from scoring.rulesets.words.rulesets import under


def _brought(change: Change, values: Values, names: Names) -> Told:
    return brought(values) | under(values, names)


def _about(change: Change, names: Names) -> str:
    file = names["import"].get(int(change.subject_id))
    return file.file_name if file else ""


CHANGES: Final[Tellings] = dict.fromkeys(
    (Verb.IMPORT_TAKEN, Verb.IMPORT_UNDONE), Telling(_brought, _about, subject="import")
)
