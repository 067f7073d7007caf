"""Counting the box, closing a month, countersigning: what is stored, what stands in the way, and each refusal."""

from __future__ import annotations

import datetime
import json
from hashlib import sha256
from uuid import uuid4

import pytest
from django.db import connection, transaction
from django.utils import timezone

from scoring.cash.ledger.actions import count_cash, take_back
from scoring.cash.ledger.queries import compute_hash, get_balances, list_months
from scoring.cash.models import Kind
from scoring.cash.months.actions import (
    BooksBroken,
    close_month,
    close_months,
    countersign,
)
from scoring.cash.months.queries import (
    PAYMENTS,
    PAYOUTS,
    build_draft,
    build_drafts,
    build_report,
    build_year,
    get_closing_checks,
    get_next_to_close,
    list_month_figures,
    list_open_months,
)
from scoring.cash.queries import list_broken_laws_of_club
from scoring.club.actions import Actor
from scoring.core.errors import ActionRefused, InvalidInput
from scoring.evenings.actions import close_evening
from scoring.models import CashCount, Change, Club, Countersignature, Entry, Fine, Period, Player
from tests.cash.books import legs_of
from tests.cash.kasse import closed, counted, reported, typed
from tests.factories import Cast, make_club, make_player, make_table

pytestmark = pytest.mark.django_db


@pytest.fixture
def club(db: None) -> Club:
    club = make_club()
    for name in ("Anton", "Berta"):
        make_player(club, name)
    typed(club, Kind.OPENING, 10000, "2026-01-01", heading="cash")
    return club


@pytest.fixture
def anton(club: Club) -> Player:
    return club.players.get(name="Anton")


# --- Kassensturz ------------------------------------------------------------------------------------------------------


def test_a_count_that_is_right_books_nothing(club: Club) -> None:
    count = counted(club)
    assert (count.cents, count.booked, count.entry) == (10000, 10000, None)
    assert Entry.objects.count() == 1
    change = Change.objects.latest("pk")
    assert (change.verb, change.after) == ("cash.counted", {"cents": 10000, "booked": 10000})


@pytest.mark.parametrize(
    ("cents", "legs"),
    [
        (9850, [("cash", -150, "count"), ("expense:shortage", 150, "count")]),
        (10150, [("cash", 150, "count"), ("income:surplus", -150, "count")]),
    ],
)
def test_a_difference_is_booked_today_with_its_reason(club: Club, cents: int, legs: list[tuple[str, int, str]]) -> None:
    with pytest.raises(InvalidInput, match="Bitte einen Grund angeben"):
        counted(club, cents)
    assert not CashCount.objects.exists()
    entry = counted(club, cents, "Falsch herausgegeben").entry
    assert entry is not None
    assert (entry.kind, entry.date, entry.reason) == ("count", timezone.localdate(), "Falsch herausgegeben")
    assert legs_of(entry) == legs
    assert get_balances(club)["cash"] == cents


def test_a_count_needs_a_witness_and_the_figure_that_the_page_showed(club: Club, anton: Player) -> None:
    with pytest.raises(InvalidInput, match="Gezählt wird zu zweit"):
        count_cash(club=club, actor=Actor(), key=uuid4(), cents=10000, booked=10000, counter=anton, witness=anton)
    with pytest.raises(ActionRefused, match="Inzwischen ist etwas gebucht worden"):
        count_cash(
            club=club, actor=Actor(), key=uuid4(), cents=9000, booked=9000, counter=anton, witness=club.players.get(name="Berta")
        )
    assert not CashCount.objects.exists()


def test_the_same_form_counts_once(club: Club, anton: Player) -> None:
    key, berta = uuid4(), club.players.get(name="Berta")
    told = {"cents": 9850, "booked": 10000, "counter": anton, "witness": berta, "reason": "Fehlt"}
    first = count_cash(club=club, actor=Actor(), key=key, **told)
    assert count_cash(club=club, actor=Actor(), key=key, **told) == first
    with pytest.raises(InvalidInput, match="Hier ist schon etwas gebucht"):
        count_cash(club=club, actor=Actor(), key=key, **told | {"cents": 9851})
    assert get_balances(club)["cash"] == 9850


