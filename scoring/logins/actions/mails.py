"""Sends mails, one after the other, in a thread of its own: so the time of an answer tells nobody whether there was somebody to
write to, and a slow mail server holds up no page. A mail that cannot be sent is not tried again, and mails that still wait are
lost when the process ends: whoever waits for one asks once more."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import cache
from queue import Full, Queue
from threading import Thread
from typing import Final

from django.db import connection
from django.utils import translation

# Where more wait than that, somebody plays.
waiting: Final[Queue[tuple[Callable[[], None], str | None]]] = Queue(maxsize=50)
_log = logging.getLogger(__name__)


def send_later(send: Callable[[], None]) -> None:
    """Call `send` soon, in the language of this moment."""
    _begin()
    try:
        waiting.put_nowait((send, translation.get_language()))
    except Full:
        _log.warning("Too many mails wait: one is not sent.")


@cache
def _begin() -> None:
    Thread(target=_send, name="mail", daemon=True).start()


def _send() -> None:
    while True:
        send, language = waiting.get()
        try:
            with translation.override(language):
                send()
        except Exception:
            _log.exception("A mail was not sent.")
        finally:
            connection.close()
            waiting.task_done()
