"""Two people who turned out to be one, in the words of the history."""

from __future__ import annotations

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


def _merged(change: Change, values: Values, names: Names) -> LabeledValues:
    """Under whom somebody's games are kept, and how much was put there."""
    told = {_("Wird geführt als"): ", ".join(get_person_name(names, pk) for pk in values["players"])}
    if values["user"]:
        told[_("Zugang")] = get_login_name(names, values["user"])
    return told


CHANGES: Final[ChangeFormats] = dict.fromkeys(
    (Verb.PLAYER_MERGED, Verb.PLAYER_PARTED), ChangeFormat(_merged, get_subject_name, subject="players")
)
