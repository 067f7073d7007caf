"""What has to be said of the days of a sheet, and which day each row is of by what was said."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from typing import Final

from django.utils.translation import gettext as _

from scoring.core.dates import FIRST_DAY, FIRST_YEAR
from scoring.imports.models import Import

from ..cells import CellRefused, has_year, is_day
from ..listed.ways import ReadingWay
from ..outline import Outline
from .series import Days, Numbers
from .spans import no_evening
from .written import meant_by

# Stands for a day of a sheet without one, until somebody says it.
NO_DAY: Final = FIRST_DAY


def what_is_missing(outline: Outline, kind: str, way: ReadingWay) -> str:
    """What has to be said of the days of this sheet."""
    if outline.day is not None:
        return "year" if way.year is None and lacks_year(outline) else ""
    if outline.number is not None:
        return "" if way.first else "first"
    return "" if way.day or kind == Import.Kind.EVENINGS else "day"


def lacks_year(outline: Outline) -> bool:
    """Does the first day of the sheet say no year?"""
    for _number, row in outline.data():
        said = row[outline.day] if outline.day is not None and outline.day < len(row) else ""
        if is_day(said):
            return not has_year(said)
    return False


def days_of(outline: Outline, way: ReadingWay, carry: bool) -> Callable[[Sequence[str]], datetime.date]:
    """What says the day of each row."""
    if outline.label is None:
        return lambda _row: way.day or NO_DAY
    said = [outline.called(row) for _number, row in outline.data()]
    if outline.day is None:
        numbers = Numbers(said, way.first or NO_DAY, way.rhythm, carry)
        return lambda row: numbers.of(outline.called(row))
    near = datetime.date(way.year or FIRST_YEAR, 7, 2) if lacks_year(outline) else None
    days = Days(said, near, carry)
    return lambda row: _day_of(days, outline.called(row), way.weekday)


def _day_of(days: Days, said: str, weekday: int) -> datetime.date:
    """Of a week it is the day on which the round meets."""
    try:
        day = days.of(said)
    except CellRefused as refused:
        raise CellRefused(no_evening(said) or _as_meant(said) or str(refused)) from refused
    return day + datetime.timedelta(days=weekday) if days.is_week else day


def _as_meant(said: str) -> str:
    day = meant_by(said)
    sentence = _("„%(text)s“ ist kein Datum; ist der %(day)s gemeint, bitte so schreiben")
    return sentence % {"text": said, "day": day} if day else ""
