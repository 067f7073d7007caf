"""What a treasurer types: which accounts each kind moves, a key that books once, and taking back by hand."""

from __future__ import annotations

import datetime
from typing import Any
from uuid import uuid4

import pytest

from scoring.cash.ledger.actions import (
    add_heading,
    book,
    take_back,
)
from scoring.cash.ledger.forms import TYPED
from scoring.cash.ledger.queries import get_balances
from scoring.cash.models import Kind
from scoring.cash.months.actions import set_first_month
from scoring.cash.texts import ACCOUNT_NAMES
from scoring.club.actions import Actor
from scoring.core.errors import ActionRefused, InvalidInput
from scoring.models import Account, BookYear, Change, Club, Heading, Player
from tests import fake_clock
from tests.cash.books import DAY, legs_of, owes
from tests.cash.books import book as post
from tests.factories import make_club, make_player

pytestmark = pytest.mark.django_db


@pytest.fixture
def club(db: None) -> Club:
    return make_club()


@pytest.fixture
def anton(club: Club) -> Player:
    return make_player(club, "Anton")


@pytest.fixture
def berta(club: Club) -> Player:
    return make_player(club, "Berta")


LEGS: dict[tuple[str, str], list[tuple[str, int]]] = {
    ("payment", "cash"): [("cash", 350), ("Anton", -350)],
    ("payment", "bank"): [("bank", 350), ("Anton", -350)],
    ("payout", "cash"): [("Anton", 350), ("cash", -350)],
    ("income", "income:other"): [("cash", 350), ("income:other", -350)],
    ("expense", "expense:trip"): [("expense:trip", 350), ("cash", -350)],
    ("outlay", "expense:drinks"): [("expense:drinks", 350), ("Anton", -350)],
    ("fine", ""): [("Anton", 350), ("income:fines", -350)],
    ("joining", ""): [("Anton", 350), ("income:joining", -350)],
    ("settle", ""): [("Berta", 350), ("Anton", -350)],
    ("handover", ""): [("Berta", 350), ("Anton", -350)],
    ("waive", ""): [("expense:waived", 350), ("Anton", -350)],
    ("transfer", "cash"): [("bank", 350), ("cash", -350)],
    ("transfer", "bank"): [("cash", 350), ("bank", -350)],
    ("opening", "cash"): [("cash", 350), ("equity:opening", -350)],
    ("opening", "bank"): [("bank", 350), ("equity:opening", -350)],
    ("opening", "open"): [("Anton", 350), ("equity:opening", -350)],
    ("opening", "credit"): [("equity:opening", 350), ("Anton", -350)],
}


def test_each_kind_moves_its_accounts(club: Club, anton: Player, berta: Player) -> None:
    for (kind, where), legs in LEGS.items():
        is_heading = ":" in where or kind == "opening"
        told: dict[str, Any] = {"heading": where, "box": "cash"} if is_heading else {"box": where or "cash"}
        told |= {"person": anton, "other": berta, "reason": "Abgesprochen"}
        entry = book(club=club, actor=Actor(), key=uuid4(), kind=Kind(kind), cents=350, date=DAY, **told)
        names = dict(Account.objects.filter(player__isnull=False).values_list("code", "player__name"))
        found = [(names.get(code, code), cents) for code, cents, _kind in legs_of(entry)]
        assert sorted(found) == sorted(legs), (kind, where)
        assert {leg_kind for _code, _cents, leg_kind in legs_of(entry)} == {kind}
        assert (entry.kind, entry.date, entry.reason) == (kind, DAY, "Abgesprochen")


def test_every_kind_that_is_typed_is_looked_at() -> None:
    assert {kind for kind, _where in LEGS} == set(TYPED)


def test_what_an_evening_costs_is_not_taken_back_by_hand(club: Club, anton: Player) -> None:
    evening = post(club, owes(anton, 100, "points"), kind=Kind.EVENING)
    with pytest.raises(ActionRefused, match="Was ein Abend kostet"):
        take_back(entry=evening, actor=Actor(), key=uuid4(), reason="Vertippt")
    dues = post(club, owes(anton, 100))
    mirror = take_back(entry=dues, actor=Actor(), key=uuid4(), reason="Vertippt")
    assert (mirror.reverses, mirror.date > DAY) == (dues, True)
    assert get_balances(club) == {"income:points": -100, "member:1": 100}


# --- Accounts of a club's own -----------------------------------------------------------------------------------------

TAKEN = {code: str(name) for code, name in ACCOUNT_NAMES.items()}


def added(club: Club, side: str, name: str) -> str:
    return add_heading(club=club, actor=Actor(), side=side, name=name, taken=TAKEN).code


def test_with_a_clock_set_back_an_entry_of_a_later_day_is_taken_back_on_its_day(
    club: Club, anton: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_clock.begin(monkeypatch, "2026-04-10")
    entry = post(club, owes(anton, 350), date=datetime.date(2026, 4, 10))
    fake_clock.begin(monkeypatch, "2026-03-27")
    mirror = take_back(entry=entry, actor=Actor(), key=uuid4(), reason="falsch gebucht")
    assert mirror.date == entry.date and get_balances(club) == {}


def test_a_club_may_have_more_kinds_of_income_and_expense(club: Club) -> None:
    assert added(club, "income", " Große  Tombola ") == "income:grosse_tombola"
    # Where another account has the code already there is a number behind it, and "drinks" is one that every club has.
    assert added(club, "income", "Große-Tombola") == "income:grosse_tombola_2"
    assert added(club, "expense", "Drinks") == "expense:drinks_2"
    assert added(club, "expense", "2026") == "expense:x2026"
    assert (
        added(club, "expense", "Ein sehr langer Name für so eine Ausgabe") == "expense:ein_sehr_langer_name_fuer_so_e"
    )
    assert Heading.objects.earliest("pk").name == "Große Tombola"
    assert Change.objects.earliest("pk").after == {"code": "income:grosse_tombola"}


def test_two_kinds_of_one_side_are_not_called_alike(club: Club) -> None:
    added(club, "income", "Tombola")
    for name in ("TOMBOLA", "Strafgelder"):
        with pytest.raises(InvalidInput, match="So heißt schon eine Art"):
            added(club, "income", name)
    assert Heading.objects.count() == 1


def test_a_year_begins_when_the_club_says(club: Club) -> None:
    set_first_month(club=club, actor=Actor(), first_month=1)
    assert not Change.objects.exists()
    set_first_month(club=club, actor=Actor(), first_month=9)
    assert BookYear.objects.get().first_month == 9
    assert (Change.objects.get().before, Change.objects.get().after) == ({"first_month": 1}, {"first_month": 9})
