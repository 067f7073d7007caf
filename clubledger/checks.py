"""Checks for dangerous settings: errors of `manage.py check`, with which the server does not start."""

from __future__ import annotations

import stat
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register
from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, connection
from django.http.request import split_domain_port, validate_host

from clubledger import gettext as _
from clubledger.private import open_to_others
from clubledger.version import newer_than_program
from clubledger.web.addresses import is_loopback


@register(Tags.security)
def unsafe_settings(app_configs: Sequence[Any] | None = None, **kwargs: Any) -> list[CheckMessage]:
    found: list[CheckMessage] = []
    reachable = [host for host in settings.ALLOWED_HOSTS if not is_loopback(host)]
    if settings.DEBUG and reachable:
        found.append(
            Error(
                _("DEBUG zeigt bei jedem Fehler Passwörter und Code, und andere erreichen %s.") % ", ".join(reachable),
                hint=_("DEBUG weglassen, oder solange die Suche dauert ALLOWED_HOSTS=localhost."),
                id="clubledger.E001",
            )
        )
    key = settings.SECRET_KEY
    if len(key) < 50 or len(set(key)) < 10 or "insecure" in key:
        found.append(
            Error(
                _("SECRET_KEY ist zu kurz oder zu einfach. Er lässt sich erraten, und dann führt er in jedes Konto."),
                hint=_("SECRET_KEY weglassen, dann entsteht einer in var/secret_key; oder 50 zufällige Zeichen nehmen."),
                id="clubledger.E002",
            )
        )
    if any(host.startswith("*") for host in settings.ALLOWED_HOSTS):
        found.append(
            Error(
                _("ALLOWED_HOSTS nimmt jeden Namen an; so kann ein Link überallhin führen."),
                hint=_("Die Namen nennen, mit Kommas: ALLOWED_HOSTS=club.example,www.club.example"),
                id="clubledger.E003",
            )
        )
    kept = settings.VAR / "secret_key"
    if kept.exists() and kept.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        found.append(
            Error(
                _("Andere Benutzer dieses Rechners können var/secret_key lesen."),
                hint=_("Das hilft: chmod 600 var/secret_key"),
                id="clubledger.E004",
            )
        )
    if settings.HTTPS and not settings.TRUSTED_PROXIES:
        found.append(
            Error(
                _(
                    "HTTPS ist an, TRUSTED_PROXIES aber 0: Jede Seite leitet auf sich selbst um, und niemand ist zu unterscheiden."
                ),
                hint=_("TRUSTED_PROXIES=1 setzen, wenn ein eigener Proxy vor diesem Server steht."),
                id="clubledger.E005",
            )
        )
    if settings.CAN_MAIL and "@" not in settings.DEFAULT_FROM_EMAIL:
        found.append(
            Error(
                _("EMAIL_URL ist gesetzt, aber nicht, von wem die Mails kommen."),
                hint=_("Die Adresse nennen: EMAIL_FROM=club@example.org"),
                id="clubledger.E008",
            )
        )
    if settings.ERROR_MAIL and not settings.CAN_MAIL:
        found.append(
            Error(
                _("ERROR_MAIL ist gesetzt, aber kein Server verschickt Mails."),
                hint=_("Einen in EMAIL_URL nennen (docs/server.md), oder ERROR_MAIL weglassen."),
                id="clubledger.E011",
            )
        )
    if settings.FOUNDING == "open" and settings.CAN_MAIL and not settings.SITE_URL:
        found.append(
            Error(
                _("Mit FOUNDING=open gehen Mails hinaus, aber der Server kennt seine Adresse für die Links darin nicht."),
                hint=_("Die Adresse nennen: SITE_URL=https://club.example"),
                id="clubledger.E012",
            )
        )
    if settings.SITE_URL and not validate_host(split_domain_port(urlsplit(settings.SITE_URL).netloc)[0], settings.ALLOWED_HOSTS):
        found.append(
            Error(
                _("SITE_URL ist %s, aber ALLOWED_HOSTS hat diesen Namen nicht: Die Links in Mails führen nirgendwohin.")
                % settings.SITE_URL,
                hint=_("In beiden denselben Namen nennen: SITE_URL=https://club.example ALLOWED_HOSTS=club.example"),
                id="clubledger.E010",
            )
        )
    if settings.WORKERS < 1 or (settings.WORKERS > 1 and connection.vendor == "sqlite"):
        found.append(
            Error(
                _("WORKERS ist %s: Mit SQLite arbeitet ein Prozess, mit PostgreSQL einer oder mehrere.") % settings.WORKERS,
                hint=_("WORKERS weglassen, oder zu PostgreSQL umziehen (docs/server.md)."),
                id="clubledger.E009",
            )
        )
    return found


@register(Tags.security)
def open_places(app_configs: Sequence[Any] | None = None, **kwargs: Any) -> list[CheckMessage]:
    """Return an error if other users can read the folder of the installation or its SQLite database."""
    found: list[CheckMessage] = []
    if settings.VAR.exists() and open_to_others(settings.VAR):
        found.append(
            Error(
                _("In %s liegt alles, und andere Benutzer dieses Rechners können es lesen, oder es gehört ihnen.") % settings.VAR,
                hint=_("Als der Benutzer, der Club Ledger betreibt: chmod 700 %s") % settings.VAR,
                id="clubledger.E006",
            )
        )
    file = Path(connection.settings_dict["NAME"]) if connection.vendor == "sqlite" else None
    # If other users cannot enter the folder, they cannot read the file, whatever the file's own mode.
    if file and file.exists() and open_to_others(file.parent) and open_to_others(file):
        found.append(
            Error(
                _("Andere Benutzer dieses Rechners können die Datenbank %s lesen.") % file,
                hint=_("Als der Benutzer, der Club Ledger betreibt: chmod 600 %s") % file,
                id="clubledger.E007",
            )
        )
    return found


def refuse_unsafe() -> None:
    """Raise ImproperlyConfigured with all errors that the checks above find."""
    found = [*unsafe_settings(), *open_places()]
    if found:
        raise ImproperlyConfigured("\n".join(f"{error.msg} {error.hint}" for error in found))


def refuse_newer() -> None:
    """Raise ImproperlyConfigured if a newer program has changed the tables. Without an answer of the database, /healthz reports."""
    with suppress(DatabaseError):
        if newer := newer_than_program():
            raise ImproperlyConfigured(
                _("Die Datenbank ist neuer als dieses Programm (%s): das Programm erneuern oder eine Sicherung zurückspielen.")
                % newer[-1]
            )
