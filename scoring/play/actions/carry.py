"""Open Bock games that go on at a table of a later evening. That a table carries on from another is a fact. After a change of
the earlier table the later ones are replayed in order, until one leaves open what it left open before."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass, replace
from uuid import UUID, uuid4

from django.db import transaction

from scoring.club.actions.history import Actor, record
from scoring.club.models.history import Verb
from scoring.play.errors import CannotCarryOn, CarriedOnElsewhere, LaterEveningIsClosed, TableChanged
from scoring.play.models import Evening, Game, Table
from scoring.play.queries.changes import last_change
from scoring.play.queries.records import Records, read_records

from .locking import lock_open, lock_table
from .replay import Derived, Effect, derive, effects, read_stored, store
from .years import recount_closed


def replay(records: Records, *, actor: Actor, click: UUID, new: Game | None = None) -> list[Effect]:
    """Bring what is derived into line with the facts, at this table and at those that carry its open Bock games on.
    Each of these has the reason in its history. A `new` line that was put behind all others changes nothing of what stands
    before it, so that is not read. Raises LaterEveningIsClosed."""
    found: list[Effect] = []
    evenings: list[Evening] = []
    for changed, stored, derived in _consequences(records, lock_table, new):
        is_own = changed.table.pk == records.table.pk
        if not is_own:
            _note(changed, actor, click, cause=records.table)
        # Of everybody who is in the new line the sums are others; those of the rest are written again as they are.
        store(changed, stored, derived, told={} if new and is_own else None)
        found += effects(changed, stored, derived)
        evenings.append(changed.row.evening)
    recount_closed(evenings)
    return found


def preview(records: Records) -> list[Effect]:
    """What `replay` would change; nothing is written."""
    return [
        effect
        for changed, stored, derived in _consequences(records, read_records)
        for effect in effects(changed, stored, derived)
    ]


def _consequences(
    records: Records, read: Callable[[Table], Records], new: Game | None = None
) -> Iterator[tuple[Records, Derived, Derived]]:
    """The table with what is stored and what follows, then each later one that begins otherwise than before. They are
    read (and locked) from the earlier evening to the later, which is the order everywhere."""
    while True:
        derived = derive(records)
        stored = derived.without(new, records.row.open_bocks) if new else read_stored(records)
        yield records, stored, derived
        new = None
        if records.later is None or stored.open_bocks == derived.open_bocks:
            return
        earlier, records = records.table, read(records.later)
        if records.row.carries_on_id != earlier.pk or not records.table.rule_set.rules.carry:
            # Somebody took it away while this waited for the lock; or the later rules let nothing go on.
            return
        records = replace(records, carried=derived.open_bocks)


def _note(records: Records, actor: Actor, click: UUID, cause: Table) -> None:
    """What happens at a later table: the phones there notice it by this, and the history tells why."""
    evening = records.row.evening
    if not (actor.admin or evening.is_open):
        raise LaterEveningIsClosed(records.row)
    record(
        club=records.table.evening.club,
        actor=actor,
        verb=Verb.TABLE_REVALUED,
        subject=records.table.pk,
        after={"carries_on": cause.pk},
        table=records.table,
        click=click,
    )


# --- Which table carries on from which ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Carrying:
    """What carrying on from another table would change; `seen` stands for what this knows of both tables."""

    effects: list[Effect]
    seen: str


def preview_carry(*, records: Records, earlier: Table | None) -> Carrying:
    """What it would change if the table carried on from `earlier` (None: from none); nothing is written."""
    return Carrying(preview(_carrying(records, earlier)), _seen(records.table, earlier))


@transaction.atomic
def carry_on(*, table: Table, actor: Actor, earlier: Table | None, seen: str) -> list[Effect]:
    """The table plays the open Bock games of `earlier` on (None: of no other), as it was seen when `seen` was the state
    of both. Answers the lines whose worth changed. Raises EveningIsClosed, CannotCarryOn, CarriedOnElsewhere,
    TableChanged, LaterEveningIsClosed."""
    earlier = earlier and lock_earlier(earlier)
    records = lock_open(table, actor)
    before = records.row.carries_on_id
    if before == (earlier and earlier.pk) or _seen(records.table, earlier) != seen:
        raise TableChanged
    changed = _carrying(records, earlier)
    if earlier is not None:
        judge_carry(changed.table, earlier)
    changed.table.save(update_fields=["carries_on"])
    click = uuid4()
    found = replay(changed, actor=actor, click=click)
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
    return found


def lock_earlier(earlier: Table) -> Table:
    """The earlier table as it is now, before any table of a later evening is locked."""
    tables = Table.objects.select_for_update(of=("self",)).select_related("rule_set", "evening")
    return tables.get(pk=earlier.pk)


def judge_carry(table: Table, earlier: Table) -> None:
    """May this table (stored already or about to be) carry on from the other? Raises CannotCarryOn,
    CarriedOnElsewhere."""
    if not comes_before(earlier.evening, table.evening):
        raise CannotCarryOn
    if not (table.rule_set.rules.carry and earlier.rule_set.rules.carry):
        raise CannotCarryOn
    if Table.objects.filter(carries_on=earlier).exclude(pk=table.pk).exists():
        raise CarriedOnElsewhere


def comes_before(earlier: Evening, later: Evening) -> bool:
    """Is this another evening of the same club, before the other? Of one day, the one that was begun first."""
    if earlier.club_id != later.club_id:
        return False
    return (earlier.held_on, earlier.pk) < (later.held_on, later.pk)


def _carrying(records: Records, earlier: Table | None) -> Records:
    """These records as if the table carried on from `earlier`: they begin with the Bock games that were open there."""
    table = copy(records.table)
    table.carries_on = earlier
    return replace(records, table=table, carried=earlier.open_bocks if earlier else [])


def _seen(*tables: Table | None) -> str:
    """The last change of each table."""
    last = [table and last_change(table) for table in tables]
    return "-".join(str(change.pk if change else 0) for change in last)
