"""Send mails in a thread of its own: the time of a response does not tell whether a login exists. Failed mails are lost."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import cache
from queue import Full, Queue
from threading import Thread
from typing import Final

from django.db import connection
from django.utils import translation

# More waiting mails than this are an attack.
waiting: Final[Queue[tuple[Callable[[], object], str | None]]] = Queue(maxsize=50)
_log = logging.getLogger(__name__)


def send_later(send: Callable[[], object]) -> None:
    _start_thread()
    try:
        waiting.put_nowait((send, translation.get_language()))
    except Full:
        _log.warning("Too many mails wait: one is not sent.")


@cache
def _start_thread() -> None:
    Thread(target=_send_waiting, name="mail", daemon=True).start()


def _send_waiting() -> None:
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
