"""Correcting one evening of an old list that was taken in: another day, other points, or away with it. Each is one row of the
history; the file it came with can be taken back whole only while nothing was corrected."""

from __future__ import annotations

import datetime
from collections.abc import Mapping

from django.db import transaction

from scoring.cash.actions.evenings import let_go, post_evening
from scoring.cash.models.books import Entry
from scoring.club.actions.history import Actor, record
from scoring.club.models.history import Change, Verb
from scoring.club.models.people import Club
from scoring.imports.errors import EveningBuiltOn
from scoring.play.actions.years import recount
from scoring.play.models import Evening, Table, TableResult
from scoring.table.actions.removal import remove_tables
from scoring.table.models.late import LateEntry


@transaction.atomic
def mend_evening(*, evening: Evening, actor: Actor, held_on: datetime.date, points: Mapping[int, int] | None) -> bool:
    """Move an imported evening to this day and give it these points, by the id of each person. `points` are None where they
    follow from lines, which are corrected at their table. Returns whether anything changed. Raises EveningBuiltOn."""
    locked, table = _lock(evening)
    before, after = _told(locked, table), None
    years = {locked.held_on.year, held_on.year}
    if held_on != locked.held_on and _others_carry_on(locked):
        raise EveningBuiltOn
    if points is not None and table.without_games:
        _write(table, points)
    locked.held_on = held_on
    locked.save(update_fields=["held_on"])
    after = _told(locked, table)
    if before == after:
        return False
    record(
        club=locked.club,
        actor=actor,
        verb=Verb.EVENING_MENDED,
        subject=locked.pk,
        table=table,
        before=before,
        after=after,
    )
    recount(locked.club_id, years)
    post_evening(locked, actor=actor, cause=str(Verb.EVENING_MENDED.label))
    return True


@transaction.atomic
def remove_evening(*, evening: Evening, actor: Actor) -> None:
    """Take one evening of a list away. One that was booked stays as dropped. Raises EveningBuiltOn where anything hangs on it."""
    locked, table = _lock(evening)
    corrected = Change.objects.filter(table=table).exclude(verb=Verb.EVENING_MENDED)
    others = Table.objects.filter(evening=locked).exclude(pk=table.pk)
    late = LateEntry.objects.filter(table=table)
    if _others_carry_on(locked) or any(rows.exists() for rows in (corrected, others, late)):
        raise EveningBuiltOn
    record(club=locked.club, actor=actor, verb=Verb.EVENING_REMOVED, subject=locked.pk, before=_told(locked, table))
    # What was corrected before stays in the history; the table itself is no more.
    Change.objects.filter(table=table).update(table=None)
    remove_tables(Table.objects.filter(pk=table.pk))
    recount(locked.club_id, [locked.held_on.year])
    booked = bool(locked.tariff_id) or Entry.objects.filter(evening=locked).exists()
    let_go(locked, actor=actor, booked=booked)


def _lock(evening: Evening) -> tuple[Evening, Table]:
    """Club and evening so that whoever holds the table can still name both when they commit."""
    Club.objects.select_for_update(no_key=True).get(pk=evening.club_id)
    locked = Evening.objects.select_for_update(of=("self",), no_key=True).select_related("club").get(pk=evening.pk)
    return locked, Table.objects.select_for_update().get(evening=locked, imported__isnull=False)


def _others_carry_on(evening: Evening) -> bool:
    return Table.objects.filter(carries_on__evening=evening).exists()


def _told(evening: Evening, table: Table) -> dict[str, object]:
    """What the history says of an evening: its day, who was there, and what each brought."""
    results = list(TableResult.objects.filter(table=table).order_by("player_id").values_list("player_id", "points"))
    return {
        "held_on": evening.held_on.isoformat(),
        "players": [player for player, _points in results],
        "points": [points for _player, points in results],
    }


def _write(table: Table, points: Mapping[int, int]) -> None:
    """The results of an evening of which nothing but these is known."""
    TableResult.objects.filter(table=table).exclude(player__in=points).delete()
    there = {result.player_id: result for result in TableResult.objects.filter(table=table)}
    for player, brought in points.items():
        if player not in there:
            nothing = dict.fromkeys(("games", "wins", "solos", "solos_won", "solo_points"), 0)
            TableResult.objects.create(table=table, player_id=player, points=brought, **nothing)
        elif there[player].points != brought:
            there[player].points = brought
            there[player].save(update_fields=["points"])
