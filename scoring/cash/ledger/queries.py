"""Read the books: balances, what people owe, entries, and registers with a running balance (the Kassenbuch, the statement of a
person). Only sealed entries count. The account of a merged person is read as that of the person they were merged into."""

from __future__ import annotations

import datetime
import json
from calendar import monthrange
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

from django.db.models import BigIntegerField, F, Max, Min, OuterRef, Prefetch, Q, QuerySet, Subquery, Sum, Window
from django.db.models.functions import Abs, Coalesce
from django.utils import timezone

from scoring.cash.models import Account, Entry, Heading, Kind, Leg, Period, Report
from scoring.cash.rules.money import sum_by_key
from scoring.club.models import Club, Player
from scoring.club.queries import MergedPlayers, collect_merged, get_merged_players
from scoring.core.database import CodePoints
from scoring.core.dates import list_months_between

# The accounts with the money of the club.
KASSE: Final = ("cash", "bank")
_YEAR: Final = datetime.timedelta(days=365)
# A larger amount than 50 times the largest of the last year has to be confirmed; in a Kasse of less than a year, one above 1,000 €.
_USUAL_FACTOR, _FIRST_LIMIT = 50, 100_000


def get_balances(club: Club, until: datetime.date | None = None) -> dict[str, int]:
    """Return the cents on each account up to a day, by code, without 0: those of the last statement and of later entries."""
    opening, closed = _get_closed_balances(club, until)
    legs = Leg.objects.filter(entry__club=club, entry__number__isnull=False)
    if closed is not None:
        legs = legs.filter(entry__date__gt=closed)
    if until is not None:
        legs = legs.filter(entry__date__lte=until)
    added = legs.order_by().values_list("account__code").annotate(Sum("cents"))
    found: dict[str, int] = sum_by_key([*opening.items(), *added])
    return {code: cents for code, cents in sorted(found.items()) if cents}


def _get_closed_balances(club: Club, until: datetime.date | None) -> tuple[dict[str, int], datetime.date | None]:
    """Return the balances and last day of the last closed month before a day; none if its statement breaks its hash."""
    until = until or datetime.date.max
    month = f"{until:%Y-%m}"
    # Months are compared as text: "2026-03-" comes behind "2026-03" and before "2026-04".
    before = f"{month}-" if until == get_month_days(month)[1] else month
    periods = Period.objects.filter(club=club, month__lt=before).only("month", "statement", "sha256")
    period = periods.order_by("-month").first()
    closing = None
    if period is not None and compute_hash(period.statement) == period.sha256:
        closing = _read_field(period.statement, "closing")
    if period is None or not isinstance(closing, dict):
        return {}, None
    return closing, get_month_days(period.month)[1]


def is_closed(club: int, month: str) -> bool:
    """Return whether this month or a later one is closed: then nothing can be booked into it any more."""
    return Period.objects.filter(club=club, month__gte=month).exists()


def sum_kasse(balances: Mapping[str, int]) -> int:
    return sum(balances.get(code, 0) for code in KASSE)


def get_owed(club: Club, until: datetime.date | None = None) -> dict[int, int]:
    """Return the debt of each person, by id; below 0 is a credit; people at 0 are left out. Merged people count as one."""
    return compute_owed(club, get_balances(club, until))


def compute_owed(club: Club, on_accounts: Mapping[str, int]) -> dict[int, int]:
    """Return the debt of each person, by id, from balances that were read before."""
    merged = get_merged_players(club.pk)
    personal = Account.objects.filter(club=club, player__isnull=False).values_list("code", "player")
    found = sum_by_key((merged.resolve(player or 0), on_accounts.get(code, 0)) for code, player in personal)
    return {pk: cents for pk, cents in found.items() if cents}


def list_openings(club: Club) -> QuerySet[Entry]:
    """List the entries of opening balances that were not reversed, the first one first."""
    standing = Entry.objects.filter(club=club, kind=Kind.OPENING, number__isnull=False, reversed_by=None)
    return standing.order_by("pk")


def get_usual_limit(club: int) -> int:
    """Return the cents up to which an amount is usual in this Kasse; reversed entries do not count."""
    year_ago = timezone.localdate() - _YEAR
    entries = Entry.objects.filter(club=club, number__isnull=False)
    if not entries.filter(date__lte=year_ago).exists():
        return _FIRST_LIMIT
    standing = entries.filter(date__gt=year_ago, reverses=None, reversed_by=None)
    largest = standing.aggregate(largest=Max(Abs("legs__cents")))["largest"]
    return _USUAL_FACTOR * largest if largest else _FIRST_LIMIT


