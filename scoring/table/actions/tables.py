"""Writes of a table as a whole: renew its link, plan its games, carry on Bock games of an earlier evening, and remove it."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from uuid import uuid4

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from scoring.cash.evening.posting import post_evenings
from scoring.club.actions import IN_DEMO, Actor, record
from scoring.club.models import Verb
from scoring.core.errors import ActionRefused
from scoring.play.models import Evening, Game, Outcome, Round, Score, Seat, Table, TableCareer, TableResult
from scoring.play.queries import Records, get_last_change
from scoring.play.replay import (
    Effect,
    EveningIsClosed,
    TableChanged,
    check_carry,
    list_closed_evenings,
    lock_earlier,
    lock_open,
    preview_replay,
    replay,
)
from scoring.table.models import LateEntry, TableLink


@transaction.atomic
def renew_link(*, table: Table, actor: Actor) -> TableLink:
    """Create a link of the table and end the one before. Raise EveningIsClosed, ActionRefused."""
    locked = Table.objects.select_for_update().get(pk=table.pk)
    # Read after the lock: a transaction that held it may have closed the evening.
    evening = Evening.objects.select_related("club").get(pk=locked.evening_id)
    if evening.club.is_visitor_club:
        raise ActionRefused(IN_DEMO, status=403)
    if not evening.is_open:
        raise EveningIsClosed
    locked.links.filter(ended_at=None).update(ended_at=timezone.now())
    return TableLink.objects.create(table=locked, created_by=actor.login)


@transaction.atomic
def plan_games(*, table: Table, actor: Actor, planned_games: int | None) -> None:
    """Set the number of planned games; None means no plan. Raise EveningIsClosed or ValidationError (by field)."""
    records = lock_open(table, actor)
    planned, before = records.table, {"planned_games": records.table.planned_games}
    after = {"planned_games": planned_games}
    if before == after:
        return
    planned.planned_games = planned_games
    planned.full_clean()
    planned.save(update_fields=["planned_games"])
    club, verb = planned.evening.club, Verb.TABLE_PLANNED
    record(club=club, actor=actor, verb=verb, subject=planned.pk, before=before, after=after, table=planned)


def preview_carry(*, records: Records, earlier: Table | None) -> tuple[list[Effect], str]:
    """Return the effects if the table carried on from `earlier` (None: from none), and the state of both tables. Writes nothing."""
    return preview_replay(_set_carry(records, earlier)), _get_state(records.table, earlier)


@transaction.atomic
def carry_on(*, table: Table, actor: Actor, earlier: Table | None, seen: str) -> list[Effect]:
    """Let the table carry on from `earlier` (None: from none); `seen` is the state that `preview_carry` returned. Raise
    EveningIsClosed, TableChanged (also if it carries on from there already), ActionRefused."""
    earlier = earlier and lock_earlier(earlier)
    records = lock_open(table, actor)
    before = records.row.carries_on_id
    if before == (earlier and earlier.pk) or _get_state(records.table, earlier) != seen:
        raise TableChanged
    changed = _set_carry(records, earlier)
    if earlier is not None:
        check_carry(changed.table, earlier)
    changed.table.save(update_fields=["carries_on"])
    click = uuid4()
    effects = replay(changed, actor=actor, click=click)
    record(
        club=records.table.evening.club,
        actor=actor,
        verb=Verb.TABLE_CARRIES_ON,
        subject=table.pk,
        before={"carries_on": before},
        after={"carries_on": earlier and earlier.pk},
        table=records.table,
        click=click,
    )
    post_evenings(list_closed_evenings(changed, effects), actor=actor, cause=Verb.TABLE_CARRIES_ON.label)
    return effects


def _set_carry(records: Records, earlier: Table | None) -> Records:
    """Return the records as if the table carried on from `earlier`, beginning with the Bock games that were open there."""
    table = copy(records.table)
    table.carries_on = earlier
    return replace(records, table=table, carried=earlier.open_bocks if earlier else [])


def _get_state(*tables: Table | None) -> str:
    last = [table and get_last_change(table) for table in tables]
    return "-".join(str(change.pk if change else 0) for change in last)


def remove_tables(tables: QuerySet[Table]) -> None:
    """Delete these tables with all their rows; nothing else deletes rows of games. Raise ProtectedError."""
    games = Game.objects.filter(round__table__in=tables)
    Outcome.objects.filter(game__in=games).delete()
    Score.objects.filter(game__in=games).delete()
    games.delete()
    LateEntry.objects.filter(table__in=tables).delete()
    Seat.objects.filter(round__table__in=tables).delete()
    for rows in (Round, TableResult, TableCareer, TableLink):
        rows.objects.filter(table__in=tables).delete()
    tables.delete()
