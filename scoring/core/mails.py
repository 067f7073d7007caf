"""Sends mails, one after the other, in a thread of its own. So the time of an answer does not tell whether there is such a
login, and a slow mail server holds up no page. A mail that cannot be sent is not tried again, and waiting mails are lost
when the process ends: people ask for another one."""

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
waiting: Final[Queue[tuple[Callable[[], object], str | None]]] = Queue(maxsize=50)
_log = logging.getLogger(__name__)


def send_later(send: Callable[[], object]) -> None:
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