# --- Closing a month --------------------------------------------------------------------------------------------------


def test_a_closed_month_is_its_statement_and_its_hash(cast: Cast) -> None:
    typed(cast.club, Kind.OPENING, 10000, "2026-01-01", heading="cash")
    january = closed(cast.club, "2026-01", cast.treasurer)
    february = closed(cast.club, "2026-02", cast.treasurer)
    assert january.sha256 == sha256(january.statement.encode()).hexdigest()
    told = json.loads(february.statement)
    assert list(told) == ["before", "closing", "club", "entries", "month", "opening"]
    assert (told["before"], told["month"], told["club"]) == (january.sha256, "2026-02", "karo")
    assert told["opening"] == told["closing"] == {"cash": 10000, "equity:opening": -10000}
    assert (february.closed_by, list(list_broken_laws_of_club(cast.club))) == (cast.treasurer, [])
    change = Change.objects.latest("pk")
    assert (change.verb, change.after) == ("cash.closed", {"month": "2026-02", "sha256": february.sha256})


def test_months_close_in_order_and_once_and_when_they_are_over(club: Club) -> None:
    now = f"{timezone.localdate():%Y-%m}"
    assert (list_months(club)[0], list_months(club)[-1], get_next_to_close(club)) == (now, "2026-01", "2026-01")
    for month, refused in (("2026-02", "Ein früherer"), ("2025-12", "Bis zu diesem"), (now, "Dieser Monat ist noch nicht")):
        with pytest.raises(ActionRefused, match=refused):
            closed(club, month)
    closed(club, "2026-01")
    with pytest.raises(ActionRefused, match="Dieser Monat der Kasse ist schon"):
        closed(club, "2026-01")
    assert get_next_to_close(club) == "2026-02"
    assert [period.month for period in Period.objects.all()] == ["2026-01"]


def test_several_months_close_in_one_step_as_they_would_one_by_one(club: Club, anton: Player) -> None:
    """Also one without an entry, and one whose last entry has a lower number than its first."""
    typed(club, Kind.FINE, 300, "2026-03-20", person=anton)
    typed(club, Kind.PAYMENT, 300, "2026-03-02", person=anton, box="bank")
    months = ["2026-01", "2026-02", "2026-03", "2026-04"]
    assert list_open_months(club)[:4] == months
    with transaction.atomic():
        one_by_one = [closed(club, month).statement for month in months]
        transaction.set_rollback(True)
    seen = compute_hash(one_by_one[-1])
    assert list(build_drafts(club, months)) == one_by_one
    for until, hashed, refused in (
        ("2026-04", "0" * 64, "Inzwischen hat sich etwas geändert"),
        ("2026-03", seen, "Inzwischen hat sich etwas geändert"),
        ("2025-12", seen, "Bis zu diesem Monat ist noch nichts gebucht"),
        ("2999-01", seen, "Dieser Monat ist noch nicht vorbei"),
    ):
        with pytest.raises(ActionRefused, match=refused):
            close_months(club=club, actor=Actor(), until=until, seen=hashed)
    evening = make_table(club, held_on=datetime.date(2026, 2, 6)).evening
    with pytest.raises(ActionRefused, match="Im Februar 2026 läuft noch ein"):
        close_months(club=club, actor=Actor(), until="2026-04", seen=seen)
    close_evening(evening=evening, actor=Actor())
    assert not Period.objects.exists()
    periods = close_months(club=club, actor=Actor(), until="2026-04", seen=seen)
    assert [period.statement for period in periods] == one_by_one
    assert list(list_broken_laws_of_club(club)) == [] and Change.objects.filter(verb="cash.closed").count() == 4
    with pytest.raises(ActionRefused, match="Dieser Monat der Kasse ist schon"):
        close_months(club=club, actor=Actor(), until="2026-04", seen=seen)


def test_without_an_entry_there_is_nothing_to_close(db: None) -> None:
    club = make_club()
    assert (get_next_to_close(club), list_months(club), list_month_figures(club)) == (None, [], [])
    with pytest.raises(ActionRefused, match="Bis zu diesem Monat ist noch nichts gebucht"):
        closed(club, "2026-01")


