"""The forms of seasons, of closing a month and of supplements."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final, cast

from crispy_forms.layout import Fieldset, Submit
from django import forms
from django.forms.models import model_to_dict
from django.utils.translation import gettext_lazy as _

from scoring.club.models import Club
from scoring.core.forms import DayInput, WholeField, build_post_helper
from scoring.core.text import validate_plain
from scoring.rulesets.models import RuleSet
from scoring.rulesets.queries import list_rule_sets

from .models import SEASON_FIELDS, Season, Supplement
from .rules import (
    DEFAULT,
    MOST_EVENINGS,
    MOST_EVENINGS_OF_SEASON,
    MOST_GAMES,
    MOST_MONTHS,
    MOST_POINTS,
    ROOT,
    Settings,
    validate_league,
)
from .texts import COUNTINGS, FEW_GAMES, SEASON_COUNTINGS, TIE_BREAKS

Data = dict[str, Any]

TIES: Final = ("tie_1", "tie_2", "tie_3")
# The field that shows a fault of a setting, if it has another name.
FAULT_FIELDS: Final = {"few_games": "deduction_points", "tie_breaks": "tie_1"}


class PlacesField(forms.CharField):
    """Points by rank, as whole numbers with commas: "10, 8, 6"."""

    def clean(self, value: Any) -> list[int]:
        parts = [part.strip() for part in super().clean(value).replace(";", ",").split(",")]
        parts = [part for part in parts if part]
        if not all(part.isascii() and part.isdecimal() and len(part) < 9 for part in parts):
            raise forms.ValidationError(_("Bitte ganze Zahlen mit Kommas dazwischen angeben, etwa 10, 8, 6."))
        return [int(part) for part in parts]

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(str(points) for points in value) if isinstance(value, list) else value


def _build_number(highest: int, label: Any, help_text: Any, lowest: int = 0) -> WholeField:
    return WholeField(min_value=lowest, max_value=highest, required=False, label=label, help_text=help_text)


def _build_radios(choices: Mapping[str, Any], label: Any, help_text: Any) -> forms.ChoiceField:
    return forms.ChoiceField(choices=list(choices.items()), widget=forms.RadioSelect, label=label, help_text=help_text)


def _build_tie_break(label: Any, help_text: Any = "") -> forms.ChoiceField:
    choices = [("", "–"), *TIE_BREAKS.items()]
    return forms.ChoiceField(choices=choices, required=False, label=label, help_text=help_text)


class SeasonForm(forms.Form):
    """A new season, or changes of `season`."""

    name = forms.CharField(
        label=_("Name"),
        max_length=Season._meta.get_field("name").max_length,
        validators=[validate_plain],
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    first_day = forms.DateField(label=_("Erster Tag"), widget=DayInput())
    last_day = forms.DateField(label=_("Letzter Tag"), widget=DayInput())
    unit = forms.ChoiceField(
        label=_("Gezählt in"),
        choices=RuleSet.Unit.choices,
        widget=forms.RadioSelect,
        help_text=_("Punkte und Cent werden nie zusammengezählt: Eine Saison zählt das eine oder das andere."),
    )
    rule_sets = forms.MultipleChoiceField(
        label=_("Regelwerke"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Welche Tische zählen. Ohne Auswahl zählen alle, die in der Einheit der Saison gewertet sind."),
    )
    counting = _build_radios(
        COUNTINGS,
        _("Wertung des Monats"),
        _("Was von einem Abend für den Monat zählt, mehrere Tische eines Abends zusammen."),
    )
    places = PlacesField(
        label=_("Platzpunkte je Abend"),
        required=False,
        max_length=400,
        help_text=_(
            "Was der erste Platz eines Abends bringt, der zweite und so weiter, mit Kommas getrennt. Auf einem geteilten "
            "Platz werden auch die Punkte dieser Plätze geteilt."
        ),
    )
    best = _build_number(
        MOST_EVENINGS,
        _("Beste Abende"),
        _("Nur so viele der besten Abende eines Monats zählen, die übrigen fallen weg. Leer: alle zählen."),
        lowest=1,
    )
    guests = forms.BooleanField(required=False, label=_("Gäste zählen mit und belegen Plätze"))
    min_evenings = _build_number(
        MOST_EVENINGS, _("Mindestzahl Abende"), _("Mitglieder mit weniger Abenden stehen ohne Platz unter der Tabelle.")
    )
    min_games = _build_number(
        MOST_GAMES, _("Mindestzahl Spiele"), _("Mitglieder mit weniger Spielen stehen ohne Platz unter der Tabelle.")
    )
    few_games = _build_radios(
        FEW_GAMES, _("Zu wenige Spiele"), _("Womit ausgeglichen wird, dass jemand nur wenige Spiele gespielt hat.")
    )
    deduction_games = _build_number(
        MOST_GAMES, _("Abzug unter wie vielen Spielen"), _("Nur wenn für fehlende Spiele abgezogen wird."), lowest=1
    )
    deduction_points = forms.DecimalField(
        label=_("Abzug je fehlendem Spiel"),
        min_value=Decimal("0.01"),
        max_value=MOST_POINTS,
        decimal_places=2,
        required=False,
        help_text=_("Nur wenn für fehlende Spiele abgezogen wird."),
    )
    tie_1 = _build_tie_break(
        _("Zuerst"),
        _(
            "Was der Reihe nach verglichen wird, wenn zwei dasselbe Ergebnis haben. Sind sie auch darin gleich, teilen sie "
            "den Platz."
        ),
    )
    tie_2 = _build_tie_break(_("Dann"))
    tie_3 = _build_tie_break(_("Zuletzt"))
    season = _build_radios(SEASON_COUNTINGS, _("Wertung der Saison"), _("Wie aus den Monaten die Saison wird."))
    season_places = PlacesField(
        label=_("Platzpunkte je Monat"),
        required=False,
        max_length=400,
        help_text=_("Was der erste Platz eines Monats für die Saison bringt, der zweite und so weiter, mit Kommas getrennt."),
    )
    season_best = _build_number(
        MOST_MONTHS,
        _("Beste Monate"),
        _("Nur so viele der besten Monate zählen für die Saison, die übrigen fallen weg. Leer: alle zählen."),
        lowest=1,
    )
    season_min_evenings = _build_number(
        MOST_EVENINGS_OF_SEASON,
        _("Mindestzahl Abende der Saison"),
        _("Mitglieder mit weniger Abenden in der ganzen Saison haben in ihr keinen Platz."),
    )
    version = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, club: Club, season: Season | None = None, **kwargs: Any) -> None:
        kwargs["initial"] = _get_initial(season) | kwargs.get("initial", {})
        super().__init__(*args, **kwargs)
        named = dict.fromkeys(versions[0].name for versions in list_rule_sets(club))
        current = dict.fromkeys(season.settings["rule_sets"] if season else [])
        rule_sets = cast(forms.MultipleChoiceField, self.fields["rule_sets"])
        rule_sets.choices = [(name, name) for name in named | current]
        self.helper = build_post_helper(
            "version",
            "name",
            "first_day",
            "last_day",
            "unit",
            "rule_sets",
            Fieldset(_("Der Monat"), "counting", "places", "best", "guests"),
            Fieldset(_("Zu wenige Abende"), "min_evenings", "min_games", "few_games", "deduction_games", "deduction_points"),
            Fieldset(_("Bei Gleichstand"), *TIES),
            Fieldset(_("Die Saison"), "season", "season_places", "season_best", "season_min_evenings"),
            Submit("save", _("Speichern") if season else _("Saison anlegen"), css_class="btn-primary w-100"),
        )

    def clean(self) -> Data:
        cleaned = super().clean() or {}
        first, last = cleaned.get("first_day"), cleaned.get("last_day")
        if first and last and last < first:
            self.add_error("last_day", _("Der letzte Tag einer Saison kommt nach dem ersten."))
        if cleaned.get("few_games") == "deduction":
            for name in ("deduction_games", "deduction_points"):
                if cleaned.get(name) is None and name not in self.errors:
                    self.add_error(name, _("Bitte eine Zahl angeben."))
        if not self.errors:
            for key, fault in validate_league(self.settings).items():
                self.add_error(FAULT_FIELDS.get(key, key), _(fault.text) % fault.values)
        return cleaned

    @property
    def settings(self) -> Data:
        """The complete settings as they were typed; the form is valid."""
        data = self.cleaned_data
        settings = {key: data.get(key) for key in DEFAULT}
        settings |= {key: data[key] or 0 for key in ("min_evenings", "min_games", "season_min_evenings")}
        few: Any = {"nothing": None, "root": ROOT}.get(data["few_games"])
        if data["few_games"] == "deduction":
            few = {"games": data["deduction_games"], "hundredths": int(data["deduction_points"] * 100)}
        return settings | {"few_games": few, "tie_breaks": [data[name] for name in TIES if data[name]]}

    @property
    def action_values(self) -> Data:
        values = self.cleaned_data | {"settings": self.settings}
        return {name: values[name] for name in SEASON_FIELDS}


def _get_initial(season: Season | None) -> Data:
    """Return the initial data for a season, or for a new one."""
    settings: Settings = season.settings if season else DEFAULT
    few = settings["few_games"]
    data = settings | dict(zip(TIES, [*settings["tie_breaks"], "", "", ""], strict=False))
    data["few_games"] = "nothing" if few is None else "root" if few == ROOT else "deduction"
    if isinstance(few, dict):
        data |= {"deduction_games": few["games"], "deduction_points": Decimal(few["hundredths"]).scaleb(-2)}
    if season is None:
        return data | {"unit": RuleSet.Unit.POINTS}
    return data | model_to_dict(season, [*SEASON_FIELDS, "version"])


class CloseMonthForm(forms.Form):
    """The hash of the preview, and the confirmation to close although something is still open."""

    seen = forms.CharField(required=False, widget=forms.HiddenInput)
    confirmed = forms.BooleanField(required=False)


class SupplementForm(forms.Form):
    """The hash of the preview, and the reason that the open month will show."""

    seen = forms.CharField(required=False, widget=forms.HiddenInput)
    reason = forms.CharField(
        label=_("Grund"),
        max_length=Supplement._meta.get_field("reason").max_length,
        validators=[validate_plain],
        widget=forms.TextInput(attrs={"autocomplete": "off", "class": "form-control"}),
    )
