"""What was done to seasons and months, in the words of the history; and what led to another version of a month."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Any, Final

from django.utils.translation import gettext as _

from scoring.club.models import Change, Verb
from scoring.club.queries import LOOKUPS as PEOPLE
from scoring.club.texts import (
    ChangeDescription,
    ChangeFormat,
    ChangeFormats,
    LabeledValues,
    Names,
    Values,
    describe_changes,
)
from scoring.core.formats import format_day, format_month
from scoring.evenings import texts as evenings
from scoring.evenings.queries import LOOKUPS as EVENINGS
from scoring.play.queries import LOOKUPS as TABLES
from scoring.rulesets.models import RuleSet
from scoring.rulesets.queries import LOOKUPS as RULE_SETS
from scoring.rulesets.texts import rule_sets as rulesets
from scoring.table import words as table

from .league import counting_sentences, season_sentences


def what_led(changes: Sequence[Change]) -> list[ChangeDescription]:
    """What was done at the tables of a month, told."""
    return describe_changes(changes, _AT_TABLES, {**PEOPLE, **RULE_SETS, **TABLES, **EVENINGS})


_AT_TABLES: Final[ChangeFormats] = {**rulesets.CHANGES, **table.CHANGES, **evenings.CHANGES}


def _season(change: Change, values: Values, names: Names) -> LabeledValues:
    """The settings of a season. Each sentence about its counting is told separately, so that a change shows which one
    differs."""
    told = {_("Name"): values["name"]}
    for key, label in (("first_day", _("Erster Tag")), ("last_day", _("Letzter Tag"))):
        told[label] = format_day(datetime.date.fromisoformat(values[key]))
    told[_("Gezählt in")] = str(RuleSet.Unit(values["unit"]).label)
    told[_("Der Monat")] = " ".join(counting_sentences(values["settings"], values["unit"]))
    told[_("Die Saison")] = " ".join(season_sentences(values["settings"]))
    return told


def _month(change: Change, values: Values, names: Names) -> LabeledValues:
    """What was published of a month."""
    if "about" in values:
        return {_("Zählt im"): format_month(values["month"]), _("Grund"): values["reason"]}
    return {_("Fassung"): str(values["version"]), _("Prüfsumme"): values["content_sha256"]}


def _about_season(change: Change, names: Names) -> str:
    return _name(names, int(change.subject_id))


def _about_month(change: Change, names: Names) -> str:
    """A month that was closed, or supplemented, in its season."""
    values = change.after or {}
    if "month" not in values:
        return ""
    return f"{format_month(values.get('about', values['month']))}, {_name(names, values['season'])}"


def _name(names: Names, pk: Any) -> str:
    season = names["season"].get(pk)
    return str(season) if season else ""


CHANGES: Final[ChangeFormats] = {
    **dict.fromkeys((Verb.SEASON_ADDED, Verb.SEASON_CHANGED), ChangeFormat(_season, _about_season, subject="season")),
    **dict.fromkeys((Verb.MONTH_CLOSED, Verb.MONTH_SUPPLEMENTED), ChangeFormat(_month, _about_month)),
}
