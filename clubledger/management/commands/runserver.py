"""Django's development server shows errors together with the code, so it runs only with DEBUG."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.staticfiles.management.commands.runserver import Command as RunserverCommand
from django.core.management import CommandError

from clubledger import gettext as _


class Command(RunserverCommand):
    def handle(self, *args: Any, **options: Any) -> str | None:
        if not settings.DEBUG:
            raise CommandError(_("runserver ist zum Entwickeln: mit DEBUG=1 starten, oder für einen Club mit make run."))
        return super().handle(*args, **options)
