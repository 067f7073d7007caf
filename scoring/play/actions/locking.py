"""How every change of a table begins: lock the row, read the records, and check whether the table may be changed. Nobody
else can change them until the transaction ends."""

from __future__ import annotations

from scoring.club.actions.history import Actor
from scoring.club.models.people import Club
from scoring.core.ready import Hole, Ready
from scoring.play.errors import EveningIsClosed
from scoring.play.models import Table
from scoring.play.queries.records import Records, read_records

_TABLE = Ready(
    lambda: (
        Table.objects.select_for_update(of=("self",)).select_related("rule_set", "evening__club").filter(pk=Hole("pk"))
    )
)


def lock_table(table: Table) -> Records:
    """The records of the table, which nobody else changes until the transaction ends."""
    locked = _TABLE.first(pk=table.pk)
    if locked is None:
        raise Table.DoesNotExist
    return read_records(locked)


def lock_club(club: Club) -> Club:
    """The club with all its tables, for whoever takes it away. The tables come first, as they do for whoever takes a guest in at
    one of them; and of the club nothing is locked that others need for naming it when they commit."""
    list(Table.objects.select_for_update().filter(evening__club=club).order_by("pk").values_list("pk"))
    return Club.objects.select_for_update(no_key=True).get(pk=club.pk)


def lock_open(table: Table, actor: Actor) -> Records:
    """Lock a table like `lock_table`, for an `actor` who may change it now. Raises EveningIsClosed."""
    records = lock_table(table)
    refuse_closed(records, actor)
    return records


def refuse_closed(records: Records, actor: Actor) -> None:
    """Checks the evening that was read with the seats, after the lock. The row that came with the lock can be older: from
    before somebody else closed the evening."""
    if not (actor.admin or records.rounds[-1].table.evening.is_open):
        raise EveningIsClosed
