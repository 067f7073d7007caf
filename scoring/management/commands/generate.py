"""`manage.py generate`: make random clubs, as many and as large as wanted, beside existing ones."""

from __future__ import annotations

import time
from argparse import ArgumentParser
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from scoring.demo.generate import generate

MAX_CLUBS: Final = 1000
MAX_EVENINGS: Final = 3900  # 75 years, one a week: no evening is before 1950


class Command(BaseCommand):
    help = _("Erfindet Clubs zum Messen und Probieren, beliebig viele und beliebig alt, neben denen, die es gibt.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--clubs", type=int, default=1, help=_("wie viele"))
        parser.add_argument("--evenings", type=int, default=40, help=_("wie viele Abende jeder hat, einer die Woche"))
        parser.add_argument("--seed", type=int, default=1, help=_("dieselbe Zahl macht dieselben"))

    def handle(self, *args: Any, clubs: int, evenings: int, seed: int, verbosity: int = 1, **options: Any) -> None:
        if min(clubs, evenings) < 1:
            raise CommandError(_("Mindestens ein Club und ein Abend."))
        if clubs > MAX_CLUBS or evenings > MAX_EVENINGS:
            text = _("Höchstens %(clubs)s Clubs und %(evenings)s Abende, das sind 75 Jahre.")
            raise CommandError(text % {"clubs": MAX_CLUBS, "evenings": MAX_EVENINGS})
        start, games = time.monotonic(), 0
        for club, of_club, logins in generate(clubs=clubs, evenings=evenings, seed=seed):
            games += of_club
            passwords = ", ".join(f"{login['login']}: {login['password']}" for login in logins)
            if verbosity:
                self.stdout.write(f"/c/{club.slug}/ · {club.name} · {passwords}")
        if verbosity:
            text = _("%(games)s Spiele in %(seconds).1f Sekunden.")
            self.stdout.write(text % {"games": games, "seconds": time.monotonic() - start})
