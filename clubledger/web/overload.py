"""Decides what a phone is told when the database is too busy, when the disk takes nothing, or when all places for long work are
taken: no error, but when to try again. This holds at every point of a request, also when the session is saved after the view."""

from __future__ import annotations

import re
from collections.abc import Callable

import psycopg
from django.contrib.sessions.exceptions import SessionInterrupted
from django.contrib.sessions.middleware import SessionMiddleware
from django.db import DatabaseError, InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.utils.log import log_response
from django.utils.translation import gettext as _

from clubledger.disk import disk_trouble

# Seconds after which a lock that was waited for in vain may be free.
RETRY_AFTER = 2
# Seconds after which somebody may have made room on the disk.
ROOM_AGAIN = 60
# SQLite: somebody else writes, and did not finish. Its newest package for Python has the sentence and no number.
LOCKED = re.compile("database (table |schema )?is locked")
# PostgreSQL: a lock was waited for too long, two writers waited for each other, too many connections.
BUSY = ("55P03", "40P01", "53300")
# PostgreSQL: it is being stopped, has crashed, is just starting.
AWAY = ("57P01", "57P02", "57P03")


def is_busy(error: BaseException) -> bool:
    """Whether the database would have done it at another moment, and nothing of it was done."""
    cause = error.__cause__
    if isinstance(cause, psycopg.Error):
        return cause.sqlstate in BUSY
    # Known by its sentence: which SQLite says it is decided (clubledger/sqlite.py) after this file is first imported.
    return LOCKED.match(str(cause)) is not None


def is_away(error: BaseException) -> bool:
    """Whether PostgreSQL could not be reached, or was lost in the middle: an error without a code is the line's own."""
    cause = error.__cause__
    if isinstance(cause, psycopg.OperationalError):
        return cause.sqlstate is None or cause.sqlstate in AWAY or cause.sqlstate.startswith("08")
    return isinstance(cause, psycopg.InterfaceError)


def overloaded(request: HttpRequest, error: BaseException | None) -> HttpResponse | None:
    """503 with Retry-After in the manner that was asked for; None where the error is another fault. An error of the app that
    is none says it in a sentence, and has `retry_after`, the seconds. Whoever lost the database in the middle is not told
    that nothing is stored: nobody knows."""
    seconds = getattr(error, "retry_after", RETRY_AFTER)
    disk = disk_trouble(error)
    if disk:
        sentence, seconds = disk.sentence(), ROOM_AGAIN
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
    if disk:  # the log names it (clubledger/logs.py)
        log_response(response.reason_phrase, response=response, request=request, exception=error)
    return response


def wants_json(request: HttpRequest) -> bool:
    """Return whether JSON was sent, or is preferred to a page."""
    types = ["text/html", "application/json"]
    return request.content_type == types[1] or request.get_preferred_type(types) == types[1]


class OverloadMiddleware:
    """Answers 503 where a view meets a busy database, or a disk that takes nothing."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        return overloaded(request, exception)


class Sessions(SessionMiddleware):
    """Sessions that are saved after the view, where no other middleware sees what goes wrong."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Return the view's answer, or that it cannot be kept who is asking. A page or file that was only read is handed out
        also where the disk takes nothing."""
        try:
            return super().process_response(request, response)
        except (DatabaseError, InterfaceError, SessionInterrupted) as error:
            if disk_trouble(_behind(error)) and request.method in ("GET", "HEAD") and response.status_code == 200:
                patch_vary_headers(response, ["Cookie"])
                return response
            answer = overloaded(request, _behind(error))
            if answer is None:
                raise
            return answer


def _behind(error: BaseException) -> BaseException | None:
    """The store says of whatever kept it from writing a row that the row is gone; the reason stands two errors behind."""
    if isinstance(error, SessionInterrupted) and error.__context__ is not None:
        return error.__context__.__context__
    return error
