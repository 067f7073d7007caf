"""How money is typed: an amount in euros, and what a point costs in cents."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.cash.models.books import MOST_CENTS as MOST_BOOKED
from scoring.cash.rules.amounts import cents_typed, reads_two_ways
from scoring.cash.rules.fields import MOST_CENTS, exact
from scoring.cash.words.tariff import rate_said
from scoring.core.text import build_code

# What something is for, and behind it the price, with a sign of the euro or without.
_PRICED: Final = re.compile(r"(.*\S)\s+(\S*[0-9]\S*(?: (?:€|EUR|Euro))?)", re.IGNORECASE)
NO_AMOUNT = gettext_lazy("Bitte einen Betrag wie 3,50 eingeben.")


class AmountField(forms.CharField):
    """An amount in euros, as cents from `least` to `most`. Where it need not be typed, nothing typed is None."""

    most = MOST_BOOKED
    look = "amount"

    def __init__(self, *, least: int = 1, **kwargs: Any) -> None:
        attrs = {"inputmode": "decimal", "autocomplete": "off", "class": self.look}
        messages = {"required": NO_AMOUNT, "max_length": NO_AMOUNT}
        super().__init__(max_length=20, widget=forms.TextInput(attrs=attrs), error_messages=messages, **kwargs)
        self.least = least

    def prepare_value(self, value: Any) -> Any:
        return written(value) if isinstance(value, int) else value

    def clean(self, value: Any) -> Any:
        text = super().clean(value)
        if not text and not self.required:
            return None
        if reads_two_ways(text):
            said = {"typed": text, "digits": "".join(c for c in text if c.isdigit())}
            raise ValidationError(
                _("„%(typed)s“ lässt sich auf zwei Arten lesen. Bitte %(digits)s oder einen Betrag wie 3,50 eingeben.")
                % said
            )
        cents = cents_typed(text)
        if cents is None or cents < self.least:
            raise ValidationError(NO_AMOUNT)
        if cents > self.most:
            raise ValidationError(_("Bitte höchstens %(euros)s Euro eingeben.") % {"euros": self.most // 100})
        return cents


class EurosField(AmountField):
    """An amount of the tariff; nothing typed is 0."""

    most = MOST_CENTS
    look = "form-control"

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(least=0, required=False, **kwargs)

    def clean(self, value: Any) -> Any:
        return super().clean(value) or 0


class RateField(forms.CharField):
    """Cents for a point: 10, 2,5 or 1/8; as the tariff says it. `from_0`: a part of 1 instead."""

    def __init__(self, from_0: bool = False, **kw: Any) -> None:
        self.from_0 = from_0
        widget = forms.TextInput(attrs={"inputmode": "text", "autocomplete": "off", "class": "form-control"})
        super().__init__(widget=widget, max_length=12, **kw)

    def prepare_value(self, value: Any) -> Any:
        found = exact(value)
        is_typed = isinstance(value, str) and "/" not in value
        return value if found is None or is_typed else rate_said(found)

    def clean(self, value: Any) -> Any:
        text = (super().clean(value) or "").replace(",", ".")
        if not text:
            return None
        if (
            "." in text
            and "/" not in text
            and text.replace(".", "", 1).isascii()
            and text.replace(".", "", 1).isdigit()
        ):
            found = Fraction(text).limit_denominator(9999)
            text = f"{found.numerator}/{found.denominator}"
        rate = exact(int(text) if text.isascii() and text.isdigit() else text)
        if self.from_0:
            if rate is None or rate > 1:
                raise ValidationError(_("Bitte einen Teil von 0 bis 1 angeben, wie 0,5 oder 1/2."))
        elif rate is None or not 0 < rate <= 10_000:
            raise ValidationError(_("Bitte Cent je Punkt angeben, wie 10 oder 2,5 oder 1/8."))
        return int(rate) if rate.denominator == 1 else f"{rate.numerator}/{rate.denominator}"


def written(cents: int) -> str:
    """An amount as it is typed; nothing where there is none."""
    return f"{Decimal(cents).scaleb(-2):.2f}".replace(".", ",") if cents else ""


class AmountsField(forms.CharField):
    """Several amounts in euros, with semicolons between them, as a list of cents."""

    def __init__(self, **kw: Any) -> None:
        widget = forms.TextInput(attrs={"autocomplete": "off", "class": "form-control"})
        super().__init__(required=False, widget=widget, max_length=600, **kw)

    def prepare_value(self, value: Any) -> Any:
        return "; ".join(written(cents) or "0" for cents in value) if isinstance(value, list) else value

    def clean(self, value: Any) -> Any:
        parts = [part for part in map(str.strip, (super().clean(value) or "").split(";")) if part]
        cents = [cents_typed(part) for part in parts]
        if None in cents:
            raise ValidationError(_("Bitte Beträge wie „2; 3; 4,50“ eingeben."))
        return cents


class PricesField(forms.CharField):
    """A price on each line behind what it is for, by its code."""

    def __init__(self, **kw: Any) -> None:
        widget = forms.Textarea(attrs={"rows": 3, "autocomplete": "off", "class": "form-control"})
        super().__init__(required=False, widget=widget, max_length=2000, **kw)

    def prepare_value(self, value: Any) -> Any:
        if isinstance(value, dict):
            return "\n".join(f"{code} {written(cents) or '0'}" for code, cents in value.items())
        return value

    def clean(self, value: Any) -> Any:
        found: dict[str, int] = {}
        for line in filter(None, map(str.strip, (super().clean(value) or "").splitlines())):
            parts = _PRICED.fullmatch(line)
            name, cents = parts[1] if parts else "", cents_typed(parts[2]) if parts else None
            if cents is None:
                raise ValidationError(_("Bitte je Zeile ein Getränk und einen Betrag: bier 2,50."))
            if (code := build_code(name)) in found:
                raise ValidationError(_("„%(name)s“ steht hier zweimal. Bitte jedes Getränk einmal.") % {"name": name})
            found[code] = cents
        return found
