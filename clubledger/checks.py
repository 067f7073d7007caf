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
from clubledger.version import list_newer_migrations
from clubledger.web.addresses import is_loopback


@register(Tags.security)
def unsafe_settings(app_configs: Sequence[Any] | None = None, **kwargs: Any) -> list[CheckMessage]:
    reachable = [host for host in settings.ALLOWED_HOSTS if not is_loopback(host)]
    key, kept = settings.SECRET_KEY, settings.VAR / "secret_key"
    site = split_domain_port(urlsplit(settings.SITE_URL).netloc)[0]
    return _list_errors(
        {
            "clubledger.E001": (
                settings.DEBUG and reachable,
                _("DEBUG zeigt bei jedem Fehler Passwörter und Code, und andere erreichen %s.") % ", ".join(reachable),
                _("DEBUG weglassen, oder solange die Suche dauert ALLOWED_HOSTS=localhost."),
            ),
            "clubledger.E002": (
                len(key) < 50 or len(set(key)) < 10 or "insecure" in key,
                _("SECRET_KEY ist zu kurz oder zu einfach. Er lässt sich erraten, und dann führt er in jedes Konto."),
                _("SECRET_KEY weglassen, dann entsteht einer in var/secret_key; oder 50 zufällige Zeichen nehmen."),
            ),
            "clubledger.E003": (
                any(host.startswith("*") for host in settings.ALLOWED_HOSTS),
                _("ALLOWED_HOSTS nimmt jeden Namen an; so kann ein Link überallhin führen."),
                _("Die Namen nennen, mit Kommas: ALLOWED_HOSTS=club.example,www.club.example"),
            ),
            "clubledger.E004": (
                kept.exists() and kept.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO),
                _("Andere Benutzer dieses Rechners können var/secret_key lesen."),
                _("Das hilft: chmod 600 var/secret_key"),
            ),
            "clubledger.E005": (
                settings.HTTPS and not settings.TRUSTED_PROXIES,
                _("HTTPS ist an, TRUSTED_PROXIES aber 0: Jede Seite leitet auf sich selbst um, und niemand ist zu unterscheiden."),
                _("TRUSTED_PROXIES=1 setzen, wenn ein eigener Proxy vor diesem Server steht."),
            ),
            "clubledger.E008": (
                settings.CAN_MAIL and "@" not in settings.DEFAULT_FROM_EMAIL,
                _("EMAIL_URL ist gesetzt, aber nicht, von wem die Mails kommen."),
                _("Die Adresse nennen: EMAIL_FROM=club@example.org"),
            ),
            "clubledger.E011": (
                settings.ERROR_MAIL and not settings.CAN_MAIL,
                _("ERROR_MAIL ist gesetzt, aber kein Server verschickt Mails."),
                _("Einen in EMAIL_URL nennen (docs/server.md), oder ERROR_MAIL weglassen."),
            ),
            "clubledger.E012": (
                settings.FOUNDING == "open" and settings.CAN_MAIL and not settings.SITE_URL,
                _("Mit FOUNDING=open gehen Mails hinaus, aber der Server kennt seine Adresse für die Links darin nicht."),
                _("Die Adresse nennen: SITE_URL=https://club.example"),
            ),
            "clubledger.E010": (
                settings.SITE_URL and not validate_host(site, settings.ALLOWED_HOSTS),
                _("SITE_URL ist %s, aber ALLOWED_HOSTS hat diesen Namen nicht: Die Links in Mails führen nirgendwohin.")
                % settings.SITE_URL,
                _("In beiden denselben Namen nennen: SITE_URL=https://club.example ALLOWED_HOSTS=club.example"),
            ),
            "clubledger.E009": (
                settings.WORKERS < 1 or (settings.WORKERS > 1 and connection.vendor == "sqlite"),
                _("WORKERS ist %s: Mit SQLite arbeitet ein Prozess, mit PostgreSQL einer oder mehrere.") % settings.WORKERS,
                _("WORKERS weglassen, oder zu PostgreSQL umziehen (docs/server.md)."),
            ),
        }
    )


@register(Tags.security)
def open_places(app_configs: Sequence[Any] | None = None, **kwargs: Any) -> list[CheckMessage]:
    """Return an error if other users can read the folder of the installation or its SQLite database."""
    file = Path(connection.settings_dict["NAME"]) if connection.vendor == "sqlite" else None
    return _list_errors(
        {
            "clubledger.E006": (
                settings.VAR.exists() and open_to_others(settings.VAR),
                _("In %s liegt alles, und andere Benutzer dieses Rechners können es lesen, oder es gehört ihnen.") % settings.VAR,
                _("Als der Benutzer, der Club Ledger betreibt: chmod 700 %s") % settings.VAR,
            ),
            "clubledger.E007": (
                file and file.exists() and open_to_others(file.parent) and open_to_others(file),
                _("Andere Benutzer dieses Rechners können die Datenbank %s lesen.") % file,
                _("Als der Benutzer, der Club Ledger betreibt: chmod 600 %s") % file,
            ),
        }
    )


def _list_errors(findings: dict[str, tuple[object, str, str]]) -> list[CheckMessage]:
    return [Error(sentence, hint=hint, id=id) for id, (is_found, sentence, hint) in findings.items() if is_found]


def refuse_unsafe() -> None:
    if found := [*unsafe_settings(), *open_places()]:
        raise ImproperlyConfigured("\n".join(f"{error.msg} {error.hint}" for error in found))


def refuse_newer() -> None:
    """Raise ImproperlyConfigured if a newer program has changed the tables. Without an answer of the database, /healthz reports."""
    with suppress(DatabaseError):
        if newer := list_newer_migrations():
            sentence = _(
                "Die Datenbank ist neuer als dieses Programm (%s): das Programm erneuern oder eine Sicherung zurückspielen."
            )
            raise ImproperlyConfigured(sentence % newer[-1])
