"""Choose another person of the club: to compare with, or to merge with."""

from __future__ import annotations

from django import forms
from django.db.models import Q, QuerySet
from django.http import QueryDict
from django.utils.translation import gettext as _

from scoring.club.access import Access
from scoring.club.models import Player
from scoring.club.queries import list_people
from scoring.core.formats import NAME_ATTRS
from scoring.play.models import TableResult, YearCareer


class CompareForm(forms.Form):
    """The choice of another player with results."""

    def __init__(self, data: QueryDict | None, player: Player, access: Access) -> None:
        super().__init__(data)
        counted = Q(pk__in=YearCareer.objects.filter(club=player.club_id).values("player"))
        if access.member:
            running = TableResult.objects.filter(table__evening__club=player.club_id, table__evening__closed_at=None)
            counted |= Q(pk__in=running.values("player"))
        played = list_people(player.club).filter(counted)
        self.fields["other"] = other = _build_player_field(_("Daneben"), played.exclude(pk=player.pk))
        other.label_from_instance = lambda one: access.names.get(one.pk, one.name)  # type: ignore[assignment]  # as Django's pages say to do it


class MergeForm(forms.Form):
    def __init__(self, data: QueryDict | None, player: Player) -> None:
        super().__init__(data)
        people = list_people(player.club).filter(erased_on=None).exclude(pk=player.pk)
        self.fields["into"] = _build_player_field(_("Ist dieselbe Person wie"), people)


def _build_player_field(label: str, people: QuerySet[Player]) -> forms.ModelChoiceField[Player]:
    widget = forms.Select(attrs={"class": "form-select"} | NAME_ATTRS)
    return forms.ModelChoiceField(people, label=label, empty_label=_("– wählen –"), widget=widget)
