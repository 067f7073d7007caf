"""Choose the rules to value a list or a table by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from crispy_forms.layout import Submit
from django import forms
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from scoring.club.models import Club
from scoring.play.models import Evening, Table
from scoring.rulesets.models import RuleSet
from scoring.rulesets.queries import list_rule_sets
from scoring.standings.forms import SelectionForm
from scoring.standings.queries.selection import Selection


class EveningField(forms.ModelChoiceField):  # type: ignore[type-arg]  # Django's class takes no argument
    def label_from_instance(self, evening: Evening) -> str:
        return _format_evening(evening)


class WhatIfForm(SelectionForm):
    """The choice of rules and games: the latest version of each rule set and the played ones; one evening, some days, or all."""

    def __init__(self, *args: Any, club: Club, rule_sets: Sequence[RuleSet], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.rule_sets = {str(row.pk): row for row in rule_sets}
        choices = _list_choices(self.rule_sets)
        self.fields["rules"] = forms.ChoiceField(label=_("Nach diesen Regeln"), choices=choices, required=False)
        self.fields["rule_set"].label = _("Gespielt nach")
        evenings = Evening.objects.filter(club=club).order_by("-held_on", "-id")
        self.fields["evening"] = EveningField(evenings, label=_("Abend"), required=False, empty_label=_("alle"))

    def build_layout(self) -> Sequence[Any]:
        show = Submit("", _("Zeigen"), css_class="btn-primary")
        return "rules", self.build_columns("evening"), "all", show

    def describe_times(self, selection: Selection) -> list[str]:
        evening = self.cleaned_data.get("evening")
        return [
            *([_("Abend vom %(evening)s") % {"evening": _format_evening(evening)}] if evening else []),
            *super().describe_times(selection),
        ]

    @property
    def other_rule_set(self) -> RuleSet | None:
        self.is_valid()
        return self.rule_sets.get(self.cleaned_data.get("rules", ""))


def _format_evening(evening: Evening) -> str:
    return date_format(evening.held_on, "SHORT_DATE_FORMAT") + (f", {evening.place}" if evening.place else "")


def _list_choices(rule_sets: Mapping[str, RuleSet]) -> list[tuple[str, str]]:
    return [(pk, _("%(name)s, Fassung %(version)s") % {"name": row.name, "version": row.version}) for pk, row in rule_sets.items()]


class OtherRulesForm(forms.Form):
    def __init__(self, *args: Any, table: Table, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        found = [row for versions in list_rule_sets(table.evening.club) for row in versions]
        self.others = {str(row.pk): row for row in found if row.pk != table.rule_set_id}
        widget = forms.Select(attrs={"class": "form-select"})
        choices = _list_choices(self.others)
        self.fields["rule_set"] = forms.ChoiceField(choices=choices, label=_("Stattdessen nach"), widget=widget)

    @property
    def other_rule_set(self) -> RuleSet:
        return self.others[self.cleaned_data["rule_set"]]
