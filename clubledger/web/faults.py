"""Give every fault a number: on the page and in the log, and in a file of VAR_DIR from which faults are counted."""

from __future__ import annotations

import datetime
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, HttpResponseServerError, JsonResponse
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from clubledger.version import list_newer_migrations
from clubledger.web.overload import wants_json

DAYS: Final = 7  # the last days whose faults are counted
MOST_BYTES: Final = 1_000_000  # then the file is rotated


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
