"""Booking and taking back: what is stored, numbers without gaps, a key that books once, and each refusal."""

from __future__ import annotations

import datetime
from functools import partial
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone

from scoring.cash.ledger.posting import (
    post,
    reverse,
)
from scoring.cash.models import Kind
from scoring.club.actions import Actor
from scoring.core.errors import ActionRefused, InvalidInput
from scoring.models import Account, Change, Club, Entry, Leg, Period, Player
from tests.cash.books import DAY, book, leg, legs_of, owes, pays
from tests.cash.together import at_once
from tests.factories import Cast, make_club, make_player

pytestmark = pytest.mark.django_db


@pytest.fixture
def club(db: None) -> Club:
    return make_club()


@pytest.fixture
def anton(club: Club) -> Player:
    return make_player(club, "Anton")


def taken_back(entry: Entry, **changes: object) -> Entry:
    told = {"key": uuid4(), "date": DAY, "reason": "Vertippt", "actor": Actor(), **changes}
    return reverse(entry=entry, **told)


def test_an_entry_is_stored_with_its_legs_and_sealed(cast: Cast) -> None:
    person = cast.club.players.get(name="Bodo")
    key, evening = uuid4(), cast.table.evening
    entry = post(
        club=cast.club, actor=Actor(cast.treasurer), key=key, kind=Kind.EVENING, date=evening.held_on,
        legs=owes(person, 130, "points"), evening=evening, reason=" Nachgetragen  am Montag ",
    )  # fmt: skip
    entry.refresh_from_db()

    assert (str(entry), entry.key, entry.kind, entry.date) == ("2026-001", key, "evening", evening.held_on)
    assert (entry.evening, entry.month, entry.reverses, entry.actor) == (evening, "", None, cast.treasurer)
    assert entry.reason == "Nachgetragen am Montag"
    assert legs_of(entry) == [("income:points", -130, "points"), ("member:1", 130, "points")]
    assert Account.objects.get(player=person).code == "member:1"
    change = Change.objects.latest("pk")
    assert (change.verb, change.subject_id, change.actor) == ("cash.booked", str(entry.pk), cast.treasurer)
    assert change.after == {"number": "2026-001", "kind": "evening", "date": "2026-03-06"}


def test_lines_of_one_account_and_kind_are_added_up(club: Club, anton: Player) -> None:
    lines = [*owes(anton, 50, "fines"), *owes(anton, 100, "fines"), *owes(anton, 70, "fee"), *owes(anton, -70, "fee")]
    assert legs_of(book(club, lines)) == [("income:fines", -150, "fines"), ("member:1", 150, "fines")]


def test_people_keep_their_accounts_which_are_counted_by_club(club: Club, anton: Player) -> None:
    berta, elsewhere = make_player(club, "Berta"), make_player(make_club("Pik"), "Anton")
    book(club, [*owes(berta, 500), *owes(anton, 200)])
    for person in (berta, anton, elsewhere):
        book(person.club, pays(person, 500))
    codes = Account.objects.filter(player__isnull=False).order_by("pk")
    assert list(codes.values_list("player", "code")) == [
        (anton.pk, "member:1"), (berta.pk, "member:2"), (elsewhere.pk, "member:1"),
    ]  # fmt: skip


def test_numbers_count_by_club_and_year_of_the_day(club: Club, anton: Player) -> None:
    other = make_player(make_club("Pik"), "Anton")
    days = [DAY, DAY.replace(year=2025), DAY.replace(day=1), DAY.replace(year=2025)]
    assert [str(book(club, pays(anton, 1), date=day)) for day in days] == [
        "2026-001",
        "2025-001",
        "2026-002",
        "2025-002",
    ]
    assert str(book(other.club, pays(other, 1))) == "2026-001"


def test_a_refused_entry_leaves_no_gap_and_no_account(club: Club, anton: Player) -> None:
    book(club, pays(anton, 1))
    with pytest.raises(InvalidInput, match="Das lässt sich so nicht buchen"):
        book(club, [leg("bank", 1, "income"), leg("income:other", -2, "income")])
    assert not Account.objects.filter(code="bank").exists()
    assert str(book(club, pays(anton, 1))) == "2026-002"


