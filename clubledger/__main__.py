"""The command `clubledger`, which a wheel installs: run the site, manage it, or print its version."""

from __future__ import annotations

import os
import sys

import django
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command, execute_from_command_line
from django.db import DatabaseError

from clubledger.disk import disk_trouble

USAGE = """Usage: clubledger run           serve the site (HOST, PORT, VAR_DIR and more: docs/server.md)
       clubledger manage …      commands for the database and the clubs; "clubledger manage help" lists them
       clubledger version       print the version"""


def main() -> None:
    """Run what the command line asks for; end with one sentence where that is not possible."""
    match sys.argv[1:]:
        case ["run"]:
            from clubledger import serve  # needs uvicorn, which no other command does

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
    """Run a command of Django with these settings. End with one sentence where the settings are refused or the disk is full."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubledger.settings")
    try:
        if argv[1:2] == ["version"]:  # Django's own would print the version of Django
            django.setup()
            call_command(*argv[1:])
        else:
            execute_from_command_line(argv)
    except ImproperlyConfigured as error:
        sys.exit(str(error))
    except (OSError, DatabaseError) as error:
        if not (disk := disk_trouble(error)):
            raise
        sys.exit(disk.sentence())


if __name__ == "__main__":
    main()
