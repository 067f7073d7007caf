from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from crispy_forms.bootstrap import StrictButton
from crispy_forms.helper import FormHelper
from crispy_forms.layout import HTML, Div, Field, Layout
from django import forms
from django.utils.html import format_html
from django.utils.translation import gettext as _

_DIGITS = re.compile(r"-?[0-9]+")


class WholeField(forms.IntegerField):
    """A whole number in ASCII digits: IntegerField would also take "1_0" and digits of other scripts."""

    def to_python(self, value: Any) -> int | None:
        if isinstance(value, str) and value.strip() and not _DIGITS.fullmatch(value.strip()):
            raise forms.ValidationError(self.error_messages["invalid"], code="invalid")
        return super().to_python(value)


class DayInput(forms.DateInput):
    """The browser's own date input, which takes ISO dates only, whatever the language of the page."""

    input_type = "date"

    def __init__(self, attrs: Mapping[str, Any] | None = None) -> None:
        super().__init__(dict(attrs or {}), format="%Y-%m-%d")


def build_day_field(label: Any, **options: Any) -> forms.DateField:
    return forms.DateField(label=label, required=False, widget=DayInput(), **options)


def build_post_helper(*laid_out: Any, tag: bool = True) -> FormHelper:
    """Return the helper of a form that is posted; without `tag` the template has the form element itself."""
    helper = FormHelper()
    helper.form_tag = tag
    helper.layout = Layout(*laid_out)
    return helper


def build_filter_helper(*laid_out: Any) -> FormHelper:
    helper = build_post_helper(*laid_out)
    helper.form_method = "get"
    helper.disable_csrf = True
    return helper


def build_columns_layout(*names: str) -> Div:
    return Div(
        *(Field(name, wrapper_class="col") for name in names),
        css_class="row row-cols-2 row-cols-sm-3 gx-2 align-items-end",
    )


def build_filter_layout(form: forms.Form, first: str, *names: str) -> Div:
    """Lay out the field `first` and the button above a list; on a phone the other fields open with a tap."""
    more = format_html(
        '<label class="btn btn-outline-secondary more"><input class="visually-hidden" type="checkbox"{}>{} ▾</label>',
        " checked" if form.errors else "",
        _("Filter"),
    )
    form.fields[first].widget.attrs["placeholder"] = form.fields[first].label
    show = StrictButton(_("Suchen"), type="submit", css_class="btn-outline-secondary")
    return Div(first, HTML(more), *names, show, css_class="in-place")


class ConfirmingForm(forms.Form):
    """A form that asks once about an unusual day or amount. Sending it again unchanged confirms the value."""

    sure = forms.CharField(required=False, widget=forms.HiddenInput)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        cleaned.pop("sure", None)
        return cleaned

    def ask_once(self, field: str, value: object, doubt: str) -> None:
        """Refuse a value the first time, with the sentence `doubt`; "" accepts it. The hidden field lists what was asked."""
        if field in self.errors or not doubt:
            return
        confirmed, question = str(self.data.get("sure", "")).split(), f"{field}={value}"
        if question not in confirmed:
            self.data = dict(self.data.items()) | {"sure": " ".join([*confirmed, question])}
            self.add_error(field, doubt + " " + _("Stimmt das, bitte noch einmal absenden; sonst hier ändern."))


class ListFilterForm(forms.Form):
    @property
    def is_filtered(self) -> bool:
        return any(self.data.get(field) for field in self.fields)
