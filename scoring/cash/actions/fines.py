"""Fines of an evening: entered, struck out, and what came too late, which waits until somebody takes it in or discards it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext_noop as _

from scoring.cash.errors import (
    EveningIsDropped,
    FineDecided,
    FineKeyUsed,
    FineStruck,
    NoSuchAmount,
    NoSuchFine,
    NotCharged,
    NotOnThisEvening,
    TooManyFinesWait,
)
from scoring.cash.models.facts import Attendance, Fine
from scoring.club.actions import Actor, record
from scoring.club.models import Player, Verb
from scoring.play.models import Evening

from .facts import done, fresh, lock, refuse

# So many wait on one evening at most. One link sends no more than two thirds of that, those included that were discarded.
MOST: Final = 60
OF_A_LINK: Final = 40


# Six parameters: who is fined what on which evening, and under which key.
@transaction.atomic
def enter_fine(*, evening: Evening, actor: Actor, key: UUID, player: Player, code: str, amount: int) -> Fine:
    """A fine of the evening's tariff for somebody on its list; `amount` is what its form asks for. The same key with the same
    content again answers what is stored. Raises EveningIsDropped, NotCharged, EveningIsClosed, NotOnThisEvening, NoSuchFine,
    NoSuchAmount, FineKeyUsed."""

    def add(locked: Evening, fine: Fine) -> None:
        refuse(locked, actor)
        fine.save(force_insert=True)
        _counts(locked, actor, fine)

    return _new(evening, Fine(key=key, player=player, code=code, amount=amount, entered_by=actor.login), add)


@transaction.atomic
def keep_fine(*, evening: Evening, actor: Actor, key: UUID, player: Player, code: str, amount: int) -> Fine:
    """Keep a fine that may not be entered here any more, for somebody to decide about; it costs nothing. The same key with the
    same content again answers what is stored. Raises EveningIsDropped, NotCharged, NotOnThisEvening, NoSuchFine, NoSuchAmount,
    FineKeyUsed, TooManyFinesWait."""

    def add(locked: Evening, fine: Fine) -> None:
        if locked.dropped:
            raise EveningIsDropped
        if Fine.objects.filter(evening=locked, waits=True).count() >= MOST:
            raise TooManyFinesWait
        sent = Fine.objects.filter(Q(waits=True) | Q(struck=True), by_link=actor.link)
        if actor.link and sent.count() >= OF_A_LINK:
            raise TooManyFinesWait
        fine.waits, fine.by_link = True, actor.link
        fine.save(force_insert=True)
        verb = Verb.CASH_FINE_LATE
        record(club=locked.club, actor=actor, verb=verb, subject=fine.key, after=_of_fine(fine))

    return _new(evening, Fine(key=key, player=player, code=code, amount=amount, entered_by=actor.login), add)


@transaction.atomic
def take_in_fine(*, fine: Fine, actor: Actor) -> None:
    """What came too late counts from now on. Raises EveningIsDropped, NotCharged, EveningIsClosed, FineDecided."""
    evening = lock(fine.evening, actor)
    if not Fine.objects.filter(key=fine.key, waits=True).update(waits=False):
        raise FineDecided
    _counts(evening, actor, fine)


def discard_fine(*, fine: Fine, actor: Actor) -> None:
    """What came too late never counts: somebody decides so, or whoever typed it takes it back. It stays, struck out. Raises
    FineDecided."""
    if not discard_fines(evening=fine.evening, actor=actor, keys=[str(fine.key)]):
        raise FineDecided


@transaction.atomic
def discard_fines(*, evening: Evening, actor: Actor, keys: Collection[str]) -> int:
    """Discard those of these fines that still wait on the evening; return how many. One that arrived since the page was loaded
    goes on waiting."""
    evening = fresh(evening)
    fines = [fine for fine in Fine.objects.filter(evening=evening, waits=True) if str(fine.key) in keys]
    for fine in fines:
        fine.waits, fine.struck = False, True
        fine.save(update_fields=["waits", "struck"])
        verb = Verb.CASH_FINE_NOT_TAKEN
        record(club=evening.club, actor=actor, verb=verb, subject=fine.key, before=_of_fine(fine))
    return len(fines)


@transaction.atomic
def strike_fine(*, fine: Fine, actor: Actor) -> None:
    """Strike a fine out; it stays on the list. Raises EveningIsDropped, NotCharged, EveningIsClosed, FineStruck."""
    evening = lock(fine.evening, actor)
    if not Fine.objects.filter(key=fine.key, waits=False, struck=False).update(struck=True):
        raise FineStruck
    done(evening, actor, Verb.CASH_UNFINED, _of_fine(fine), None, _("Strafgeld gestrichen"), subject=fine.key)


def _new(evening: Evening, fine: Fine, add: Callable[[Evening, Fine], None]) -> Fine:
    """What stands under its key, or this one, added where the tariff and the list of the evening know it."""
    fine.evening = evening = fresh(evening)
    if standing := Fine.objects.filter(key=fine.key).select_related("evening").first():
        if _content(standing) != _content(fine):
            raise FineKeyUsed
        return standing
    if evening.tariff is None:
        raise NotCharged
    form = evening.tariff.rules.fines.get(fine.code)
    if form is None or form.lost_games:
        raise NoSuchFine
    if not Attendance.objects.filter(evening=evening, player=fine.player_id).exists():
        raise NotOnThisEvening
    fine.unit, fits, _default = form.amount
    if fits(fine.amount) is not None:
        raise NoSuchAmount
    add(evening, fine)
    return fine


def _content(fine: Fine) -> tuple[object, ...]:
    """What a phone that sends again sends the same."""
    return fine.evening_id, fine.player_id, fine.code, fine.amount


def _counts(evening: Evening, actor: Actor, fine: Fine) -> None:
    done(evening, actor, Verb.CASH_FINED, None, _of_fine(fine), _("Strafgeld nachgetragen"), subject=fine.key)


def _of_fine(fine: Fine) -> dict[str, Any]:
    return {"player": fine.player_id, "code": fine.code, fine.unit: fine.amount, "evening": fine.evening_id}
