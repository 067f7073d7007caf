"""`manage.py archive export SLUG [FILE]` and `manage.py archive import FILE --admin LOGIN`."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from scoring.archive.actions import ArchiveRefused, take_archive
from scoring.archive.queries import write_archive
from scoring.archive.reading.archive import read_archive
from scoring.club.models import Club
from scoring.core.database import snapshot
from scoring.core.errors import ActionRefused

MAX_FAULTS: Final = 20


class Command(BaseCommand):
    help = _("Schreibt einen ganzen Club als Archiv, alles außer den Zugängen, oder liest ein Archiv ein.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        ways = parser.add_subparsers(dest="way", required=True)
        out = ways.add_parser("export", help=_("schreibt das Archiv eines Clubs"))
        out.add_argument("slug", metavar="SLUG", help=_("Kürzel des Clubs"))
        out.add_argument("file", metavar="FILE", nargs="?", type=Path, help=_("sonst auf die Standardausgabe"))
        into = ways.add_parser("import", help=_("liest ein Archiv ein, wo es diesen Club noch nicht gibt"))
        into.add_argument("file", metavar="FILE", type=Path)
        into.add_argument("--admin", required=True, help=_("Anmeldename des ersten Verwalters"))

    def handle(self, *args: Any, way: str, file: Path | None, slug: str = "", admin: str = "", **options: Any) -> None:
        try:
            if way == "export":
                self._export(slug, file)
            elif file is not None:
                self._import(file, admin)
        except OSError as error:
            raise CommandError(_("Die Datei lässt sich nicht öffnen: %(error)s") % {"error": error}) from error

    def _export(self, slug: str, file: Path | None) -> None:
        club = Club.objects.filter(slug=slug).first()
        if club is None:
            raise CommandError(_("Einen Club mit dem Kürzel „%(slug)s“ gibt es nicht.") % {"slug": slug})
        with snapshot():
            if file is None:
                for line in write_archive(club):
                    self.stdout.write(line.decode(), ending="")
            else:
                with file.open("wb") as opened:
                    opened.writelines(write_archive(club))

    def _import(self, file: Path, admin: str) -> None:
        try:
            with file.open("rb") as opened:
                club, password = take_archive(document=read_archive(opened), admin=admin)
        except ArchiveRefused as refused:
            lines = [str(refused), *refused.faults[:MAX_FAULTS]]
            if (more := len(refused.faults) - MAX_FAULTS) > 0:
                lines.append(_("… und %(number)s weitere") % {"number": more})
            raise CommandError("\n".join(lines)) from refused
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from error
        except ActionRefused as refused:
            raise CommandError(str(refused)) from refused
        text = _("%(club)s ist eingelesen, zu finden unter /c/%(slug)s/.")
        self.stdout.write(text % {"club": club, "slug": club.slug})
        if password:
            text = _("Zugang: %(login)s, erstes Passwort: %(password)s")
            self.stdout.write(text % {"login": admin, "password": password})
