"""`manage.py operator LOGIN`: make this login an operator, who sees the page of the installation but no club."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from scoring.club.queries import find_login


class Command(BaseCommand):
    help = _("Sagt, wer die Installation betreibt und ihre Seite sieht.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("login", help=_("Anmeldename"))
        parser.add_argument("--remove", action="store_true", help=_("Betreibt die Installation nicht mehr"))

    def handle(self, *args: Any, login: str, remove: bool, **options: Any) -> None:
        user = find_login(login)
        if user is None or not user.is_active:
            raise CommandError(_("Den Zugang %(login)s gibt es hier nicht.") % {"login": login})
        user.is_superuser = not remove
        user.save(update_fields=["is_superuser"])
        text = _("%(login)s betreibt die Installation nicht mehr.") if remove else _("%(login)s betreibt die Installation.")
        self.stdout.write(text % {"login": user})
