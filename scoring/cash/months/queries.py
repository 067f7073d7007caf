"""Read the months and years of the Kasse: statements, figures by month, and the report of a month or year. Its part A is the money
that came in and went out, part B what was charged and what people owe."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

from django.db.models import Exists, F, OuterRef, Sum
from django.utils import timezone

from scoring.cash.dues.queries import Due, list_dues
from scoring.cash.evening.queries import list_evenings_with_late_fines
from scoring.cash.ledger import queries as books
from scoring.cash.models import BookYear, Entry, Kind, Leg, Period, Report
from scoring.cash.rules.money import sum_by_key
from scoring.club.models import Club
from scoring.core.dates import get_this_month, list_months_between
from scoring.play.models import Evening


def build_statements(club: Club, months: Sequence[str], *, before: str, slug: str) -> Iterator[str]:
    """Build the statements of consecutive months. `before` is the hash of the month before the first, or ""."""
    for content in build_contents(club, months):
        text = books.serialize({**content, "before": before, "club": slug})
        yield text
        before = books.compute_hash(text)


def build_contents(club: Club, months: Sequence[str]) -> Iterator[Mapping[str, Any]]:
    """Build the content of these statements, without the hash of the month before and the slug: the entries by number, and all
    balances before and after. A few queries per year; one year is in memory at once."""
    first, last = books.get_month_days(months[0])[0], books.get_month_days(months[-1])[1]
    opening, requested = books.get_balances(club, first - datetime.timedelta(days=1)), set(months)
    for year in range(first.year, last.year + 1):
        of_month = _group_by_month(club, max(first, datetime.date(year, 1, 1)), min(last, datetime.date(year, 12, 31)))
        for month in sorted({month for month in requested if month[:4] == f"{year:04}"} | of_month.keys()):
            closing = _add_entries(opening, of_month[month])
            if month in requested:
                entries_said = [_serialize_entry(entry) for entry in of_month[month]]
                yield {"closing": closing, "entries": entries_said, "month": month, "opening": opening}
            opening = closing


def _group_by_month(club: Club, first: datetime.date, last: datetime.date) -> dict[str, list[Entry]]:
    """Group the entries of these days by month, in the order of their numbers."""
    entries = Entry.objects.filter(club=club, number__isnull=False, date__range=(first, last)).order_by("year", "number")
    of_month: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries.select_related("evening", "reverses").prefetch_related("legs__account"):
        of_month[f"{entry.date:%Y-%m}"].append(entry)
    return of_month


def _add_entries(opening: Mapping[str, int], entries: Iterable[Entry]) -> dict[str, int]:
    legs = ((leg.account.code, leg.cents) for entry in entries for leg in entry.legs.all())
    found = sum_by_key(chain(opening.items(), legs))
    return {code: cents for code, cents in found.items() if cents}


def _serialize_entry(entry: Entry) -> Mapping[str, Any]:
    legs = sorted((leg.kind, leg.account.code, leg.cents) for leg in entry.legs.all())
    return {
        "about": str(entry.evening.key) if entry.evening else entry.month,
        "date": entry.date.isoformat(),
        "key": str(entry.key),
        "kind": entry.kind,
        "legs": [{"account": code, "cents": cents, "kind": kind} for kind, code, cents in legs],
        "number": str(entry),
        "reverses": str(entry.reverses) if entry.reverses else "",
    }


def get_last_closed(club: Club) -> Period | None:
    return Period.objects.filter(club=club).select_related("closed_by").order_by("-month").first()


def get_next_to_close(club: Club) -> str | None:
    """Return the first month that is over and not closed; None if there is none."""
    last = get_last_closed(club)
    month = books.get_next_month(last.month) if last else books.get_first_month(club)
    return month if month and month < get_this_month() else None


def list_open_months(club: Club, until: str = "") -> list[str]:
    """List the months that are over and not closed, in order, up to one of them if it is given."""
    first = get_next_to_close(club)
    months = list_months_between(books.get_month_days(first)[0], timezone.localdate())[:-1] if first else []
    return [month for month in months if month <= (until or month)]


def build_draft(club: Club, month: str) -> str:
    """Build the statement of an open month, as it would be published now."""
    (text,) = build_drafts(club, [month])
    return text


def build_drafts(club: Club, months: Sequence[str]) -> Iterator[str]:
    """Build the statements of consecutive open months, as they would be published now."""
    closed = Period.objects.filter(club=club, month__lt=months[0]).order_by("-month")
    return build_statements(club, months, before=closed.values_list("sha256", flat=True).first() or "", slug=club.slug)


def get_closing_checks(club: Club, month: str, until: str = "") -> dict[str, Sequence[Evening] | Sequence[Report] | Sequence[Due]]:
    """Return what to check before a month, or all months `until` another one, are closed: open "evenings", which prevent it, and
    waiting "reports", "dues" not booked and evenings with waiting "fines", which do not."""
    days = books.get_month_days(month)[0], books.get_month_days(until or month)[1]
    waiting = Report.objects.filter(club=club, state=Report.State.WAITING, date__range=days).select_related("player")
    return {
        "evenings": list(Evening.objects.filter(club=club, held_on__range=days, closed_at=None).order_by("held_on", "pk")),
        "reports": list(waiting.order_by("reported_at")),
        "dues": list_dues(club, until=until or month),
        "fines": [evening for evening in list_evenings_with_late_fines(club) if evening.held_on <= days[1]],
    }


@dataclass(frozen=True)
class MonthMoney:
    """In cents: income and expense by the accounts of either side, and the balance of box and bank at the end."""

    month: str
    income: int
    expense: int
    there: int

    @property
    def result(self) -> int:
        return self.income - self.expense


def list_month_figures(club: Club, months: Sequence[str] | None = None) -> list[MonthMoney]:
    """Return the figures of all or these consecutive months, the earliest first, with a fixed number of queries."""
    months = books.list_months(club)[::-1] if months is None else months
    if not months:
        return []
    first, last = books.get_month_days(months[0])[0], books.get_month_days(months[-1])[1]
    legs = Leg.objects.filter(entry__club=club, entry__number__isnull=False, entry__date__range=(first, last), account__player=None)
    income, expense, moved = (defaultdict[str, int](int) for _column in range(3))
    for date, code, cents in legs.order_by().values_list("entry__date", "account__code").annotate(Sum("cents")):
        month = f"{date:%Y-%m}"
        if code in books.KASSE:
            moved[month] += cents
        elif code.startswith("income:"):
            income[month] -= cents
        elif code.startswith("expense:"):
            expense[month] += cents
    found, there = [], books.sum_kasse(books.get_balances(club, first - datetime.timedelta(days=1)))
    for month in months:
        there += moved[month]
        found.append(MonthMoney(month, income[month], expense[month], there))
    return found


def get_flow(club: Club, month: str) -> tuple[int, int]:
    """Return what came into the Kasse and what went out of it in a month, as its Kassenbuch adds up."""
    legs = Leg.objects.filter(
        entry__club=club, entry__number__isnull=False, entry__date__range=books.get_month_days(month), account__code__in=books.KASSE
    )
    moved = [cents for _entry, cents in legs.order_by().values_list("entry").annotate(Sum("cents"))]
    return sum(cents for cents in moved if cents > 0), -sum(cents for cents in moved if cents < 0)


def list_months_of_year(club: Club, year: ReportDays) -> list[MonthMoney]:
    first, last = f"{year.first:%Y-%m}", f"{year.last:%Y-%m}"
    return list_month_figures(club, [month for month in books.list_months(club)[::-1] if first <= month <= last])


# Payments of members and payouts to them, beside the accounts of income and expense.
PAYMENTS: Final = "payments"
PAYOUTS: Final = "payouts"
OPENING: Final = "equity:opening"


@dataclass(frozen=True)
class ReportDays:
    """The days of a month, or of a year with the `number` of the calendar year in which it begins."""

    first: datetime.date
    last: datetime.date
    number: int | None = None

    @property
    def name(self) -> str:
        return f"{self.first.year}" if self.first.month == 1 else f"{self.first.year}/{self.last.year % 100:02}"


def get_first_month_of_year(club: Club) -> int:
    return BookYear.objects.filter(club=club).values_list("first_month", flat=True).first() or 1


def build_year(number: int, begins: int) -> ReportDays:
    first = datetime.date(number, begins, 1)
    after = datetime.date(number + 1, begins, 1)
    return ReportDays(first, after - datetime.timedelta(days=1), number)


def list_years(club: Club, begins: int) -> list[ReportDays]:
    """List the years from the first entry to today, the latest first."""
    month = books.get_first_month(club)
    if month is None:
        return []
    start, end = (day.year - (day.month < begins) for day in (books.get_month_days(month)[0], timezone.localdate()))
    return [build_year(number, begins) for number in range(end, start - 1, -1)]


@dataclass(frozen=True)
class BooksReport:
    """All in cents. `money` is by account, or payments and payouts: what came into the Kasse (plus) or left it. `changes`
    is what was added to each account, income below 0 as in the books. `people` are the debts before and after, by id. `late` are
    entries about evenings of an earlier month than their own."""

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
        """Return the result: income less expense, and opening balances of these days."""
        return self.income - self.expense + self.begun

    @property
    def income(self) -> int:
        return -sum(cents for code, cents in self.changes.items() if code.startswith("income:"))

    @property
    def expense(self) -> int:
        return sum(cents for code, cents in self.changes.items() if code.startswith("expense:"))

    @property
    def begun(self) -> int:
        """Return the opening balances that were booked in these days."""
        return -self.changes.get(OPENING, 0)

    @property
    def check(self) -> int:
        """Return the check of part B: 0 if the result is the change of the Kasse and of the debts."""
        return self.result - self.change

    @property
    def change(self) -> int:
        return self.end + self.open_end - self.start - self.open_start


def build_report(club: Club, days: ReportDays) -> BooksReport:
    """Build the report of these days; the number of queries does not depend on what was booked. Call it within a snapshot."""
    before = days.first - datetime.timedelta(days=1)
    opening, closing = books.get_balances(club, before), books.get_balances(club, days.last)
    changes = {code: closing.get(code, 0) - opening.get(code, 0) for code in sorted(opening.keys() | closing.keys())}
    owed_before, owed_after = books.compute_owed(club, opening), books.compute_owed(club, closing)
    return BooksReport(
        days=days,
        start=books.sum_kasse(opening),
        end=books.sum_kasse(closing),
        money=_sum_money(club, days),
        changes={code: cents for code, cents in changes.items() if cents},
        people={pk: (owed_before.get(pk, 0), owed_after.get(pk, 0)) for pk in owed_before.keys() | owed_after.keys()},
        late=_list_late_entries(club, days),
    )


def _sum_money(club: Club, days: ReportDays) -> dict[str, int]:
    """Add up the other side of every leg on box and bank. A transfer between the two has no other side."""
    of_money = Leg.objects.filter(entry=OuterRef("entry"), account__club=club, account__code__in=books.KASSE)
    legs = Leg.objects.filter(Exists(of_money), entry__club=club, entry__number__isnull=False)
    legs = legs.filter(entry__date__range=(days.first, days.last)).exclude(account__code__in=books.KASSE)
    by = ("entry__kind", "entry__reverses__kind", "account__code")
    found: dict[str, int] = defaultdict(int)
    for kind, reversed_kind, code, cents in legs.order_by().values_list(*by).annotate(Sum("cents")):
        if (reversed_kind or kind) == Kind.OPENING:
            # One entry of boxes and people: their opening debts were not paid.
            code = OPENING
        elif code.startswith("member:"):
            code = PAYOUTS if (reversed_kind or kind) == Kind.PAYOUT else PAYMENTS
        found[code] -= cents
    return {code: cents for code, cents in sorted(found.items()) if cents}


def _list_late_entries(club: Club, days: ReportDays) -> list[Entry]:
    """List entries about the cost of an evening that were booked in a later month than its own."""
    entries = Entry.objects.filter(club=club, number__isnull=False, evening__isnull=False)
    entries = entries.filter(date__range=(days.first, days.last)).exclude(date=F("evening__held_on"))
    found = entries.select_related("evening", "reverses").order_by("year", "number")
    kinds = ((one, one.reverses.kind if one.reverses else one.kind) for one in found)
    return [
        one
        for one, kind in kinds
        if kind == Kind.EVENING and one.evening and one.date > books.get_month_days(f"{one.evening.held_on:%Y-%m}")[1]
    ]
