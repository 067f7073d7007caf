"""What the database itself refuses about tariffs and the facts of an evening, written past forms and actions
(`tests/test_constraints.py`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from scoring.cash.laws import drop_triggers
from scoring.models import Attendance, Evening, Fine, Tariff
from tests.factories import Cast


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
}
