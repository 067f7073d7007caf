"""A month of the Kasse before it is closed: what its statement would say, and what should be looked at first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils import timezone

from scoring.cash.models.beside import Report
from scoring.cash.models.books import Entry, Period
from scoring.club.models import Club
from scoring.play.models import Evening

from .books import days_of, month_after, statements
from .dues import Due, months_due
from .facts import fines_waiting


def month_of_first_entry(club: Club) -> str | None:
    """Return the month of the first entry, in which closing begins."""
    entries = Entry.objects.filter(club=club, number__isnull=False)
    first = entries.order_by("date").values_list("date", flat=True).first()
    return f"{first:%Y-%m}" if first else None


def last_closed(club: Club) -> Period | None:
    return Period.objects.filter(club=club).select_related("closed_by").order_by("-month").first()


def months_of_books(club: Club) -> list[str]:
    """Every month from the first entry or the first closed one to today, the latest first."""
    first = Period.objects.filter(club=club).order_by("month").values_list("month", flat=True).first()
    begin = min(filter(None, (month_of_first_entry(club), first)), default=None)
    if begin is None:
        return []
    today, (year, month) = timezone.localdate(), map(int, begin.split("-"))
    numbers = range(12 * year + month - 1, 12 * today.year + today.month)
    return [f"{number // 12:04}-{number % 12 + 1:02}" for number in reversed(numbers)]


def next_to_close(club: Club) -> str | None:
    """The first month that is over and not closed; None where there is none."""
    last = last_closed(club)
    month = month_after(last.month) if last else month_of_first_entry(club)
    return month if month and month < f"{timezone.localdate():%Y-%m}" else None


def open_months(club: Club, until: str = "") -> list[str]:
    """The months that are over and not closed, in order, up to one of them where one is named."""
    found, month = [], next_to_close(club)
    today = f"{timezone.localdate():%Y-%m}"
    while month is not None and month < today and month <= (until or month):
        found.append(month)
        month = month_after(month)
    return found


def draft(club: Club, month: str) -> str:
    """The statement of a month that is not closed, as it would be published now."""
    (text,) = drafts(club, [month])
    return text


def drafts(club: Club, months: Sequence[str]) -> Iterator[str]:
    """The statements of open months that follow each other, as they would be published now."""
    closed = Period.objects.filter(club=club, month__lt=months[0]).order_by("-month")
    return statements(club, months, before=closed.values_list("sha256", flat=True).first() or "", slug=club.slug)


@dataclass(frozen=True)
class InTheWay:
    """What to look at before a month is closed. Open evenings prevent it. These do not: payments of the month that nobody
    has decided about, dues that are not booked yet, and evenings with fines that came too late."""

    evenings: list[Evening]
    reports: list[Report]
    dues: list[Due]
    fines: list[Evening]


def in_the_way(club: Club, month: str, until: str = "") -> InTheWay:
    """What is in the way of closing this month, or all months from it until another one."""
    days = days_of(month)[0], days_of(until or month)[1]
    waiting = Report.objects.filter(club=club, state=Report.State.WAITING, date__range=days).select_related("player")
    return InTheWay(
        list(Evening.objects.filter(club=club, held_on__range=days, closed_at=None).order_by("held_on", "pk")),
        list(waiting.order_by("reported_at")),
        months_due(club, until=until or month),
        [evening for evening in fines_waiting(club) if evening.held_on <= days[1]],
    )
