"""A year of the Kasse, or a month: A, the money that came in and went out, and B, what was charged and who is open.
Nothing is reset at its end: it is only so many days."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.db.models import Exists, F, OuterRef, Sum
from django.utils import timezone

from scoring.cash.models.beside import BookYear
from scoring.cash.models.books import Entry, Kind, Leg
from scoring.club.models import Club

from .books import KASSE, balances, days_of, kasse_of, owed_of

# What members paid in and got out, beside the accounts of income and expense.
PAYMENTS: Final = "payments"
PAYOUTS: Final = "payouts"
BEGUN: Final = "equity:opening"


@dataclass(frozen=True)
class ReportDays:
    """The days of a report."""

    first: datetime.date
    last: datetime.date


@dataclass(frozen=True)
class KasseYear(ReportDays):
    """A year, which is called by the one in which it begins."""

    number: int

    @property
    def name(self) -> str:
        return str(self.number) if self.first.month == 1 else f"{self.number}/{(self.number + 1) % 100:02}"


def year_begins(club: Club) -> int:
    """In which month a year of this club begins."""
    return BookYear.objects.filter(club=club).values_list("first_month", flat=True).first() or 1


def year_of(number: int, begins: int) -> KasseYear:
    first = datetime.date(number, begins, 1)
    after = datetime.date(number + 1, begins, 1)
    return KasseYear(first, after - datetime.timedelta(days=1), number)


def years_of(club: Club, begins: int) -> list[KasseYear]:
    """Every year from the first entry to today, the latest first."""
    first = (
        Entry.objects.filter(club=club, number__isnull=False).order_by("date").values_list("date", flat=True).first()
    )
    if first is None:
        return []
    today = timezone.localdate()
    start, end = (day.year - (day.month < begins) for day in (first, today))
    return [year_of(number, begins) for number in range(end, start - 1, -1)]


@dataclass(frozen=True)
class BooksReport:
    """All in cents. `money` is by account, or payments and payouts, what came into the Kasse (plus) or left it; `changes` what was
    added to each account, income below 0 as in the books. `people` owe so much before and after it. `late` are entries about
    evenings of another month than theirs."""

    days: ReportDays
    start: int
    end: int
    money: Mapping[str, int]
    changes: Mapping[str, int]
    people: Mapping[int, tuple[int, int]]
    late: list[Entry]

    @property
    def open_start(self) -> int:
        return sum(before for before, _after in self.people.values())

    @property
    def open_end(self) -> int:
        return sum(after for _before, after in self.people.values())

    @property
    def result(self) -> int:
        """What these days brought: income less expense, and what was there when the books began."""
        return self.income - self.expense + self.begun

    @property
    def income(self) -> int:
        """What was charged, and what else came in."""
        return -sum(cents for code, cents in self.changes.items() if code.startswith("income:"))

    @property
    def expense(self) -> int:
        return sum(cents for code, cents in self.changes.items() if code.startswith("expense:"))

    @property
    def begun(self) -> int:
        """The balances with which the books began, in these days."""
        return -self.changes.get(BEGUN, 0)

    @property
    def check(self) -> int:
        """Of B: 0 where what was charged is what the Kasse and what is open changed by."""
        return self.result - self.change

    @property
    def change(self) -> int:
        """By how much the Kasse and what is open changed together."""
        return self.end + self.open_end - self.start - self.open_start


def report_of(club: Club, days: ReportDays) -> BooksReport:
    """The report of these days, in a few queries however much was booked. Ask within a snapshot."""
    before = days.first - datetime.timedelta(days=1)
    opening, closing = balances(club, before), balances(club, days.last)
    changes = {code: closing.get(code, 0) - opening.get(code, 0) for code in sorted(opening.keys() | closing.keys())}
    owed_before, owed_after = owed_of(club, opening), owed_of(club, closing)
    return BooksReport(
        days=days,
        start=kasse_of(opening),
        end=kasse_of(closing),
        money=_money(club, days),
        changes={code: cents for code, cents in changes.items() if cents},
        people={pk: (owed_before.get(pk, 0), owed_after.get(pk, 0)) for pk in owed_before.keys() | owed_after.keys()},
        late=_late(club, days),
    )


def _money(club: Club, days: ReportDays) -> dict[str, int]:
    """What the other side of every leg on box and bank was. What moves between the two is on no other side."""
    of_money = Leg.objects.filter(entry=OuterRef("entry"), account__club=club, account__code__in=KASSE)
    legs = Leg.objects.filter(
        Exists(of_money), entry__club=club, entry__number__isnull=False, entry__date__range=(days.first, days.last)
    ).exclude(account__code__in=KASSE)
    by = ("entry__kind", "entry__reverses__kind", "account__code")
    found: dict[str, int] = defaultdict(int)
    for kind, reversed_kind, code, cents in legs.order_by().values_list(*by).annotate(Sum("cents")):
        if (reversed_kind or kind) == Kind.OPENING:
            # One entry of box, bank and people: what they owe when the books begin, nobody paid.
            code = BEGUN
        elif code.startswith("member:"):
            code = PAYOUTS if (reversed_kind or kind) == Kind.PAYOUT else PAYMENTS
        found[code] -= cents
    return {code: cents for code, cents in sorted(found.items()) if cents}


def _late(club: Club, days: ReportDays) -> list[Entry]:
    """Entries about an evening that were booked in another month, since its own was closed."""
    entries = Entry.objects.filter(
        club=club, number__isnull=False, evening__isnull=False, date__range=(days.first, days.last)
    ).exclude(date=F("evening__held_on"))
    found = entries.select_related("evening", "reverses").order_by("year", "number")
    kinds = ((one, one.reverses.kind if one.reverses else one.kind) for one in found)
    return [
        one
        for one, kind in kinds
        if kind == Kind.EVENING and one.evening and one.date > days_of(f"{one.evening.held_on:%Y-%m}")[1]
    ]
