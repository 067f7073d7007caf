"""The only way into the books: `post` books an entry, `reverse` takes one back by an entry that mirrors it; `post_all`
and `reverse_all` do so for many at once.

An entry is written with its legs and sealed with the next number in one transaction, under the lock of the club's books; its key
books once. This lock is always taken last: after it no table of the game is locked."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple
from uuid import UUID, uuid5

from django.db import connection, transaction
from django.db.models import Max, Q, prefetch_related_objects
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.cash.laws import LOCK_CALL
from scoring.cash.models import EXPLAINED, MAX_LEG_CENTS, Account, Entry, Kind, Leg, Tariff
from scoring.cash.rules import money
from scoring.club.actions import Actor, record
from scoring.club.models import Club, Player, Verb
from scoring.core.database import insert
from scoring.core.dates import FIRST_DAY
from scoring.core.errors import ActionRefused, InvalidInput
from scoring.core.text import tidy
from scoring.play.models import Evening

from .queries import get_first_open_day, is_closed


@dataclass(eq=False)
class KeyBooked(InvalidInput):
    """The key of a new entry belongs to another entry already: `standing`."""

    sentence = _("Hier ist schon etwas gebucht. Bitte die Seite neu laden.")

    standing: Entry | None


class NotInTheBooks(InvalidInput):
    """The legs do not sum to 0, are fewer than two, or exceed the largest amount."""

    sentence = _("Das lässt sich so nicht buchen: Was dazukommt, muss an anderer Stelle weggehen.")


class ReasonNeeded(InvalidInput):
    sentence = _("Bitte einen Grund angeben, mit 3 bis 200 Zeichen.")
    field = "reason"


class DayToCome(InvalidInput):
    sentence = _("Gebucht wird höchstens bis heute. Bitte einen früheren Tag angeben.")
    field = "date"


class DayLongAgo(InvalidInput):
    sentence = _("Gebucht wird ab 1950. Bitte die Jahreszahl prüfen.")


class MonthIsClosed(ActionRefused):
    sentence = _("Dieser Monat der Kasse ist abgeschlossen. Bitte einen Tag danach angeben.")
    field = "date"


class AlreadyReversed(ActionRefused):
    sentence = _("Diese Buchung ist schon storniert.")


class ReversalStands(ActionRefused):
    sentence = _("Ein Storno wird nicht storniert. Bitte neu buchen.")


class BeforeItsEntry(InvalidInput):
    sentence = _("Storniert wird eine Buchung frühestens an ihrem eigenen Tag.")


SHORTEST_REASON = 3


class NewLeg(NamedTuple):
    """Cents of one kind on the account of a person, or on the account with this code. Plus is what the club has or is owed."""

    account: Player | str
    cents: int
    kind: str


# Ten parameters: each is a column of the entry, and all are named where it is called.
@transaction.atomic
def post(
    *,
    club: Club,
    actor: Actor,
    key: UUID,
    kind: Kind,
    date: datetime.date,
    lines: Iterable[NewLeg],
    evening: Evening | None = None,
    month: str = "",
    tariff: Tariff | None = None,
    reason: str = "",
) -> Entry:
    """Book an entry on a day, about an evening or a month, with the tariff that charged it. Lines of one account and kind
    are added up. The same key with the same content again returns what is stored. Raises KeyBooked, NotInTheBooks,
    ReasonNeeded, DayToCome, DayLongAgo, MonthIsClosed."""
    if kind == Kind.REVERSAL:
        raise ValueError("What is taken back is reversed.")
    entry = Entry(
        club=club, key=key, kind=kind, date=date, evening=evening, month=month, tariff=tariff, reason=tidy(reason)
    )
    lock_books(club)
    return _book(entry, _build_legs(_Accounts(club), lines), actor, Verb.CASH_BOOKED)


@transaction.atomic
def reverse(*, entry: Entry, actor: Actor, key: UUID, date: datetime.date, reason: str) -> Entry:
    """Take an entry back by another one that mirrors its legs. The same key again returns what is stored. Raises KeyBooked,
    ReasonNeeded, MonthIsClosed, BeforeItsEntry, AlreadyReversed, ReversalStands."""
    lock_books(entry.club)
    mirror = Entry(
        club=entry.club,
        key=key,
        kind=Kind.REVERSAL,
        date=date,
        evening=entry.evening,
        month=entry.month,
        tariff=entry.tariff,
        reverses=entry,
        reason=tidy(reason),
    )
    return _book(mirror, _mirror(_list_legs(entry)), actor, Verb.CASH_REVERSED)


def get_late_day(club: Club, standing: Entry | None) -> datetime.date:
    """Return the day of an entry that cannot have a day of its own, such as a reversal: today. If the clock of the server
    was set back, it is the first day of the open month, or the day of the entry that is reversed."""
    today = timezone.localdate()
    return max(today, get_first_open_day(club) or today, standing.date if standing else today)


class Posting(NamedTuple):
    """One of several entries to book: the arguments of `post`."""

    key: UUID
    kind: Kind
    date: datetime.date
    lines: Sequence[NewLeg]
    evening: Evening | None = None
    tariff: Tariff | None = None


@transaction.atomic
def post_all(*, club: Club, actor: Actor, postings: Sequence[Posting]) -> list[Entry]:
    """Book many entries at once, in this order, all under new keys. The caller records them in the history. Raises
    NotInTheBooks, DayToCome, MonthIsClosed."""
    lock_books(club)
    accounts = _Accounts(club)
    accounts.load([line.account for one in postings for line in one.lines])
    entries = [
        Entry(club=club, key=one.key, kind=one.kind, date=one.date, evening=one.evening, tariff=one.tariff)
        for one in postings
    ]
    legs = [_build_legs(accounts, one.lines) for one in postings]
    return _book_all(club, entries, legs, actor)


@transaction.atomic
def reverse_all(*, club: Club, actor: Actor, entries: Sequence[Entry], reason: str) -> list[Entry]:
    """Reverse many entries of a club at once, each on its own day, under a key computed from its own. The caller records
    them in the history. Raises MonthIsClosed, AlreadyReversed, ReversalStands."""
    lock_books(club)
    prefetch_related_objects(entries, "legs__account")
    mirrors = [
        Entry(
            club=club,
            key=uuid5(entry.key, "reversal"),
            kind=Kind.REVERSAL,
            date=entry.date,
            evening=entry.evening,
            month=entry.month,
            tariff=entry.tariff,
            reverses=entry,
            reason=reason,
        )
        for entry in entries
    ]
    return _book_all(club, mirrors, [_mirror(entry.legs.all()) for entry in entries], actor)


def lock_books(club: Club) -> None:
    """Lock the books of this club until the transaction ends. SQLite has one writer anyway."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT {LOCK_CALL.format(club='%s')}", [club.pk])


