"""What the pages about people ask for: in which unit, and with whom somebody is held side by side."""

from __future__ import annotations

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _

from scoring.club.access import Access
from scoring.club.models.people import Player
from scoring.club.queries import people_of
from scoring.play.models import TableResult
from scoring.play.queries.closing import over


class BesideForm(forms.Form):
    """Somebody else of the club who has played, by name."""

    def __init__(self, data: QueryDict | None, player: Player, access: Access) -> None:
        super().__init__(data)
        counted = over("table__evening__", closed_only=not access.member)
        results = TableResult.objects.filter(counted, table__evening__club=player.club_id)
        played = people_of(player.club).filter(pk__in=results.values("player"))
        self.fields["other"] = other = forms.ModelChoiceField(
            played.exclude(pk=player.pk),
            label=_("Daneben"),
            empty_label=_("– wählen –"),
            widget=forms.Select(attrs={"class": "form-select"}),
        )
        other.label_from_instance = lambda one: access.names.of(one.pk, one.name)  # type: ignore[assignment]  # as Django's pages say to do it
