"""Import the books of a club: numbers and hashes stay, broken laws are refused with their place, and the club can be deleted."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from scoring.archive.actions import take_archive_back
from scoring.archive.queries import build_archive, format_archive
from scoring.cash.ledger.queries import get_balances, get_owed
from scoring.models import Account, Club, Entry, Leg, Period
from tests.archive.actions.taking import KASSE, refused, taken
from tests.cash.books import book, owes
from tests.factories import make_club, make_player

pytestmark = pytest.mark.django_db


def test_numbers_hashes_and_balances_are_what_they_were(db: None) -> None:
    """Other books are there already, so that all ids differ."""
    other = make_player(make_club("Pik"), "Anton")
    book(other.club, owes(other, 77))
    club = taken(KASSE.read_bytes())
    document = json.loads(KASSE.read_bytes())

    numbers = [str(entry) for entry in Entry.objects.filter(club=club).order_by("year", "number")]
    assert numbers == [f"2026-{number:03}" for number in range(1, 8)]
    assert [row["sha256"] for row in document["periods"]] == list(
        Period.objects.filter(club=club).order_by("month").values_list("sha256", flat=True)
    )
    assert get_balances(club) == {
        "cash": 12485, "equity:opening": -12345, "expense:waived": 500, "income:dues": -1000, "income:points": -140,
        "member:2": 500,
    }  # fmt: skip
    assert get_owed(club) == {club.players.get(name="Bodo B.").pk: 500}
    assert get_balances(other.club) == {"income:dues": -77, "member:1": 77}
    assert str(book(club, owes(club.players.all()[0], 5), date=Entry.objects.latest("date").date)) == "2026-008"


def test_an_archive_that_is_taken_back_takes_its_books_along(transactional_db: None) -> None:
    club = taken(KASSE.read_bytes())
    take_archive_back(club=club)
    assert [model.objects.count() for model in (Account, Entry, Leg, Period)] == [0, 0, 0, 0]
    assert not Club.with_hidden.exists()
    assert build_archive(taken(KASSE.read_bytes())) == KASSE.read_bytes()


def changed(rows: str, at: int, **values: Any) -> Callable[[dict[str, Any]], None]:
    def change(document: dict[str, Any]) -> None:
        document[rows][at - 1] |= values

    return change


def without_a_leg(document: dict[str, Any]) -> None:
    document["legs"].pop()


def shut(document: dict[str, Any]) -> None:
    document["periods"].pop(0)
    document["periods"][0]["row"] = 1


REFUSED = {
    "a leg with other cents": (changed("legs", 1, cents=12346), ["entries[1]"]),
    "a leg of half a cent": (changed("legs", 1, cents="1"), ["legs[1].cents"]),
    "no cents": (changed("legs", 1, cents=0), ["entries[1]"]),
    "a leg less": (without_a_leg, ["entries[7]"]),
    "no number": (changed("entries", 7, number=None), ["entries[7]"]),
    "a gap": (changed("entries", 7, number=8), ["entries[7]"]),
    "a kind that is none": (changed("entries", 7, kind="theft"), ["entries[7].kind"]),
    "a reason gone": (changed("entries", 7, reason=""), ["entries[7]"]),
    "itself reversed": (changed("entries", 3, reverses=3), ["entries[3]"]),
    "another one reversed": (changed("entries", 3, reverses=1), ["entries[3]"]),
    "one reversed that comes later": (changed("entries", 3, reverses=4), ["entries[3]"]),
    "a day of another year": (changed("entries", 5, date="2025-03-06"), ["entries[5]"]),
    "an account without a person": (changed("accounts", 3, player=None), ["accounts[3]"]),
    "an account of nothing": (changed("accounts", 1, code="money"), ["accounts[1].code"]),
    "a person with two accounts": (changed("accounts", 5, player=1), ["accounts[5]"]),
    "another hash": (changed("periods", 2, sha256="0" * 64), ["karo, 2026-04"]),
    "another day of an entry": (changed("entries", 5, date="2026-03-07"), ["karo, 2026-03"]),
    "a month left out": (shut, ["periods[1]"]),
    "an entry of the history that is none": (
        changed("changes", 30, after={"number": "2026-001"}),
        ["changes[30]: Das ist kein Verlauf."],
    ),
}  # fmt: skip


@pytest.mark.parametrize("fault", REFUSED)
def test_books_that_break_a_law_are_refused(fault: str) -> None:
    change, places = REFUSED[fault]
    document = json.loads(KASSE.read_bytes())
    change(document)
    said = refused(format_archive(document).encode())
    assert said == places or [one.partition(":")[0] for one in said] == places
    assert not Entry.objects.exists()
