"""Two people who turned out to be one, in the words of the history."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _

from scoring.club.models import Change, Verb
from scoring.club.texts import Names, Telling, Tellings, Told, Values, about_person, login, person


def _merged(change: Change, values: Values, names: Names) -> Told:
    """Under whom somebody's games are kept, and how much was put there."""
    told = {_("Wird geführt als"): ", ".join(person(names, pk) for pk in values["players"])}
    if values["user"]:
        told[_("Zugang")] = login(names, values["user"])
    return told


CHANGES: Final[Tellings] = dict.fromkeys(
    (Verb.PLAYER_MERGED, Verb.PLAYER_PARTED), Telling(_merged, about_person, subject="players")
)
