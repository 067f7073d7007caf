"""Takes tables away with everything that was entered and computed at them. Nothing else removes games; they are struck out."""

from __future__ import annotations

from django.db.models import QuerySet

from scoring.play.models import Game, Outcome, Round, Score, Seat, Table, TableCareer, TableResult
from scoring.table.models.late import LateEntry
from scoring.table.models.links import TableLink


def remove_tables(tables: QuerySet[Table]) -> None:
    """Every row of these tables, those first that others do not refer to. Raises ProtectedError where something else does."""
    games = Game.objects.filter(round__table__in=tables)
    Outcome.objects.filter(game__in=games).delete()
    Score.objects.filter(game__in=games).delete()
    games.delete()
    LateEntry.objects.filter(table__in=tables).delete()
    Seat.objects.filter(round__table__in=tables).delete()
    for rows in (Round, TableResult, TableCareer, TableLink):
        rows.objects.filter(table__in=tables).delete()
    tables.delete()
