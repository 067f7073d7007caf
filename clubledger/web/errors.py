"""Answer what Django and the database refuse. 403 for a form with an old CSRF token, 500 with a number for a fault, and 503 with
Retry-After if the database is busy or away, the disk full or read-only, or all slots for long work taken."""

from __future__ import annotations

import datetime
import re
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import psycopg
from django.conf import settings
from django.db import DatabaseError, InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponseServerError, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.log import log_response
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from clubledger.disk import get_disk_trouble
from clubledger.version import list_newer_migrations

# Fields with this in their names are not written into the page; the user types them again.
_SECRET = "password"  # noqa: S105  # nosec B105  # part of the names of fields
_TOKEN = "csrfmiddlewaretoken"  # noqa: S105  # nosec B105  # a name of a field
DAYS: Final = 7  # the last days whose faults are counted
MOST_BYTES: Final = 1_000_000  # then the file is rotated
RETRY_AFTER = 2  # seconds
DISK_RETRY_AFTER = 60  # if the disk is full or read-only
# SQLite: another connection holds the write lock. Recognized by the message, since the newest pysqlite3 sets no error code.
LOCKED = re.compile("database (table |schema )?is locked")
BUSY_CODES = ("55P03", "40P01", "53300")  # PostgreSQL: lock timeout, deadlock, too many connections
AWAY_CODES = ("57P01", "57P02", "57P03")  # PostgreSQL: shutting down, crashed, starting


def is_busy(error: BaseException) -> bool:
    """Return whether the database was too busy to write anything."""
    cause = error.__cause__
    if isinstance(cause, psycopg.Error):
        return cause.sqlstate in BUSY_CODES
    # Matched by message, not by class: clubledger.use_newest_sqlite may replace the sqlite3 module after this module was imported.
    return LOCKED.match(str(cause)) is not None


def is_away(error: BaseException) -> bool:
    """Return whether PostgreSQL could not be reached, ended the connection, or lost it (an error without a code)."""
    cause = error.__cause__
    if isinstance(cause, psycopg.OperationalError):
        return cause.sqlstate is None or cause.sqlstate in AWAY_CODES or cause.sqlstate.startswith("08")
    return isinstance(cause, psycopg.InterfaceError)


def answer_overload(request: HttpRequest, error: BaseException | None) -> HttpResponse | None:
    """Return 503 with Retry-After, as a page or as JSON; None for an error with another cause.
    After a lost connection the sentence does not claim that nothing was saved: that is unknown."""
    seconds = getattr(error, "retry_after", RETRY_AFTER)
    disk = get_disk_trouble(error)
    if disk:
        sentence, seconds = disk.sentence(), DISK_RETRY_AFTER
    elif hasattr(error, "retry_after"):
        sentence = str(error)
    elif not isinstance(error, (OperationalError, InterfaceError)):
        return None
    elif is_busy(error):
        sentence = _("Gerade ist zu viel los. Nichts davon ist gespeichert: bitte gleich noch einmal.")
    elif is_away(error):
        sentence = _("Die Datenbank antwortet gerade nicht. Bitte gleich nachsehen, ob es gespeichert ist.")
    else:
        return None
    if wants_json(request):
        response: HttpResponse = JsonResponse({"error": sentence}, status=503)
    else:
        heading = _("Gerade lässt sich nichts speichern") if disk else _("Bitte gleich noch einmal")
        response = render(request, "503.html", {"heading": heading, "sentence": sentence}, status=503)
    response.headers["Retry-After"] = str(seconds)
    if disk:  # so that the log has the error (clubledger/logs.py)
        log_response(response.reason_phrase, response=response, request=request, exception=error)
    return response


def wants_json(request: HttpRequest) -> bool:
    types = ["text/html", "application/json"]
    return request.content_type == types[1] or request.get_preferred_type(types) == types[1]


def answer_stale_form(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Return 403 for what Django's CSRF middleware refuses, with the typed values in a form with a new token.
    Values from another site are not shown: one tap on our page would send them with a valid token."""
    context: dict[str, list[Any]] = {"fields": [], "secrets": [], "files": []}
    site, origin = request.headers.get("Sec-Fetch-Site"), f"{request.scheme}://{request.get_host()}"
    is_from_our_page = site == "same-origin" if site else request.headers.get("Origin") == origin  # without HTTPS only Origin
    if is_from_our_page:
        names = [name for name in request.POST if name != _TOKEN]
        context = {
            "fields": [(name, value) for name in names if _SECRET not in name for value in request.POST.getlist(name)],
            "secrets": [name for name in names if _SECRET in name],
            "files": list(request.FILES),
        }
    return render(request, "403_csrf.html", {**context, "reason": reason}, status=403)


def answer_fault(request: HttpRequest) -> HttpResponse:
    """Return 500 with a number, as a page or as JSON. It works without the database."""
    number = secrets.token_hex(4)
    request.fault_number = number  # type: ignore[attr-defined]  # clubledger.logs reads it
    with suppress(OSError):
        file = _file()
        if file.exists() and file.stat().st_size > MOST_BYTES:
            file.replace(file.with_suffix(".old"))
        with file.open("a") as noted:
            noted.write(f"{timezone.now().isoformat()} {number}\n")
    if wants_json(request):
        sentence = _("Der Fehler liegt bei uns. Im Protokoll steht er unter der Nummer %(number)s.")
        return JsonResponse({"error": sentence % {"number": number}, "fault": number}, status=500)
    return HttpResponseServerError(render_to_string("500.html", {"number": number}))


def count_faults() -> int:
    since = (timezone.now() - datetime.timedelta(days=DAYS)).isoformat()
    count = 0
    for file in (_file(), _file().with_suffix(".old")):
        with suppress(OSError):
            count += sum(line > since for line in file.read_text().splitlines())
    return count


def _file() -> Path:
    return Path(settings.VAR) / "faults"


@require_safe
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    try:
        fault = "the database is newer than this program" if list_newer_migrations() else ""
    except DatabaseError:
        fault = "the database does not answer"
    return HttpResponse(f"{fault or 'ok'}\n", status=503 if fault else 200, content_type="text/plain")
