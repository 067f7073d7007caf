"""`manage.py club NAME --admin LOGIN`: found a club and print the first password of its admin."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from scoring.core.errors import ActionRefused
from scoring.rulesets.actions import found_club


class Command(BaseCommand):
    help = _("Gründet einen Club mit allen Regelwerken und seinem ersten Verwalter.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help=_("Name des Clubs"))
        parser.add_argument("--admin", required=True, help=_("Anmeldename des ersten Verwalters"))
        parser.add_argument("--slug", default="", help=_("Kürzel in der Adresse; sonst aus dem Namen"))

    def handle(self, *args: Any, name: str, admin: str, slug: str, **options: Any) -> None:
        try:
            club, password = found_club(name=name, slug=slug, admin=admin)
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from error
        except ActionRefused as refused:
            raise CommandError(str(refused)) from refused
        self.stdout.write(_("%(club)s ist gegründet, zu finden unter /c/%(slug)s/.") % {"club": club, "slug": club.slug})
        if password:
            self.stdout.write(_("Zugang: %(login)s, erstes Passwort: %(password)s") % {"login": admin, "password": password})
