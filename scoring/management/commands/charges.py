"""`manage.py charges [FILE]`: compute with money (scoring.cash.rules.stream)."""

from __future__ import annotations

from django.utils.translation import gettext as _

from scoring.cash.rules.stream import ChargesStream
from scoring.management.line_command import LineCommand


class Command(LineCommand):
    reader = ChargesStream

    help = _("Rechnet mit Geld: je Zeile ein JSON-Objekt, je Zeile eine Antwort. Ohne Datei von der Standardeingabe.")
