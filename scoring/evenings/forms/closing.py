"""The form that closes an evening: who was there signs the sheet off."""

from __future__ import annotations

from collections.abc import Sequence

from crispy_forms.layout import Submit
from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _

from scoring.club.models import Player
from scoring.core.formats import mark_as_name
from scoring.core.forms import build_post_helper


class CloseForm(forms.Form):
    """Everybody who sat at a table is ticked to begin with."""

    def __init__(self, data: QueryDict | None, people: Sequence[Player]) -> None:
        super().__init__(data)
        by_id = {str(player.pk): player for player in people}
        self.fields["present"] = forms.TypedMultipleChoiceField(
            choices=[(pk, mark_as_name(player)) for pk, player in by_id.items()],
            coerce=by_id.__getitem__,
            initial=list(by_id),
            required=False,
            label=_("Wer war da und hat den Zettel gesehen?"),
            widget=forms.CheckboxSelectMultiple,
        )
        self.helper = build_post_helper("present", Submit("close", _("Abend abschließen"), css_class="btn-primary w-100"))
