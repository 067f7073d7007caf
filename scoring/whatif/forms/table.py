"""By which rules to value a table instead."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _

from scoring.play.models import Table
from scoring.rulesets.models import RuleSet
from scoring.rulesets.queries import list_rule_sets


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
