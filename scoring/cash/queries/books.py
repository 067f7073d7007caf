"""What stands in the books: the balance of every account up to a day, what is in the Kasse, what each person owes, and a month as
the text that is closed. Sealed entries count, and no others. A merged person's account is read as that of whoever they are."""

from __future__ import annotations

import datetime
import json
from calendar import monthrange
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import chain
from typing import Any, Final

from django.db.models import Max, QuerySet, Sum
from django.db.models.functions import Abs
from django.utils import timezone

from scoring.cash.models.books import Account, Entry, Kind, Leg, Period
from scoring.cash.rules.money import summed
from scoring.club.models import Club
from scoring.club.queries import get_merged_players

# Where money lies.
KASSE: Final = ("cash", "bank")
_YEAR: Final = datetime.timedelta(days=365)
# An amount above 50 times the largest of the last year is asked about; in a Kasse without a year, one above 1,000 €.
_TIMES, _AT_FIRST = 50, 100_000


def balances(club: Club, until: datetime.date | None = None) -> dict[str, int]:
    """Return the cents on each account, by its code, of all entries up to a day; accounts at 0 are left out. Nothing is booked
    into a closed month: the statement of the last one has the balances at its end, and only later entries are added up."""
    opening, closed = _closed_balances(club, until)
    legs = Leg.objects.filter(entry__club=club, entry__number__isnull=False)
    if closed is not None:
        legs = legs.filter(entry__date__gt=closed)
    if until is not None:
        legs = legs.filter(entry__date__lte=until)
    added = legs.order_by().values_list("account__code").annotate(Sum("cents"))
    found: dict[str, int] = summed([*opening.items(), *added])
    return {code: cents for code, cents in sorted(found.items()) if cents}


def _closed_balances(club: Club, until: datetime.date | None) -> tuple[dict[str, int], datetime.date | None]:
    """Return the balances at the end of the last closed month before a day, and its last day. Empty and None if there is no such
    month, or if its statement does not match its hash."""
    until = until or datetime.date.max
    month = f"{until:%Y-%m}"
    # Months are compared as text: "2026-03-" comes behind "2026-03" and before "2026-04".
    before = f"{month}-" if until == days_of(month)[1] else month
    periods = Period.objects.filter(club=club, month__lt=before).only("month", "statement", "sha256")
    period = periods.order_by("-month").first()
    closing = None
    if period is not None and hash_of(period.statement) == period.sha256:
        closing = _said(period.statement, "closing")
    if period is None or not isinstance(closing, dict):
        return {}, None
    return closing, days_of(period.month)[1]


def is_closed(club: int, month: str) -> bool:
    """Return whether this month or a later one is closed: then nothing can be booked into it any more."""
    return Period.objects.filter(club=club, month__gte=month).exists()


def kasse_of(balances: Mapping[str, int]) -> int:
    """What of these balances is in box and bank."""
    return sum(balances.get(code, 0) for code in KASSE)


def owed(club: Club, until: datetime.date | None = None) -> dict[int, int]:
    """What each person owes, by id; below 0 is a credit. People who were merged count as who they are now. Who stands at 0
    is left out."""
    return owed_of(club, balances(club, until))


def owed_of(club: Club, on_accounts: Mapping[str, int]) -> dict[int, int]:
    """Return what each person owes, by id, from balances that were read before."""
    merged = get_merged_players(club.pk)
    personal = Account.objects.filter(club=club, player__isnull=False).values_list("code", "player")
    found = summed((merged.resolve(player or 0), on_accounts.get(code, 0)) for code, player in personal)
    return {pk: cents for pk, cents in found.items() if cents}


def standing_openings(club: Club) -> QuerySet[Entry]:
    """The entries of an opening balance that were not reversed, the first one first."""
    standing = Entry.objects.filter(club=club, kind=Kind.OPENING, number__isnull=False, reversed_by=None)
    return standing.order_by("pk")


# --- How large amounts are -----------------------------------------------------------------------------------------------


