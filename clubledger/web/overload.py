"""Answer 503 with Retry-After if the database is busy or away, the disk full or read-only, or all slots for long work taken."""

from __future__ import annotations

import re

import psycopg
from django.contrib.sessions.exceptions import SessionInterrupted
from django.contrib.sessions.middleware import SessionMiddleware
from django.db import DatabaseError, InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.utils.deprecation import MiddlewareMixin
from django.utils.log import log_response
from django.utils.translation import gettext as _

from clubledger.disk import get_disk_trouble

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
    # Matched by message, not by class: clubledger/sqlite.py may replace the sqlite3 module after this module was imported.
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


class OverloadMiddleware(MiddlewareMixin):
    """Answer errors of views with 503 if waiting helps."""

    async_capable = False

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        return answer_overload(request, exception)


class Sessions(SessionMiddleware):
    """Django's session middleware with 503 for errors while the session is saved, where no other middleware catches them."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Return the response, or 503 if the session cannot be saved. A GET is answered on a full disk all the same."""
        try:
            return super().process_response(request, response)
        except (DatabaseError, InterfaceError, SessionInterrupted) as error:
            if get_disk_trouble(_get_cause(error)) and request.method in ("GET", "HEAD") and response.status_code == 200:
                patch_vary_headers(response, ["Cookie"])
                return response
            answer = answer_overload(request, _get_cause(error))
            if answer is None:
                raise
            return answer


def _get_cause(error: BaseException) -> BaseException | None:
    """Return the error behind SessionInterrupted: the session store turns any error of writing into a deleted session."""
    if isinstance(error, SessionInterrupted) and error.__context__ is not None:
        return error.__context__.__context__
    return error
