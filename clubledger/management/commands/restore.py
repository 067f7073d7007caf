"""`manage.py restore FILE`: replace the database by a backup."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import Tags
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError
from django.utils.translation import gettext as _

from clubledger.backups import BackupFailed, build_damaged_error, digest, mark_of, refuse_foreign
from clubledger.dumps import of_this_database
from clubledger.private import holding


class Command(BaseCommand):
    help = _("Spielt eine Sicherung zurück, solange der Dienst steht. Was vorher da war, bleibt daneben liegen.")
    # Other checks would query the database that is about to be replaced, and opening a damaged database changes it.
    requires_system_checks = (Tags.security,)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path)
        parser.add_argument("--overwrite", action="store_true", help=_("auch wenn schon eine Datenbank da ist"))

    def handle(self, *args: Any, file: Path, overwrite: bool, **options: Any) -> None:
        dumps = of_this_database()
        try:
            with holding(settings.VAR):
                with file.open("rb") as opened:
                    if opened.read(len(dumps.MAGIC)) != dumps.MAGIC:
                        raise BackupFailed(_("Diese Datei ist keine Sicherung von der Art dieser Datenbank (DATABASE_URL)."))
                mark = mark_of(file)
                if mark.exists() and mark.read_text().split(" ")[0] != digest(file):
                    raise build_damaged_error()
                refuse_foreign(dumps.migrations_in(file))
                if dumps.holds_something() and not overwrite:
                    raise BackupFailed(_("Hier ist schon eine Datenbank. Soll sie ersetzt werden, dann mit --overwrite."))
                kept = dumps.restore(file)
        except BlockingIOError as error:
            raise CommandError(_("Der Dienst läuft noch. Bitte zuerst anhalten: systemctl stop clubledger")) from error
        except OSError as error:
            raise CommandError(_("Die Datei lässt sich nicht lesen: %(error)s") % {"error": error}) from error
        except (BackupFailed, DatabaseError) as error:
            raise CommandError(str(error).strip()) from error
        if kept:
            self.stdout.write(_("Was vorher da war, liegt in %(path)s.") % {"path": kept})
        self.stdout.write(_("Zurückgespielt: %(path)s. Alle melden sich neu an.") % {"path": file})
