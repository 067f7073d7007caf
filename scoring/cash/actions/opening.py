"""What stood there when the Kasse begins here: one entry for box, bank and everybody, booked once."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from uuid import UUID

from django.db import transaction

from scoring.cash.errors import OpeningStands
from scoring.cash.models.books import Entry, Kind
from scoring.cash.queries.books import standing_openings
from scoring.club.actions import Actor
from scoring.club.models import Club, Player

from .posting import NewLeg, hold, post


@transaction.atomic
def book_opening(
    *, club: Club, actor: Actor, key: UUID, date: datetime.date, amounts: Mapping[Player | str, int]
) -> Entry:
    """Book the opening balance: the cents in "cash", at the "bank" and of people (below 0: a credit). The same key again
    returns what is stored. Raises OpeningStands if there is such an entry already, and what `post` raises."""
    hold(club)
    standing = standing_openings(club).first()
    if standing is not None and standing.key != key:
        raise OpeningStands
    lines = [NewLeg(account, cents, Kind.OPENING) for account, cents in amounts.items() if cents]
    against = NewLeg("equity:opening", -sum(amounts.values()), Kind.OPENING)
    if against.cents:
        lines.append(against)
    return post(club=club, actor=actor, key=key, kind=Kind.OPENING, date=date, lines=lines)
