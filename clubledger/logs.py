"""Decides what a line of the log says: what happened, and where in the program. It never holds what somebody sent or typed,
a name or an address. Values are left out of the sentences, and of an exception the log has the stack without the
message."""

from __future__ import annotations

import logging
import re
import traceback
from http import HTTPStatus
from types import TracebackType
from typing import Any

# Where a value stands in a sentence: %s, %d, %(name)r, %.2f
_PLACE = re.compile(r"%(\(\w+\))?[-#0 +]*[\d.]*[a-zA-Z]")
_Fault = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


class WithoutPeople(logging.Filter):
    """Says the same without anything that came from outside: an answer by its status and the pattern of the address, everything
    else by the sentence in the code."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = _answered(record) if hasattr(record, "status_code") else _sentence(record), None
        return True


def _answered(record: Any) -> str:
    """A line of Django about an answer. Why a form of another site was refused is one of Django's own sentences, with the
    address of that site behind a dash."""
    status = HTTPStatus(record.status_code)
    why = f" ({str(record.args[0]).partition(' - ')[0]})" if record.name == "django.security.csrf" else ""
    match = record.request.resolver_match
    return f"{status} {status.phrase}{why}: {match.route if match else 'no page of ours'}"


def _sentence(record: logging.LogRecord) -> str:
    """The first line, with nothing put in. A line that is nothing but an error is said by its kind."""
    if not isinstance(record.msg, str):
        return type(record.msg).__qualname__
    first = record.msg.partition("\n")[0]
    return _PLACE.sub("…", first) if record.args else first


class OnlyFaultsAtLength(logging.Filter):
    """An answer that was meant (refused, not found, come again) is one line; how the code got there is told of faults."""

    def filter(self, record: logging.LogRecord) -> bool:
        if getattr(record, "status_code", 500) != 500:
            record.exc_info = record.exc_text = None
            record.levelno, record.levelname = logging.WARNING, "WARNING"
        return True


class LogLine(logging.Formatter):
    """One line, and of a fault the way there: the message of an error quotes what it could not read or store."""

    def formatException(self, ei: _Fault) -> str:  # noqa: N802  logging calls it so
        """The way to an error and to those before it, each with its kind alone."""
        told: list[str] = []
        seen: set[int] = set()
        error = ei[1]
        while error is not None and id(error) not in seen:
            seen.add(id(error))
            kind = f"{type(error).__module__}.{type(error).__qualname__}".removeprefix("builtins.")
            told.insert(
                0, "".join(["Traceback (most recent call last):\n", *traceback.format_tb(error.__traceback__), kind])
            )
            error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        return "\n\nThis led to:\n\n".join(told)
