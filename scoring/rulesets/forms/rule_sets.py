"""The forms that begin a rule set, by a preset, a copy or five questions, and the form that renames it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from crispy_forms.layout import Submit
from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.club.models import Club, Player
from scoring.core.forms import build_post_helper
from scoring.core.names import name_key
from scoring.core.text import text_key, tidy, validate_plain
from scoring.rules import labels
from scoring.rules.settings import DEFAULT, PRESETS, RuleSettings, get_preset_data
from scoring.rules.settings_schema import MAX_NAME_LENGTH, MAX_OWN
from scoring.rules.validation import Refused
from scoring.rulesets.actions import NAME_TAKEN
from scoring.rulesets.models import RuleSet
from scoring.rulesets.queries import list_current_rule_sets
from scoring.rulesets.rules import CHARLIE, PROPOSED, Answers, build_settings, get_answers
from scoring.rulesets.texts.questions import OFFERED, QUESTIONS, TEXTS, TITLES, Question, render_sample, render_worths


def build_name_field() -> forms.CharField:
    return forms.CharField(
        label=gettext_lazy("Name im Club"),
        max_length=RuleSet._meta.get_field("name").max_length,
        validators=[validate_plain],
        error_messages={"required": gettext_lazy("Bitte einen Namen für das Regelwerk angeben.")},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


def _clean_new_name(club: Club, typed: str) -> str:
    name = tidy(typed)
    if club.pk:
        is_taken = RuleSet.objects.filter(club=club, name=name).exists()
    else:  # a new club gets all presets
        is_taken = name in [labels.PRESETS[preset] for preset in PRESETS]
    if is_taken:
        raise ValidationError(NAME_TAKEN)
    return name


class RuleSetForm(forms.Form):
    name = build_name_field()

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.club = club
        self.own = {str(rule_set.pk): rule_set for rule_set in list_current_rule_sets(club)}
        own = [(pk, _("Wie „%(name)s“") % {"name": rule_set}) for pk, rule_set in self.own.items()]
        presets = [(name, f"{_(labels.PRESETS[name])}: {_(labels.PRESET_SENTENCES[name])}") for name in PRESETS]
        self.fields["source"] = forms.ChoiceField(
            choices=[*presets, *own], label=_("Vorlage"), widget=forms.RadioSelect, initial=DEFAULT
        )
        self.helper = build_post_helper("source", "name", Submit("save", _("Regelwerk anlegen"), css_class="btn-primary w-100"))

    def clean_name(self) -> str:
        return _clean_new_name(self.club, self.cleaned_data["name"])

    @property
    def copied(self) -> RuleSet | None:
        """The rule set to copy; None if a preset was chosen."""
        return self.own.get(self.cleaned_data["source"])


class NameForm(forms.Form):
    name = build_name_field()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.helper = build_post_helper("name", Submit("save", _("Umbenennen"), css_class="btn-primary w-100"))


_MOST_PEOPLE: Final = 40


class QuestionsForm(forms.Form):
    """The answers and the name of the rule set. While `founding`, also the players, and a preset to take instead."""

    def __init__(self, data: Mapping[str, Any] | None = None, *, club: Club, founding: bool) -> None:
        proposed = get_answers(get_preset_data(PROPOSED))
        initial = proposed._asdict() | {"own": "", "texts": [], "name": _("Unsere Regeln")}
        super().__init__(data, initial=initial)
        self.club = club
        if founding:
            self.fields["people"] = _build_people_field()
            presets = sorted(PRESETS, key=lambda preset: preset != PROPOSED)
            named = [(preset, _(labels.PRESETS[preset])) for preset in presets]
            self.fields["source"] = forms.ChoiceField(
                label=_("Regeln"),
                choices=[*named, ("", _("Regeln anpassen"))],
                initial=PROPOSED,
                required=False,
                widget=forms.RadioSelect(attrs={"class": "form-check-input"}),
            )
        self.answers = self._get_sample_answers(proposed)
        for name, question in QUESTIONS.items():
            self.fields[name] = _build_question_field(question)
        self.fields["name"] = build_name_field()
        self.fields["name"].widget.attrs["class"] = "form-control"

    def _get_sample_answers(self, proposed: Answers) -> Answers:
        """Return the answers for the sample games: the valid ones that were sent, else the proposed ones."""
        if not self.is_bound:
            return proposed
        single = [name for name, question in QUESTIONS.items() if question.style in ("rows", "numbers")]
        found: dict[str, Any] = {name: self.data.get(name) for name in single}
        known = {name: code for name, code in found.items() if code in QUESTIONS[name].choices}
        sent = self.data.getlist("triggers") if hasattr(self.data, "getlist") else self.data.get("triggers", [])
        return proposed._replace(**known, triggers=[code for code in sent if code in QUESTIONS["triggers"].choices])

    def clean_own(self) -> list[str]:
        names = {text_key(name): name for typed in self.cleaned_data["own"].split(",") if (name := tidy(typed))}
        for name in names.values():
            validate_plain(name)
            if len(name) > MAX_NAME_LENGTH:
                fault = _("„%(name)s“ ist zu lang: höchstens %(most)s Zeichen.")
                raise ValidationError(fault % {"name": name, "most": MAX_NAME_LENGTH})
        built_in = {text_key(_(special)) for special in labels.SPECIALS.values()} | {CHARLIE}
        if taken := [name for key, name in names.items() if key in built_in]:
            fault = _("„%(name)s“ steht schon oben zum Antippen. Bitte hier weglassen.")
            raise ValidationError(fault % {"name": ", ".join(taken)})
        return list(names.values())

    def clean_people(self) -> list[str]:
        people: dict[str, str] = {}
        lines: dict[str, int] = {}
        for number, line in enumerate(self.cleaned_data["people"].splitlines(), 1):
            for name in filter(None, map(tidy, line.split(","))):
                Player._meta.get_field("name").clean(name, None)
                key = name_key(name)
                if key in people:
                    values = {"row": number, "name": name, "first": lines[key], "other": people[key]}
                    fault = _(
                        "Zeile %(row)s „%(name)s“ ist dieselbe Person wie Zeile %(first)s „%(other)s“. Bitte eine davon löschen "
                        "oder ihr einen Zusatz geben."
                    )
                    raise ValidationError(fault % values)
                people[key], lines[key] = name, number
        if not 4 <= len(people) <= _MOST_PEOPLE:
            raise ValidationError(_get_people_fault())
        return list(people.values())

    def clean_name(self) -> str:
        return _clean_new_name(self.club, self.cleaned_data["name"])

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("source"):
            # The questions are hidden while a preset is chosen.
            for name in (*QUESTIONS, "name"):
                self.errors.pop(name, None)
        elif not self.errors:
            try:
                RuleSettings.from_data(self.settings)
            except Refused as refused:
                for fault in refused.fields.values():
                    self.add_error(None, _(fault.text) % fault.values)
        return cleaned

    @property
    def settings(self) -> dict[str, Any]:
        typed = self.cleaned_data
        own = [OFFERED[code] for code in typed["specials"] if code in OFFERED]
        taken = {text_key(name) for name in own}
        given = {name: typed[name] for name in Answers._fields if name in typed}
        given |= {
            "specials": [code for code in typed["specials"] if code not in OFFERED],
            "own": own + [name for name in typed["own"] if text_key(name) not in taken],
            "text": "\n".join(_(TEXTS[code]) for code in typed["texts"]),
        }
        return build_settings(Answers(**given))

    @property
    def rule_choices(self) -> list[tuple[Any, str]]:
        """The radio buttons of the presets, each with its sentence, and the one that opens the questions."""
        adjust = _("Fünf Fragen, jede mit einem Beispiel.")
        return [
            (radio, _(labels.PRESET_SENTENCES[preset]) if (preset := radio.data["value"]) else adjust)
            for radio in self["source"]
        ]

    @property
    def questions(self) -> list[tuple[str, list[dict[str, Any]]]]:
        return [(_(title), [self._build_part(name) for name in questions]) for title, questions in TITLES.items()]

    def _build_part(self, name: str) -> dict[str, Any]:
        """Return a question for the page. Rows are the radio buttons, each with what the sample game is then worth."""
        question = QUESTIONS[name]
        worths = render_worths(name, self.answers) if question.style == "rows" else {}
        return {
            "field": self[name],
            "style": question.style,
            "sample": render_sample(name, self.answers),
            "rows": [(radio, worths[radio.data["value"]]) for radio in self[name]] if worths else [],
            "worth": question.worth(self.answers) if question.worth and not worths else "",
        }


def _build_question_field(question: Question) -> forms.Field:
    label, choices = _(question.label), question.list_choices()
    if question.style == "text":
        text = forms.TextInput(attrs={"class": "form-control", "autocomplete": "off"})
        return forms.CharField(label=label, required=False, max_length=MAX_OWN * (MAX_NAME_LENGTH + 2), widget=text)
    if question.style == "pills":
        return forms.MultipleChoiceField(label=label, choices=choices, required=False, widget=forms.CheckboxSelectMultiple)
    return forms.ChoiceField(label=label, choices=choices, widget=forms.RadioSelect(attrs={"class": "form-check-input"}))


def _get_people_fault() -> str:
    return _("Bitte %(least)s bis %(most)s verschiedene Namen, je Zeile einen.") % {"least": 4, "most": _MOST_PEOPLE}


def _build_people_field() -> forms.CharField:
    return forms.CharField(
        label=_("Wer spielt mit? Je Zeile ein Name."),
        error_messages={"required": _get_people_fault()},
        widget=forms.Textarea(attrs={"class": "form-control", "rows": 5, "autocomplete": "off"}),
    )