def write(entry: Entry, legs: Sequence[Leg], number: int) -> None:
    """Store an entry with its legs, and seal it. Any fault in it raises an IntegrityError."""
    entry.number = None
    entry.save(force_insert=True)
    _insert_legs([entry], [legs])
    entry.number = number
    seal([entry])


def seal(entries: Iterable[Entry]) -> None:
    """Store the numbers of written entries one after the other; at this moment the triggers check every law."""
    with connection.cursor() as cursor:
        numbers = [(entry.number, entry.pk) for entry in entries]
        cursor.executemany("UPDATE scoring_entry SET number = %s WHERE id = %s", numbers)


def _book(entry: Entry, legs: Sequence[Leg], actor: Actor, verb: Verb) -> Entry:
    if standing := Entry.objects.filter(club=entry.club_id, key=entry.key).select_related("club").first():
        if _get_content(standing, _list_legs(standing)) != _get_content(entry, legs):
            raise KeyBooked(standing)
        return standing
    _check_content(entry, legs)
    _check_state(entry.club, [entry])
    entry.actor = actor.login
    numbers = Entry.objects.filter(club=entry.club_id, year=entry.date.year, number__isnull=False)
    last = numbers.order_by("-number").values_list("number", flat=True).first() or 0
    write(entry, legs, last + 1)
    record(
        club=entry.club,
        actor=actor,
        verb=verb,
        subject=entry.pk,
        after={"number": str(entry), "kind": entry.kind, "date": entry.date.isoformat()},
    )
    return entry


def _book_all(club: Club, entries: list[Entry], legs: list[list[Leg]], actor: Actor) -> list[Entry]:
    """Book many entries in a few statements. Only sealing takes one statement per entry."""
    for entry, own in zip(entries, legs, strict=True):
        _check_content(entry, own)
        entry.actor = actor.login
    _check_state(club, entries)
    rows = Entry.objects.filter(club=club, number__isnull=False).values_list("year").order_by("year")
    last = dict(rows.annotate(Max("number")))
    Entry.objects.bulk_create(entries)
    _insert_legs(entries, legs)
    for entry in entries:
        entry.number = last[entry.date.year] = last.get(entry.date.year, 0) + 1
    seal(entries)
    return entries


def _insert_legs(entries: Sequence[Entry], legs: Sequence[Sequence[Leg]]) -> None:
    """Insert the legs of these entries, all at once."""
    rows = [(entry.pk, leg.account_id, leg.cents, leg.kind) for entry, own in zip(entries, legs, strict=True) for leg in own]
    insert(Leg, ("entry", "account", "cents", "kind"), rows)


