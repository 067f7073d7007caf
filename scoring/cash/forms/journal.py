"""Which entries a register shows: by a text, of a month or a year, about a person, of a kind. A GET form: a selection is an
address."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _

from scoring.cash.models.books import Kind, Leg
from scoring.cash.queries.books import days_of
from scoring.cash.queries.closing import months_of_books
from scoring.cash.queries.journal import BookNames, family_of
from scoring.cash.rules.amounts import cents_typed
from scoring.club.models import Club
from scoring.club.queries import list_people
from scoring.core.formats import NAME_ATTRS, format_month
from scoring.core.forms import ListFilterForm, build_filter_helper, build_filter_layout
from scoring.core.names import matches_search
from scoring.core.text import text_key, validate_plain


class RegisterForm(ListFilterForm):
    """Offers a text, the years of the books, by which entries are numbered, and their months, and every kind; where the register is
    of the whole club its people as well. `sort` is kept."""

    sort = forms.CharField(required=False, max_length=100, widget=forms.HiddenInput)

    def __init__(self, data: Any, *, club: Club, names: BookNames, of_all: bool) -> None:
        super().__init__(data)
        self.club, self.names = club, names
        self.named: dict[str, dict[str, str]] = {}
        self.people = {str(player.pk): player for player in list_people(club)} if of_all else {}
        months = months_of_books(club)
        years = dict.fromkeys(month[:4] for month in months)
        self.fields["text"] = forms.CharField(
            label=_("Suche"), required=False, max_length=100, validators=[validate_plain], widget=forms.SearchInput
        )
        people = [("person", _("Person"), [(pk, str(player)) for pk, player in self.people.items()])] if of_all else []
        for field, label, choices in (
            ("month", _("Zeitraum"), [*((year, year) for year in years), *((one, format_month(one)) for one in months)]),
            *people,
            ("kind", _("Art"), [(kind.value, str(kind.label)) for kind in Kind]),
        ):
            self.named[field] = dict(choices)
            self.fields[field] = forms.ChoiceField(choices=[("", _("alle")), *choices], label=label, required=False)
        if of_all:
            self.fields["person"].widget.attrs |= NAME_ATTRS
        self.helper = build_filter_helper("sort", build_filter_layout(self, "text", *self.named))

    @property
    def query(self) -> dict[str, str]:
        """What is chosen, as an address has it."""
        self.is_valid()
        return {name: value for name, value in self.cleaned_data.items() if value and name != "sort"}

    @property
    def is_filtered(self) -> bool:
        return bool(self.query)

    @property
    def summary(self) -> str:
        """What is chosen, in words."""
        return " · ".join(self.named[field][value] if field in self.named else value for field, value in self.query.items())

    @property
    def chosen(self) -> Q:
        """The entries that were asked for; a choice that does not exist counts as none and is named at its field."""
        query, found = self.query, Q()
        if text := query.get("text"):
            found &= self._about(text)
        if period := query.get("month"):
            found &= Q(year=period) if len(period) == 4 else Q(date__range=days_of(period))
        if person := query.get("person"):
            found &= _with_legs(account__player__in=family_of(self.club, self.people[person]))
        if kind := query.get("kind"):
            found &= Q(kind=kind)
        return found

    def _about(self, text: str) -> Q:
        """The entries whose reason, kind or number has this text, or whose amount or person it is."""
        key = text_key(text)
        kinds = [kind for kind in Kind if key in text_key(str(kind.label))]
        found = Q(reason__iregex=re.escape(text)) | Q(kind__in=kinds)
        if number := re.fullmatch(r"([0-9]{4})-0*([0-9]{1,6})", text):
            found |= Q(year=number[1], number=number[2])
        if cents := cents_typed(text):
            found |= _with_legs(cents__in=(cents, -cents))
        if self.people:
            found |= _with_legs(account__player__in=[pk for pk, name in self.names.people.items() if matches_search(name, text)])
        return found


def _with_legs(**legs: Any) -> Q:
    """The entries that have such a leg, as `among` can ask for them."""
    return Q(Exists(Leg.objects.filter(entry=OuterRef("pk"), **legs)))
