"""Which evenings the list shows: of a year or a month, at a place, with a person. A GET form: a selection is an address."""

from __future__ import annotations

from typing import Any

from crispy_forms.layout import Submit
from django import forms
from django.db.models import QuerySet
from django.utils.dates import MONTHS
from django.utils.translation import gettext as _

from scoring.club.access import Access
from scoring.club.queries import list_people
from scoring.core.formats import NAME_ATTRS
from scoring.core.forms import ListFilterForm, build_columns_layout, build_filter_helper
from scoring.evenings.queries.evenings import places_of, with_person, years_of
from scoring.play.models import Evening


class EveningsForm(ListFilterForm):
    """Offers the years of `evenings` and the months, to members also the places and people of the club. Where nothing is chosen
    it is the last year."""

    def __init__(self, data: Any, *, access: Access, evenings: QuerySet[Evening]) -> None:
        self.years = [str(year) for year in years_of(evenings)]
        self._evenings = evenings
        named = {"year": (_("Jahr"), {year: year for year in self.years})}
        named["month"] = (_("Monat"), {str(number): str(name) for number, name in MONTHS.items()})
        if access.member:
            named["place"] = (_("Ort"), {place: place for place in places_of(access.club)})
            named["person"] = (_("Person"), {str(one.pk): str(one) for one in list_people(access.club)})
        super().__init__(data if named.keys() & data.keys() else {"year": self.years[0] if self.years else ""})
        self._named = {name: choices for name, (_label, choices) in named.items()}
        for name, (label, choices) in named.items():
            shown = [("", _("alle")), *choices.items()]
            self.fields[name] = forms.ChoiceField(choices=shown, label=label, required=False)
            self.fields[name].widget.attrs |= NAME_ATTRS if name in ("place", "person") else {}
        show = Submit("", _("Anzeigen"), css_class="btn-primary")
        self.helper = build_filter_helper(build_columns_layout(*self.fields), show)

    @property
    def _chosen(self) -> dict[str, str]:
        self.is_valid()
        return {name: value for name, value in self.cleaned_data.items() if value}

    @property
    def summary(self) -> str:
        """What is chosen, in words."""
        return " · ".join(self._named[name][value] for name, value in self._chosen.items()) or _("Alle Jahre")

    @property
    def evenings(self) -> QuerySet[Evening]:
        """The evenings that were asked for; a choice that does not exist counts as none and is named at its field."""
        lookups = {"year": "held_on__year", "month": "held_on__month", "place": "place"}
        chosen = self._chosen
        found = self._evenings.filter(**{lookups[name]: value for name, value in chosen.items() if name in lookups})
        return with_person(found, int(chosen["person"])) if "person" in chosen else found
