"""What an admin sets about strangers: three things that they may see, and whether search engines may find them."""

from __future__ import annotations

from typing import Any

from crispy_forms.layout import Fieldset, Submit
from django import forms
from django.utils.translation import gettext as _

from scoring.club.models import VISIBILITY_FIELDS, Club
from scoring.core.forms import build_post_helper


class ShownForm(forms.ModelForm):  # type: ignore[type-arg]  # Django's class takes no argument
    """The switches of a club, all off unless somebody turned them on."""

    class Meta:
        model = Club
        fields = VISIBILITY_FIELDS

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        *pages, findable = VISIBILITY_FIELDS
        self.helper = build_post_helper(
            Fieldset(_("Fremde sehen"), *pages),
            Fieldset(_("Außerdem"), findable),
            Submit("save", _("Speichern"), css_class="btn-primary w-100"),
        )
