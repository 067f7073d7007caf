"""`manage.py backup`: write the whole database into one file while the site is in use."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError
from django.utils.translation import gettext as _

from clubledger import backups
from clubledger.disk import Disk, get_disk_trouble
from clubledger.dumps import of_this_database


class Command(BaseCommand):
    help = _("Sichert die ganze Datenbank in eine Datei, während alle weiterschreiben.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help=_("öffnet die Sicherung und rechnet alles darin nach"))
        parser.add_argument(
            "--to", metavar="DIR", type=Path, default=settings.BACKUP_DIR, help=_("in diesen Ordner statt BACKUP_DIR")
        )
        parser.add_argument(
            "--keep", metavar="N", type=int, default=14, help=_("so viele bleiben, und die letzte von jedem Monat (14)")
        )

    def handle(self, *args: Any, check: bool, to: Path, keep: int, **options: Any) -> None:
        if keep < 1:
            raise CommandError(_("Mindestens eine Sicherung muss bleiben: --keep 1"))
        dumps = of_this_database()
        try:
            with backups.locked_folder(to):
                path = backups.write(to, dumps.SUFFIX, dumps.dump)
                self.stdout.write(_("Gesichert: %(path)s") % {"path": path})
                if check:
                    self.stdout.write(dumps.check(path))
                    backups.mark_good(path)
                backups.rotate(to, keep, path)
        except (backups.BackupFailed, DatabaseError) as error:
            sentence = _("Die Sicherung ist nicht fertig: Die Festplatte ist voll. Alle älteren Sicherungen bleiben.")
            raise CommandError(sentence if get_disk_trouble(error) is Disk.FULL else str(error).strip()) from error
        if moment := backups.future_good(to):
            sentence = _("Die letzte geprüfte Sicherung liegt in der Zukunft (%(when)s UTC): Die Uhr geht oder ging falsch.")
            self.stderr.write(sentence % {"when": f"{moment:%Y-%m-%d %H:%M}"})
