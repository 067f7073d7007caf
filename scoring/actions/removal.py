"""Takes tables away with everything that was entered and computed at them, and a club with everything in it: for whoever
brought them along and takes them back. Nothing else removes games; they are struck out."""

from __future__ import annotations

from django.db.models import QuerySet

from scoring.models import (
    Change,
    Club,
    Evening,
    Game,
    Import,
    Membership,
    MonthClosing,
    Outcome,
    Player,
    Round,
    RuleSet,
    Score,
    Season,
    Seat,
    Supplement,
    Table,
    TableLink,
    TableResult,
)


def remove_tables(tables: QuerySet[Table]) -> None:
    """Every row of these tables, those first that others do not refer to. Raises ProtectedError where something else does."""
    games = Game.objects.filter(round__table__in=tables)
    Outcome.objects.filter(game__in=games).delete()
    Score.objects.filter(game__in=games).delete()
    games.delete()
    Seat.objects.filter(round__table__in=tables).delete()
    for rows in (Round, TableResult, TableLink):
        rows.objects.filter(table__in=tables).delete()
    tables.delete()


def remove_club(club: Club) -> None:
    """Every row of a club, those first that others do not refer to."""
    # What was published is written once, and goes only with its club: a plain set of rows knows nothing of that.
    for published in (Supplement, MonthClosing):
        QuerySet(published).filter(season__club=club).delete()
    Season.objects.filter(club=club).delete()
    Change.objects.filter(club=club).update(undoes=None)
    Change.objects.filter(club=club).delete()
    Table.objects.filter(evening__club=club).update(carries_on=None)
    remove_tables(Table.objects.filter(evening__club=club))
    Evening.objects.filter(club=club).delete()
    Import.objects.filter(club=club).delete()
    RuleSet.objects.filter(club=club).delete()
    Player.objects.filter(club=club).update(merged_into=None)
    Player.objects.filter(club=club).delete()
    Membership.objects.filter(club=club).delete()
    club.delete()
