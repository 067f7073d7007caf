"""Imports in the history, and the consequences of the correction of an evening."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from django.utils.translation import gettext as _

from scoring.cash.evening.queries import CostChange
from scoring.cash.evening.texts import describe_money_changes
from scoring.cash.models import Entry
from scoring.club.models import Change, Verb
from scoring.club.texts import ChangeFormat, ChangeFormats, LabeledValues, Names, Values, describe_import
from scoring.core.formats import format_day, format_month
from scoring.league.actions import MonthChanges
from scoring.league.models import Season
from scoring.league.queries.books import get_month
from scoring.league.queries.seasons import list_counting_seasons
from scoring.play.models import Evening
from scoring.rulesets.texts.rule_sets import render_rule_set


def _describe_values(change: Change, values: Values, names: Names) -> LabeledValues:
    return describe_import(values) | render_rule_set(values, names)


def _name_file(change: Change, names: Names) -> str:
    file = names["import"].get(int(change.subject_id))
    return file.title if file else ""


_FORMAT: Final = ChangeFormat(_describe_values, _name_file, subject="import")
CHANGES: Final[ChangeFormats] = {Verb.IMPORT_TAKEN: _FORMAT, Verb.IMPORT_UNDONE: _FORMAT}


def describe_consequences(
    evening: Evening, held_on: datetime.date, months: MonthChanges, booked: Iterable[Entry], money: Sequence[CostChange]
) -> list[str]:
    """Describe the months, seasons, years and bookings that a correction changes; `held_on` is the new day."""
    differs = _(
        "Liga: %(month)s ist abgeschlossen und zählt dann anders als veröffentlicht. Das wird ein Nachtrag oder eine neue Fassung."
    )
    agrees = _("Liga: %(month)s zählt dann wieder wie veröffentlicht.")
    return [
        *_describe_seasons(evening, held_on),
        *_fill_in(differs, (month for month, changed in months.items() if changed)),
        *_fill_in(agrees, (month for month, changed in months.items() if not changed)),
        *_describe_year(evening.held_on, held_on),
        *_describe_bookings(held_on, booked),
        *describe_money_changes([(evening, money)]),
    ]


def _describe_seasons(evening: Evening, held_on: datetime.date) -> Iterator[str]:
    before, after = (
        {(season, get_month(one)) for season in list_counting_seasons(evening, one)} for one in (evening.held_on, held_on)
    )
    yield from _fill_in(_("Liga: Der Abend zählt nicht mehr im %(month)s."), before - after)
    yield from _fill_in(_("Liga: Der Abend zählt dann im %(month)s."), after - before)


def _fill_in(sentence: str, months: Iterable[tuple[Season, str]]) -> list[str]:
    """Return the sentence for each of these months of seasons, in their order."""
    ordered = sorted(months, key=lambda one: (one[1], one[0].pk))
    return [sentence % {"month": f"{format_month(month)} · {season.name}"} for season, month in ordered]


def _describe_year(before: datetime.date, after: datetime.date) -> Iterator[str]:
    if before.year != after.year:
        yield _("Ewige Liste: Der Abend zählt zum Jahr %(after)s statt %(before)s.") % {"after": after.year, "before": before.year}


def _describe_bookings(held_on: datetime.date, booked: Iterable[Entry]) -> Iterator[str]:
    for entry in booked:
        values = {"day": format_day(entry.date), "number": str(entry.reverses), "month": format_month(f"{held_on:%Y-%m}")}
        if entry.reverses:
            yield _("Kasse: Buchung %(number)s wird am %(day)s storniert.") % values
        elif get_month(entry.date) != get_month(held_on):
            yield _("Kasse: Neu gebucht wird am %(day)s, als Nachtrag für %(month)s.") % values
        else:
            yield _("Kasse: Neu gebucht wird am %(day)s.") % values