def usual_at_most(club: int) -> int:
    """Return the cents up to which an amount is nothing unusual in this Kasse; what was reversed does not count."""
    year_ago = timezone.localdate() - _YEAR
    entries = Entry.objects.filter(club=club, number__isnull=False)
    if not entries.filter(date__lte=year_ago).exists():
        return _AT_FIRST
    standing = entries.filter(date__gt=year_ago, reverses=None, reversed_by=None)
    largest = standing.aggregate(largest=Max(Abs("legs__cents")))["largest"]
    return _TIMES * largest if largest else _AT_FIRST


# --- A month ----------------------------------------------------------------------------------------------------------


def days_of(month: str) -> tuple[datetime.date, datetime.date]:
    """The first and the last day of a month, "2026-03"."""
    first = datetime.date.fromisoformat(f"{month}-01")
    return first, first.replace(day=monthrange(first.year, first.month)[1])


def month_after(month: str) -> str:
    return f"{days_of(month)[1] + datetime.timedelta(days=1):%Y-%m}"


def statements(club: Club, months: Sequence[str], *, before: str, slug: str) -> Iterator[str]:
    """Months that follow each other as they are published, each with its entries by number, every balance before and behind it,
    and the hash of the one before. `before` is the hash of the month before the first, or "", `slug` what the club is called."""
    for content in contents(club, months):
        text = as_text({**content, "before": before, "club": slug})
        yield text
        before = hash_of(text)


def contents(club: Club, months: Sequence[str]) -> Iterator[Mapping[str, Any]]:
    """What the statements of these months say, in order, but for the hash of the month before and what the club is called. A few
    queries for each year, which is as much as is in memory at once."""
    first, last = days_of(months[0])[0], days_of(months[-1])[1]
    opening, asked = balances(club, first - datetime.timedelta(days=1)), set(months)
    for year in range(first.year, last.year + 1):
        of_month = _of_months(club, max(first, datetime.date(year, 1, 1)), min(last, datetime.date(year, 12, 31)))
        for month in sorted({month for month in asked if month[:4] == f"{year:04}"} | of_month.keys()):
            closing = _behind(opening, of_month[month])
            if month in asked:
                entries_said = [_written(entry) for entry in of_month[month]]
                yield {"closing": closing, "entries": entries_said, "month": month, "opening": opening}
            opening = closing


def _of_months(club: Club, first: datetime.date, last: datetime.date) -> dict[str, list[Entry]]:
    """The entries of these days, by month, in the order of their numbers."""
    entries = Entry.objects.filter(club=club, number__isnull=False, date__range=(first, last))
    of_month: dict[str, list[Entry]] = defaultdict(list)
    for entry in _with_legs(entries.order_by("year", "number")):
        of_month[f"{entry.date:%Y-%m}"].append(entry)
    return of_month


def _behind(opening: Mapping[str, int], entries: Iterable[Entry]) -> dict[str, int]:
    """The balances behind these entries."""
    legs = ((leg.account.code, leg.cents) for entry in entries for leg in entry.legs.all())
    found = summed(chain(opening.items(), legs))
    return {code: cents for code, cents in found.items() if cents}


def _with_legs(entries: QuerySet[Entry]) -> QuerySet[Entry]:
    return entries.select_related("evening", "reverses").prefetch_related("legs__account")


def _written(entry: Entry) -> Mapping[str, Any]:
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


def as_text(content: Mapping[str, Any]) -> str:
    """The one way in which a month is written down."""
    return json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def called_in(text: str) -> str | None:
    """What the club was called when this was published; None where it is no statement."""
    slug = _said(text, "club")
    return slug if isinstance(slug, str) else None


def _said(text: str, field: str) -> object:
    """What a statement says in one of its fields; None where it is no statement."""
    try:
        return json.loads(text)[field]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def hash_of(text: str) -> str:
    return sha256(text.encode()).hexdigest()


# --- What is open -----------------------------------------------------------------------------------------------------


def first_open_day(club: Club) -> datetime.date | None:
    """The first day on which something may still be booked; None where every day is open."""
    last = Period.objects.filter(club=club).order_by("-month").values_list("month", flat=True).first()
    return days_of(month_after(last))[0] if last else None
