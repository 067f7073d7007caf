"""Decides what the log must never hold: the secret in the address of a link, and pages of code about what is no fault."""

from __future__ import annotations

import logging
import re

_SECRET = re.compile(r"/t/[^/\s?]+")


class WithoutSecrets(logging.Filter):
    """Takes the secret out of every line; what else the line says stays."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = _SECRET.sub("/t/…", record.getMessage()), None
        return True


class OnlyFaultsAtLength(logging.Filter):
    """An answer that was meant (refused, not found, come again) is one line; how the code got there is told of faults."""

    def filter(self, record: logging.LogRecord) -> bool:
        if getattr(record, "status_code", 500) != 500:
            record.exc_info = record.exc_text = None
        return True
