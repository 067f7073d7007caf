"""What the tests of the books begin with: a club with some entries, booked through the real action, and its figures."""

from __future__ import annotations

import datetime
from typing import Any
from uuid import uuid4

from scoring.cash.ledger.posting import post
from scoring.cash.ledger.queries import get_balances, sum_kasse
from scoring.cash.models import Entry, Kind
from scoring.cash.months.queries import BooksReport
from scoring.cash.rules.money import DueLeg, build_member_account
from scoring.club.actions import Actor
from scoring.models import Club, Leg, Player

DAY = datetime.date(2026, 3, 6)


def leg(account: Player | str, cents: int, kind: str) -> DueLeg:
    return DueLeg(kind, build_member_account(account.pk) if isinstance(account, Player) else account, cents)


def owes(player: Player, cents: int, kind: str = "dues") -> list[DueLeg]:
    """A person owes the club so much."""
    return [leg(player, cents, kind), leg(f"income:{kind}", -cents, kind)]


def pays(player: Player, cents: int) -> list[DueLeg]:
    """A person pays so much into the box."""
    return [leg("cash", cents, "payment"), leg(player, -cents, "payment")]


def book(club: Club, lines: list[DueLeg], **changes: Any) -> Entry:
    told = {"key": uuid4(), "kind": Kind.PAYMENT, "date": DAY, "actor": Actor(), **changes}
    return post(club=club, legs=lines, **told)


def legs_of(entry: Entry) -> list[tuple[str, int, str]]:
    """Account, cents and kind of every leg."""
    legs = Leg.objects.filter(entry=entry).order_by("account__code", "kind")
    return list(legs.values_list("account__code", "cents", "kind"))


def in_the_kasse(club: Club, until: datetime.date | None = None) -> int:
    """The cents in box and bank up to a day."""
    return sum_kasse(get_balances(club, until))


def money_check(report: BooksReport) -> int:
    """0 where the money of a report adds up."""
    return report.start + sum(report.money.values()) - report.end
