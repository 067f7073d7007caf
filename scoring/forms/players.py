"""What the pages about people ask for: in which unit, and with whom somebody is held side by side."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from scoring.models import Player, TableResult
from scoring.queries.people import people_of


class BesideForm(forms.Form):
    """Somebody else of the club who has played, by name."""

    other = forms.ModelChoiceField(
        Player.objects.none(),
        label=gettext_lazy("Daneben"),
        empty_label=gettext_lazy("– wählen –"),
        widget=forms.Select(attrs={"class": "form-select"}),
    )

    def __init__(self, *args: Any, player: Player, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        results = TableResult.objects.filter(table__evening__club=player.club_id)
        played = people_of(player.club).filter(pk__in=results.values("player"))
        self.fields["other"].queryset = played.exclude(pk=player.pk)
