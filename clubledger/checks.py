"""Decides which settings are too dangerous to start with. Each refusal is an error of `manage.py check`, and the server
does not start while there is one."""

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

from clubledger.private import open_to_others
from clubledger.version import newer_than_program
from clubledger.web.addresses import is_loopback


@register(Tags.security)
def unsafe_settings(app_configs: Sequence[Any] | None = None, **kwargs: Any) -> list[CheckMessage]:
    """One error for each setting, or pair of settings, nobody may serve a club with."""
    found: list[CheckMessage] = []
    reachable = [host for host in settings.ALLOWED_HOSTS if not is_loopback(host)]
    if settings.DEBUG and reachable:
        found.append(
            Error(
                f"DEBUG shows passwords and code to everybody who causes an error, and {', '.join(reachable)} can be "
                "reached by others.",
                hint="Unset DEBUG, or leave ALLOWED_HOSTS at localhost while you look for the mistake.",
                id="clubledger.E001",
            )
        )
    key = settings.SECRET_KEY
    if len(key) < 50 or len(set(key)) < 10 or "insecure" in key:
        found.append(
            Error(
                "SECRET_KEY is too short or too simple: whoever guesses it can log in as anybody.",
                hint="Unset SECRET_KEY, then one is made and kept in var/secret_key; or set 50 random characters.",
                id="clubledger.E002",
            )
        )
    if any(host.startswith("*") for host in settings.ALLOWED_HOSTS):
        found.append(
            Error(
                "ALLOWED_HOSTS accepts any name, so a link can be made to point anywhere.",
                hint="Name the hosts, separated by commas: ALLOWED_HOSTS=club.example,www.club.example",
                id="clubledger.E003",
            )
        )
    kept = settings.VAR / "secret_key"
    if kept.exists() and kept.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        found.append(
            Error(
                "var/secret_key can be read by other users of this machine.",
                hint="Run: chmod 600 var/secret_key",
                id="clubledger.E004",
            )
        )
    if settings.HTTPS and not settings.TRUSTED_PROXIES:
        found.append(
            Error(
                "HTTPS is on, but no proxy is trusted to say that a request came over HTTPS, so every page would "
                "redirect to itself and every client would look the same to the login throttle.",
                hint="Set TRUSTED_PROXIES=1 when one proxy of your own stands in front of this server.",
                id="clubledger.E005",
            )
        )
    if settings.CAN_MAIL and "@" not in settings.DEFAULT_FROM_EMAIL:
        found.append(
            Error(
                "EMAIL_URL is set, and nobody knows from whom the mails are.",
                hint="Name the address: EMAIL_FROM=club@example.org",
                id="clubledger.E008",
            )
        )
    if settings.ERROR_MAIL and not settings.CAN_MAIL:
        found.append(
            Error(
                "ERROR_MAIL is set, and no server sends mails.",
                hint="Name one in EMAIL_URL (docs/server.md), or unset ERROR_MAIL.",
                id="clubledger.E011",
            )
        )
    if settings.FOUNDING == "open" and settings.CAN_MAIL and not settings.SITE_URL:
        found.append(
            Error(
                "FOUNDING is open and mails are sent, but this server does not know its own address for the links in them.",
                hint="Name it: SITE_URL=https://club.example",
                id="clubledger.E012",
            )
        )
    if settings.SITE_URL and not validate_host(split_domain_port(urlsplit(settings.SITE_URL).netloc)[0], settings.ALLOWED_HOSTS):
        found.append(
            Error(
                f"SITE_URL is {settings.SITE_URL}, and ALLOWED_HOSTS does not have that name: the links in mails lead nowhere.",
                hint="Name the same host in both: SITE_URL=https://club.example ALLOWED_HOSTS=club.example",
                id="clubledger.E010",
            )
        )
    if settings.WORKERS < 1 or (settings.WORKERS > 1 and connection.vendor == "sqlite"):
        found.append(
            Error(
                f"WORKERS is {settings.WORKERS}: SQLite is served by one process, PostgreSQL by one or more.",
                hint="Unset WORKERS, or move to PostgreSQL (docs/server.md).",
                id="clubledger.E009",
            )
        )
    return found


@register(Tags.security)
def open_places(app_configs: Sequence[Any] | None = None, **kwargs: Any) -> list[CheckMessage]:
    """One error for each place where others could read along: the folder of the installation, and its database elsewhere."""
    found: list[CheckMessage] = []
    if settings.VAR.exists() and open_to_others(settings.VAR):
        found.append(
            Error(
                f"{settings.VAR}, where everything is kept, can be read by other users of this machine, or belongs to one.",
                hint=f"As the user that runs Club Ledger: chmod 700 {settings.VAR}",
                id="clubledger.E006",
            )
        )
    file = Path(connection.settings_dict["NAME"]) if connection.vendor == "sqlite" else None
    # A file in a folder that is closed to others is closed to them, whatever its own mode says.
    if file and file.exists() and open_to_others(file.parent) and open_to_others(file):
        found.append(
            Error(
                f"{file}, the database, can be read by other users of this machine.",
                hint=f"As the user that runs Club Ledger: chmod 600 {file}",
                id="clubledger.E007",
            )
        )
    return found


def refuse_unsafe() -> None:
    """Raise ImproperlyConfigured with every sentence of the checks above, if there is one."""
    found = [*unsafe_settings(), *open_places()]
    if found:
        raise ImproperlyConfigured("\n".join(f"{error.msg} {error.hint}" for error in found))


def refuse_newer() -> None:
    """Raise ImproperlyConfigured if a newer program has changed the tables of the database. One that does not answer is no reason
    not to start: /healthz says so."""
    with suppress(DatabaseError):
        if newer := newer_than_program():
            raise ImproperlyConfigured(
                f"The database is newer than this program ({newer[-1]}): update the program, or restore a backup."
            )
