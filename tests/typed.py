"""The form for every setting as a browser sends it, with something else typed."""

from __future__ import annotations

from typing import Any

from django.http import QueryDict

from scoring.rulesets.forms.settings import SettingsForm


def typed(form: SettingsForm, **instead: Any) -> QueryDict:
    """What a browser sends of this form as it is shown, with something else typed `instead`."""
    data = QueryDict(mutable=True)
    data.setlist("shown", form.shown_pairs)
    for field in form:
        value = instead.get(field.name, field.value())
        if isinstance(value, (list, tuple)):
            data.setlist(field.name, [str(one) for one in value])
        elif value is not None:
            data[field.name] = str(value)
    for name in ("add", "row_word", "row_key"):
        data[name] = instead.get(name, "")
    return data


def sent(stored: dict[str, Any], people: int | None = None, **instead: Any) -> SettingsForm:
    """The form of this rule set, sent with something else typed."""
    data = typed(SettingsForm(settings=stored, people=people), **instead)
    return SettingsForm(data, settings=stored, people=people)
