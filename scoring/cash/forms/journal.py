"""Which entries the journal shows: of a month or a year, about a person, of a kind. A GET form: a selection is an address."""

from __future__ import annotations

from typing import Any

from crispy_forms.bootstrap import StrictButton
from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from scoring.cash.models.books import Entry, Kind
from scoring.cash.queries.books import days_of
from scoring.cash.queries.closing import months_of_books
from scoring.cash.queries.journal import family_of
from scoring.club.models.people import Club
from scoring.club.queries import people_of
from scoring.core.pages import ChoosingForm, chosen_by, side_by_side
from scoring.core.words import UNTRANSLATED, month_name


class JournalForm(ChoosingForm):
    """Offers the years of the books, by which entries are numbered, and their months, the people of the club, and every kind."""

    def __init__(self, data: Any, *, club: Club) -> None:
        super().__init__(data)
        self.club = club
        self.named: dict[str, dict[str, str]] = {}
        self.people = {str(player.pk): player for player in people_of(club)}
        months = months_of_books(club)
        years = dict.fromkeys(month[:4] for month in months)
        for field, label, choices in (
            ("month", _("Zeitraum"), [*((year, year) for year in years), *((one, month_name(one)) for one in months)]),
            ("person", _("Person"), [(pk, str(player)) for pk, player in self.people.items()]),
            ("kind", _("Art"), [(kind.value, str(kind.label)) for kind in Kind]),
        ):
            self.named[field] = dict(choices)
            self.fields[field] = forms.ChoiceField(choices=[("", _("alle")), *choices], label=label, required=False)
        self.fields["person"].widget.attrs |= UNTRANSLATED
        show = StrictButton(_("Anzeigen"), type="submit", css_class="btn-outline-secondary")
        self.helper = chosen_by(side_by_side(*self.fields), show)

    @property
    def query(self) -> dict[str, str]:
        """What is chosen, as an address has it."""
        self.is_valid()
        return {name: value for name, value in self.cleaned_data.items() if value}

    @property
    def summary(self) -> str:
        """What is chosen, in words."""
        return " · ".join(self.named[field][value] for field, value in self.query.items())

    def of(self, entries: QuerySet[Entry]) -> QuerySet[Entry]:
        """Those of `entries` that were asked for; a choice that does not exist counts as none and is named at its field."""
        chosen = self.query
        if period := chosen.get("month"):
            is_year = len(period) == 4
            entries = entries.filter(date__year=period) if is_year else entries.filter(date__range=days_of(period))
        if person := chosen.get("person"):
            family = family_of(self.club, self.people[person])
            entries = entries.filter(pk__in=Entry.objects.filter(legs__account__player__in=family).values("pk"))
        if kind := chosen.get("kind"):
            entries = entries.filter(kind=kind)
        return entries
