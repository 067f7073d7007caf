"""What a long list is asked for by. Which page of it: the address names the page and nothing else, how many rows a page has is
decided by the list alone. And which rows: a GET form above the list, so that a selection is an address. Its fields are written
here: crispy's template for any field of any form decides anew for each what it is, and took longer than the list."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from crispy_forms.bootstrap import StrictButton
from crispy_forms.helper import FormHelper
from crispy_forms.layout import HTML, Div, Layout
from django import forms
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django_tables2 import Table
from django_tables2.rows import BoundRows


def turn_to(
    table: Table, request: HttpRequest, rows: int, told: Callable[[list[Any]], Sequence[Any]] = list
) -> None:
    """Cut the table into pages of so many rows, at the page of the address; the nearest one where there is no such page. `told`
    makes of the rows of this page, all at once, what they are shown by."""
    table.paginate(per_page=rows)
    table.page = table.paginator.get_page(request.GET.get("page"))
    table.page.object_list = BoundRows(told(list(table.page.object_list.data)), table)


def posted_by(*laid_out: Any, tag: bool = True) -> FormHelper:
    """The helper of a form that is posted; without `tag` the page writes the form around its fields itself."""
    helper = FormHelper()
    helper.form_tag = tag
    helper.layout = Layout(*laid_out)
    return helper


def chosen_by(*laid_out: Any) -> FormHelper:
    """The helper of a form that a list is chosen by."""
    helper = posted_by(*laid_out)
    helper.form_method = "get"
    helper.disable_csrf = True
    return helper


def side_by_side(*names: str) -> Div:
    """These fields, where there is room."""
    return Div(*(Choice(name, "col") for name in names), css_class="row row-cols-1 row-cols-sm-3 g-2")


def in_place(form: forms.Form, first: str, *names: str) -> Div:
    """A field and its button in sight above the list, with choices that a phone shows behind a tap."""
    more = format_html(
        '<label class="btn btn-outline-secondary more"><input class="visually-hidden" type="checkbox"{}>{} ▾</label>',
        " checked" if form.errors else "",
        _("Filter"),
    )
    show = StrictButton(_("Anzeigen"), type="submit", css_class="btn-outline-secondary")
    return Div(Choice(first), HTML(more), *(Choice(name) for name in names), show, css_class="in-place")


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
    """A form that a list is chosen by."""

    @property
    def is_limited(self) -> bool:
        """Is anything asked for but the next page?"""
        return any(self.data.get(field) for field in self.fields)


class Choice:
    """One field of such a form: its label above it, beside it where it is only ticked, and what is wrong with it below."""

    def __init__(self, name: str, css_class: str = "") -> None:
        self._name, self._class = name, f" {css_class}" if css_class else ""

    def render(self, form: forms.Form, _context: Any, **_how: Any) -> SafeString:
        field = form[self._name]
        ticked = isinstance(field.field.widget, forms.CheckboxInput)
        is_select = isinstance(field.field.widget, forms.Select)
        look = "form-check-input" if ticked else "form-select" if is_select else "form-control"
        written = field.as_widget(attrs={"class": f"{look} is-invalid" if field.errors else look})
        label = format_html(
            '<label for="{}" class="{}">{}</label>',
            field.id_for_label,
            "form-check-label" if ticked else "form-label",
            field.label,
        )
        return format_html(
            '<div class="mb-3{}{}">{}{}{}</div>',
            " form-check" if ticked else "",
            self._class,
            *((written, label) if ticked else (label, written)),
            self._faults(field),
        )

    @staticmethod
    def _faults(field: forms.BoundField) -> SafeString:
        if not field.errors:
            return SafeString()
        said = format_html_join("", "<strong>{}</strong>", ((error,) for error in field.errors))
        return format_html('<div id="{}_error" class="invalid-feedback">{}</div>', field.auto_id, said)
