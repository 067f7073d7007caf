"""`manage.py clear_away`: delete what a killed import or deletion left. The server calls it at its start."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

from scoring.imports.actions import clear_away


class Command(BaseCommand):
    help = _("Räumt weg, was beim Einlesen oder Entfernen unterbrochen wurde.")

    def handle(self, *args: Any, **options: Any) -> None:
        if cleared := clear_away():
            self.stdout.write(_("Weggeräumt, was unterbrochen wurde: %(number)s") % {"number": cleared})
