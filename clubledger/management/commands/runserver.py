"""Django's server for developing: shows faults with the code around them, so it runs with DEBUG only."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.staticfiles.management.commands.runserver import Command as RunserverCommand
from django.core.management import CommandError

from clubledger import gettext as _


class Command(RunserverCommand):
    """Django's own, where DEBUG is on."""

    def handle(self, *args: Any, **options: Any) -> str | None:
        if not settings.DEBUG:
            raise CommandError(_("runserver ist zum Entwickeln: mit DEBUG=1 starten, oder für einen Club mit make run."))
        return super().handle(*args, **options)
