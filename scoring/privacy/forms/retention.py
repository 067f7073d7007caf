"""How many years the history of logins and entries is kept."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy


class RetentionForm(forms.Form):
    """Empty: for ever."""

    years = forms.IntegerField(
        label=gettext_lazy("Jahre, die der Verlauf bleibt (leer: für immer)"),
        required=False,
        min_value=1,
        max_value=99,
        widget=forms.NumberInput(attrs={"class": "form-control", "inputmode": "numeric"}),
    )
