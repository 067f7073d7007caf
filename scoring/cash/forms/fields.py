"""How days and keys are typed on the pages of the Kasse."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from typing import Any
from uuid import uuid4

from crispy_forms.bootstrap import InlineRadios
from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.cash.queries.books import usual_at_most
from scoring.cash.words.money import euros
from scoring.core.dates import FIRST_DAY
from scoring.core.forms import DayInput
from scoring.core.text import tidy, validate_plain


class DayField(forms.DateField):
    """A day between the first one that is open and today."""

    def __init__(self, *, first: datetime.date | None, **kwargs: Any) -> None:
        self.first, self.last = first or FIRST_DAY, timezone.localdate()
        attrs = {"min": self.first.isoformat(), "max": self.last.isoformat()}
        super().__init__(
            label=kwargs.pop("label", _("Tag")),
            error_messages={"required": _("Bitte einen Tag angeben.")},
            initial=self.last,
            widget=DayInput(attrs),
            **kwargs,
        )

    def clean(self, value: Any) -> Any:
        day = super().clean(value)
        if day and not self.first <= day <= self.last:
            said = {name: date_format(one, "SHORT_DATE_FORMAT") for name, one in (("first", self.first), ("last", self.last))}
            raise ValidationError(_("Bitte einen Tag vom %(first)s bis zum %(last)s angeben.") % said)
        return day


def unusual_sentence(club: int, amounts: Iterable[int | None]) -> str:
    """Return what is odd about the largest of these amounts in cents; empty where it is usual in this Kasse."""
    largest = max((abs(cents or 0) for cents in amounts), default=0)
    if not largest or largest <= usual_at_most(club):
        return ""
    return _("%(amount)s ist hier ungewöhnlich viel.") % {"amount": euros(largest)}


class KeyedForm(forms.Form):
    """A form whose key makes a second tap the same booking."""

    def __init__(self, data: QueryDict | None, **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        self.fields["key"] = forms.UUIDField(required=False, widget=forms.HiddenInput, initial=uuid4)

    def clean(self) -> dict[str, Any]:
        """A hidden field has no place for what is wrong with it."""
        told = super().clean() or self.cleaned_data
        if not told.get("key"):
            self.errors.pop("key", None)
            self.add_error(None, _("Bitte die Seite neu laden und noch einmal eingeben."))
        return told


class ReasonField(forms.CharField):
    """A line of text: why, or what for."""

    def __init__(self, *, required: bool = True, **kwargs: Any) -> None:
        if required:
            sentence = gettext_lazy("Bitte einen Grund angeben, mit 3 bis 200 Zeichen.")
        else:
            sentence = gettext_lazy("Bitte 3 bis 200 Zeichen eingeben, oder nichts.")
        super().__init__(
            required=required,
            max_length=200,
            min_length=3,
            validators=[validate_plain],
            error_messages=dict.fromkeys(("required", "min_length", "max_length"), sentence),
            **kwargs,
        )

    def to_python(self, value: Any) -> str:
        return tidy(super().to_python(value) or "")


def laid_out(form: forms.Form) -> list[Any]:
    """The fields in their order; two ways beside each other, so that the button stays in sight."""
    return [
        InlineRadios(name) if isinstance(field, forms.ChoiceField) and name in ("box", "side") else name
        for name, field in form.fields.items()
    ]
