"""Removing one evening of an old list that was taken in, and what the correction of any evening would do. A removal is one row
of the history; the file it came with can be taken back whole only while nothing was corrected."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db import transaction

from scoring.cash.evening.actions import preview_change
from scoring.cash.evening.posting import delete_or_drop_evening
from scoring.cash.evening.queries import CostChange
from scoring.cash.models import Entry
from scoring.club.actions import Actor, record
from scoring.club.models import Change, Club, Verb
from scoring.evenings.actions import correct_evening
from scoring.imports.errors import EveningBuiltOn
from scoring.league.actions import MonthChanges, collect_month_changes
from scoring.play.models import Evening, Table, TableResult
from scoring.play.replay import update_years
from scoring.table.actions.tables import remove_tables
from scoring.table.models import LateEntry


@transaction.atomic
def remove_evening(*, evening: Evening, actor: Actor) -> None:
    """Take one evening of a list away. One that was booked stays as dropped. Raises EveningBuiltOn where anything hangs on it."""
    locked, table = _lock(evening)
    corrected = Change.objects.filter(table=table).exclude(verb=Verb.EVENING_MENDED)
    others = Table.objects.filter(evening=locked).exclude(pk=table.pk)
    late = LateEntry.objects.filter(table=table)
    carried = Table.objects.filter(carries_on__evening=locked)
    if any(rows.exists() for rows in (carried, corrected, others, late)):
        raise EveningBuiltOn
    record(club=locked.club, actor=actor, verb=Verb.EVENING_REMOVED, subject=locked.pk, before=_told(locked, table))
    # What was corrected before stays in the history; the table itself is no more.
    Change.objects.filter(table=table).update(table=None)
    remove_tables(Table.objects.filter(pk=table.pk))
    update_years(locked.club_id, [locked.held_on.year])
    booked = bool(locked.tariff_id) or Entry.objects.filter(evening=locked).exists()
    delete_or_drop_evening(locked, actor=actor, booked=booked)


def _lock(evening: Evening) -> tuple[Evening, Table]:
    """Club and evening so that whoever holds the table can still name both when they commit."""
    Club.objects.select_for_update(no_key=True).get(pk=evening.club_id)
    locked = Evening.objects.select_for_update(of=("self",), no_key=True).select_related("club").get(pk=evening.pk)
    return locked, Table.objects.select_for_update().get(evening=locked, imported__isnull=False)


def _told(evening: Evening, table: Table) -> dict[str, object]:
    """What the history says of an evening: its day, who was there, and what each brought."""
    results = list(TableResult.objects.filter(table=table).order_by("player_id").values_list("player_id", "points"))
    return {
        "held_on": evening.held_on.isoformat(),
        "players": [player for player, _points in results],
        "points": [points for _player, points in results],
    }


# --- What a correction would do ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Consequences:
    """What a correction of an evening would do: which published months it concerns, what is booked for it, and for whom a closed
    evening costs something else."""

    heard: MonthChanges
    booked: list[Entry]
    money: list[CostChange]


def preview_correction(*, evening: Evening, **correction: Any) -> Consequences:
    """Make the correction, look at what follows, and roll it back. Raises what `correct_evening` raises."""
    booked: list[Entry] = []

    def change() -> None:
        last = Entry.objects.filter(evening=evening).order_by("-pk").values_list("pk", flat=True).first() or 0
        correct_evening(evening=evening, **correction)
        booked.extend(Entry.objects.filter(evening=evening, pk__gt=last).select_related("reverses").order_by("pk"))

    with collect_month_changes() as heard:
        money = preview_change(evening, change)
    return Consequences(heard, booked, [] if evening.is_open else money)
