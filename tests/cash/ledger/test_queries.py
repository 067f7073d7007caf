"""Balances, what is in the Kasse, what people owe, and a month as text; sealed entries alone count."""

from __future__ import annotations

import datetime
import json
from uuid import uuid4

import pytest

from scoring.cash.laws import drop_triggers
from scoring.cash.ledger.posting import reverse
from scoring.cash.ledger.queries import compute_hash, get_balances, get_owed, read_slug, serialize
from scoring.cash.models import Kind
from scoring.cash.months.queries import build_draft, build_statements
from scoring.club.actions import Actor
from scoring.models import Account, Club, Entry, Leg, Period, Player
from scoring.players.actions import merge_players, unmerge_player
from tests.cash.books import DAY, book, in_the_kasse, leg, owes, pays
from tests.factories import Cast, make_club, make_player

pytestmark = pytest.mark.django_db


@pytest.fixture
def club(db: None) -> Club:
    """Anton owed 13,00 € and paid 10,00 €; Berta has 2,50 € to her credit; the club bought something for 4,00 €, from the bank."""
    club = make_club()
    anton, berta = make_player(club, "Anton"), make_player(club, "Berta")
    book(club, owes(anton, 1300, "points"))
    book(club, pays(anton, 1000), date=DAY.replace(day=20))
    book(club, pays(berta, 250), date=DAY.replace(month=4))
    spent = [leg("bank", -400, "expense"), leg("expense:rent", 400, "expense")]
    book(club, spent, kind=Kind.EXPENSE, date=DAY.replace(month=4))
    return club


EXPECTED = {
    "bank": -400, "cash": 1250, "expense:rent": 400, "income:points": -1300, "member:1": 300, "member:2": -250,
}  # fmt: skip


def test_every_account_has_its_balance(club: Club) -> None:
    assert get_balances(club) == EXPECTED
    assert sum(EXPECTED.values()) == 0
    assert in_the_kasse(club) == 850


def test_up_to_a_day(club: Club) -> None:
    assert get_balances(club, DAY) == {"income:points": -1300, "member:1": 1300}
    assert get_balances(club, DAY - datetime.timedelta(days=1)) == {}
    assert [in_the_kasse(club, DAY.replace(day=day)) for day in (19, 20)] == [0, 1000]
    assert get_owed(club, DAY.replace(day=31)) == {club.players.get(name="Anton").pk: 300}


def test_what_is_closed_is_not_added_up_again(club: Club) -> None:
    """On every day around them the balances are the same, whether the months are closed or not."""
    days = [DAY.replace(month=month, day=day) for month in (2, 3, 4, 5) for day in (1, 6, 20, 28)]
    ends = [DAY.replace(day=31), DAY.replace(month=4, day=30)]
    before = [(get_balances(club, day), get_owed(club, day)) for day in (*days, *ends, None)]
    for month in ("2026-03", "2026-04"):
        text = build_draft(club, month)
        Period.objects.create(club=club, month=month, statement=text, sha256=compute_hash(text))
    assert [(get_balances(club, day), get_owed(club, day)) for day in (*days, *ends, None)] == before
    drop_triggers()
    said = {**json.loads(text), "closing": {"cash": 7}}
    Period.objects.filter(month="2026-04").update(statement=serialize(said), sha256=compute_hash(serialize(said)))
    assert (get_balances(club), get_balances(club, ends[1]), get_balances(club, ends[0])) == (
        {"cash": 7},
        {"cash": 7},
        before[-3][0],
    )
    # What is not what its hash says, or says no balances, is not believed.
    for text, sha256 in ((serialize(said), "0" * 64), ("{}", compute_hash("{}")), ("[", compute_hash("["))):
        Period.objects.filter(month="2026-04").update(statement=text, sha256=sha256)
        assert get_balances(club) == EXPECTED


def test_what_is_not_sealed_and_what_is_elsewhere_counts_nothing(club: Club) -> None:
    other = make_player(make_club("Pik"), "Anton")
    book(other.club, pays(other, 77))
    entry = Entry.objects.create(club=club, key=uuid4(), kind="income", date=DAY)
    Leg.objects.create(entry=entry, account=Account.objects.get(club=club, code="cash"), cents=5, kind="x")
    assert get_balances(club) == EXPECTED
    assert get_owed(club) == {club.players.get(name="Anton").pk: 300, club.players.get(name="Berta").pk: -250}
    entry.legs.all().delete()
    entry.delete()


def test_what_was_reversed_counts_nothing(club: Club) -> None:
    entry = Entry.objects.filter(club=club).latest("pk")
    reverse(entry=entry, actor=Actor(), key=uuid4(), date=entry.date, reason="Vertippt")
    assert get_balances(club) == {code: cents for code, cents in EXPECTED.items() if code not in ("bank", "expense:rent")}


def test_merged_people_have_one_balance_and_nothing_is_booked(club: Club) -> None:
    anton, berta = club.players.get(name="Anton"), club.players.get(name="Berta")
    before = list(Leg.objects.order_by("pk").values())
    merge_players(player=berta, into=anton, actor=Actor())
    assert get_owed(club) == {anton.pk: 50}
    assert get_balances(club) == EXPECTED
    unmerge_player(player=Player.objects.get(pk=berta.pk), actor=Actor())
    assert get_owed(club) == {anton.pk: 300, berta.pk: -250}
    assert list(Leg.objects.order_by("pk").values()) == before


# --- A month ----------------------------------------------------------------------------------------------------------


def test_a_month_is_written_down(cast: Cast) -> None:
    club, person = cast.club, cast.club.players.get(name="Bodo")
    book(club, pays(person, 500), date=DAY.replace(month=2))
    evening = book(club, owes(person, 130, "points"), kind=Kind.EVENING, evening=cast.table.evening)
    dues = book(club, owes(person, 20), kind=Kind.DUES, date=DAY.replace(day=1), month="2026-03")
    mirror = reverse(entry=evening, actor=Actor(), key=uuid4(), date=DAY.replace(day=31), reason="Vertippt")
    book(club, pays(person, 1), date=DAY.replace(month=4, day=1))
    text = next(build_statements(club, ["2026-03"], before="abc", slug="karo"))

    assert text == json.dumps(json.loads(text), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    assert (read_slug(text), read_slug("[]"), read_slug("x")) == ("karo", None, None)
    key = str(cast.table.evening.key)
    assert json.loads(text) == {
        "before": "abc",
        "club": "karo",
        "month": "2026-03",
        "opening": {"cash": 500, "member:1": -500},
        "closing": {"cash": 500, "income:dues": -20, "member:1": -480},
        "entries": [
            {
                "number": "2026-002", "kind": "evening", "date": "2026-03-06", "key": str(evening.key), "about": key,
                "reverses": "",
                "legs": [
                    {"account": "income:points", "cents": -130, "kind": "points"},
                    {"account": "member:1", "cents": 130, "kind": "points"},
                ],
            },
            {
                "number": "2026-003", "kind": "dues", "date": "2026-03-01", "key": str(dues.key), "about": "2026-03",
                "reverses": "",
                "legs": [
                    {"account": "income:dues", "cents": -20, "kind": "dues"},
                    {"account": "member:1", "cents": 20, "kind": "dues"},
                ],
            },
            {
                "number": "2026-004", "kind": "reversal", "date": "2026-03-31", "key": str(mirror.key), "about": key,
                "reverses": "2026-002",
                "legs": [
                    {"account": "income:points", "cents": 130, "kind": "points"},
                    {"account": "member:1", "cents": -130, "kind": "points"},
                ],
            },
        ],
    }  # fmt: skip
