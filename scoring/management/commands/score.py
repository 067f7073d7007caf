"""`manage.py score [FILE]`: scores games from the command line, one JSON object per line in and one out, on any rule
set. Everything that is decided is decided in scoring.rules.score_lines.
"""

from __future__ import annotations

from django.utils.translation import gettext as _

from scoring.management.answering import AnsweringCommand
from scoring.rules.score_lines import LineScorer


class Command(AnsweringCommand):
    reader = LineScorer

    help = _("Wertet Spiele: je Zeile ein JSON-Objekt, je Spiel eine Antwort. Ohne Datei von der Standardeingabe.")
