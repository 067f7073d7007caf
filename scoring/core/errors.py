"""What every refusal is, and how a page says one. What the rules of the game refuse is `Refused` and comes from the
rules themselves."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.forms import BaseForm
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _


class ActionRefused(Exception):
    """Something that cannot be done now; `sentence` says what to do instead, `status` says it in HTTP. `about` is the field
    that it is said at, in a form that has this field."""

    sentence = _("Das geht so nicht.")
    status = 409
    field = ""

    def __str__(self) -> str:
        return str(self.sentence)


class InvalidInput(ActionRefused):
    """What was typed cannot be done as it stands: the request itself is at fault, not what happened meanwhile."""

    status = 422


class handle_refusal:  # noqa: N801  it is used as contextlib's are
    """What is refused inside is said by `say`, and what stands behind goes on."""

    def __init__(self, say: Callable[[ActionRefused], object]) -> None:
        self.say = say

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        if isinstance(error, ActionRefused):
            self.say(error)
        return isinstance(error, ActionRefused)


def warn_of_refusal(request: HttpRequest) -> handle_refusal:
    """What is refused inside is said on the next page."""
    return handle_refusal(lambda refused: messages.warning(request, str(refused)))


def show_refusal_in(form: BaseForm) -> handle_refusal:
    """What is refused inside is said in the form, at the field that it is about."""
    return handle_refusal(lambda refused: add_refusal_to(form, refused))


def add_refusal_to(form: BaseForm, refused: ActionRefused) -> None:
    form.add_error(refused.field if refused.field in form.fields else None, str(refused))
