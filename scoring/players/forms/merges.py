"""Who somebody was all along."""

from __future__ import annotations

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _

from scoring.club.models import Player
from scoring.club.queries import list_people
from scoring.core.formats import NAME_ATTRS


class MergeForm(forms.Form):
    """Somebody else of the club, by name."""

    def __init__(self, data: QueryDict | None, player: Player) -> None:
        super().__init__(data)
        self.fields["into"] = forms.ModelChoiceField(
            list_people(player.club).filter(erased_on=None).exclude(pk=player.pk),
            label=_("Ist dieselbe Person wie"),
            empty_label=_("– wählen –"),
            widget=forms.Select(attrs={"class": "form-select"} | NAME_ATTRS),
        )
