"""The forms for a new evening and for another table: when, where, under which rules, how long, and who sits where."""

from __future__ import annotations

from typing import Any

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Layout, Submit
from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.club.models.people import Club
from scoring.core.text import tidy
from scoring.play.models import Evening
from scoring.rulesets.models import RuleSet
from scoring.rulesets.queries import current_rule_sets
from scoring.table.forms.carry import Carrying
from scoring.table.forms.seats import Seated, draw_button, places, planned_field


class EveningForm(Carrying, Seated, forms.ModelForm):
    """Seats are asked for in seating order; the first of them deals first."""

    key = forms.UUIDField(required=False, widget=forms.HiddenInput)
    rule_set = forms.ModelChoiceField(RuleSet.objects.none(), label=gettext_lazy("Regelwerk"), empty_label=None)

    class Meta:
        model = Evening
        fields = ("held_on", "place")
        widgets = {"held_on": forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")}

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.instance.club = club
        self.fields["rule_set"].queryset = current_rule_sets(club)
        self.fields["planned_games"] = planned_field()
        self.add_seats(club)
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
        return Evening(club=self.instance.club, held_on=given["held_on"])

    def clean_place(self) -> str:
        return tidy(self.cleaned_data["place"])


class TableForm(Carrying, Seated, forms.Form):
    """One more table on an evening."""

    rule_set = forms.ModelChoiceField(RuleSet.objects.none(), label=gettext_lazy("Regelwerk"), empty_label=None)

    def __init__(self, *args: Any, evening: Evening, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.evening = evening
        self.fields["rule_set"].queryset = current_rule_sets(evening.club)
        self.fields["planned_games"] = planned_field()
        self.add_seats(evening.club)
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
