"""Refusals of actions, and how a page shows them. What the rules of the game refuse is another exception (scoring.rules)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from django.contrib import messages
from django.forms import BaseForm
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


class ActionRefused(Exception):
    """An action that cannot be done now, with a sentence, an HTTP status, and the form field to show it at.
    A subclass sets them for a refusal that is caught by name; any other refusal is raised as ActionRefused(sentence)."""

    sentence: StrOrPromise = _("Das geht so nicht.")
    status = 409
    field = ""

    def __init__(self, sentence: StrOrPromise | None = None, *, status: int | None = None, field: str | None = None) -> None:
        super().__init__()
        self.sentence = self.sentence if sentence is None else sentence
        self.status = self.status if status is None else status
        self.field = self.field if field is None else field

    def __str__(self) -> str:
        return str(self.sentence)


class InvalidInput(ActionRefused):
    """A refusal because of the input itself, not because of what happened meanwhile."""

    status = 422


class handle_refusal:  # noqa: N801  it is used as contextlib's are
    """Pass a refusal in the `with` block to `handle`; its HTTP status is the `status` then, else 0. A class: mypy believes that no
    @contextmanager swallows an exception."""

    def __init__(self, handle: Callable[[ActionRefused], object]) -> None:
        self.handle = handle
        self.status = 0

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        if isinstance(error, ActionRefused):
            self.handle(error)
            self.status = error.status
        return isinstance(error, ActionRefused)


def warn_of_refusal(request: HttpRequest) -> handle_refusal:
    """Show a refusal in the `with` block as a message on the next page."""
    return handle_refusal(lambda refused: messages.warning(request, str(refused)))


def show_refusal_in(form: BaseForm) -> handle_refusal:
    return handle_refusal(lambda refused: add_refusal_to(form, refused))


def add_refusal_to(form: BaseForm, refused: ActionRefused) -> None:
    form.add_error(refused.field if refused.field in form.fields else None, str(refused))