def test_an_open_evening_of_the_month_stands_in_the_way(club: Club, anton: Player) -> None:
    evening = make_table(club, held_on=datetime.date(2026, 1, 31)).evening
    later = make_table(club, held_on=datetime.date(2026, 2, 1)).evening
    for one in (evening, later):
        Fine.objects.create(evening=one, player=anton, code="misdeal", unit="count", amount=1, waits=True)
    waits = reported(anton, date=datetime.date(2026, 1, 31))
    reported(anton, date=datetime.date(2026, 2, 1))
    first = get_closing_checks(club, "2026-01")
    assert (first["evenings"], first["reports"], first["fines"]) == ([evening], [waits], [evening])
    with pytest.raises(ActionRefused, match="Im Januar 2026 läuft noch ein"):
        closed(club, "2026-01")
    close_evening(evening=evening, actor=Actor())
    closed(club, "2026-01")


def test_what_was_not_seen_is_not_closed(club: Club, anton: Player) -> None:
    seen = compute_hash(build_draft(club, "2026-01"))
    typed(club, Kind.FINE, 300, "2026-01-30", person=anton)
    with pytest.raises(ActionRefused, match="Inzwischen hat sich etwas geändert"):
        close_month(club=club, actor=Actor(), month="2026-01", seen=seen)
    assert not Period.objects.exists()


def test_books_that_are_broken_are_not_closed(club: Club) -> None:
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO scoring_entry (club_id, key, kind, date, booked_at, month, reason) SELECT club_id,"
                       " '00000000000040008000000000000001', kind, date, booked_at, month, reason FROM scoring_entry")  # fmt: skip
    with pytest.raises(BooksBroken) as refused:
        closed(club, "2026-01")
    assert len(refused.value.faults) == 1
    Entry.objects.filter(number=None).delete()


def test_what_was_in_the_kasse_at_the_end_of_each_month(club: Club, anton: Player) -> None:
    typed(club, Kind.PAYMENT, 500, "2026-01-31", person=anton, box="bank")
    typed(club, Kind.EXPENSE, 1200, "2026-03-01", heading="expense:rent", box="cash")
    typed(club, Kind.TRANSFER, 700, "2026-03-02", box="cash")
    found = {one.month: one.there for one in list_month_figures(club)}
    assert [found[month] for month in ("2026-01", "2026-02", "2026-03", "2026-04")] == [10500, 10500, 9300, 9300]


def test_payments_and_payouts_are_apart_in_the_report_also_taken_back(club: Club, anton: Player) -> None:
    typed(club, Kind.PAYMENT, 500, "2026-01-31", person=anton, box="bank")
    out = typed(club, Kind.PAYOUT, 50, "2026-03-03", person=anton, box="cash")
    year = build_year(2026, 1)
    assert build_report(club, year).money == {"equity:opening": 10000, PAYMENTS: 500, PAYOUTS: -50}
    take_back(entry=out, actor=Actor(), key=uuid4(), reason="Vertippt")
    assert build_report(club, year).money == {"equity:opening": 10000, PAYMENTS: 500}


def test_another_login_countersigns_once(cast: Cast) -> None:
    typed(cast.club, Kind.OPENING, 10000, "2026-01-01", heading="cash")
    period = closed(cast.club, "2026-01", cast.treasurer)
    with pytest.raises(ActionRefused, match="Gegenzeichnen kann nur ein anderer Zugang"):
        countersign(period=period, actor=Actor(cast.treasurer))
    countersign(period=period, actor=Actor(cast.reader))
    with pytest.raises(ActionRefused, match="Mit diesem Zugang ist schon gegengezeichnet"):
        countersign(period=period, actor=Actor(cast.reader))
    countersign(period=period, actor=Actor(cast.admin))
    assert list(Countersignature.objects.order_by("pk").values_list("signed_by", flat=True)) == [
        cast.reader.pk,
        cast.admin.pk,
    ]
    assert Change.objects.latest("pk").verb == "cash.countersigned"
