"""What the Kasse came to month by month: income, expense, and what was in it at the end."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Sum

from scoring.cash.models.books import Leg
from scoring.club.models import Club

from .books import KASSE, balances, days_of, kasse_of
from .closing import months_of_books
from .years import KasseYear


@dataclass(frozen=True)
class MonthMoney:
    """In cents: what came in and went out by the accounts of either side, and what was in box and bank at the end."""

    month: str
    income: int
    expense: int
    there: int

    @property
    def result(self) -> int:
        return self.income - self.expense


def by_month(club: Club, months: Sequence[str] | None = None) -> list[MonthMoney]:
    """All months of the books, or these of them, which follow each other; the earliest first, in as few queries for any number."""
    months = months_of_books(club)[::-1] if months is None else months
    if not months:
        return []
    first, last = days_of(months[0])[0], days_of(months[-1])[1]
    legs = Leg.objects.filter(
        entry__club=club, entry__number__isnull=False, entry__date__range=(first, last), account__player=None
    )
    income, expense, moved = (defaultdict[str, int](int) for _column in range(3))
    for date, code, cents in legs.order_by().values_list("entry__date", "account__code").annotate(Sum("cents")):
        month = f"{date:%Y-%m}"
        if code in KASSE:
            moved[month] += cents
        elif code.startswith("income:"):
            income[month] -= cents
        elif code.startswith("expense:"):
            expense[month] += cents
    found, there = [], kasse_of(balances(club, first - datetime.timedelta(days=1)))
    for month in months:
        there += moved[month]
        found.append(MonthMoney(month, income[month], expense[month], there))
    return found


def flow_of(club: Club, month: str) -> tuple[int, int]:
    """What came into the Kasse and went out of it in a month, as the Kassenbuch of that month adds up to."""
    legs = Leg.objects.filter(
        entry__club=club, entry__number__isnull=False, entry__date__range=days_of(month), account__code__in=KASSE
    )
    moved = [cents for _entry, cents in legs.order_by().values_list("entry").annotate(Sum("cents"))]
    return sum(cents for cents in moved if cents > 0), -sum(cents for cents in moved if cents < 0)


def months_of_year(club: Club, year: KasseYear) -> list[MonthMoney]:
    """The money of each month of this year that the books have."""
    first, last = f"{year.first:%Y-%m}", f"{year.last:%Y-%m}"
    return by_month(club, [month for month in months_of_books(club)[::-1] if first <= month <= last])
