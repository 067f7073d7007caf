"""Format log entries so that they contain no personal data: no names, no addresses, nothing that a user sent or typed. Values are
left out of the sentences, and an exception is logged with its traceback but without its message."""

from __future__ import annotations

import logging
import re
import time
import traceback
from collections import deque
from collections.abc import Iterator
from http import HTTPStatus
from threading import Thread
from types import TracebackType
from typing import Any

# A placeholder in a log message: %s, %d, %(name)r, %.2f
_PLACE = re.compile(r"%(\(\w+\))?[-#0 +]*[\d.]*[a-zA-Z]")
# SQLite names the violated constraint, or its columns.
_CONSTRAINT = re.compile(r"[A-Z ]+ constraint failed: ([a-z_0-9., ']+)$")
_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
_Fault = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


class WithoutPeople(logging.Filter):
    """Filter that removes all data of users: an entry about a response gets the status and the URL pattern, any other entry the
    message in the code without its values."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = _answered(record) if hasattr(record, "status_code") else _sentence(record), None
        return True


def _answered(record: Any) -> str:
    """Return the message for an entry of Django about a response. If the CSRF check refused a form, add Django's reason, but not
    the address of the other site, which follows it behind a dash."""
    status = HTTPStatus(record.status_code)
    why = f" ({str(record.args[0]).partition(' - ')[0]})" if record.name == "django.security.csrf" else ""
    match = record.request.resolver_match
    said = f"{status} {status.phrase}{why}: {match.route if match else 'no page of ours'}"
    return " ".join([said, *_traces(record)]) if _is_fault(record) else said


def _is_fault(record: logging.LogRecord) -> bool:
    """Return whether an entry is about a fault of the server: an error in the program, or a disk that cannot be written to."""
    status = getattr(record, "status_code", 500)
    return status == 500 or (status == 503 and record.exc_info is not None)


def _traces(record: Any) -> Iterator[str]:
    """Yield the details by which a fault can be found: its number, the method, the id of the club, and for each error its class,
    the codes of the database or the system, and the constraint. No value that a user typed is among them."""
    request = record.request
    if fault := getattr(request, "fault", None):
        yield f"fault={fault}"
    yield f"method={request.method if request.method in _METHODS else 'another'}"
    if club := getattr(request, "club_id", None):
        yield f"club={club}"
    for error in _chain(record.exc_info[1] if record.exc_info else None):
        yield f"error={_kind(error)}"
        yield from _codes(error)


def _codes(error: BaseException) -> Iterator[str]:
    codes = {name: getattr(error, name, None) for name in ("sqlstate", "sqlite_errorname", "errno")}
    codes["constraint"] = getattr(getattr(error, "diag", None), "constraint_name", None) or _of_sqlite(error)
    yield from (f"{name}={value}" for name, value in codes.items() if value)


def _of_sqlite(error: BaseException) -> str | None:
    """Return the constraint, or its columns, that an IntegrityError of SQLite names."""
    found = _CONSTRAINT.match(str(error)) if type(error).__name__ == "IntegrityError" else None
    return found[1].replace(" ", "") if found else None


def _sentence(record: logging.LogRecord) -> str:
    """Return the first line of a message without its values. If the message is an exception, return the name of its class."""
    if not isinstance(record.msg, str):
        return type(record.msg).__qualname__
    first = record.msg.partition("\n")[0]
    return _PLACE.sub("…", first) if record.args else first


class OnlyFaultsAtLength(logging.Filter):
    """Filter that removes the traceback of each response but a 500, and sets the level to WARNING if the server is not to blame. A
    404 is not logged at all, because bots request pages of other sites all day."""

    def filter(self, record: logging.LogRecord) -> bool:
        if getattr(record, "status_code", None) == HTTPStatus.NOT_FOUND:
            return False
        if not _is_fault(record):
            record.levelno, record.levelname = logging.WARNING, "WARNING"
        if getattr(record, "status_code", 500) != 500:
            record.exc_info = record.exc_text = None
        return True


class LogLine(logging.Formatter):
    """Formats an entry as one line, and a fault with its traceback. Messages of exceptions are left out: they quote values that
    users typed."""

    def formatException(self, ei: _Fault) -> str:  # noqa: N802  logging calls it so
        """Return the tracebacks of an error and of the errors that led to it, each with its class and codes only."""
        told = [
            "".join(["Traceback (most recent call last):\n", *traceback.format_tb(error.__traceback__), _kind(error)])
            + "".join(f" {code}" for code in _codes(error))
            for error in _chain(ei[1])
        ]
        return "\n\nThis led to:\n\n".join(reversed(told))


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and the errors that led to it, the last one first."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def _kind(error: BaseException) -> str:
    return f"{type(error).__module__}.{type(error).__qualname__}".removeprefix("builtins.")


class FaultMail(logging.Handler):
    """Mails log entries about faults to ERROR_MAIL, in a thread of its own: at most MOST mails an hour from each process."""

    MOST = 5

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self._sent: deque[float] = deque(maxlen=self.MOST)

    def emit(self, record: logging.LogRecord) -> None:
        now = time.monotonic()
        is_enough = len(self._sent) == self.MOST and now - self._sent[0] < 3600
        if record.levelno < logging.ERROR or is_enough:
            return
        self._sent.append(now)
        Thread(target=self._send, args=(record.getMessage(), self.format(record)), daemon=True).start()

    def _send(self, subject: str, text: str) -> None:
        from django.conf import settings
        from django.core.mail import send_mail

        send_mail(f"Club Ledger: {subject}", text, None, settings.ERROR_MAIL, fail_silently=True)