def get_month_days(month: str) -> tuple[datetime.date, datetime.date]:
    """Return the first and the last day of a month, "2026-03"."""
    first = datetime.date.fromisoformat(f"{month}-01")
    return first, first.replace(day=monthrange(first.year, first.month)[1])


def get_next_month(month: str) -> str:
    return f"{get_month_days(month)[1] + datetime.timedelta(days=1):%Y-%m}"


def serialize(content: Mapping[str, Any]) -> str:
    """Serialize a statement: the one form that is hashed and published."""
    return json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def read_slug(text: str) -> str | None:
    slug = _read_field(text, "club")
    return slug if isinstance(slug, str) else None


def _read_field(text: str, field: str) -> object:
    """Return a field of a statement; None if the text is no statement."""
    try:
        return json.loads(text)[field]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def hash_shown(content: object) -> str:
    """Return a hash of what a page shows, by which a request proves that it was shown."""
    return compute_hash(repr(content))


def compute_hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def get_first_open_day(club: Club) -> datetime.date | None:
    """Return the first day on which entries can be booked; None if every day is open."""
    last = Period.objects.filter(club=club).order_by("-month").values_list("month", flat=True).first()
    return get_month_days(get_next_month(last))[0] if last else None


def get_first_month(club: Club) -> str | None:
    """Return the month of the first entry, in which closing begins."""
    entries = Entry.objects.filter(club=club, number__isnull=False)
    first = entries.order_by("date").values_list("date", flat=True).first()
    return f"{first:%Y-%m}" if first else None


def list_months(club: Club) -> list[str]:
    """List every month from the first entry or the first closed month to today, the latest first."""
    first = Period.objects.filter(club=club).order_by("month").values_list("month", flat=True).first()
    begin = min(filter(None, (get_first_month(club), first)), default=None)
    if begin is None:
        return []
    return list_months_between(get_month_days(begin)[0], timezone.localdate())[::-1]


# Each person who is part of such an entry may read all its legs.
_SHARED_KINDS = (Kind.EVENING, Kind.SETTLE, Kind.HANDOVER)


def list_entries(club: Club) -> QuerySet[Entry]:
    """List the sealed entries with their legs, the latest day first."""
    legs = Leg.objects.select_related("account").order_by("-cents", "pk")
    entries = Entry.objects.filter(club=club, number__isnull=False)
    found = entries.select_related("reverses", "reversed_by", "evening", "actor").prefetch_related(Prefetch("legs", legs))
    return found.order_by("-date", "-number")


def sum_moved(entry: Entry) -> int:
    """Add up the legs of an entry above 0."""
    return sum(leg.cents for leg in entry.legs.all() if leg.cents > 0)


def list_player_ids(entry: Entry) -> list[int]:
    """List the ids of the people whose accounts an entry moves, each once."""
    found = (leg.account.player_id for leg in entry.legs.all() if leg.account.player_id is not None)
    return list(dict.fromkeys(found))


@dataclass(frozen=True)
class BookNames:
    """The present name of a person by the id of each of their rows, and the names of the club's own accounts."""

    people: Mapping[int, str]
    headings: Mapping[str, str]


def get_book_names(club: Club) -> BookNames:
    """Read the names, with two queries. A merged person has the name of the person they were merged into."""
    rows = {pk: (name, into) for pk, name, into in Player.objects.filter(club=club).values_list("pk", "name", "merged_into")}
    merged = MergedPlayers({pk: into for pk, (_name, into) in rows.items()})
    return BookNames({pk: rows[merged.resolve(pk)][0] for pk in rows}, get_headings(club))


def get_headings(club: Club) -> dict[str, str]:
    return dict(Heading.objects.filter(club=club).order_by("pk").values_list("code", "name"))


def list_family_ids(club: Club, player: Player) -> list[int]:
    """Return the ids of a person and of all people merged into them, with one query."""
    return [one.pk for one in collect_merged(list(Player.objects.filter(club=club)), player)]


def list_visible_legs(entry: Entry, family: Collection[int]) -> list[Leg]:
    """Return the legs that a person who is part of an entry may read: all of shared kinds, else their own and of no person."""
    about = entry.reverses.kind if entry.reverses else entry.kind
    legs = list(entry.legs.all())
    if about in _SHARED_KINDS:
        return legs
    return [leg for leg in legs if leg.account.player_id is None or leg.account.player_id in family]


IN_KASSE: Final = Q(account__code__in=KASSE)


