"""What is written here of a field is what Django writes."""

from __future__ import annotations

import re

import pytest
from django import forms
from django.forms.renderers import DjangoTemplates

from clubledger.web import widgets

NASTY = '<b>"&\''
CHOICES = [("", "alle"), (1, NASTY), (NASTY, "zwei"), ("Gruppe <", [(2, "drei"), ("3", "vier")])]
FIELDS: list[tuple[forms.Widget, object]] = [
    (forms.Select(choices=CHOICES), None),
    (forms.Select(choices=CHOICES, attrs={"class": "form-select", "required": True, "disabled": False}), "3"),
    (forms.Select(choices=CHOICES), NASTY),
    (forms.TextInput(attrs={"maxlength": 5, "placeholder": NASTY}), NASTY),
    (forms.NumberInput(), 0),
    (forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"), None),
    (forms.HiddenInput(), ""),
    (forms.EmailInput(), "a@b"),
    (forms.PasswordInput(), "geheim"),
    (forms.CheckboxInput(), True),
    (forms.CheckboxInput(attrs={"class": "form-check-input"}), False),
    (forms.RadioSelect(choices=CHOICES[:2]), "1"),
    (forms.Textarea(), NASTY),
]


@pytest.mark.parametrize(("widget", "value"), FIELDS)
def test_a_field_is_written_as_django_writes_it(widget: forms.Widget, value: object) -> None:
    ours, djangos = (
        widget.render(NASTY, value, attrs={"id": "id_x", "aria-invalid": True}, renderer=renderer)
        for renderer in (widgets.Renderer(), DjangoTemplates())
    )
    assert _whole(ours) == _whole(djangos)


def _whole(html: str) -> str:
    return re.sub(r"\s*\n\s*", "", html)