def test_what_does_not_add_up_is_refused(club: Club) -> None:
    for lines in (
        [],
        [leg("cash", 0, "transfer"), leg("bank", 0, "transfer")],
        [leg("cash", 5, "transfer"), leg("cash", -5, "transfer")],
        [leg("cash", 5, "transfer"), leg("bank", -4, "transfer")],
        [leg("cash", 10**10 + 1, "transfer"), leg("bank", -(10**10) - 1, "transfer")],
    ):
        with pytest.raises(InvalidInput, match="Das lässt sich so nicht buchen"):
            book(club, lines)
    assert not Entry.objects.exists()
    entry = book(club, [leg("cash", 10**10, "transfer"), leg("bank", -(10**10), "transfer")])
    assert legs_of(entry) == [("bank", -(10**10), "transfer"), ("cash", 10**10, "transfer")]


def test_accounts_are_called_as_they_should_be(club: Club) -> None:
    for code in ("Cash", "income:", "income:Trip", "member:x", "assets:house", "income:" + "a" * 31):
        with pytest.raises(ValidationError):
            book(club, [leg("cash", 5, "income"), leg(code, -5, "income")])
    assert not Account.objects.exists()
    own = book(club, [leg("cash", 5, "income"), leg("income:lottery", -5, "income")])
    assert legs_of(own)[1][0] == "income:lottery", "a club may have accounts of its own"


def test_a_person_of_another_club_has_no_account_here(club: Club) -> None:
    with pytest.raises(IntegrityError, match="a person of its club"):
        book(club, pays(make_player(make_club("Pik"), "Anton"), 5))


# --- A key books once -------------------------------------------------------------------------------------------------


def test_the_same_key_with_the_same_content_answers_what_is_stored(club: Club, anton: Player) -> None:
    key = uuid4()
    first = book(club, owes(anton, 5), key=key, month="2026-03", reason="Beitrag")
    again = book(club, owes(anton, 5)[::-1], key=key, month="2026-03", reason="Beitrag ")
    assert (again.pk, Entry.objects.count(), Leg.objects.count()) == (first.pk, 1, 2)
    assert Change.objects.filter(verb="cash.booked").count() == 1


def test_the_same_key_with_other_content_is_refused(club: Club) -> None:
    key, lines = uuid4(), [leg("cash", 5, "payment"), leg("income:other", -5, "payment")]
    first = book(club, lines, key=key)
    others: list[dict[str, Any]] = [
        {"kind": Kind.INCOME}, {"date": DAY.replace(day=7)}, {"month": "2026-03"}, {"reason": "Anders"},
        {"lines": [leg("bank", 5, "payment"), leg("income:other", -5, "payment")]},
        {"lines": [leg("cash", 6, "payment"), leg("income:other", -6, "payment")]},
        {"lines": [leg("cash", 5, "income"), leg("income:other", -5, "income")]},
    ]  # fmt: skip
    for other in others:
        with pytest.raises(InvalidInput, match="Hier ist schon etwas gebucht") as refused:
            book(club, **{"lines": lines, "key": key, **other})
        assert (refused.value.status, Entry.objects.get()) == (422, first)


def test_a_key_is_of_one_club(club: Club, anton: Player) -> None:
    key, other = uuid4(), make_player(make_club("Pik"), "Anton")
    assert book(club, pays(anton, 5), key=key) != book(other.club, pays(other, 5), key=key)


# --- Taking back ------------------------------------------------------------------------------------------------------


def test_a_reversal_mirrors_its_entry(club: Club, anton: Player) -> None:
    entry = book(club, owes(anton, 5), month="2026-03", kind=Kind.DUES)
    mirror = taken_back(entry, date=DAY.replace(day=9))
    mirror.refresh_from_db()
    assert (str(mirror), mirror.kind, mirror.reverses, mirror.month) == ("2026-002", "reversal", entry, "2026-03")
    assert (mirror.date, mirror.reason) == (DAY.replace(day=9), "Vertippt")
    assert legs_of(mirror) == [(code, -cents, kind) for code, cents, kind in legs_of(entry)]
    assert Change.objects.latest("pk").verb == "cash.reversed"


def test_it_is_about_the_same_evening(cast: Cast) -> None:
    entry = book(cast.club, owes(cast.club.players.all()[0], 5), evening=cast.table.evening, kind=Kind.EVENING)
    assert taken_back(entry).evening == cast.table.evening


