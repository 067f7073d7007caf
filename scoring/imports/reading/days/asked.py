"""What has to be said of the days of a sheet, and which day each row is of by what was said."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from scoring.core.days import FIRST_DAY, FIRST_YEAR
from scoring.imports.models import Import

from ..cells import has_year, is_day
from ..outline import Outline
from .series import Days, Numbers

if TYPE_CHECKING:
    from ..reading import ReadingWay

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
    return lambda row: days.of(outline.called(row))
