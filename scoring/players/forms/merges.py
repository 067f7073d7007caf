"""Who somebody was all along."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from scoring.club.models.people import Player
from scoring.club.queries import people_of


class MergeForm(forms.Form):
    """Somebody else of the club, by name."""

    into = forms.ModelChoiceField(
        Player.objects.none(),
        label=gettext_lazy("Ist dieselbe Person wie"),
        empty_label=gettext_lazy("– wählen –"),
        widget=forms.Select(attrs={"class": "form-select"}),
    )

    def __init__(self, *args: Any, player: Player, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["into"].queryset = people_of(player.club).filter(erased_on=None).exclude(pk=player.pk)
