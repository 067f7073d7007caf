"""The forms of seasons, of closing a month and of supplements."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

from crispy_forms.layout import Fieldset, Submit
from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.club.models import Club
from scoring.core.forms import DayInput, WholeField, build_post_helper
from scoring.core.text import validate_plain
from scoring.rulesets.models import RuleSet
from scoring.rulesets.queries import list_rule_sets

from .models import Season, Supplement
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
from .texts import COUNTINGS, EXPLAINED, FEW_GAMES, SEASON_COUNTINGS, TIE_BREAKS

Data = dict[str, Any]

TIES: Final = ("tie_1", "tie_2", "tie_3")
# The field that shows a fault of a setting, if it has another name.
FAULT_FIELDS: Final = {"few_games": "deduction_points", "tie_breaks": "tie_1"}


def get_field_texts(key: str, **kwargs: Any) -> dict[str, Any]:
    """Return the label and help text of a setting as arguments of its field."""
    name, sentence = EXPLAINED[key]
    return {"label": name, "help_text": sentence, **kwargs}


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


def _build_radios(choices: Mapping[str, Any], key: str) -> forms.ChoiceField:
    return forms.ChoiceField(choices=list(choices.items()), widget=forms.RadioSelect, **get_field_texts(key))


def _build_number(key: str, highest: int, lowest: int = 0) -> WholeField:
    return WholeField(min_value=lowest, max_value=highest, required=False, **get_field_texts(key))


class SeasonForm(forms.Form):
    """A new season, or changes of `season`."""

    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=Season._meta.get_field("name").max_length,
        validators=[validate_plain],
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    first_day = forms.DateField(
        label=gettext_lazy("Erster Tag"), widget=DayInput()
    )
    last_day = forms.DateField(
        label=gettext_lazy("Letzter Tag"), widget=DayInput()
    )
    unit = forms.ChoiceField(
        label=gettext_lazy("Gezählt in"),
        choices=RuleSet.Unit.choices,
        widget=forms.RadioSelect,
        help_text=gettext_lazy(
            "Punkte und Cent werden nie zusammengezählt: Eine Saison zählt das eine oder das andere."
        ),
    )
    version = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, club: Club, season: Season | None = None, **kwargs: Any) -> None:
        kwargs["initial"] = _get_initial(season) | kwargs.get("initial", {})
        super().__init__(*args, **kwargs)
        named = dict.fromkeys(versions[0].name for versions in list_rule_sets(club))
        current = dict.fromkeys(season.settings["rule_sets"] if season else [])
        self.fields |= _build_settings_fields([*named, *(name for name in current if name not in named)])
        self.helper = build_post_helper(
            "version",
            "name",
            "first_day",
            "last_day",
            "unit",
            "rule_sets",
            Fieldset(_("Der Monat"), "counting", "places", "best", "guests"),
            Fieldset(
                _("Zu wenige Abende"), "min_evenings", "min_games", "few_games", "deduction_games", "deduction_points"
            ),
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
        few: Any = {"nothing": None, "root": ROOT}.get(data["few_games"])
        if data["few_games"] == "deduction":
            few = {"games": data["deduction_games"], "hundredths": int(data["deduction_points"] * 100)}
        return {
            "counting": data["counting"],
            "places": data["places"],
            "best": data["best"],
            "min_evenings": data["min_evenings"] or 0,
            "min_games": data["min_games"] or 0,
            "few_games": few,
            "guests": data["guests"],
            "tie_breaks": [data[name] for name in TIES if data[name]],
            "rule_sets": data["rule_sets"],
            "season": data["season"],
            "season_places": data["season_places"],
            "season_best": data["season_best"],
            "season_min_evenings": data["season_min_evenings"] or 0,
        }

    @property
    def action_values(self) -> Data:
        """The arguments of the action that saves the season."""
        return {key: self.cleaned_data[key] for key in ("name", "first_day", "last_day", "unit")} | {
            "settings": self.settings
        }


def _build_settings_fields(rule_sets: list[str]) -> dict[str, forms.Field]:
    ties = [("", "–"), *TIE_BREAKS.items()]
    first, second, third = (
        forms.ChoiceField(choices=ties, required=False, label=label) for label in (_("Zuerst"), _("Dann"), _("Zuletzt"))
    )
    first.help_text = str(EXPLAINED["tie_breaks"][1])
    return {
        "rule_sets": forms.MultipleChoiceField(
            choices=[(name, name) for name in rule_sets],
            required=False,
            widget=forms.CheckboxSelectMultiple,
            **get_field_texts("rule_sets"),
        ),
        "counting": _build_radios(COUNTINGS, "counting"),
        "places": PlacesField(required=False, max_length=400, **get_field_texts("places")),
        "best": _build_number("best", MOST_EVENINGS, lowest=1),
        "guests": forms.BooleanField(required=False, label=_("Gäste zählen mit und belegen Plätze")),
        "min_evenings": _build_number("min_evenings", MOST_EVENINGS),
        "min_games": _build_number("min_games", MOST_GAMES),
        "few_games": _build_radios(FEW_GAMES, "few_games"),
        "deduction_games": WholeField(
            min_value=1,
            max_value=MOST_GAMES,
            required=False,
            label=_("Abzug unter wie vielen Spielen"),
            help_text=_("Nur wenn für fehlende Spiele abgezogen wird."),
        ),
        "deduction_points": forms.DecimalField(
            min_value=Decimal("0.01"),
            max_value=MOST_POINTS,
            decimal_places=2,
            required=False,
            label=_("Abzug je fehlendem Spiel"),
            help_text=_("Nur wenn für fehlende Spiele abgezogen wird."),
        ),
        "tie_1": first,
        "tie_2": second,
        "tie_3": third,
        "season": _build_radios(SEASON_COUNTINGS, "season"),
        "season_places": PlacesField(required=False, max_length=400, **get_field_texts("season_places")),
        "season_best": _build_number("season_best", MOST_MONTHS, lowest=1),
        "season_min_evenings": _build_number("season_min_evenings", MOST_EVENINGS_OF_SEASON),
    }


def _get_initial(season: Season | None) -> Data:
    """Return the initial data for a season, or for a new one."""
    settings: Settings = season.settings if season else DEFAULT
    few = settings["few_games"]
    data = {key: value for key, value in settings.items() if key not in ("few_games", "tie_breaks")}
    data |= dict(zip(TIES, [*settings["tie_breaks"], "", "", ""], strict=False))
    data["few_games"] = "nothing" if few is None else "root" if isinstance(few, str) else "deduction"
    if few is not None and not isinstance(few, str):
        data |= {"deduction_games": few["games"], "deduction_points": Decimal(few["hundredths"]).scaleb(-2)}
    if season is None:
        return data | {"unit": RuleSet.Unit.POINTS}
    return data | {
        "name": season.name,
        "first_day": season.first_day,
        "last_day": season.last_day,
        "unit": season.unit,
        "version": season.version,
    }


class CloseMonthForm(forms.Form):
    """The hash of the preview, and the confirmation that something is still open."""

    seen = forms.CharField(required=False, widget=forms.HiddenInput)
    confirmed = forms.BooleanField(required=False)


class SupplementForm(forms.Form):
    """The hash of the preview, and the reason that the open month will show."""

    seen = forms.CharField(required=False, widget=forms.HiddenInput)
    reason = forms.CharField(
        label=gettext_lazy("Grund"),
        max_length=Supplement._meta.get_field("reason").max_length,
        validators=[validate_plain],
        widget=forms.TextInput(attrs={"autocomplete": "off", "class": "form-control"}),
    )
