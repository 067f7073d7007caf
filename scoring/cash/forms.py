"""Fields and base forms that several pages of the Kasse share: amounts, days, reasons, choices, and the key of a form."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any, Final
from uuid import uuid4

from crispy_forms.bootstrap import InlineRadios, StrictButton
from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils import timezone
from django.utils.dates import MONTHS
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.cash.ledger.queries import get_usual_limit
from scoring.cash.models import MAX_LEG_CENTS as MOST_BOOKED
from scoring.cash.rules.fields import MOST_CENTS
from scoring.cash.rules.money import is_ambiguous, parse_cents
from scoring.cash.texts import format_euros
from scoring.club.models import Player
from scoring.core.dates import FIRST_DAY
from scoring.core.formats import NAME_ATTRS, mark_as_name
from scoring.core.forms import DayInput, build_post_helper
from scoring.core.text import tidy, validate_plain

NO_AMOUNT = gettext_lazy("Bitte einen Betrag wie 3,50 eingeben.")


class AmountField(forms.CharField):
    """An amount in euros, as cents from `least` to `most`. An empty field that is not required is None."""

    most = MOST_BOOKED
    look = "amount"

    def __init__(self, *, least: int = 1, **kwargs: Any) -> None:
        attrs = {"inputmode": "decimal", "autocomplete": "off", "class": self.look}
        messages = {"required": NO_AMOUNT, "max_length": NO_AMOUNT}
        super().__init__(max_length=20, widget=forms.TextInput(attrs=attrs), error_messages=messages, **kwargs)
        self.least = least

    def prepare_value(self, value: Any) -> Any:
        return write_amount(value) if isinstance(value, int) else value

    def clean(self, value: Any) -> Any:
        text = super().clean(value)
        if not text and not self.required:
            return None
        if is_ambiguous(text):
            values = {"typed": text, "digits": "".join(c for c in text if c.isdigit())}
            raise ValidationError(
                _("„%(typed)s“ lässt sich auf zwei Arten lesen. Bitte %(digits)s oder einen Betrag wie 3,50 eingeben.")
                % values
            )
        cents = parse_cents(text)
        if cents is None or cents < self.least:
            raise ValidationError(NO_AMOUNT)
        if cents > self.most:
            raise ValidationError(_("Bitte höchstens %(euros)s Euro eingeben.") % {"euros": self.most // 100})
        return cents


class EurosField(AmountField):
    most = MOST_CENTS
    look = "form-control"

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(least=0, required=False, **kwargs)

    def clean(self, value: Any) -> Any:
        return super().clean(value) or 0


def write_amount(cents: int) -> str:
    """Write cents as they are typed; empty for 0."""
    return f"{Decimal(cents).scaleb(-2):.2f}".replace(".", ",") if cents else ""


class DayField(forms.DateField):
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
            values = {name: date_format(one, "SHORT_DATE_FORMAT") for name, one in (("first", self.first), ("last", self.last))}
            raise ValidationError(_("Bitte einen Tag vom %(first)s bis zum %(last)s angeben.") % values)
        return day


def build_unusual_warning(club: int, amounts: Iterable[int | None]) -> str:
    """Describe the largest of these amounts in cents if it is unusual in this Kasse; otherwise return ""."""
    largest = max((abs(cents or 0) for cents in amounts), default=0)
    if not largest or largest <= get_usual_limit(club):
        return ""
    return _("%(amount)s ist hier ungewöhnlich viel.") % {"amount": format_euros(largest)}


class PeopleField(forms.TypedMultipleChoiceField):
    """People to tick, each with a text beside the name."""

    def __init__(self, people: Mapping[Player, str], **kwargs: Any) -> None:
        by_id = {str(player.pk): player for player in people}
        super().__init__(
            choices=[(pk, format_html("{}: {}", mark_as_name(player), people[player])) for pk, player in by_id.items()],
            coerce=by_id.__getitem__,
            widget=forms.CheckboxSelectMultiple(attrs={"class": "form-check-input"}),
            **kwargs,
        )


class KeyedForm(forms.Form):
    """A form with a key, by which a second tap is the same booking."""

    def __init__(self, data: QueryDict | None, **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        self.fields["key"] = forms.UUIDField(required=False, widget=forms.HiddenInput, initial=uuid4)

    def clean(self) -> dict[str, Any]:
        """Move a fault of the hidden key, which has no place of its own, to the top of the form."""
        cleaned = super().clean() or self.cleaned_data
        if not cleaned.get("key"):
            self.errors.pop("key", None)
            self.add_error(None, _("Bitte die Seite neu laden und noch einmal eingeben."))
        return cleaned


class ReasonField(forms.CharField):
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


def list_fields(form: forms.BaseForm) -> list[Any]:
    """List the fields in their order, with a choice of two side by side, so that the button stays in sight."""
    return [
        InlineRadios(name) if isinstance(field, forms.ChoiceField) and name in ("box", "side") else name
        for name, field in form.fields.items()
    ]


ROUND_TO: Final = tuple((cents, str(cents)) for cents in (1, 5, 10, 50, 100))
ROUND_HOW: Final = (
    ("nearest", gettext_lazy("auf den nächsten Betrag")),
    ("down", gettext_lazy("immer ab")),
    ("up", gettext_lazy("immer auf")),
)


def build_select() -> forms.Select:
    return forms.Select(attrs={"class": "form-select"})


def build_choice(
    label: Any, choices: Iterable[tuple[Any, Any]], initial: Any = None, required: bool = True, people: bool = False
) -> forms.ChoiceField:
    """Build a select; with `people` its choices are names, which no browser translates."""
    select = build_select()
    select.attrs |= NAME_ATTRS if people else {}
    return forms.ChoiceField(label=label, choices=list(choices), initial=initial, required=required, widget=select)


class YearForm(forms.Form):
    def __init__(self, data: QueryDict | None, *, first_month: int) -> None:
        super().__init__(data, initial={"first_month": first_month})
        self.fields["first_month"] = forms.TypedChoiceField(
            coerce=int, choices=list(MONTHS.items()), label=_("Ein Kassenjahr beginnt im")
        )
        self.helper = build_post_helper(
            "first_month", StrictButton(_("Speichern"), type="submit", css_class="btn-outline-secondary w-100")
        )
