#!/usr/bin/env python3
"""Decides nothing itself: hands the command line to Django with this project's settings. Where those cannot be, or the disk
takes nothing, it ends with one sentence."""

import os
import sys

import django
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command, execute_from_command_line
from django.db import DatabaseError

from clubledger.disk import disk_trouble

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubledger.settings")
    try:
        if sys.argv[1:2] == ["version"]:  # Django's own would say the version of Django
            django.setup()
            call_command(*sys.argv[1:])
        else:
            execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(str(error))
    except (OSError, DatabaseError) as error:
        if not (disk := disk_trouble(error)):
            raise
        sys.exit(disk.sentence())
