"""Days as they are typed, and how far back one may lie."""

from __future__ import annotations

import datetime
from typing import Final

from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

# A year of two digits ("0025") is one that somebody did not finish typing, and nothing here is that old.
FIRST_YEAR: Final = 1950
FIRST_DAY: Final = datetime.date(FIRST_YEAR, 1, 1)
# An evening that goes on after midnight is still that of the day before.
NIGHT_ENDS: Final = datetime.timedelta(hours=5)


def get_evening_date() -> datetime.date:
    """Return the day of an evening that begins now: between midnight and five that is the day before."""
    return (timezone.localtime().replace(tzinfo=None) - NIGHT_ENDS).date()


def subtract_year(day: datetime.date) -> datetime.date:
    """Return the same day of the year before; the 28th for a 29th of February."""
    return day.replace(year=day.year - 1, day=min(day.day, 28) if day.month == 2 else day.day)


def validate_not_in_future(day: datetime.date) -> None:
    """Refuse a day later than tomorrow for what has happened. Raises ValidationError."""
    tomorrow = timezone.localdate() + datetime.timedelta(days=1)
    if day > tomorrow:
        said = {"day": date_format(tomorrow, "SHORT_DATE_FORMAT")}
        raise ValidationError(
            _("Dieser Tag liegt in der Zukunft. Bitte einen Tag bis morgen (%(day)s) angeben.") % said
        )


def require_not_in_future(field: str, day: datetime.date) -> None:
    """Check a day like `validate_happened`, for an action. Raises ValidationError (of the field)."""
    try:
        validate_not_in_future(day)
    except ValidationError as error:
        raise ValidationError({field: error}) from error
