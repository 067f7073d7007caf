"""Log entries without personal data: sentences without their values, and tracebacks without messages."""

from __future__ import annotations

import logging
import re
import time
import traceback
from collections import deque
from collections.abc import Iterator
from http import HTTPStatus
from threading import Thread
from typing import Any

# A placeholder in a log message: %s, %d, %(name)r, %.2f
_PLACEHOLDER = re.compile(r"%(\(\w+\))?[-#0 +]*[\d.]*[a-zA-Z]")
# SQLite names the violated constraint, or its columns.
_CONSTRAINT = re.compile(r"[A-Z ]+ constraint failed: ([a-z_0-9., ']+)$")
_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


class EntryFilter(logging.Filter):
    """Remove personal data from a log entry: what stays is the message without its values or, for a response, status and URL
    pattern. Only a 500 keeps its traceback. Responses that are no faults (see `_is_fault`) are warnings, and a 404 is dropped,
    since bots cause it all day."""

    def filter(self, record: logging.LogRecord) -> bool:
        status = getattr(record, "status_code", None)
        if status == HTTPStatus.NOT_FOUND:
            return False
        record.msg, record.args = _get_message(record) if status is None else _describe_response(record), None
        if not _is_fault(record):
            record.levelno, record.levelname = logging.WARNING, "WARNING"
        if status not in (None, 500):
            record.exc_info = record.exc_text = None
        return True


def _describe_response(record: Any) -> str:
    """Return the message about a response. A refusal by the CSRF check has its reason, without the address of the other site."""
    status = HTTPStatus(record.status_code)
    reason = f" ({str(record.args[0]).partition(' - ')[0]})" if record.name == "django.security.csrf" else ""
    match = record.request.resolver_match
    message = f"{status} {status.phrase}{reason}: {match.route if match else 'no page of ours'}"
    return " ".join([message, *_list_fault_details(record)]) if _is_fault(record) else message


def _is_fault(record: logging.LogRecord) -> bool:
    """Return whether the program failed. An entry that is not about a response counts like a 500."""
    status = getattr(record, "status_code", 500)
    return status == 500 or (status == 503 and record.exc_info is not None)


def _list_fault_details(record: Any) -> Iterator[str]:
    """Yield details that help to find the cause of a fault, but no value that a user typed."""
    request = record.request
    if number := getattr(request, "fault_number", None):
        yield f"fault={number}"
    yield f"method={request.method if request.method in _METHODS else 'another'}"
    if club := getattr(request, "club_id", None):
        yield f"club={club}"
    for error in _list_causes(record.exc_info[1] if record.exc_info else None):
        yield f"error={_get_class_name(error)}"
        yield from _list_codes(error)


def _list_codes(error: BaseException) -> Iterator[str]:
    codes = {name: getattr(error, name, None) for name in ("sqlstate", "sqlite_errorname", "errno")}
    codes["constraint"] = getattr(getattr(error, "diag", None), "constraint_name", None) or _get_constraint_of_sqlite(error)
    yield from (f"{name}={value}" for name, value in codes.items() if value)


def _get_constraint_of_sqlite(error: BaseException) -> str | None:
    found = _CONSTRAINT.match(str(error)) if type(error).__name__ == "IntegrityError" else None
    return found[1].replace(" ", "") if found else None


def _get_message(record: logging.LogRecord) -> str:
    if not isinstance(record.msg, str):
        return type(record.msg).__qualname__
    first = record.msg.partition("\n")[0]
    return _PLACEHOLDER.sub("…", first) if record.args else first


class LogLine(logging.Formatter):
    """Format an entry as one line. A traceback follows without the messages of its exceptions, which may quote what users typed."""

    def formatException(self, ei: Any) -> str:  # noqa: N802  logging calls it so
        traces = [
            "".join(["Traceback (most recent call last):\n", *traceback.format_tb(error.__traceback__), _get_class_name(error)])
            + "".join(f" {code}" for code in _list_codes(error))
            for error in _list_causes(ei[1])
        ]
        return "\n\nThis led to:\n\n".join(reversed(traces))


def _list_causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield the error, then the error that it followed from, and so on; each once."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def _get_class_name(error: BaseException) -> str:
    return f"{type(error).__module__}.{type(error).__qualname__}".removeprefix("builtins.")


class FaultMail(logging.Handler):
    """Mail faults to ERROR_MAIL, in a thread of its own: at most MAX_PER_HOUR mails an hour from each process."""

    MAX_PER_HOUR = 5

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self._sent: deque[float] = deque(maxlen=self.MAX_PER_HOUR)

    def emit(self, record: logging.LogRecord) -> None:
        now = time.monotonic()
        is_enough = len(self._sent) == self.MAX_PER_HOUR and now - self._sent[0] < 3600
        if record.levelno < logging.ERROR or is_enough:
            return
        self._sent.append(now)
        Thread(target=self._send, args=(record.getMessage(), self.format(record)), daemon=True).start()

    def _send(self, subject: str, text: str) -> None:
        from django.conf import settings
        from django.core.mail import send_mail

        send_mail(f"Club Ledger: {subject}", text, None, settings.ERROR_MAIL, fail_silently=True)