def _check_content(entry: Entry, legs: Sequence[Leg]) -> None:
    """Check an entry by itself."""
    if entry.kind in EXPLAINED and len(entry.reason) < SHORTEST_REASON:
        raise ReasonNeeded
    entry.clean_fields(exclude=["club", "actor", "evening", "tariff", "reverses", "year"])
    if len(legs) < 2 or sum(leg.cents for leg in legs) != 0 or any(abs(leg.cents) > MAX_LEG_CENTS for leg in legs):
        raise NotInTheBooks
    # The day of these kinds is computed: it is later than today only if the clock was set back.
    is_computed = entry.kind in (Kind.REVERSAL, Kind.EVENING)
    if entry.date > timezone.localdate() and not is_computed and entry.date > get_late_day(entry.club, None):
        raise DayToCome
    if entry.date < FIRST_DAY:
        raise DayLongAgo


def _check_state(club: Club, entries: Sequence[Entry]) -> None:
    """Check entries against the books."""
    earliest = min((entry.date for entry in entries), default=timezone.localdate())
    if is_closed(club.pk, f"{earliest:%Y-%m}"):
        raise MonthIsClosed
    reversals = [(entry, entry.reverses) for entry in entries if entry.reverses is not None]
    if any(was.kind == Kind.REVERSAL for _entry, was in reversals):
        raise ReversalStands
    if reversals and Entry.objects.filter(reverses__in=[was for _entry, was in reversals]).exists():
        raise AlreadyReversed
    if any(entry.date < was.date for entry, was in reversals):
        raise BeforeItsEntry


def _get_content(entry: Entry, legs: Iterable[Leg]) -> tuple[object, ...]:
    """Return the values that must be equal for the same key."""
    fields = entry.kind, entry.date, entry.evening_id, entry.month, entry.tariff_id, entry.reverses_id, entry.reason
    return *fields, sorted((leg.kind, leg.account.code, leg.cents) for leg in legs)


def _list_legs(entry: Entry) -> list[Leg]:
    return list(Leg.objects.filter(entry=entry).select_related("account").order_by("pk"))


def _mirror(legs: Iterable[Leg]) -> list[Leg]:
    return [Leg(account=leg.account, cents=-leg.cents, kind=leg.kind) for leg in legs]


# --- Accounts ---------------------------------------------------------------------------------------------------------


class _Accounts:
    """The accounts of a club: read together for several lines; created if they are new."""

    def __init__(self, club: Club) -> None:
        self._club = club
        self._found: dict[int | str, Account] = {}

    def load(self, whose: Sequence[Player | str]) -> None:
        """Read or create these accounts. New accounts of players are numbered in the order of their ids, not of the lines."""
        keys = {_get_account_key(one) for one in whose} - self._found.keys()
        if not keys:
            return
        people, codes = ([key for key in keys if isinstance(key, kind)] for kind in (int, str))
        accounts = Account.objects.filter(Q(player__in=people) | Q(code__in=codes, club=self._club))
        self._found |= {account.player_id or account.code: account for account in accounts}
        for player in sorted((one for one in whose if isinstance(one, Player)), key=attrgetter("pk")):
            self.of(player)

    def of(self, whose: Player | str) -> Account:
        key = _get_account_key(whose)
        if key not in self._found:
            self._found[key] = self._of_person(whose) if isinstance(whose, Player) else self._of_code(whose)
        return self._found[key]

    def _of_person(self, player: Player) -> Account:
        """Create the account of a person. Its code is a number counted in the club, which it keeps in every archive."""
        number = Account.objects.filter(club=self._club, player__isnull=False).count() + 1
        return Account.objects.create(club=self._club, code=money.build_member_account(str(number)), player=player)

    def _of_code(self, code: str) -> Account:
        account = Account(club=self._club, code=code)
        account.clean_fields(exclude=["club"])
        account.save()
        return account


def _get_account_key(whose: Player | str) -> int | str:
    return whose.pk if isinstance(whose, Player) else whose


def _build_legs(accounts: _Accounts, lines: Iterable[NewLeg]) -> list[Leg]:
    lines = list(lines)
    accounts.load([line.account for line in lines])
    found: dict[str, Account] = {}
    legs = []
    for line in lines:
        account = accounts.of(line.account)
        found[account.code] = account
        legs.append(money.DueLeg(line.kind, account.code, line.cents))
    return [Leg(account=found[code], cents=cents, kind=kind) for kind, code, cents in money.merge_legs(legs)]
