"""A Kasse for tests of pages: what was there when it began, who owes and pays, an expense, a month closed, a payment that waits,
a count and a settlement. Everything goes through the real actions."""

from __future__ import annotations

import datetime
from typing import Any
from uuid import UUID, uuid4

from django.contrib.auth.models import User
from django.urls import reverse

from scoring.cash.ledger.actions import book as book_typed
from scoring.cash.ledger.actions import count_cash, report_payment
from scoring.cash.ledger.queries import compute_hash, get_balances
from scoring.cash.models import Kind
from scoring.cash.months.actions import close_month
from scoring.cash.months.queries import build_draft
from scoring.cash.settling.actions import make_settlement
from scoring.cash.settling.queries import compute_transfers, get_amounts, hash_transfers
from scoring.club.actions import Actor
from scoring.models import CashCount, Club, Entry, Period, Player, Report, Settlement

FEBRUARY = "2026-02"


def at(name: str, *args: object) -> str:
    """Return the address of a page of the club of the cast."""
    return reverse(name, args=["karo", *args])


def typed(club: Club, kind: Kind, cents: int, day: str, actor: User | None = None, **more: Any) -> Entry:
    """One booking as a treasurer types it."""
    date = datetime.date.fromisoformat(day)
    return book_typed(club=club, actor=Actor(actor), key=uuid4(), kind=kind, cents=cents, date=date, **more)


def closed(club: Club, month: str = FEBRUARY, actor: User | None = None) -> Period:
    return close_month(club=club, actor=Actor(actor), month=month, seen=compute_hash(build_draft(club, month)))


def reported(player: Player, cents: int = 500, key: UUID | None = None, **more: Any) -> Report:
    told = {"box": "cash", "date": datetime.date(2026, 3, 9), "actor": Actor(), **more}
    return report_payment(player=player, cents=cents, key=key or uuid4(), **told)


def counted(club: Club, cents: int | None = None, reason: str = "", actor: User | None = None) -> CashCount:
    """The box as two of the club counted it, right unless something else is said."""
    booked = get_balances(club).get("cash", 0)
    counter, witness = club.players.order_by("pk")[:2]
    told = {"cents": booked if cents is None else cents, "booked": booked, "counter": counter, "witness": witness}
    return count_cash(club=club, actor=Actor(actor), key=uuid4(), reason=reason, **told)


def agreed(club: Club, actor: User | None = None, key: UUID | None = None) -> Settlement:
    """Everybody settles what is open."""
    amounts = get_amounts(club, None)
    told = {"evening": None, "players": list(amounts), "seen": hash_transfers(compute_transfers(amounts))}
    return make_settlement(club=club, actor=Actor(actor), key=key or uuid4(), **told)


def make_kasse(
    club: Club, actor: User | None = None, key: UUID | None = None, month: str = FEBRUARY, size: int = 1
) -> Entry:
    """The Kasse of a club with two people at least: one month closed, and this payment in it. The last report and the last
    settlement have the key."""
    one, two = club.players.order_by("pk")[:2]
    typed(club, Kind.OPENING, 20000, f"{month}-01", actor, heading="cash")
    for _ in range(size):
        typed(club, Kind.FINE, 300, f"{month}-06", actor, person=one, reason="Zu spät")
        typed(club, Kind.OUTLAY, 850, f"{month}-07", actor, person=two, heading="expense:drinks")
    entry = typed(club, Kind.PAYMENT, 100, f"{month}-08", actor, person=one, box="cash")
    typed(club, Kind.EXPENSE, 1990, f"{month}-09", actor, heading="expense:prizes", box="cash", reason="Pokal")
    closed(club, month, actor)
    for _ in range(size):
        counted(club, actor=actor)
        reported(one)
        agreed(club, actor)
    reported(one, key=key)
    agreed(club, actor, key)
    return entry
