"""The command `clubledger`, which a wheel installs: run the site, manage it, or print its version."""

from __future__ import annotations

import os
import sys
from gettext import bindtextdomain, textdomain

import django
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command, execute_from_command_line
from django.db import DatabaseError
from django.utils.translation import activate

from clubledger import LOCALE, language
from clubledger import gettext as _
from clubledger.disk import get_disk_trouble

USAGE = _(
    """Aufruf: clubledger run           die Seite anbieten (HOST, PORT, VAR_DIR und mehr: docs/server.md)
        clubledger manage …      Befehle für die Datenbank und die Clubs; „clubledger manage help“ nennt sie
        clubledger version       die Version nennen"""
)


def main() -> None:
    match sys.argv[1:]:
        case ["run"]:
            from clubledger import serve  # imported here, since only this command needs uvicorn

            serve.main()
        case ["manage", *words]:
            manage(["clubledger manage", *words])
        case ["version"]:
            manage(["clubledger", "version"])
        case ["--help" | "-h" | "help"]:
            print(USAGE)
        case _:
            sys.exit(USAGE)


def manage(argv: list[str]) -> None:
    """Run a command of Django in the language of the terminal; exit with one sentence if the settings or the disk refuse it."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubledger.settings")
    # argparse translates its messages with the default domain of Python's gettext, which reads the same variables as `language`.
    bindtextdomain("argparse", LOCALE)
    textdomain("argparse")
    try:
        if argv[1:2] != ["runserver"]:  # it sets up Django itself, and waits for a correction if the code has an error
            django.setup()
            activate(language())
        if argv[1:2] == ["version"]:  # Django's own command would print the version of Django
            call_command(*argv[1:])
        else:
            execute_from_command_line(argv)
    except ImproperlyConfigured as error:
        sys.exit(str(error))
    except (OSError, DatabaseError) as error:
        if not (disk := get_disk_trouble(error)):
            raise
        sys.exit(disk.sentence())


if __name__ == "__main__":
    main()
