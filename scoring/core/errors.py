"""What every refusal is, and how a page that leads on says one. What the rules of the game refuse is `Refused` and comes from the
rules themselves."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _


class ActionRefused(Exception):
    """Something that cannot be done now; `sentence` says what to do instead, `status` says it in HTTP."""

    sentence = _("Das geht so nicht.")
    status = 409

    def __str__(self) -> str:
        return str(self.sentence)


@contextmanager
def warn_if_refused(request: HttpRequest) -> Iterator[None]:
    """What is refused inside is said on the next page."""
    try:
        yield
    except ActionRefused as refused:
        messages.warning(request, str(refused))
