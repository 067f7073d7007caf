"""The forms for a club's rule sets: which one to begin with, what it is called, and all its settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Layout, Submit
from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.club.models.people import Club
from scoring.core.text import tidy, validate_plain
from scoring.rules import labels
from scoring.rules.allowed import BOCK_KEYS, judge_settings
from scoring.rules.settings import DEFAULT, PLAIN_BOCK, PRESETS
from scoring.rulesets.models import RuleSet
from scoring.rulesets.queries import current_rule_sets
from scoring.rulesets.words.bock import bock_sentence
from scoring.rulesets.words.rulesets import SECTIONS
from scoring.rulesets.words.settings import sentence

from .fields import BESIDE, LONG_TABLES, Data, as_fields, from_fields, setting_fields


def presets() -> list[tuple[str, str]]:
    """Each preset with what it is called and what is special about it."""
    return [(name, f"{_(labels.PRESETS[name].name)}: {_(labels.PRESETS[name].sentence)}") for name in PRESETS]


def name_field() -> forms.CharField:
    return forms.CharField(
        label=gettext_lazy("Name im Club"),
        max_length=RuleSet._meta.get_field("name").max_length,
        validators=[validate_plain],
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class RuleSetForm(forms.Form):
    """Which preset or rule set of the club to begin with, and the new name."""

    source = forms.ChoiceField(label=gettext_lazy("Vorlage"), widget=forms.RadioSelect, initial=DEFAULT)
    name = name_field()

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.club = club
        self.own = {str(rule_set.pk): rule_set for rule_set in current_rule_sets(club)}
        own = [(pk, _("Wie „%(name)s“") % {"name": rule_set}) for pk, rule_set in self.own.items()]
        self.fields["source"].choices = [*presets(), *own]
        self.helper = FormHelper()
        self.helper.layout = Layout(
            "source", "name", Submit("save", _("Regelwerk anlegen"), css_class="btn-primary w-100")
        )

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
        self.helper = FormHelper()
        self.helper.layout = Layout("name", Submit("save", _("Umbenennen"), css_class="btn-primary w-100"))


@dataclass(frozen=True)
class Part:
    """One field of a setting and how it is shown: `rows` of sentences, `pills`, or a `number`."""

    field: forms.BoundField
    shown: str
    label: str


@dataclass(frozen=True)
class Setting:
    """One setting on the page: what it is called, the sentence that explains it, what it says now, its fields, and what
    it says at tables of other sizes."""

    key: str
    name: str
    explained: str
    sentence: str
    parts: list[Part]
    open: bool
    faulty: bool
    elsewhere: list[str]


def _seats_fit(people: int, playing: int) -> bool:
    """Four play, or at six and eight all of them; none: it is said with each game."""
    return playing in (0, 4) or playing == people != 7


class SettingsForm(forms.Form):
    """Every setting of a rule set. With `people` what differs at a table of so many; the unit is that of all tables."""

    def __init__(self, *args: Any, settings: Mapping[str, Any], people: int | None = None, **kwargs: Any) -> None:
        self.stored, self.people = dict(settings), people
        self.current = {**settings, **settings.get("at", {}).get(str(people), {})}
        super().__init__(*args, initial=as_fields(self.current), **kwargs)
        self.fields |= setting_fields(self.current)
        if people is not None:
            # What holds for all tables: what is written down, and whether open Bocks outlast the evening.
            del self.fields["unit"], self.fields["bock__carry"]

    def clean(self) -> Data:
        cleaned = super().clean() or {}
        for name, (choice, values) in BESIDE.items():
            if cleaned.get(choice) in values and cleaned.get(name) is None and name not in self.errors:
                self.add_error(name, _("Bitte eine Zahl angeben."))
        if cleaned.get("re_kontra") == "times" and cleaned.get("re_kontra__n") not in (None, *range(1, 10)):
            self.add_error("re_kontra__n", _("Bitte eine Zahl von 1 bis 9 angeben."))
        if not self.errors:
            typed = {**self.stored, **self._typed(cleaned)}
            for key, fault in judge_settings(typed).items():
                self.add_error(self._place(key, cleaned), _(fault.text) % fault.values)
        return cleaned

    def _place(self, key: str, cleaned: Mapping[str, Any]) -> str | None:
        """The field at which to say what is wrong with a setting."""
        if key == "seating":
            wrong = [people for people in LONG_TABLES if not _seats_fit(people, len(cleaned[f"seating__{people}"]))]
            return f"seating__{wrong[0]}"
        return next(iter(self._names(key)), None)

    def _whole(self, cleaned: Mapping[str, Any]) -> Data:
        """The complete rule set with what was typed, at tables of other sizes as it was."""
        if self.people is None:
            return {**self.stored, **self._typed(cleaned)}
        typed = self._typed(cleaned)
        at = {**self.stored.get("at", {})}
        at[str(self.people)] = {key: value for key, value in typed.items() if value != self.stored[key]}
        return {**self.stored, "at": {size: other for size, other in sorted(at.items()) if other}}

    def _typed(self, cleaned: Mapping[str, Any]) -> Data:
        """What the fields say, and what is not asked because it holds for all tables."""
        carry = (self.stored["bock"] or PLAIN_BOCK)["carry"]
        return from_fields({"unit": self.stored["unit"], "bock__carry": carry, **cleaned})

    @property
    def settings(self) -> Data:
        """The complete rule set as it was typed; the form is valid."""
        return self._whole(self.cleaned_data)

    @property
    def sections(self) -> list[tuple[str, list[Setting]]]:
        """All settings, grouped as they are told."""
        said = self.current
        if self.is_bound and self.is_valid():
            said = {**self.settings, **self.settings.get("at", {}).get(str(self.people), {})}
        found = [
            (str(title), [self._setting(key, labels.SETTINGS[key], sentence(key, said)) for key in keys])
            for title, keys in SECTIONS
        ]
        bock = said["bock"] or PLAIN_BOCK
        there = _("Bock gibt es nicht.") if said["bock"] is None else _("Bock gibt es.")
        found.append((_("Bock"), [self._setting("bock", labels.SETTINGS["bock"], there)]))
        lines = [self._setting(f"bock__{key}", labels.BOCK[key], bock_sentence(key, bock[key])) for key in BOCK_KEYS]
        found.append((_("Wenn es Bock gibt"), lines))
        return [(title, [line for line in lines if line.parts]) for title, lines in found]

    def _setting(self, key: str, explained: labels.Explained, said: str) -> Setting:
        names = self._names(key)
        changed = bool(set(names) & set(self.changed_data)) if self.is_bound else False
        faulty = any(name in self.errors for name in names) if self.is_bound else False
        return Setting(
            key=key,
            name=_(explained.name),
            explained=_(explained.sentence),
            sentence=said,
            parts=[self._part(name) for name in names],
            open=changed or faulty,
            faulty=faulty,
            elsewhere=self._elsewhere(key),
        )

    def _part(self, name: str) -> Part:
        field = self[name]
        if isinstance(field.field, forms.IntegerField):
            return Part(field, "number", field.label)
        shown = "pills" if isinstance(field.field, forms.TypedMultipleChoiceField) else "rows"
        return Part(field, shown, self.fields[name].label or "")

    def _names(self, key: str) -> list[str]:
        """The fields of a setting; those of `bock` are settings of their own."""
        return [name for name in self.fields if name == key or (key != "bock" and name.startswith(f"{key}__"))]

    def _elsewhere(self, key: str) -> list[str]:
        """What this setting says at tables of other sizes."""
        if self.people is not None or key.startswith("bock"):
            return []
        return [
            _("Mit %(people)s am Tisch: %(sentence)s")
            % {"people": size, "sentence": sentence(key, {**self.stored, **other})}
            for size, other in sorted(self.stored.get("at", {}).items())
            if key in other
        ]
