"""Make a settlement as it was seen, and book its lines when they are paid. Unpaid lines stay until a new settlement."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from scoring.cash.evening.actions import EVENING_STILL_OPEN
from scoring.cash.ledger.actions import book
from scoring.cash.ledger.posting import get_late_day, lock_books
from scoring.cash.models import Entry, Kind, Settlement, SettlementLine
from scoring.club.actions import Actor, record
from scoring.club.models import Club, Player, Verb
from scoring.core.errors import ActionRefused, InvalidInput
from scoring.play.models import Evening

from .queries import compute_transfers, get_amounts, get_line, hash_transfers

_NOTHING_TO_SETTLE: Final = _("Hier ist nichts auszugleichen.")


@transaction.atomic
def make_settlement(
    *, club: Club, actor: Actor, key: UUID, evening: Evening | None, players: Collection[Player], seen: str
) -> Settlement:
    """Store who pays whom among these people, as it was `seen`. The same key again returns what is stored."""
    lock_books(club)
    if standing := Settlement.objects.filter(club=club, key=key).first():
        return standing
    if evening is not None and evening.club_id != club.pk or any(player.club_id != club.pk for player in players):
        raise InvalidInput(_NOTHING_TO_SETTLE)
    if evening is not None and Evening.objects.get(pk=evening.pk).is_open:
        raise ActionRefused(EVENING_STILL_OPEN)
    found = compute_transfers({player: cents for player, cents in get_amounts(club, evening).items() if player in players})
    if not found:
        raise InvalidInput(_NOTHING_TO_SETTLE)
    if hash_transfers(found) != seen:
        raise ActionRefused(_("Inzwischen ist etwas gebucht worden. Bitte noch einmal ansehen, wer wem zahlt."))
    made = Settlement.objects.create(club=club, key=key, evening=evening, made_by=actor.login)
    for place, line in enumerate(found, 1):
        line.settlement, line.place = made, place
    SettlementLine.objects.bulk_create(found)
    record(club=club, actor=actor, verb=Verb.CASH_SETTLED, subject=made.pk, after={"lines": len(found)})
    return made


@transaction.atomic
def tick_line(*, settlement: Settlement, actor: Actor, place: int, box: str = "cash") -> Entry:
    """Book a paid line today, with the `box` if the Kasse is a side of it. A second call returns its entry."""
    lock_books(settlement.club)
    line = get_line(settlement, place)
    if line is None or line.state == SettlementLine.State.LAPSED:
        raise ActionRefused(_("Diese Zeile gilt nicht mehr: Es gibt einen neueren Ausgleich."))
    if line.entry is not None:
        return line.entry
    payer, receiver = line.payer, line.receiver
    kind = Kind.PAYMENT if receiver is None else Kind.PAYOUT if payer is None else Kind.SETTLE
    return book(
        club=settlement.club,
        actor=actor,
        key=line.key,
        kind=kind,
        cents=line.cents,
        date=get_late_day(settlement.club, None),
        person=payer or receiver,
        other=receiver,
        box=box,
        evening=settlement.evening,
    )
