"""Filters of the lists. They are GET forms, so that the address of a selection can be shared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from crispy_forms.layout import Div, Submit
from django import forms
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.core.forms import WholeField, build_columns_layout, build_day_field, build_filter_helper
from scoring.league.models import Season
from scoring.play.models import SEATS
from scoring.rulesets.models import RuleSet
from scoring.standings.queries.selection import Selection
from scoring.standings.queries.standings import Choices

MOST_GAMES = 100_000


def _build_number_field(label: str, choices: Mapping[int, str]) -> forms.TypedChoiceField:
    return forms.TypedChoiceField(
        choices=[("", _("alle")), *choices.items()], label=label, required=False, coerce=int, empty_value=None
    )


class SelectionForm(forms.Form):
    """The choices that a club has results for; the unit only if the club counts in both."""

    since = build_day_field(gettext_lazy("Vom"))
    until = build_day_field(gettext_lazy("Bis zum"))
    all = forms.BooleanField(label=gettext_lazy("Auch Gäste und lange nicht Dagewesene"), required=False)
    # The fields below the columns, unless a form replaces `build_layout`.
    fields_below: Sequence[str] = ("all",)

    def __init__(self, *args: Any, choices: Choices, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._choices = choices
        units = [(unit, RuleSet.Unit(unit).label) for unit in choices.units]
        rule_sets = [("", _("alle")), *((name, name) for name in choices.rule_sets)]
        self.fields |= {
            "rule_set": forms.ChoiceField(choices=rule_sets, label=_("Regelwerk"), required=False),
            "year": _build_number_field(_("Jahr"), {year: str(year) for year in choices.years}),
            "season": _build_number_field(_("Saison"), {season.pk: str(season) for season in choices.seasons}),
            "unit": forms.ChoiceField(choices=units, label=_("Gezählt in"), required=False),
            "size": _build_number_field(_("Am Tisch"), {size: _format_size(size) for size in SEATS}),
        }
        self.helper = build_filter_helper(*self.build_layout())

    def clean(self) -> dict[str, Any]:
        since, until = self.cleaned_data.get("since"), self.cleaned_data.get("until")
        if since and until and until < since:
            self.add_error("until", _("Das liegt vor dem ersten Tag. Bitte einen späteren angeben."))
        return self.cleaned_data

    def build_layout(self) -> Sequence[Any]:
        return self.build_columns(), *self.fields_below, Submit("", _("Anzeigen"), css_class="btn-primary")

    def build_columns(self, *also: str) -> Div:
        unit = ["unit"] if len(self._choices.units) > 1 else []
        season = ["season"] if self._choices.seasons else []
        return build_columns_layout("rule_set", "year", *season, "since", "until", "size", *unit, *also)

    @cached_property
    def selection(self) -> Selection:
        """The selection; an unknown choice is ignored and reported at its field."""
        self.is_valid()
        data = self.cleaned_data
        rule_set = data.get("rule_set", "")
        evening, season = data.get("evening"), self.chosen_season
        since = [day for day in (data.get("since"), season and season.first_day) if day]
        until = [day for day in (data.get("until"), season and season.last_day) if day]
        return Selection(
            unit=self._get_unit(data.get("unit", ""), rule_set),
            rule_set=rule_set,
            rules_of_season=tuple(season.settings["rule_sets"]) if season else (),
            evening=evening and evening.pk,
            year=data.get("year"),
            since=max(since, default=None),
            until=min(until, default=None),
            size=data.get("size"),
            min_games=data.get("min") or 0,
            everyone=data.get("all", False),
            closed_only=self._choices.closed_only,
        )

    @property
    def chosen_season(self) -> Season | None:
        season_id = self.cleaned_data.get("season")
        return next((season for season in self._choices.seasons if season.pk == season_id), None)

    def _get_unit(self, unit: str, rule_set: str) -> str | None:
        """Return the chosen unit, or that of the chosen rule set or season."""
        units = self._choices.units
        if self.chosen_season:
            units = [one for one in units if one == self.chosen_season.unit]
        if rule_set:
            units = [one for one in units if one in self._choices.rule_sets[rule_set]]
        return unit if unit in units else next(iter(units), None)

    @property
    def summary(self) -> str:
        selection = self.selection
        parts = [selection.rule_set or _("alle Regelwerke"), ", ".join(self.describe_times(selection)) or _("alle Jahre")]
        if selection.size:
            parts.append(_format_size(selection.size))
        if len(self._choices.units) > 1 and selection.unit:
            parts.append(str(RuleSet.Unit(selection.unit).label))
        if selection.min_games:
            games = ngettext("Quoten ab %(games)s Spiel", "Quoten ab %(games)s Spielen", selection.min_games)
            parts.append(games % {"games": selection.min_games})
        if selection.everyone:
            parts.append(_("mit allen, die je dabei waren"))
        return " · ".join(parts)

    def describe_times(self, selection: Selection) -> list[str]:
        since, until = (day and date_format(day, "SHORT_DATE_FORMAT") for day in (selection.since, selection.until))
        parts = [str(part) for part in (selection.year, self.chosen_season) if part]
        if since and until:
            parts.append(_("%(since)s bis %(until)s") % {"since": since, "until": until})
        elif since:
            parts.append(_("seit dem %(since)s") % {"since": since})
        elif until:
            parts.append(_("bis zum %(until)s") % {"until": until})
        return parts


class RecordsForm(SelectionForm):
    """The filter of the records. All players can hold one, so there is no field for hidden players."""

    fields_below = ()


class StandingsForm(SelectionForm):
    """The filter of the eternal list, with the least number of games for a rate, and a field for more columns."""

    min = WholeField(label=gettext_lazy("Quoten ab … Spielen"), required=False, min_value=0, max_value=MOST_GAMES)
    more = forms.BooleanField(label=gettext_lazy("Mehr Spalten"), required=False)
    sort = forms.CharField(required=False, widget=forms.HiddenInput)

    def build_layout(self) -> Sequence[Any]:
        return self.build_columns("min"), "more", "all", "sort", Submit("", _("Anzeigen"), css_class="btn-primary")

    @property
    def has_more(self) -> bool:
        self.is_valid()
        return bool(self.cleaned_data.get("more"))


class ByEveningForm(SelectionForm):
    """The filter of the sheet by evening, which shows all players. Without a choice it shows the last year with results."""

    fields_below = ()

    def __init__(self, data: Mapping[str, Any], *, choices: Choices) -> None:
        fields = {"rule_set", "year", "season", "since", "until", "size", "unit"}
        default = {"year": choices.years[0]} if choices.years and not fields & set(data) else {}
        super().__init__(default or data, choices=choices)
        del self.fields["all"]

    @cached_property
    def selection(self) -> Selection:
        return replace(super().selection, everyone=True)

    @property
    def query(self) -> str:
        values = {name: value for name, value in self.data.items() if value and name in self.fields}
        return f"?{urlencode(values or {'year': ''})}"


def _format_size(size: int) -> str:
    return _("zu %(size)s am Tisch") % {"size": size}
