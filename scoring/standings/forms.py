"""What the eternal list shows: by which rules, when, at tables of how many people, in which unit, which columns, and
whether guests, people who left and people who have not come for long are in it. A GET form, so that a selection is an
address that can be passed on."""

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


def _number(label: str, choices: Mapping[int, str]) -> forms.TypedChoiceField:
    return forms.TypedChoiceField(
        choices=[("", _("alle")), *choices.items()], label=label, required=False, coerce=int, empty_value=None
    )


class SelectionForm(forms.Form):
    """Offers what the club has results of; the unit is asked only in a club that counts in both."""

    since = build_day_field(gettext_lazy("Vom"))
    until = build_day_field(gettext_lazy("Bis zum"))
    all = forms.BooleanField(label=gettext_lazy("Auch Gäste und lange nicht Dagewesene"), required=False)

    def __init__(self, *args: Any, choices: Choices, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._choices = choices
        units = [(unit, RuleSet.Unit(unit).label) for unit in choices.units]
        rule_sets = [("", _("alle")), *((name, name) for name in choices.rule_sets)]
        self.fields |= {
            "rule_set": forms.ChoiceField(choices=rule_sets, label=_("Regelwerk"), required=False),
            "year": _number(_("Jahr"), {year: str(year) for year in choices.years}),
            "season": _number(_("Saison"), {season.pk: str(season) for season in choices.seasons}),
            "unit": forms.ChoiceField(choices=units, label=_("Gezählt in"), required=False),
            "size": _number(_("Am Tisch"), {size: _at_table(size) for size in SEATS}),
        }
        self.helper = build_filter_helper(*self.laid_out())

    def clean(self) -> dict[str, Any]:
        since, until = self.cleaned_data.get("since"), self.cleaned_data.get("until")
        if since and until and until < since:
            self.add_error("until", _("Das liegt vor dem ersten Tag. Bitte einen späteren angeben."))
        return self.cleaned_data

    def laid_out(self) -> Sequence[Any]:
        return self.grid(), "all", Submit("", _("Anzeigen"), css_class="btn-primary")

    def grid(self, *also: str) -> Div:
        """The choices side by side where there is room."""
        unit = ["unit"] if len(self._choices.units) > 1 else []
        season = ["season"] if self._choices.seasons else []
        return build_columns_layout("rule_set", "year", *season, "since", "until", "size", *unit, *also)

    @cached_property
    def selection(self) -> Selection:
        """What was chosen; a choice that does not exist counts as none and is named at its field."""
        self.is_valid()
        chosen = self.cleaned_data
        rule_set = chosen.get("rule_set", "")
        evening, season = chosen.get("evening"), self.chosen_season
        since = [day for day in (chosen.get("since"), season and season.first_day) if day]
        until = [day for day in (chosen.get("until"), season and season.last_day) if day]
        return Selection(
            unit=self._unit(chosen.get("unit", ""), rule_set),
            rule_set=rule_set,
            rules_of_season=tuple(season.settings["rule_sets"]) if season else (),
            evening=evening and evening.pk,
            year=chosen.get("year"),
            since=max(since, default=None),
            until=min(until, default=None),
            size=chosen.get("size"),
            min_games=chosen.get("min") or 0,
            everyone=chosen.get("all", False),
            closed_only=self._choices.closed_only,
        )

    @property
    def chosen_season(self) -> Season | None:
        """The season whose days are counted, if one was chosen."""
        chosen = self.cleaned_data.get("season")
        return next((season for season in self._choices.seasons if season.pk == chosen), None)

    def _unit(self, chosen: str, rule_set: str) -> str | None:
        """Who picks a rule set or a season means the unit it counts in."""
        units = self._choices.units
        if self.chosen_season:
            units = [unit for unit in units if unit == self.chosen_season.unit]
        if rule_set:
            units = [unit for unit in units if unit in self._choices.rule_sets[rule_set]]
        return chosen if chosen in units else next(iter(units), None)

    @property
    def summary(self) -> str:
        """The selection in words, as it stands above the list and in the file."""
        chosen = self.selection
        parts = [chosen.rule_set or _("alle Regelwerke"), ", ".join(self.times(chosen)) or _("alle Jahre")]
        if chosen.size:
            parts.append(_at_table(chosen.size))
        if len(self._choices.units) > 1 and chosen.unit:
            parts.append(str(RuleSet.Unit(chosen.unit).label))
        if chosen.min_games:
            games = ngettext("Quoten ab %(games)s Spiel", "Quoten ab %(games)s Spielen", chosen.min_games)
            parts.append(games % {"games": chosen.min_games})
        if chosen.everyone:
            parts.append(_("mit allen, die je dabei waren"))
        return " · ".join(parts)

    def times(self, chosen: Selection) -> list[str]:
        """What limits the time, in words; nothing where everything counts."""
        since, until = (day and date_format(day, "SHORT_DATE_FORMAT") for day in (chosen.since, chosen.until))
        parts = [str(part) for part in (chosen.year, self.chosen_season) if part]
        if since and until:
            parts.append(_("%(since)s bis %(until)s") % {"since": since, "until": until})
        elif since:
            parts.append(_("seit dem %(since)s") % {"since": since})
        elif until:
            parts.append(_("bis zum %(until)s") % {"until": until})
        return parts


class RecordsForm(SelectionForm):
    """What the records of a club are looked for in. They belong to whoever set them, so it is not asked who is shown."""

    def laid_out(self) -> Sequence[Any]:
        return self.grid(), Submit("", _("Anzeigen"), css_class="btn-primary")


class StandingsForm(SelectionForm):
    """What the eternal list counts, how many games a rate needs, and whether the more seldom figures are wanted."""

    min = WholeField(label=gettext_lazy("Quoten ab … Spielen"), required=False, min_value=0, max_value=MOST_GAMES)
    more = forms.BooleanField(label=gettext_lazy("Mehr Spalten"), required=False)
    sort = forms.CharField(required=False, widget=forms.HiddenInput)

    def laid_out(self) -> Sequence[Any]:
        show = Submit("", _("Anzeigen"), css_class="btn-primary")
        return self.grid("min"), "more", "all", "sort", show

    @property
    def more_figures(self) -> bool:
        self.is_valid()
        return bool(self.cleaned_data.get("more"))


class ByEveningForm(SelectionForm):
    """What the sheet of all evenings counts; everybody who was there is in it. It opens with the last year that was played in:
    of all years it can be asked for."""

    def __init__(self, asked: Mapping[str, Any], *, choices: Choices) -> None:
        fields = {"rule_set", "year", "season", "since", "until", "size", "unit"}
        opening = {"year": choices.years[0]} if choices.years and not fields & set(asked) else {}
        super().__init__(opening or asked, choices=choices)

    def laid_out(self) -> Sequence[Any]:
        del self.fields["all"]
        return self.grid(), Submit("", _("Anzeigen"), css_class="btn-primary")

    @cached_property
    def selection(self) -> Selection:
        return replace(super().selection, everyone=True)

    @property
    def query(self) -> str:
        """What was chosen, as the end of an address."""
        chosen = {name: value for name, value in self.data.items() if value and name in self.fields}
        return f"?{urlencode(chosen or {'year': ''})}"


def _at_table(size: int) -> str:
    return _("zu %(size)s am Tisch") % {"size": size}
