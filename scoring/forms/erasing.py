"""The form that erases a person: nothing takes it back, so it asks for a tick."""

from __future__ import annotations

from typing import Any

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Layout, Submit
from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy


class EraseForm(forms.Form):
    """`texts`: also out of what people typed, asked only where the name stands there."""

    texts = forms.BooleanField(
        label=gettext_lazy("Auch in diesen Texten durch „…“ ersetzen, und wo sie im Verlauf stehen"), required=False
    )
    sure = forms.BooleanField(
        label=gettext_lazy("Ich weiß, dass sich das nicht zurücknehmen lässt."),
        error_messages={"required": gettext_lazy("Bitte ankreuzen, dass der Name endgültig entfernt werden soll.")},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, initial={"texts": True}, **kwargs)
        self.helper = FormHelper()
        self.helper.layout = Layout(
            "texts", "sure", Submit("erase", _("Namen endgültig entfernen"), css_class="btn-danger w-100")
        )
