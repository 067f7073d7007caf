"""What a treasurer types, booked: which accounts each kind of entry moves."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from scoring.cash.errors import FollowsFromItsEvening
from scoring.cash.models.books import Entry, Kind
from scoring.club.actions import Actor
from scoring.club.models import Club, Player

from .posting import NewLeg, late_day, post, reverse

# What is typed, in the order in which a treasurer needs it.
TYPED: Final = (
    Kind.PAYMENT, Kind.EXPENSE, Kind.INCOME, Kind.PAYOUT, Kind.OUTLAY, Kind.FINE, Kind.JOINING, Kind.SETTLE,
    Kind.HANDOVER, Kind.WAIVE, Kind.TRANSFER, Kind.OPENING,
)  # fmt: skip


@dataclass(frozen=True)
class TypedBooking:
    """One booking as it was typed, its amount above 0. `box` is "cash" or "bank", `heading` the code of an account of income
    or expense; `other` is who gets what `person` pays, or takes over what they owe."""

    kind: Kind
    cents: int
    date: datetime.date
    person: Player | None = None
    other: Player | None = None
    box: str = ""
    heading: str = ""
    reason: str = ""


def book(*, club: Club, actor: Actor, key: UUID, typed: TypedBooking) -> Entry:
    """Book what was typed. Raises what `post` raises."""
    return post(
        club=club,
        actor=actor,
        key=key,
        kind=typed.kind,
        date=typed.date,
        lines=lines_of(typed),
        reason=typed.reason,
    )


def take_back(*, entry: Entry, actor: Actor, key: UUID, reason: str) -> Entry:
    """Reverse an entry by hand, today or on its late day. Raises FollowsFromItsEvening and what `reverse` raises."""
    if entry.kind == Kind.EVENING:
        raise FollowsFromItsEvening
    return reverse(entry=entry, actor=actor, key=key, date=late_day(entry.club, entry), reason=reason)


def lines_of(typed: TypedBooking) -> Iterable[NewLeg]:
    """The two legs of a booking: the account that goes up, and the one that goes down."""
    up, down = _accounts(typed)
    return [NewLeg(up, typed.cents, typed.kind), NewLeg(down, -typed.cents, typed.kind)]


def _accounts(typed: TypedBooking) -> tuple[Player | str, Player | str]:
    person, box, heading = typed.person or "", typed.box, typed.heading
    other: Player | str = typed.other or ""
    match typed.kind:
        case Kind.PAYMENT:
            return box, person
        case Kind.PAYOUT:
            return person, box
        case Kind.INCOME:
            return box, heading
        case Kind.EXPENSE:
            return heading, box
        case Kind.OUTLAY:
            return heading, person
        case Kind.FINE:
            return person, "income:fines"
        case Kind.JOINING:
            return person, "income:joining"
        case Kind.SETTLE | Kind.HANDOVER:
            # Who pays owes less, who gets it owes more; and so does who takes a debt over.
            return other, person
        case Kind.WAIVE:
            return "expense:waived", person
        case Kind.TRANSFER:
            return ("bank", "cash") if box == "cash" else ("cash", "bank")
        case Kind.OPENING if heading == "credit":
            return "equity:opening", person
        case Kind.OPENING:
            return (person if heading == "open" else heading), "equity:opening"
    raise ValueError(f"Nobody types an entry of the kind {typed.kind}.")
