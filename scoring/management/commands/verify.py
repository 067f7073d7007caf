"""`manage.py verify`: recompute everything from the facts and report each difference and broken law of the books."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from scoring.cash.queries import list_broken_laws
from scoring.cash.texts import describe_broken_law
from scoring.club.models import Club
from scoring.core.database import snapshot
from scoring.league.queries.books import find_damaged_closings
from scoring.league.queries.news import find_wrong_waits
from scoring.play.verify import verify
from scoring.standings.queries.selection import list_stray_openings
from scoring.standings.texts import describe_stray_opening


class Command(BaseCommand):
    help = _("Rechnet alle Tische aus dem Eingegebenen nach und nennt jede Zeile, die nicht stimmt.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--club", metavar="SLUG", help=_("nur diesen Club, genannt mit seinem Kürzel"))

    def handle(self, *args: Any, club: str | None = None, **options: Any) -> None:
        tables = lines = rows = found = 0
        with snapshot():
            only = None if club is None else Club.objects.filter(slug=club).first()
            if club is not None and only is None:
                raise CommandError(_("Einen Club mit dem Kürzel „%(slug)s“ gibt es nicht.") % {"slug": club})
            for fault in list_broken_laws(only):
                found += 1
                self.stdout.write(describe_broken_law(fault))
            for closing in find_damaged_closings(only):
                found += 1
                text = _("%(club)s, %(month)s, Fassung %(version)s: Was veröffentlicht wurde, ist verändert worden.")
                names = {"club": closing.season.club.slug, "month": closing.month, "version": closing.version}
                self.stdout.write(text % names)
            for season in find_wrong_waits(only):
                found += 1
                text = _("%(club)s, %(season)s: Es steht nicht da, was zu entscheiden ist.")
                self.stdout.write(text % {"club": season.club.slug, "season": season.name})
            for row in list_stray_openings(only):
                found += 1
                self.stdout.write(describe_stray_opening(row))
            for checked in verify(only):
                tables += checked.table is not None
                lines, rows = lines + checked.lines, rows + checked.rows
                found += len(checked.findings)
                for finding in checked.findings:
                    self.stdout.write(finding)
        if found:
            sys.exit(1)
        summary = _("Alles stimmt: %(tables)s Tische, %(lines)s Zeilen, %(rows)s errechnete Werte verglichen.")
        self.stdout.write(summary % {"tables": tables, "lines": lines, "rows": rows})
