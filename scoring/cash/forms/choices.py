"""Lists to choose from that more than one page of the Kasse has: how an amount is rounded, and the field for such a list."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy

from scoring.core.formats import NAME_ATTRS

ROUND_TO: Final = tuple((cents, str(cents)) for cents in (1, 5, 10, 50, 100))
ROUND_HOW: Final = (
    ("nearest", gettext_lazy("auf den nächsten Betrag")),
    ("down", gettext_lazy("immer ab")),
    ("up", gettext_lazy("immer auf")),
)


def select(**attrs: str) -> forms.Select:
    return forms.Select(attrs={"class": "form-select"} | attrs)


def choice(
    label: str, choices: Sequence[tuple[Any, Any]], initial: Any = None, required: bool = True
) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, choices=choices, initial=initial, required=required, widget=select())


def choice_of_people(
    label: str, people: Iterable[tuple[Any, Any]], initial: Any = None, required: bool = True
) -> forms.ChoiceField:
    return forms.ChoiceField(
        label=label, choices=list(people), initial=initial, required=required, widget=select(**NAME_ATTRS)
    )
