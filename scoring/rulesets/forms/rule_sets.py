"""The forms for a club's rule sets: which one to begin with, and what it is called."""

from __future__ import annotations

from typing import Any

from crispy_forms.layout import Submit
from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.club.models.people import Club
from scoring.core.forms import posted_by
from scoring.core.text import tidy, validate_plain
from scoring.rules import labels
from scoring.rules.settings import DEFAULT, PRESETS
from scoring.rulesets.models import RuleSet
from scoring.rulesets.queries import current_rule_sets


def presets() -> list[tuple[str, str]]:
    """Each preset with what it is called and what is special about it."""
    return [(name, f"{_(labels.PRESETS[name].name)}: {_(labels.PRESETS[name].sentence)}") for name in PRESETS]


def name_field() -> forms.CharField:
    return forms.CharField(
        label=gettext_lazy("Name im Club"),
        max_length=RuleSet._meta.get_field("name").max_length,
        validators=[validate_plain],
        error_messages={"required": gettext_lazy("Bitte einen Namen für das Regelwerk angeben.")},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class RuleSetForm(forms.Form):
    """Which preset or rule set of the club to begin with, and the new name."""

    name = name_field()

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.club = club
        self.own = {str(rule_set.pk): rule_set for rule_set in current_rule_sets(club)}
        own = [(pk, _("Wie „%(name)s“") % {"name": rule_set}) for pk, rule_set in self.own.items()]
        self.fields["source"] = forms.ChoiceField(
            choices=[*presets(), *own], label=_("Vorlage"), widget=forms.RadioSelect, initial=DEFAULT
        )
        self.helper = posted_by("source", "name", Submit("save", _("Regelwerk anlegen"), css_class="btn-primary w-100"))

    def clean_name(self) -> str:
        name = tidy(self.cleaned_data["name"])
        if RuleSet.objects.filter(club=self.club, name=name).exists():
            raise forms.ValidationError(_("Ein Regelwerk dieses Namens gibt es schon. Bitte einen anderen wählen."))
        return name

    @property
    def copied(self) -> RuleSet | None:
        """The rule set of the club to begin with; None where it is a preset."""
        return self.own.get(self.cleaned_data["source"])


class NameForm(forms.Form):
    """What a rule set is called, in all its versions."""

    name = name_field()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.helper = posted_by("name", Submit("save", _("Umbenennen"), css_class="btn-primary w-100"))
