"""The one way into the books: `post` books something new, `reverse` takes back what stands by an entry that mirrors it. An entry
is written with its legs and sealed with the next number in one transaction, while nobody else writes to the books of the club;
its key books once. Books are held last: whoever posts locks no table of the game behind it."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from typing import NamedTuple
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Max
from django.utils import timezone

from scoring.cash.errors import (
    AlreadyReversed,
    BeforeItsEntry,
    DayToCome,
    KeyBooked,
    MonthIsClosed,
    NotInTheBooks,
    ReasonNeeded,
    ReversalStands,
)
from scoring.cash.models.books import EXPLAINED, MOST_CENTS, Account, Entry, Kind, Leg, Period
from scoring.cash.models.tariffs import Tariff
from scoring.cash.models.triggers import HOLD
from scoring.cash.rules import money
from scoring.club.actions.history import Actor, record
from scoring.club.models.history import Verb
from scoring.club.models.people import Club, Player
from scoring.core.text import tidy
from scoring.play.models import Evening

SHORTEST_REASON = 3


class Line(NamedTuple):
    """Cents on the account of a person, or on the one of this code, of one kind. Plus is what the club has or is owed."""

    account: Player | str
    cents: int
    kind: str


# Nine parameters: each is a column of the entry, and all are named where it is called.
@transaction.atomic
def post(
    *,
    club: Club,
    actor: Actor,
    key: UUID,
    kind: Kind,
    date: datetime.date,
    lines: Iterable[Line],
    evening: Evening | None = None,
    month: str = "",
    tariff: Tariff | None = None,
    reason: str = "",
) -> Entry:
    """Book an entry on a day, about an evening or a month, charged by a tariff where it was; lines of one account and kind are
    added up. The same key with the same content again answers what is stored. Raises KeyBooked, NotInTheBooks, ReasonNeeded,
    DayToCome, MonthIsClosed."""
    if kind == Kind.REVERSAL:
        raise ValueError("What is taken back is reversed.")
    entry = Entry(
        club=club, key=key, kind=kind, date=date, evening=evening, month=month, tariff=tariff, reason=tidy(reason)
    )
    hold(club)
    return _booked(entry, _legs(club, lines), actor, Verb.CASH_BOOKED)


@transaction.atomic
def reverse(*, entry: Entry, actor: Actor, key: UUID, date: datetime.date, reason: str) -> Entry:
    """Take an entry back by another one that mirrors its legs. The same key again answers what is stored. Raises KeyBooked,
    ReasonNeeded, DayToCome, MonthIsClosed, BeforeItsEntry, AlreadyReversed, ReversalStands."""
    hold(entry.club)
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
    mirrored = [Leg(account=leg.account, cents=-leg.cents, kind=leg.kind) for leg in _legs_of(entry)]
    return _booked(mirror, mirrored, actor, Verb.CASH_REVERSED)


def hold(club: Club) -> None:
    """Until the transaction ends, nobody else writes to the books of this club. On SQLite nobody else writes at all."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT {HOLD.format(club='%s')}", [club.pk])


def write(entry: Entry, legs: Sequence[Leg], number: int) -> None:
    """Store an entry with its legs, and seal it. Whatever is wrong with it is an IntegrityError."""
    entry.number = None
    entry.save(force_insert=True)
    for leg in legs:
        leg.entry = entry
    Leg.objects.bulk_create(legs)
    entry.number = number
    Entry.objects.filter(pk=entry.pk).update(number=number)


def _booked(entry: Entry, legs: Sequence[Leg], actor: Actor, verb: Verb) -> Entry:
    if standing := Entry.objects.filter(club=entry.club_id, key=entry.key).select_related("club").first():
        if _content(standing, _legs_of(standing)) != _content(entry, legs):
            raise KeyBooked(standing)
        return standing
    _judge(entry, legs)
    entry.actor = actor.login
    last = Entry.objects.filter(club=entry.club_id, year=entry.date.year).aggregate(last=Max("number"))["last"]
    write(entry, legs, (last or 0) + 1)
    record(
        club=entry.club,
        actor=actor,
        verb=verb,
        subject=entry.pk,
        after={"number": str(entry), "kind": entry.kind, "date": entry.date.isoformat()},
    )
    return entry


def _judge(entry: Entry, legs: Sequence[Leg]) -> None:
    if entry.kind in EXPLAINED and len(entry.reason) < SHORTEST_REASON:
        raise ReasonNeeded
    entry.clean_fields(exclude=["club", "actor", "evening", "tariff", "reverses", "year"])
    if len(legs) < 2 or sum(leg.cents for leg in legs) != 0 or any(abs(leg.cents) > MOST_CENTS for leg in legs):
        raise NotInTheBooks
    if entry.date > timezone.localdate():
        raise DayToCome
    if Period.objects.filter(club=entry.club_id, month__gte=f"{entry.date:%Y-%m}").exists():
        raise MonthIsClosed
    if (was := entry.reverses) is not None:
        if was.kind == Kind.REVERSAL:
            raise ReversalStands
        if Entry.objects.filter(reverses=was).exists():
            raise AlreadyReversed
        if entry.date < was.date:
            raise BeforeItsEntry


def _content(entry: Entry, legs: Iterable[Leg]) -> tuple[object, ...]:
    """What the same key always says."""
    said = entry.kind, entry.date, entry.evening_id, entry.month, entry.tariff_id, entry.reverses_id, entry.reason
    return *said, sorted((leg.kind, leg.account.code, leg.cents) for leg in legs)


def _legs_of(entry: Entry) -> list[Leg]:
    return list(Leg.objects.filter(entry=entry).select_related("account").order_by("pk"))


# --- Accounts ---------------------------------------------------------------------------------------------------------


def _legs(club: Club, lines: Iterable[Line]) -> list[Leg]:
    """The legs of these lines, on accounts that are made where they are new."""
    found: dict[str, Account] = {}
    legs = []
    for line in lines:
        account = _of_person(club, line.account) if isinstance(line.account, Player) else _of_code(club, line.account)
        found[account.code] = account
        legs.append(money.Leg(line.kind, account.code, line.cents))
    return [Leg(account=found[code], cents=cents, kind=kind) for kind, code, cents in money.added_up(legs)]


def _of_person(club: Club, player: Player) -> Account:
    """Their account; it is called by its number among those of people, which it keeps wherever the club goes."""
    account = Account.objects.filter(player=player).first()
    if account is None:
        number = Account.objects.filter(club=club, player__isnull=False).count() + 1
        account = Account.objects.create(club=club, code=money.member(str(number)), player=player)
    return account


def _of_code(club: Club, code: str) -> Account:
    account = Account.objects.filter(club=club, code=code).first()
    if account is None:
        account = Account(club=club, code=code)
        account.clean_fields(exclude=["club"])
        account.save()
    return account