def test_an_entry_is_taken_back_once_and_never_a_reversal(club: Club, anton: Player) -> None:
    entry, key = book(club, pays(anton, 5)), uuid4()
    mirror = taken_back(entry, key=key)
    assert taken_back(entry, key=key) == mirror
    with pytest.raises(ActionRefused, match="Diese Buchung ist schon storniert"):
        taken_back(entry)
    with pytest.raises(ActionRefused, match="Ein Storno wird nicht storniert"):
        taken_back(mirror)
    assert Entry.objects.count() == 2


def test_why_is_said(club: Club, anton: Player) -> None:
    entry = book(club, pays(anton, 5))
    for reason in ("", "  ", "ab"):
        with pytest.raises(InvalidInput, match="Bitte einen Grund angeben"):
            taken_back(entry, reason=reason)
        for kind in (Kind.WAIVE, Kind.COUNT, Kind.HANDOVER):
            with pytest.raises(InvalidInput, match="Bitte einen Grund angeben"):
                book(club, pays(anton, 5), kind=kind, reason=reason)


def test_a_reason_is_one_line_of_200(club: Club, anton: Player) -> None:
    entry = book(club, pays(anton, 5))
    for reason in ("x" * 201, "Ver\u202etippt"):
        with pytest.raises(ValidationError):
            taken_back(entry, reason=reason)
    assert taken_back(entry, reason="x" * 200).reason == "x" * 200


def test_nothing_is_taken_back_before_it_was(club: Club, anton: Player) -> None:
    entry = book(club, pays(anton, 5))
    with pytest.raises(InvalidInput, match="Storniert wird eine Buchung frühestens an"):
        taken_back(entry, date=DAY.replace(day=5))


def test_post_takes_nothing_back(club: Club, anton: Player) -> None:
    with pytest.raises(ValueError, match="call `reverse`"):
        book(club, pays(anton, 5), kind=Kind.REVERSAL)


# --- Days -------------------------------------------------------------------------------------------------------------


def test_nothing_is_booked_on_a_day_to_come(club: Club, anton: Player) -> None:
    today = timezone.localdate()
    assert book(club, pays(anton, 5), date=today).date == today
    with pytest.raises(InvalidInput, match="Gebucht wird höchstens bis heute"):
        book(club, pays(anton, 5), date=today + datetime.timedelta(days=1))


def test_nothing_is_booked_into_a_closed_month_or_before_it(club: Club, anton: Player) -> None:
    entry = book(club, pays(anton, 5))
    Period.objects.create(club=club, month="2026-03", statement="{}", sha256="0" * 64)
    for day in (DAY, DAY.replace(day=31), DAY.replace(month=2)):
        with pytest.raises(ActionRefused, match="Dieser Monat der Kasse ist abgeschlossen"):
            book(club, pays(anton, 5), date=day)
    with pytest.raises(ActionRefused, match="Dieser Monat der Kasse ist abgeschlossen"):
        taken_back(entry)
    assert taken_back(entry, date=DAY.replace(month=4)).number == 2
    other = make_player(make_club("Pik"), "Anton")
    assert book(other.club, pays(other, 5)).number == 1


# --- At the same time -------------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_two_phones_with_one_key_book_once(club: Club, anton: Player) -> None:
    booked: list[tuple[UUID, int]] = []

    def tap(key: UUID) -> None:
        booked.append((key, book(club, pays(anton, 5), key=key).pk))

    for _round in range(5):
        at_once(*[partial(tap, uuid4())] * 2)
    assert (len(booked), len(set(booked))) == (10, 5)
    assert Entry.objects.count() == 5


@pytest.mark.django_db(transaction=True)
def test_numbers_have_no_gaps_however_many_book_and_fail_at_once(club: Club, anton: Player) -> None:
    refused = []

    def fail() -> None:
        for _time in range(5):
            try:
                with transaction.atomic():
                    book(club, pays(anton, 7))
                    raise InterruptedError
            except InterruptedError:
                refused.append(1)

    def work() -> None:
        for _time in range(5):
            book(club, pays(anton, 5))

    at_once(work, work, fail, work)
    assert len(refused) == 5
    assert sorted(Entry.objects.values_list("number", flat=True)) == list(range(1, 16))
    assert Account.objects.count() == 2
    assert Leg.objects.filter(account__code="cash").count() == 15
