"""`manage.py founding_link`: print a link to found a club. The server calls it at its start if there is none."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.urls import reverse
from django.utils.translation import gettext as _

from scoring.administration.actions import make_founding_link
from scoring.club.models import Club
from scoring.demo.cast import SHARED


class Command(BaseCommand):
    help = _(
        "Macht einen Link, mit dem jemand einen eigenen Club gründet. Er gilt einmal und eine Woche lang; ein früherer gilt "
        "dann nicht mehr."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--site", default=_get_site(), help=_("Adresse der Seite, wie Browser sie schreiben"))
        parser.add_argument(
            "--if-none", action="store_true", help=_("nur, wo es außer dem Demo-Club noch keinen gibt; sonst kein Wort")
        )

    def handle(self, *args: Any, site: str, if_none: bool = False, **options: Any) -> None:
        if not if_none or not Club.objects.filter(demo_until=None).exclude(slug__in=SHARED).exists():
            address = reverse("founding_link", args=[make_founding_link()])
            self.stdout.write(site.rstrip("/") + address)


def _get_site() -> str:
    """Return the address in the settings; without a public host name that of `make run`."""
    names = [host for host in settings.ALLOWED_HOSTS if host not in ("localhost", "127.0.0.1", "[::1]")]
    return f"https://{names[0].lstrip('.')}" if settings.HTTPS and names else "http://localhost:8000"
