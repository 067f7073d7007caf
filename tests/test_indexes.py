"""What is written with every game and every booking is indexed once: an index that another one begins with costs every writer and
helps nobody."""

from __future__ import annotations

import pytest
from django.db import connection
from django.db.models import Model

from scoring.models import (
    Attendance,
    Change,
    Entry,
    Game,
    Leg,
    Outcome,
    Round,
    Score,
    Seat,
    Table,
    TableCareer,
    TableResult,
)

WRITTEN = (Attendance, Change, Entry, Game, Leg, Outcome, Round, Score, Seat, Table, TableCareer, TableResult)


@pytest.mark.skipif(connection.vendor != "sqlite", reason="as SQLite lists them")
@pytest.mark.parametrize("model", WRITTEN)
def test_no_index_is_the_beginning_of_another(db: None, model: type[Model]) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT name FROM pragma_index_list(%s) WHERE NOT partial", [model._meta.db_table])
        indexes = {}
        for (name,) in cursor.fetchall():
            cursor.execute("SELECT name FROM pragma_index_info(%s) ORDER BY seqno", [name])
            indexes[name] = [column for (column,) in cursor.fetchall()]
    assert indexes
    assert [
        name
        for name, columns in indexes.items()
        for other, longer in indexes.items()
        if name != other and longer[: len(columns)] == columns
    ] == []
