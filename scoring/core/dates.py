from __future__ import annotations

import datetime
from typing import Final

from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

# A year of two digits ("0025") was not typed to its end, and no evening is that old.
FIRST_YEAR: Final = 1950
FIRST_DAY: Final = datetime.date(FIRST_YEAR, 1, 1)
NIGHT_ENDS: Final = datetime.timedelta(hours=5)  # until five in the morning an evening belongs to the day before


def get_evening_date() -> datetime.date:
    return (timezone.localtime().replace(tzinfo=None) - NIGHT_ENDS).date()


def subtract_year(day: datetime.date) -> datetime.date:
    """Return the same day one year earlier; for 29 February that is the 28th."""
    return day.replace(year=day.year - 1, day=min(day.day, 28) if day.month == 2 else day.day)


def get_this_month() -> str:
    return f"{timezone.localdate():%Y-%m}"


def list_months_between(first: datetime.date, last: datetime.date) -> list[str]:
    """List the months of these days, the first one first, like "2026-03"."""
    numbers = range(12 * first.year + first.month - 1, 12 * last.year + last.month)
    return [f"{number // 12:04}-{number % 12 + 1:02}" for number in numbers]


def validate_not_in_future(day: datetime.date) -> None:
    tomorrow = timezone.localdate() + datetime.timedelta(days=1)
    if day > tomorrow:
        latest = {"day": date_format(tomorrow, "SHORT_DATE_FORMAT")}
        raise ValidationError(_("Dieser Tag liegt in der Zukunft. Bitte einen Tag bis morgen (%(day)s) angeben.") % latest)


def require_not_in_future(field: str, day: datetime.date) -> None:
    """Refuse a day later than tomorrow in an action. Raise ValidationError for `field`."""
    try:
        validate_not_in_future(day)
    except ValidationError as error:
        raise ValidationError({field: error}) from error
