"""`manage.py charges [FILE]`: what evenings and months cost by a tariff, how balances are settled and how a sum is split, one JSON
object per line in and one out. Everything that is decided is decided in scoring.cash.rules.stream.
"""

from __future__ import annotations

from django.utils.translation import gettext as _

from scoring.cash.rules.stream import ChargesStream
from scoring.management.answering import AnsweringCommand


class Command(AnsweringCommand):
    reader = ChargesStream

    help = _("Rechnet mit Geld: je Zeile ein JSON-Objekt, je Zeile eine Antwort. Ohne Datei von der Standardeingabe.")
