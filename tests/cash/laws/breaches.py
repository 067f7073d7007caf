"""What the database itself refuses about the tables beside the books, tariffs and the facts of an evening: the breach of each of
their constraints, past forms and actions (`tests/test_constraints.py`)."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping
from typing import Any, Final
from uuid import uuid4

from django.utils import timezone

from scoring.cash.laws import drop_triggers
from scoring.models import (
    Attendance,
    BookYear,
    CashCount,
    Countersignature,
    DuesStatus,
    Entry,
    Evening,
    Fine,
    Heading,
    Period,
    Report,
    Settlement,
    SettlementLine,
    Tariff,
)
from tests.factories import Cast

DAY = datetime.date(2026, 1, 1)


def report(cast: Cast, **changes: Any) -> None:
    told = {"key": uuid4(), "player": cast.club.players.all()[0], "cents": 5, "box": "cash", "date": DAY, **changes}
    Report.objects.create(club=cast.club, **told)


def count(cast: Cast, **changes: Any) -> None:
    one, two = cast.club.players.order_by("pk")[:2]
    told = {"key": uuid4(), "cents": 5, "booked": 5, "counter": one, "witness": two, **changes}
    CashCount.objects.create(club=cast.club, **told)


def heading(cast: Cast, **changes: Any) -> None:
    Heading.objects.create(club=cast.club, **{"code": "income:tombola", "name": "Tombola", **changes})


def countersigned_twice(cast: Cast) -> None:
    period = Period.objects.create(club=cast.club, month="2026-01", statement="{}", sha256="0" * 64)
    for _time in range(2):
        Countersignature.objects.create(period=period, signed_by=cast.admin)


def book_year(cast: Cast, month: int) -> None:
    BookYear.objects.create(club=cast.club, first_month=month)


def dues(cast: Cast, **changes: Any) -> None:
    DuesStatus.objects.create(**{"player": cast.club.players.all()[0], "month": "2026-01", "status": "none", **changes})


def settled(cast: Cast, **changes: Any) -> None:
    """A line of a settlement; its first line where nothing else is said."""
    one, two = cast.club.players.order_by("pk")[:2]
    of = changes.pop("settlement", None) or Settlement.objects.create(club=cast.club, key=uuid4())
    told = {"settlement": of, "place": 1, "payer": one, "receiver": two, "cents": 5, **changes}
    SettlementLine.objects.create(**told)


def settled_twice(cast: Cast) -> None:
    of = Settlement.objects.create(club=cast.club, key=uuid4())
    for _time in range(2):
        settled(cast, settlement=of)


def entry(cast: Cast) -> Entry:
    return Entry.objects.create(club=cast.club, key=uuid4(), kind="income", date=DAY)


def tariff(cast: Cast, **changes: Any) -> Tariff:
    return Tariff.objects.create(club=cast.club, **changes)


def attended(cast: Cast, **changes: Any) -> None:
    """A row of the running evening."""
    player = changes.pop("player", None) or cast.club.players.all()[0]
    Attendance.objects.create(**{"evening": cast.table.evening, "player": player, "place": 0, **changes})


def fine(cast: Cast, **changes: Any) -> None:
    told = {
        "evening": cast.table.evening,
        "player": cast.club.players.all()[0],
        "code": "late",
        "unit": "count",
        "amount": 1,
    }
    Fine.objects.create(**{**told, **changes})


def of_evening(cast: Cast, **changes: Any) -> None:
    Evening.objects.filter(pk=cast.table.evening_id).update(**changes)


def tariff_twice(cast: Cast) -> None:
    """Past the triggers, too."""
    drop_triggers()
    for _time in range(2):
        tariff(cast)


BREACHES: Final[Mapping[str, list[Callable[[Cast], Any]]]] = {
    "evening_dropped_closed": [lambda c: of_evening(c, dropped=True)],
    "evening_bill_in_bounds": [
        lambda c: of_evening(c, bill_cents=0),
        lambda c: of_evening(c, bill_cents=1_000_001),
        lambda c: of_evening(c, bill_paid_by=c.club.players.all()[0]),
    ],
    "evening_turn_in_bounds": [lambda c: of_evening(c, turn=10**9 + 1)],
    "tariff_version_once": [tariff_twice],
    "tariff_version_from_1": [lambda c: tariff(c, version=0)],
    "attendance_once": [lambda c: [attended(c, place=place) for place in range(2)]],
    "attendance_place_once": [lambda c: [attended(c, player=player) for player in c.club.players.all()[:2]]],
    "attendance_absence_known": [lambda c: attended(c, absence="krank")],
    "attendance_guest_is_there": [lambda c: attended(c, guest=True, absence="excused")],
    "attendance_guest_brought": [
        lambda c: attended(c, brought_by=c.club.players.all()[1]),
        lambda c: attended(c, guest=True, brought_by=c.club.players.all()[0]),
    ],
    "fine_code_length": [lambda c: fine(c, code="x" * 31)],
    "fine_waits_or_is_struck": [lambda c: fine(c, waits=True, struck=True)],
    "fine_has_code": [lambda c: fine(c, code="")],
    "fine_amount_in_bounds": [
        lambda c: fine(c, amount=0),
        lambda c: fine(c, amount=1000),
        lambda c: fine(c, unit="euros"),
        lambda c: fine(c, unit="minutes", amount=1441),
        lambda c: fine(c, unit="cents", amount=1_000_001),
    ],
    "report_key_once": [lambda c: [report(c, key=c.game.key) for _ in range(2)]],
    "report_cents_in_bounds": [lambda c: report(c, cents=0), lambda c: report(c, cents=10**10 + 1)],
    "report_box_known": [lambda c: report(c, box="sock")],
    "report_decided_once": [
        lambda c: report(c, state="confirmed"),
        lambda c: report(c, decided_at=timezone.now()),
        lambda c: report(c, state="lost", decided_at=timezone.now()),
    ],
    "report_refused_with_reason": [
        lambda c: report(c, state="refused", decided_at=timezone.now()),
        lambda c: report(c, reason="Warum"),
    ],
    "report_note_length": [lambda c: report(c, note="x" * 201)],
    "report_reason_length": [lambda c: report(c, state="refused", reason="x" * 201, decided_at=timezone.now())],
    "count_key_once": [lambda c: [count(c, key=c.game.key) for _ in range(2)]],
    "count_cents_in_bounds": [lambda c: count(c, cents=-1, booked=-1), lambda c: count(c, cents=10**11, booked=10**11)],
    "count_has_witness": [lambda c: count(c, witness=c.club.players.order_by("pk")[0])],
    "count_difference_booked": [lambda c: count(c, booked=6), lambda c: count(c, entry=entry(c))],
    "dues_status_once": [lambda c: [dues(c, status=status) for status in ("full", "none")]],
    "dues_status_month_length": [lambda c: dues(c, month="2026-1")],
    "dues_status_known": [lambda c: dues(c, status="half")],
    "settlement_key_once": [
        lambda c: [Settlement.objects.create(club=c.club, key=c.game.key) for _time in range(2)],
    ],
    "settlement_line_once": [settled_twice],
    "settlement_line_cents": [lambda c: settled(c, cents=0), lambda c: settled(c, cents=10**10 + 1)],
    "settlement_line_of_two": [
        lambda c: settled(c, payer=None, receiver=None),
        lambda c: settled(c, receiver=c.club.players.order_by("pk")[0]),
    ],
    "heading_code_once": [lambda c: [heading(c) for _ in range(2)]],
    "heading_code_length": [lambda c: heading(c, code="income:" + "x" * 34)],
    "heading_name_length": [lambda c: heading(c, name="x" * 41)],
    "heading_named": [lambda c: heading(c, name="")],
    "countersigned_once": [countersigned_twice],
    "book_year_of_a_month": [lambda c: book_year(c, 0), lambda c: book_year(c, 13)],
}
