"""Describe the changes of the history page, and where the name of a person was found."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from django.db.models import Model
from django.utils.translation import gettext as _

from scoring.cash.models import Entry, Report
from scoring.club.models import Change
from scoring.club.texts import ChangeDescription, describe_changes
from scoring.imports.models import Import
from scoring.league.models import Supplement
from scoring.play.models import Evening, Game
from scoring.play.queries import get_game_numbers
from scoring.table.models import LateEntry

from .queries import Words, list_texts


def describe_changes_with_numbers(changes: Sequence[Change]) -> list[ChangeDescription]:
    """Describe the changes, with the numbers of their games and whether these were deleted."""
    games = get_game_numbers({change.table_id for change in changes if change.table_id})
    descriptions = []
    for row in describe_changes(changes):
        number, struck = games.get(row.change.subject_id, (None, False))
        descriptions.append(replace(row, number=number, struck=struck))
    return descriptions


def describe_mention(row: Model, fields: Collection[str], words: Words) -> dict[str, Any]:
    """Return the place of a row, its table if it has one, and the texts in its `fields` that have the name."""
    table = row.round.table if isinstance(row, Game) else row.table if isinstance(row, LateEntry) else None
    texts = [text for text in list_texts({name: getattr(row, name) for name in fields}) if words.are_in(text)]
    return {"place": _describe_place(row), "table": table, "texts": texts}


def _describe_place(row: Model) -> str:
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
    raise TypeError(f"{row} has no typed text.")
