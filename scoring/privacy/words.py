"""Where a name stands that somebody typed."""

from __future__ import annotations

from django.utils.translation import gettext as _

from scoring.cash.models.beside import Report
from scoring.cash.models.books import Entry
from scoring.imports.models import Import
from scoring.league.models import Supplement
from scoring.play.models import Evening, Game
from scoring.privacy.queries.erasing import WithText
from scoring.table.models import LateEntry


def place_of(row: WithText) -> str:
    """What the row of a mention is."""
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
