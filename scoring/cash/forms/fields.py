"""How days and keys are typed on the pages of the Kasse."""

from __future__ import annotations

import datetime
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
from scoring.core.days import FIRST_DAY, DayInput
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


class AskingForm(forms.Form):
    """A form that asks once about an amount far beyond those that the Kasse knows; sent again as it is, it is confirmed."""

    sure = forms.CharField(required=False, widget=forms.HiddenInput)

    def ask_once(self, club: int, field: str, cents: int | None) -> None:
        """Refuse an unusual amount until it was asked about. The hidden field says about which one."""
        sure = self.cleaned_data.pop("sure", "")
        if field in self.errors or not cents or sure == str(cents) or cents <= usual_at_most(club):
            return
        self.data = dict(self.data.items()) | {"sure": str(cents)}
        sentence = _("%(amount)s ist hier ungewöhnlich viel. Stimmt das, bitte noch einmal absenden; sonst hier ändern.")
        self.add_error(field, sentence % {"amount": euros(cents)})


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
