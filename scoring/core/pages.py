"""The page of a long list, which the address names, and the GET form above it, so that a selection is an address. The list alone
decides how many rows a page has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from crispy_forms.bootstrap import StrictButton
from crispy_forms.helper import FormHelper
from crispy_forms.layout import HTML, Div, Field, Layout
from django import forms
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django_tables2 import Table
from django_tables2.rows import BoundRows


def turn_to(
    table: Table, request: HttpRequest, rows: int, told: Callable[[list[Any]], Sequence[Any]] = list
) -> None:
    """Paginate the table at the page of the address, or the nearest one that exists. `told` turns the rows of this page, all at
    once, into what the table shows."""
    table.paginate(per_page=rows)
    table.page = table.paginator.get_page(request.GET.get("page"))
    table.page.object_list = BoundRows(told(list(table.page.object_list.data)), table)


def posted_by(*laid_out: Any, tag: bool = True) -> FormHelper:
    """Return the helper of a form that is posted; without `tag` the page writes the form around its fields itself."""
    helper = FormHelper()
    helper.form_tag = tag
    helper.layout = Layout(*laid_out)
    return helper


def chosen_by(*laid_out: Any) -> FormHelper:
    """Return the helper of a form that filters a list."""
    helper = posted_by(*laid_out)
    helper.form_method = "get"
    helper.disable_csrf = True
    return helper


def side_by_side(*names: str) -> Div:
    """Lay out fields in columns where there is room."""
    return Div(*(Field(name, wrapper_class="col") for name in names), css_class="row row-cols-2 row-cols-sm-3 gx-2 align-items-end")


def in_place(form: forms.Form, first: str, *names: str) -> Div:
    """Lay out a field and its button in sight above the list, and the other fields, which a phone shows behind a tap."""
    more = format_html(
        '<label class="btn btn-outline-secondary more"><input class="visually-hidden" type="checkbox"{}>{} ▾</label>',
        " checked" if form.errors else "",
        _("Filter"),
    )
    form.fields[first].widget.attrs["placeholder"] = form.fields[first].label
    show = StrictButton(_("Anzeigen"), type="submit", css_class="btn-outline-secondary")
    return Div(first, HTML(more), *names, show, css_class="in-place")


class AskingForm(forms.Form):
    """A form that asks once about a day or an amount that is odd; sent again as it is, it is confirmed."""

    sure = forms.CharField(required=False, widget=forms.HiddenInput)

    def clean(self) -> dict[str, Any]:
        told = super().clean() or self.cleaned_data
        told.pop("sure", None)
        return told

    def ask_once(self, field: str, value: object, odd: str) -> None:
        """Refuse a value of which `odd` says what is odd until it was asked about. The hidden field says about which ones."""
        if field in self.errors or not odd:
            return
        sure, asked = str(self.data.get("sure", "")).split(), f"{field}={value}"
        if asked not in sure:
            self.data = dict(self.data.items()) | {"sure": " ".join([*sure, asked])}
            self.add_error(field, odd + " " + _("Stimmt das, bitte noch einmal absenden; sonst hier ändern."))


class ChoosingForm(forms.Form):
    """A form that filters a list."""

    @property
    def is_limited(self) -> bool:
        """Return whether any field is filled in."""
        return any(self.data.get(field) for field in self.fields)
