"""`manage.py version`, which clubledger/__main__.py calls instead of Django's command of this name."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

from clubledger.version import program


class Command(BaseCommand):
    help = _("Sagt, welche Fassung von Club Ledger das ist.")
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"Club Ledger {program()}")
