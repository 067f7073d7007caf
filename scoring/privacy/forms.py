"""The forms that erase a person and say how long the history is kept."""

from __future__ import annotations

from typing import Any

from crispy_forms.bootstrap import StrictButton
from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.core.forms import build_post_helper


class EraseForm(forms.Form):
    """`texts`: also take the name out of texts that people typed, including those that only the history still holds."""

    texts = forms.BooleanField(
        label=gettext_lazy("Auch in getippten Texten durch „…“ ersetzen, im Verlauf ebenso"),
        required=False,
        initial=True,
    )
    sure = forms.BooleanField(
        label=gettext_lazy("Ich weiß, dass sich das nicht zurücknehmen lässt."),
        error_messages={"required": gettext_lazy("Bitte ankreuzen, dass der Name endgültig entfernt werden soll.")},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.helper = build_post_helper(
            "texts", "sure", StrictButton(_("Namen endgültig entfernen"), type="submit", css_class="btn-danger w-100")
        )


class RetentionForm(forms.Form):
    """How many years the history is kept; without a number for ever."""

    years = forms.IntegerField(
        label=gettext_lazy("Jahre, die der Verlauf bleibt (leer: für immer)"),
        required=False,
        min_value=1,
        max_value=99,
        widget=forms.NumberInput(attrs={"class": "form-control", "inputmode": "numeric"}),
    )
