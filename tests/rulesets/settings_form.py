"""The settings form of a rule set as a browser sends it."""

from __future__ import annotations

from typing import Any

from django.http import QueryDict

from scoring.rulesets.forms.settings import SettingsForm


def fill(form: SettingsForm, **changes: Any) -> QueryDict:
    """Return what a browser sends of this form as it is shown, with `changes` by name."""
    values: dict[str, Any] = {field.name: field.value() for field in form}
    values |= {"shown": form.rows.shown_pairs, "add": "", "row_word": "", "row_key": ""} | changes
    data = QueryDict(mutable=True)
    for name, value in values.items():
        if isinstance(value, (list, tuple)):
            data.setlist(name, [str(one) for one in value])
        elif value is not None:
            data[name] = str(value)
    return data


def fill_lists(form: SettingsForm, **changes: Any) -> dict[str, Any]:
    """Return the same for Django's test client, with a list of values for each name."""
    return dict(fill(form, **changes).lists())


def submit(stored: dict[str, Any], people: int | None = None, **changes: Any) -> SettingsForm:
    """Return the form of these settings, sent with `changes`."""
    return SettingsForm(fill(SettingsForm(settings=stored, people=people), **changes), settings=stored, people=people)
