"""Two treasurers at the same moment: dues, a settlement, each of its lines and a reported payment are booked once."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

import pytest

from scoring.cash.dues.actions import book_dues
from scoring.cash.dues.queries import list_dues
from scoring.cash.ledger.actions import confirm_report
from scoring.cash.ledger.queries import get_owed
from scoring.cash.models import Kind
from scoring.cash.queries import list_broken_laws_of_club
from scoring.cash.settling.actions import make_settlement, tick_line
from scoring.cash.settling.queries import compute_transfers, get_amounts, hash_transfers
from scoring.club.actions import Actor
from scoring.models import Entry, Report, Settlement, SettlementLine
from tests.cash.kasse import reported, typed
from tests.cash.tariffs import TREASURER, give_tariff
from tests.cash.together import at_once
from tests.factories import make_club, make_player

pytestmark = pytest.mark.django_db(transaction=True)


def test_what_two_do_at_once_is_booked_once() -> None:
    club = make_club()
    anton, berta = (make_player(club, name) for name in ("Anton", "Berta"))
    give_tariff(club, dues={"cents": 500})
    typed(club, Kind.OPENING, 1000, "2026-03-01", person=berta, heading="credit")
    done: list[object] = []

    def both(work: Callable[[], object]) -> None:
        """Both get the same answer."""
        done.clear()
        at_once(*[lambda: done.append(work())] * 2)
        assert len(done) == 2 and done[0] == done[1]

    [due] = list_dues(club)
    both(lambda: book_dues(club=club, actor=TREASURER, month=due.month, seen=due.seen))
    assert Entry.objects.filter(kind=Kind.DUES).count() == 1
    amounts, key = get_amounts(club, None), uuid4()
    assert amounts == {anton: 500, berta: -500}
    told = {"evening": None, "players": list(amounts), "seen": hash_transfers(compute_transfers(amounts)), "key": key}
    both(lambda: make_settlement(club=club, actor=TREASURER, **told))
    assert (Settlement.objects.count(), SettlementLine.objects.count()) == (1, 1)
    kept = Settlement.objects.select_related("club").get()
    both(lambda: tick_line(settlement=kept, actor=TREASURER, place=1))
    assert Entry.objects.filter(kind=Kind.SETTLE).count() == 1
    assert (get_owed(club), list(list_broken_laws_of_club(club))) == ({}, [])
    report = reported(anton)
    both(lambda: confirm_report(report=Report.objects.get(pk=report.pk), actor=Actor()))
    assert (Entry.objects.filter(kind=Kind.PAYMENT).count(), get_owed(club)) == (1, {anton.pk: -500})
