"""Choose the rules to value a list or a table by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

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
        return _named(evening)


class WhatIfForm(SelectionForm):
    """The latest version of each rule set and those that were played; one evening, some time, or everything."""

    def __init__(self, *args: Any, club: Club, rule_sets: Sequence[RuleSet], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.rule_sets = {str(row.pk): row for row in rule_sets}
        choices = [
            (pk, _("%(name)s, Fassung %(version)s") % {"name": row.name, "version": row.version})
            for pk, row in self.rule_sets.items()
        ]
        self.fields["rules"] = forms.ChoiceField(label=_("Nach diesen Regeln"), choices=choices, required=False)
        self.fields["rule_set"].label = _("Gespielt nach")
        evenings = Evening.objects.filter(club=club).order_by("-held_on", "-id")
        self.fields["evening"] = EveningField(evenings, label=_("Abend"), required=False, empty_label=_("alle"))

    def laid_out(self) -> Sequence[Any]:
        show = Submit("", _("Zeigen"), css_class="btn-primary")
        return "rules", self.grid("evening"), "all", show

    def times(self, chosen: Selection) -> list[str]:
        evening = self.cleaned_data.get("evening")
        return [
            *([_("Abend vom %(evening)s") % {"evening": _named(evening)}] if evening else []),
            *super().times(chosen),
        ]

    @property
    def query(self) -> str:
        """What was asked, as the end of an address; the same for all who ask the same."""
        self.is_valid()
        asked = {name: value for name, value in self.cleaned_data.items() if value}
        if "evening" in asked:
            asked["evening"] = asked["evening"].pk
        return urlencode(sorted(asked.items()))

    @property
    def chosen(self) -> RuleSet | None:
        """The rules to value by, None as long as none were chosen."""
        self.is_valid()
        return self.rule_sets.get(self.cleaned_data.get("rules", ""))


def _named(evening: Evening) -> str:
    return date_format(evening.held_on, "SHORT_DATE_FORMAT") + (f", {evening.place}" if evening.place else "")


class OtherRulesForm(forms.Form):
    """By which rule set of the club to value a table: the latest of each, and those that were played."""

    def __init__(self, *args: Any, table: Table, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        found = [row for versions in list_rule_sets(table.evening.club) for row in versions]
        self.others = {str(row.pk): row for row in found if row.pk != table.rule_set_id}
        choices = [
            (pk, _("%(name)s, Fassung %(version)s") % {"name": row.name, "version": row.version})
            for pk, row in self.others.items()
        ]
        widget = forms.Select(attrs={"class": "form-select"})
        self.fields["rule_set"] = forms.ChoiceField(choices=choices, widget=widget)

    @property
    def chosen(self) -> RuleSet:
        return self.others[self.cleaned_data["rule_set"]]
