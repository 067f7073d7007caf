"""The form above a list has a label for each field, and says what is wrong with one below it."""

from __future__ import annotations

from crispy_forms.layout import Submit
from crispy_forms.utils import render_crispy_form
from django import forms

from scoring.core.numbers import WholeField
from scoring.core.pages import Choice, chosen_by, side_by_side


class Asked(forms.Form):
    year = forms.ChoiceField(choices=[("", "alle"), ("2026", "<2026>")], label="Jahr & Tag", required=False)
    min = WholeField(label="Ab", required=False, min_value=0, max_value=9)
    all = forms.BooleanField(label="Alle", required=False)

    helper = chosen_by(side_by_side("year", "min"), Choice("all"), Submit("", "Zeigen"))


def test_every_field_has_its_label() -> None:
    written = render_crispy_form(Asked({"year": "2026", "all": "on"}))
    assert '<form  method="get" >' in written
    assert '<div class="mb-3 col"><label for="id_year" class="form-label">Jahr &amp; Tag</label>' in written
    assert '<option value="2026" selected>&lt;2026&gt;</option>' in written
    assert 'class="form-select"' in written
    ticked = '<div class="mb-3 form-check"><input type="checkbox" name="all" class="form-check-input" id="id_all" checked>'
    assert f'{ticked}<label for="id_all" class="form-check-label">Alle</label></div>' in written
    assert "is-invalid" not in written


def test_what_is_wrong_is_said_below_its_field() -> None:
    written = render_crispy_form(Asked({"min": "10", "year": "<"}))
    assert written.count("is-invalid") == 2
    assert 'aria-invalid="true"' in written
    assert '<div id="id_min_error" class="invalid-feedback"><strong>' in written
    assert "&lt;" in written.split("id_year_error")[1]
