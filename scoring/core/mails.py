"""Send mails: to the members of a club, or in a thread of its own, so that the time of a response does not tell whether a login
exists. There failed mails are lost."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import cache
from queue import Full, Queue
from threading import Thread
from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.contrib.auth.models import User
from django.core.mail import send_mail
from django.db import connection
from django.template.loader import render_to_string
from django.utils import translation

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

# More waiting mails than this are an attack.
waiting: Final[Queue[tuple[Callable[[], object], str | None]]] = Queue(maxsize=50)
_log = logging.getLogger(__name__)


def mail_members(club: int, subject: StrOrPromise, template: str, context: dict[str, Any]) -> bool:
    """Mail all members of a club (its id) who have an address, in every language. Return whether all mails were sent."""
    subjects, texts = [], []
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            subjects.append(str(subject))
            texts.append(render_to_string(template, context).strip())
    sent = True
    for user in User.objects.filter(memberships__club=club, is_active=True).exclude(email=""):
        try:
            send_mail(" / ".join(subjects), "\n\n--\n\n".join(texts) + "\n", None, [user.email])
        except OSError:
            _log.exception("A mail was not sent.")
            sent = False
    return sent


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