def build_register(club: Club, accounts: Q) -> QuerySet[Entry]:
    """Build a register of the accounts of these legs: every sealed entry, the latest first, with the cents that it `moved` there
    and the `balance` after it. The balance adds up all entries before, also those that `filter_register` leaves out."""
    legs = Leg.objects.filter(accounts, entry=OuterRef("pk")).order_by().values("entry").annotate(moved=Sum("cents"))
    moved = Coalesce(Subquery(legs.values("moved")), 0, output_field=BigIntegerField())
    balance = Window(Sum("moved"), order_by=[F("date").asc(), F("number").asc()])
    return list_entries(club).select_related("tariff").annotate(moved=moved, balance=balance)


def filter_register(register: QuerySet[Entry], condition: Q) -> QuerySet[Entry]:
    """Filter a register; a condition over other tables has to be an `Exists`."""
    # `Q(balance=None)` never holds and names the window: without it the database would add up the filtered entries alone.
    return register.filter(condition | Q(balance=None)) if condition else register


def sum_register(register: QuerySet[Entry], condition: Q) -> dict[str, int]:
    """Add up the cents that the filtered entries brought, and those that they took."""
    plus, minus = Q(moved__gt=0), Q(moved__lt=0)
    return register.filter(condition).aggregate(
        plus=Sum("moved", filter=plus, default=0), minus=-Sum("moved", filter=minus, default=0)
    )


def build_statement(club: Club, family: Collection[int]) -> QuerySet[Entry]:
    """Build the register of a person: the entries with a leg of theirs, which alone move their balance."""
    own = Leg.objects.filter(Q(account__player__in=family)).values("entry")
    return build_register(club, Q(account__player__in=family)).filter(pk__in=own)


def order_as_booked(register: QuerySet[Entry]) -> QuerySet[Entry]:
    return register.order_by("date", "number")


def build_name_key() -> Subquery:
    """Build the key that sorts entries by person: the first of the present names of the people in it."""
    name = CodePoints(Coalesce("account__player__merged_into__name_key", "account__player__name_key"))
    legs = Leg.objects.filter(entry=OuterRef("pk"), account__player__isnull=False).order_by().values("entry")
    return Subquery(legs.annotate(first=Min(name)).values("first"))


def get_balance(family: Collection[int]) -> int:
    """Return the debt of a person; below 0 is a credit."""
    legs = Leg.objects.filter(Q(account__player__in=family), entry__number__isnull=False)
    return legs.aggregate(cents=Sum("cents"))["cents"] or 0


def sum_by_kind(entry: Entry, family: Collection[int]) -> list[tuple[str, int]]:
    return sorted(sum_by_key((leg.kind, leg.cents) for leg in entry.legs.all() if leg.account.player_id in family).items())


def find_open_since(club: Club, owed: Mapping[int, int]) -> dict[int, datetime.date]:
    """Return the day of the oldest unpaid charge of each debtor, by id, of the last year; payments cover the oldest first."""
    left = {pk: cents for pk, cents in owed.items() if cents > 0}
    legs = Leg.objects.filter(
        entry__club=club,
        entry__number__isnull=False,
        entry__reverses=None,
        entry__reversed_by=None,
        entry__date__gt=timezone.localdate() - _YEAR,
        account__player__isnull=False,
    )
    order = ("-entry__date", "-entry__number", "account")
    rows = legs.order_by(*order).values_list("entry__date", "entry__number", "account__player").annotate(Sum("cents"))
    merged, found = get_merged_players(club.pk), dict[int, datetime.date]()
    for day, _number, player, cents in rows:
        who = merged.resolve(player)
        if cents > 0 and left.get(who, 0) > 0:
            left[who] -= cents
            found[who] = day
    return {who: day for who, day in found.items() if left[who] <= 0}


def list_balances(
    people: Iterable[Player], owed: Mapping[int, int], since: Mapping[int, datetime.date]
) -> list[dict[str, Any]]:
    """List each `player` with a debt or a credit (`cents` below 0), the largest first, and `since` when a debt is open."""
    found = [
        {"player": player, "cents": owed[player.pk], "since": since.get(player.pk)} for player in people if owed.get(player.pk)
    ]
    return sorted(found, key=lambda one: -abs(one["cents"]))


def list_waiting_reports(club: Club, of: Player | None = None) -> list[Report]:
    """List the undecided payments, the oldest first; with `of` those of one person."""
    waiting = Report.objects.filter(club=club, state=Report.State.WAITING).select_related("player", "reported_by")
    if of is not None:
        waiting = waiting.filter(player__in=list_family_ids(club, of))
    return list(waiting.order_by("reported_at", "pk"))


def is_own_report(entry: Entry) -> bool:
    reports = Report.objects.filter(club=entry.club_id, key=entry.key, reported_by=entry.actor_id)
    return entry.actor_id is not None and reports.exists()
