"""`manage.py demo`: make the demo clubs in an empty database and write their logins to a file."""

from __future__ import annotations

import json
import os
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils.translation import gettext as _

from scoring.club.models import Club
from scoring.demo.shared import make_shared_clubs

FILE = "demo_logins.json"


class Command(BaseCommand):
    help = _("Erfindet einen Club zum Ansehen: zwei Spielzeiten, neun Personen, eigene Zugänge.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--if-empty", action="store_true", help=_("sonst nichts tun, ohne ein Wort"))

    def handle(self, *args: Any, if_empty: bool = False, verbosity: int = 1, **options: Any) -> None:
        """Make the clubs and write the file, or neither: the clubs are of no use without their passwords."""
        if Club.objects.exists() or get_user_model().objects.exists():
            if if_empty:
                return
            raise CommandError(
                _("Die Datenbank ist nicht leer. Der Demo-Club kommt nur in eine leere, damit er nichts Echtes berührt.")
            )
        settings.VAR.mkdir(parents=True, exist_ok=True)
        with transaction.atomic():
            logins = make_shared_clubs()
            path = settings.VAR / FILE
            path.unlink(missing_ok=True)
            only_for_owner = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(only_for_owner, "w", encoding="utf-8") as file:
                json.dump(logins, file, ensure_ascii=False, indent=2)
        if verbosity:
            self.stdout.write(_("Der Demo-Club ist da. Seine Zugänge stehen in %(path)s.") % {"path": path})
