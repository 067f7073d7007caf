"""What every refusal is, and how a page that leads on says one. What the rules of the game refuse is `Refused` and comes from the
rules themselves."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _


class ActionRefused(Exception):
    """Something that cannot be done now; `sentence` says what to do instead, `status` says it in HTTP."""

    sentence = _("Das geht so nicht.")
    status = 409

    def __str__(self) -> str:
        return str(self.sentence)


class TypedWrong(ActionRefused):
    """What was typed cannot be done as it stands: the request itself is at fault, not what happened meanwhile."""

    status = 422


class warn_if_refused:  # noqa: N801  it is used as contextlib's are
    """What is refused inside is said on the next page."""

    def __init__(self, request: HttpRequest) -> None:
        self.request = request

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        if isinstance(error, ActionRefused):
            messages.warning(self.request, str(error))
        return isinstance(error, ActionRefused)
