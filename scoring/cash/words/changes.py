"""What was done in the books, in the words of the history. Everybody of the club reads it, so it names no person and no amount of
a single payment."""

from __future__ import annotations

import datetime
from typing import Final

from django.utils.translation import gettext as _

from scoring.cash.models.books import Kind
from scoring.club.models import Change, Verb
from scoring.club.texts import ChangeFormat, ChangeFormats, LabeledValues, Names, Values
from scoring.core.formats import format_day, format_month

from .money import euros


def _entry(change: Change, values: Values, names: Names) -> LabeledValues:
    """What was booked."""
    return {_("Art"): str(Kind(values["kind"]).label), _("Tag"): format_day(datetime.date.fromisoformat(values["date"]))}


def _called(change: Change, names: Names) -> str:
    """The number of the entry, which stands on its receipt."""
    return str((change.after or {}).get("number", ""))


def _booked(change: Change, names: Names) -> str:
    """The number of the entry, its kind and its day."""
    return " · ".join([_called(change, names), *_entry(change, change.after, names).values()]) if change.after else ""


def _count(change: Change, values: Values, names: Names) -> LabeledValues:
    return {_("Gezählt"): euros(values["cents"]), _("Gebucht"): euros(values["booked"])}


def _month(change: Change, values: Values, names: Names) -> LabeledValues:
    return {_("Prüfsumme"): str(values["sha256"])}


def _month_called(change: Change, names: Names) -> str:
    month = (change.after or {}).get("month")
    return format_month(month) if month else ""


def _dues(change: Change, values: Values, names: Names) -> LabeledValues:
    """Says from when, but not whose dues: everybody reads the history."""
    return {_("Ab"): format_month(values["month"])}


def _settled(change: Change, values: Values, names: Names) -> LabeledValues:
    return {_("Zahlungen"): str(int(values["lines"]))}


def _heading(change: Change, values: Values, names: Names) -> LabeledValues:
    return {_("Konto"): str(values["code"])}


def _year(change: Change, values: Values, names: Names) -> LabeledValues:
    return {_("Beginnt im Monat"): str(values["first_month"])}


CHANGES: Final[ChangeFormats] = {
    Verb.CASH_BOOKED: ChangeFormat(_entry, _booked),
    Verb.CASH_REVERSED: ChangeFormat(_entry, _called),
    Verb.CASH_COUNTED: ChangeFormat(_count),
    **dict.fromkeys((Verb.CASH_CLOSED, Verb.CASH_COUNTERSIGNED), ChangeFormat(_month, _month_called)),
    Verb.CASH_DUES_SET: ChangeFormat(_dues),
    Verb.CASH_SETTLED: ChangeFormat(_settled),
    Verb.CASH_HEADING_ADDED: ChangeFormat(_heading),
    Verb.CASH_YEAR_SET: ChangeFormat(_year),
}
