"""What the pages about people ask for: in which unit, and with whom somebody is held side by side."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from scoring.club.access import Access
from scoring.club.models.people import Player
from scoring.club.queries import people_of
from scoring.play.models import TableResult
from scoring.standings.queries.selection import over


class BesideForm(forms.Form):
    """Somebody else of the club who has played, by name."""

    other = forms.ModelChoiceField(
        Player.objects.none(),
        label=gettext_lazy("Daneben"),
        empty_label=gettext_lazy("– wählen –"),
        widget=forms.Select(attrs={"class": "form-select"}),
    )

    def __init__(self, *args: Any, player: Player, access: Access, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        counted = over("table__evening__", closed_only=not access.member)
        results = TableResult.objects.filter(counted, table__evening__club=player.club_id)
        played = people_of(player.club).filter(pk__in=results.values("player"))
        other = self.fields["other"]
        other.queryset = played.exclude(pk=player.pk)
        other.label_from_instance = lambda one: access.names.of(one.pk, one.name)
