"""`manage.py move --to postgres://…`: move an installation from SQLite to PostgreSQL."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

import psycopg
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError
from django.utils.translation import gettext as _

from clubledger.moving import NotMoved, move
from clubledger.private import holding


class Command(BaseCommand):
    help = _("Zieht mit allem, was da ist, von SQLite in eine leere Datenbank von PostgreSQL um, solange der Dienst steht.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--to", metavar="URL", required=True, help=_("postgres://benutzer@rechner/datenbank"))

    def handle(self, *args: Any, to: str, **options: Any) -> None:
        try:
            with holding(settings.VAR):
                sums, verified = move(to)
        except BlockingIOError as error:
            raise CommandError(_("Der Dienst läuft noch. Bitte zuerst anhalten: systemctl stop clubledger")) from error
        except NotMoved as error:
            raise CommandError(str(error)) from error
        except (DatabaseError, psycopg.Error, ValueError) as error:
            reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
            raise CommandError(_("Es ist nichts umgezogen: %(reason)s") % {"reason": reason}) from error
        sentence = _("Umgezogen: %(rows)s Zeilen in %(tables)s Tabellen, verglichen Zeile für Zeile und Archiv für Archiv.")
        self.stdout.write(sentence % {"rows": sum(rows for rows, _whole, _digest in sums.values()), "tables": len(sums)})
        self.stdout.write(verified)
        self.stdout.write(
            _("Jetzt DATABASE_URL in die Einstellungen schreiben und den Dienst starten. Die alte Datei bleibt liegen.")
        )
