"""The forms for a new evening and for another table: when, where, under which rules, how long, and who sits where."""

from __future__ import annotations

from typing import Any

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Layout, Submit
from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.club.models.people import Club
from scoring.core.text import tidy, validate_plain
from scoring.play.models import Evening
from scoring.table.forms.carry import Carrying
from scoring.table.forms.seats import draw_button, places


class EveningForm(Carrying):
    """Seats are asked for in seating order; the first of them deals first."""

    key = forms.UUIDField(required=False, widget=forms.HiddenInput)
    held_on = forms.DateField(
        label=gettext_lazy("Datum"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    place = forms.CharField(label=gettext_lazy("Ort"), max_length=60, required=False, validators=[validate_plain])

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.club = club
        self.add_table(club)
        self.helper = FormHelper()
        self.helper.layout = Layout(
            "key",
            "offered",
            "held_on",
            "place",
            "rule_set",
            "planned_games",
            places(),
            draw_button(),
            Submit("open", _("Abend beginnen"), css_class="btn-primary w-100"),
        )
        self.add_offer()

    def _evening(self, given: dict[str, Any]) -> Evening:
        return Evening(club=self.club, held_on=given["held_on"])

    def clean_place(self) -> str:
        return tidy(self.cleaned_data["place"])


class TableForm(Carrying):
    """One more table on an evening."""

    def __init__(self, *args: Any, evening: Evening, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.evening = evening
        self.add_table(evening.club)
        self.helper = FormHelper()
        self.helper.layout = Layout(
            "offered",
            "rule_set",
            "planned_games",
            places(),
            draw_button(),
            Submit("open", _("Tisch dazustellen"), css_class="btn-primary w-100"),
        )
        self.add_offer()

    def _evening(self, given: dict[str, Any]) -> Evening:
        return self.evening
