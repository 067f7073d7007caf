"""`manage.py score [FILE]`: score games by any rule set: one JSON object per line in and one out (scoring.rules.score_lines)."""

from __future__ import annotations

from django.utils.translation import gettext as _

from scoring.management.line_command import LineCommand
from scoring.rules.score_lines import LineScorer


class Command(LineCommand):
    reader = LineScorer

    help = _("Wertet Spiele: je Zeile ein JSON-Objekt, je Spiel eine Antwort. Ohne Datei von der Standardeingabe.")
