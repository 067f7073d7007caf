"""`manage.py tidy`: clears away what nobody needs any more, as the running server does by itself."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

from scoring.administration.actions import tidy
from scoring.demo.shared import renew
from scoring.demo.visitors import delete_demos


class Command(BaseCommand):
    help = _("Räumt auf: abgelaufene Sitzungen, alte Fehlversuche, liegen gebliebene Dateien, Zugänge ohne Club.")

    def handle(self, *args: Any, verbosity: int = 1, **options: Any) -> None:
        cleared = delete_demos() + renew() + tidy()
        if verbosity:
            self.stdout.write(_("Aufgeräumt: %(count)s Zeilen.") % {"count": cleared})
