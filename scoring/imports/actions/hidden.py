"""Clubs that nobody finds: one that is still arriving, and one that is being deleted. The slug of such a club is none that an
address can have. Deleting a club hides it in one short transaction; then its rows are deleted in pieces."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final
from uuid import uuid4

from django.db import transaction
from django.db.models import ProtectedError, QuerySet

from scoring.accounts.models import JoinLink
from scoring.cash.models import (
    Account,
    Attendance,
    BookYear,
    CashCount,
    Countersignature,
    DuesStatus,
    Entry,
    Fine,
    Heading,
    Leg,
    Period,
    Report,
    Settlement,
    SettlementLine,
    Tariff,
)
from scoring.club.models import HIDDEN_PREFIX, Change, Club, Membership, Player
from scoring.core.limits import process_lock, short_transaction
from scoring.imports.models import Import
from scoring.league.models import MonthClosing, Season, Supplement
from scoring.play.models import Evening, Table, YearCareer
from scoring.rulesets.models import RuleSet
from scoring.standings.models import OpeningStanding
from scoring.table.actions.tables import remove_tables
from scoring.table.models import TableLink

# How many rows go at once; of tables with games, each with all its lines, fewer.
AT_ONCE: Final = 500
TABLES_AT_ONCE: Final = 10


@contextmanager
def hidden() -> Iterator[str]:
    """A slug for a club that arrives or leaves. Behind the block every club that still has it is removed, with everything
    in it; where the process was killed, `clear_away` does that."""
    slug = HIDDEN_PREFIX + uuid4().hex
    with process_lock(slug):
        try:
            yield slug
        finally:
            _remove(slug)


@transaction.atomic
def hide(club: Club, slug: str) -> None:
    """From now on nobody finds this club: no address, no login, no link."""
    Membership.objects.filter(club=club).delete()
    Player.objects.filter(club=club, user__isnull=False).update(user=None)
    TableLink.objects.filter(table__evening__club=club).delete()
    JoinLink.objects.filter(club=club).delete()
    Club.objects.filter(pk=club.pk).update(slug=slug)


def clear_away() -> int:
    """Remove what somebody left who was killed while something arrived or left, and answer how many clubs these were; what
    still arrives or leaves is let be."""
    cleared = 0
    for slug in Club.with_hidden.filter(slug__startswith=HIDDEN_PREFIX).values_list("slug", flat=True):
        with suppress(BlockingIOError), process_lock(slug):
            _remove(slug)
            cleared += 1
    return cleared


def _remove(slug: str) -> None:
    for club in Club.with_hidden.filter(slug=slug):
        # Somebody else's arrival may name one of these people meanwhile. It will be refused, and the next start removes both.
        with suppress(ProtectedError):
            _remove_rows(club)


def _remove_rows(club: Club) -> None:
    """Every row, those first that others do not refer to. The books let theirs go because the club is leaving."""
    Club.with_hidden.filter(pk=club.pk).update(leaving=True)
    _in_pieces(Countersignature.objects.filter(period__club=club))
    _in_pieces(SettlementLine.objects.filter(settlement__club=club))
    _in_pieces(DuesStatus.objects.filter(player__club=club))
    for beside in (Settlement, Report, CashCount, Heading, BookYear):
        _in_pieces(beside.objects.filter(club=club))
    _in_pieces(Period.objects.filter(club=club))
    _in_pieces(Leg.objects.filter(entry__club=club))
    # A reversal is not reversed.
    _in_pieces(Entry.objects.filter(club=club, reverses__isnull=False))
    for books in (Entry, Account):
        _in_pieces(books.objects.filter(club=club))
    # What was published is written once, and goes only with its club: a plain set of rows knows nothing of that.
    for published in (Supplement, MonthClosing):
        _in_pieces(QuerySet(published).filter(season__club=club))
    _in_pieces(Season.objects.filter(club=club))
    with short_transaction():
        Change.objects.filter(club=club, undoes__isnull=False).update(undoes=None)
    _in_pieces(Change.objects.filter(club=club))
    with short_transaction():
        Table.objects.filter(evening__club=club, carries_on__isnull=False).update(carries_on=None)
    _in_pieces(Table.objects.filter(evening__club=club, without_games=True))
    _in_pieces(Table.objects.filter(evening__club=club), TABLES_AT_ONCE)
    for facts in (Attendance, Fine):
        _in_pieces(facts.objects.filter(evening__club=club))
    _in_pieces(OpeningStanding.objects.filter(player__club=club))
    _in_pieces(YearCareer.objects.filter(club=club))
    for model in (Evening, Tariff, Import, RuleSet):
        _in_pieces(model.objects.filter(club=club))
    with short_transaction():
        Player.objects.filter(club=club, merged_into__isnull=False).update(merged_into=None)
    _in_pieces(Player.objects.filter(club=club))
    with short_transaction():
        Membership.objects.filter(club=club).delete()
        Club.with_hidden.filter(pk=club.pk).delete()


def _in_pieces(rows: QuerySet[Any], at_once: int = AT_ONCE) -> None:
    while some := list(rows.order_by("pk").values_list("pk", flat=True)[:at_once]):
        with short_transaction():
            going: QuerySet[Any] = QuerySet(rows.model).filter(pk__in=some)
            if rows.model is Table:
                remove_tables(going)
            else:
                going.delete()
