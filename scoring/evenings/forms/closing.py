"""The form that closes an evening: who was there signs the sheet off."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Layout, Submit
from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.club.models.people import Player


class CloseForm(forms.Form):
    """Everybody who sat at a table is ticked to begin with."""

    present = forms.TypedMultipleChoiceField(
        required=False,
        label=gettext_lazy("Dabei waren und zeichnen ab"),
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, *args: Any, people: Sequence[Player], **kwargs: Any) -> None:
        by_id = {str(player.pk): player for player in people}
        super().__init__(*args, initial={"present": list(by_id)}, **kwargs)
        self.fields["present"].choices = [(pk, str(player)) for pk, player in by_id.items()]
        self.fields["present"].coerce = by_id.__getitem__
        self.helper = FormHelper()
        self.helper.layout = Layout("present", Submit("close", _("Abend abschließen"), css_class="btn-primary w-100"))
