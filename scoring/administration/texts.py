"""Describe the changes of the history page, and where the name of a person was found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from django.utils.translation import gettext as _

from scoring.cash.models import Entry, Report
from scoring.club.models import Change
from scoring.club.texts import ChangeDescription, describe_changes
from scoring.imports.models import Import
from scoring.league.models import Supplement
from scoring.play.models import Evening, Game
from scoring.play.queries import get_game_numbers
from scoring.table.models import LateEntry

from .queries import WithText


def describe_changes_with_numbers(changes: Sequence[Change]) -> list[ChangeDescription]:
    """Describe the changes, with the numbers of their games and whether these were deleted."""
    games = get_game_numbers({change.table_id for change in changes if change.table_id})
    descriptions = []
    for row in describe_changes(changes):
        number, struck = games.get(row.change.subject_id, (None, False))
        descriptions.append(replace(row, number=number, struck=struck))
    return descriptions


def describe_mention_place(row: WithText) -> str:
    match row:
        case Game():
            return _("Zeile eines Zettels")
        case LateEntry():
            return _("Zu spät angekommenes Spiel")
        case Evening():
            return _("Ort des Abends vom %(day)s") % {"day": row}
        case Import():
            return _("Name einer mitgebrachten Datei")
        case Supplement():
            return _("Grund eines Nachtrags")
        case Entry():
            return _("Grund der Buchung %(number)s") % {"number": row}
        case Report():
            return _("Notiz oder Grund einer gemeldeten Zahlung")
