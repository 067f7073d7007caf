"""Writes of a table as a whole: renew its link, plan its games, carry on Bock games of an earlier evening, and remove it."""

from __future__ import annotations

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from scoring.cash.evening.posting import post_evenings
from scoring.club.actions import IN_DEMO, Actor, record
from scoring.club.models import Verb
from scoring.core.errors import ActionRefused
from scoring.play import actions
from scoring.play.actions import EveningIsClosed, lock_open
from scoring.play.models import Evening, Game, Outcome, Round, Score, Seat, Table, TableCareer, TableResult
from scoring.play.replay import Effect
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


@transaction.atomic
def carry_on(*, table: Table, actor: Actor, earlier: Table | None, seen: str) -> list[Effect]:
    """Like `play.actions.carry_on`, and bring the books of closed evenings up to date."""
    found = actions.carry_on(table=table, actor=actor, earlier=earlier, seen=seen)
    changed = [effect.records.row.evening for effect in found]
    post_evenings(changed, actor=actor, cause=Verb.TABLE_CARRIES_ON.label)
    return found


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
