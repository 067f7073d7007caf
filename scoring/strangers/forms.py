"""What an admin sets about strangers: three things that they may see, and whether search engines may find them."""

from __future__ import annotations

from typing import Any

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Fieldset, Layout, Submit
from django import forms
from django.utils.translation import gettext as _

from scoring.club.models.people import SHOWN, Club


class ShownForm(forms.Form):
    """The switches of a club, all off unless somebody turned them on."""

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, initial={name: getattr(club, name) for name in SHOWN}, **kwargs)
        self.fields |= {name: Club._meta.get_field(name).formfield() for name in SHOWN}
        *pages, findable = SHOWN
        self.helper = FormHelper()
        self.helper.layout = Layout(
            Fieldset(_("Fremde sehen"), *pages),
            Fieldset(_("Außerdem"), findable),
            Submit("save", _("Speichern"), css_class="btn-primary w-100"),
        )
