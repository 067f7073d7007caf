"""Lock a table or a club before it is changed, and check that it may be changed. A lock holds until the transaction ends."""

from __future__ import annotations

from scoring.club.actions.history import Actor
from scoring.club.models.people import Club
from scoring.play.errors import EveningIsClosed
from scoring.play.models import Table
from scoring.play.queries.records import Records, read_records


def lock_table(table: Table) -> Records:
    """Lock a table and return its records. Raises Table.DoesNotExist."""
    tables = Table.objects.select_for_update(of=("self",)).select_related("rule_set", "evening__club")
    return read_records(tables.get(pk=table.pk))


def lock_club(club: Club) -> Club:
    """Lock all tables of a club, then the club itself, before it is deleted. A guest who is added at a table locks in the same
    order. The lock leaves the club's key free, so that other transactions can still refer to the club."""
    list(Table.objects.select_for_update().filter(evening__club=club).order_by("pk").values_list("pk"))
    return Club.objects.select_for_update(no_key=True).get(pk=club.pk)


def lock_open(table: Table, actor: Actor) -> Records:
    """Lock a table like `lock_table` and check that this actor may change it. Raises EveningIsClosed."""
    records = lock_table(table)
    refuse_closed(records, actor)
    return records


def refuse_closed(records: Records, actor: Actor) -> None:
    """Refuse a change of a closed evening unless the actor is an admin. Raises EveningIsClosed.

    It reads the evening that came with the seats: the one that came with the lock can be from before the evening was closed."""
    if not (actor.admin or records.rounds[-1].table.evening.is_open):
        raise EveningIsClosed
