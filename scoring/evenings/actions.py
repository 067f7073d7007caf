"""Opening an evening with its first table, more tables on it, closing it and opening it again, and taking back one that
nobody played."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from scoring.cash.actions.evenings import let_go, post_evening
from scoring.cash.actions.facts import attend, pin_current
from scoring.cash.errors import EveningIsDropped
from scoring.cash.models.books import Entry
from scoring.cash.queries.tariffs import current_tariff
from scoring.club.actions.history import Actor, record
from scoring.club.models.history import Change, Verb
from scoring.club.models.people import Club, Player
from scoring.core.ready import Hole, Ready
from scoring.play.actions.carry import judge_carry, lock_earlier
from scoring.play.actions.years import recount
from scoring.play.errors import EveningIsClosed, WrongLineUp
from scoring.play.models import Evening, Game, Round, Seat, Table
from scoring.rulesets.models import RuleSet
from scoring.table.actions.seats import judge_line_up, seat_players, take_in
from scoring.table.models.late import LateEntry
from scoring.table.models.links import TableLink

from .errors import EveningHasLines, EveningIsCarriedOn, EveningIsOpen


# Nine parameters: what the form of a new evening asks, and who asks.
@transaction.atomic
def open_evening(
    *,
    club: Club,
    actor: Actor,
    held_on: datetime.date,
    rule_set: RuleSet,
    players: Sequence[Player],
    place: str = "",
    planned_games: int | None = None,
    carries_on: Table | None = None,
    key: UUID | None = None,
) -> Table:
    """A new evening with one table; `players` in seating order, the first of them deals first; who of them is not stored
    yet is found by name or taken in as a guest. `carries_on` is the table whose open Bock games go on. The same key again
    answers the table that stands. Raises WrongLineUp, CannotCarryOn, CarriedOnElsewhere, ValidationError (by field)."""
    key = key or uuid4()
    earlier = carries_on and lock_earlier(carries_on)
    Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    if standing := Table.objects.filter(evening__club=club, evening__key=key).order_by("number").first():
        return standing
    players = [player if player.pk else take_in(club, actor, player.name) for player in players]
    _judge(club, rule_set, players)
    evening = Evening(club=club, key=key, held_on=held_on, place=place)
    pin_current(evening, current_tariff(club))
    evening.full_clean()
    evening.save()
    table = _new_table(evening, 1, rule_set, players, planned_games, earlier)
    attend(evening)
    record(
        club=club,
        actor=actor,
        verb=Verb.EVENING_OPENED,
        subject=evening.pk,
        after={"held_on": held_on.isoformat(), **_begun_with(table, players)},
    )
    return table


@transaction.atomic
def add_table(
    *,
    evening: Evening,
    actor: Actor,
    rule_set: RuleSet,
    players: Sequence[Player],
    planned_games: int | None = None,
    carries_on: Table | None = None,
) -> Table:
    """One more table on an evening, under rules of its own. Raises WrongLineUp, EveningIsClosed, CannotCarryOn,
    CarriedOnElsewhere."""
    earlier = carries_on and lock_earlier(carries_on)
    locked = _lock(evening)
    if not locked.is_open:
        raise EveningIsClosed
    _judge(locked.club, rule_set, players)
    last = Table.objects.filter(evening=locked).aggregate(last=Max("number"))["last"] or 0
    table = _new_table(locked, last + 1, rule_set, players, planned_games, earlier)
    record(
        club=locked.club,
        actor=actor,
        verb=Verb.TABLE_ADDED,
        subject=table.pk,
        after=_begun_with(table, players),
        table=table,
    )
    attend(locked)
    return table


def _judge(club: Club, rule_set: RuleSet, players: Sequence[Player]) -> None:
    judge_line_up(club, players)
    if rule_set.club_id != club.pk:
        raise WrongLineUp


def _new_table(
    evening: Evening,
    number: int,
    rule_set: RuleSet,
    players: Sequence[Player],
    planned_games: int | None,
    earlier: Table | None,
) -> Table:
    table = Table(evening=evening, number=number, rule_set=rule_set, planned_games=planned_games, carries_on=earlier)
    if earlier is not None:
        judge_carry(table, earlier)
        # Nothing is played yet, so what was open there is open here.
        table.open_bocks = earlier.open_bocks
    table.full_clean()
    table.save()
    seat_players(table=table, players=players)
    return table


def _begun_with(table: Table, players: Sequence[Player]) -> dict[str, Any]:
    """What the history keeps of a new table."""
    carries_on = {"carries_on": table.carries_on_id} if table.carries_on_id else {}
    return {"rule_set": table.rule_set_id, "players": [player.pk for player in players], **carries_on}


@transaction.atomic
def close_evening(*, evening: Evening, actor: Actor, present: Sequence[Player] = ()) -> Evening:
    """Sign the evening off in the name of those `present`, which the history keeps: from now on only an admin changes it,
    the links of its tables end, and what it costs is booked. Raises EveningIsClosed."""
    locked = _lock(evening)
    if not locked.is_open:
        raise EveningIsClosed
    locked.closed_at, locked.closed_by = timezone.now(), actor.login
    signed = {"players": [player.pk for player in present]} if present else None
    locked.save(update_fields=["closed_at", "closed_by"])
    if links := _LINKS.ask(evening=locked.pk):
        TableLink.objects.filter(pk__in=links).update(ended_at=locked.closed_at)
    record(club=locked.club, actor=actor, verb=Verb.EVENING_CLOSED, subject=locked.pk, after=signed)
    attend(locked)
    recount(locked.club_id, [locked.held_on.year])
    post_evening(locked, actor=actor, cause=str(Verb.EVENING_CLOSED.label))
    return locked


_LINKS: Final = Ready(
    lambda: TableLink.objects.filter(table__evening=Hole("evening"), ended_at=None).values_list("pk", flat=True)
)


@transaction.atomic
def reopen_evening(*, evening: Evening, actor: Actor) -> Evening:
    """Open a closed evening again. Raises EveningIsOpen, EveningIsDropped."""
    locked = _lock(evening)
    if locked.is_open:
        raise EveningIsOpen
    if locked.dropped:
        raise EveningIsDropped
    locked.closed_at = locked.closed_by = None
    locked.save(update_fields=["closed_at", "closed_by"])
    record(club=locked.club, actor=actor, verb=Verb.EVENING_REOPENED, subject=locked.pk)
    recount(locked.club_id, [locked.held_on.year])
    return locked


@transaction.atomic
def discard_evening(*, evening: Evening, actor: Actor) -> None:
    """Take back an evening that was begun by mistake: only where no line was ever entered. One that was booked stays, as dropped.
    Open Bock games that it carried on can go on elsewhere then. Raises EveningHasLines, EveningIsCarriedOn."""
    locked = _lock(evening)
    brought_along = Table.objects.filter(evening=locked, imported__isnull=False)
    typed = Game.objects.filter(round__table__evening=locked), LateEntry.objects.filter(table__evening=locked)
    if brought_along.exists() or any(lines.exists() for lines in typed):
        raise EveningHasLines
    if Table.objects.filter(carries_on__evening=locked).exists():
        raise EveningIsCarriedOn
    is_booked = Entry.objects.filter(evening=locked).exists()
    if not is_booked:
        record(
            club=locked.club,
            actor=actor,
            verb=Verb.EVENING_DISCARDED,
            subject=locked.pk,
            before={"held_on": locked.held_on.isoformat()},
        )
    # Who sat down before the first game stays in the history; the table itself is no more.
    Change.objects.filter(table__evening=locked).update(table=None)
    Seat.objects.filter(round__table__evening=locked).delete()
    Round.objects.filter(table__evening=locked).delete()
    TableLink.objects.filter(table__evening=locked).delete()
    Table.objects.filter(evening=locked).delete()
    let_go(locked, actor=actor, booked=is_booked)


def _lock(evening: Evening) -> Evening:
    """The evening as it is now. Its tables are locked, so that no game slips in while it closes."""
    list(Table.objects.select_for_update().filter(evening=evening).order_by("pk").values_list("pk"))
    if (locked := _EVENING.first(pk=evening.pk)) is None:
        raise Evening.DoesNotExist
    return locked


_EVENING: Final = Ready(lambda: Evening.objects.filter(pk=Hole("pk")).select_related("club"))
