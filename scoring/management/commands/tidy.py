"""`manage.py tidy`: delete expired rows and files, as the running server does every hour."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

from scoring.administration.actions import tidy
from scoring.demo.shared import renew_shared_clubs
from scoring.demo.visitors import delete_demos


class Command(BaseCommand):
    help = _("Räumt auf: abgelaufene Sitzungen, alte Fehlversuche, liegen gebliebene Dateien, Zugänge ohne Club.")

    def handle(self, *args: Any, verbosity: int = 1, **options: Any) -> None:
        cleared = delete_demos() + renew_shared_clubs() + tidy()
        if verbosity:
            self.stdout.write(_("Aufgeräumt: %(count)s Zeilen.") % {"count": cleared})
