"""Booking the dues of a month, and what status a member has from when: what is due, what is stored, and each refusal."""

from __future__ import annotations

import datetime
from typing import Any
from uuid import UUID, uuid4, uuid5

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from scoring.cash.dues.actions import book_dues, set_dues_status
from scoring.cash.dues.queries import list_dues, list_newcomers
from scoring.cash.ledger.actions import take_back
from scoring.cash.models import Kind
from scoring.cash.months.queries import get_closing_checks
from scoring.cash.queries import list_broken_laws_of_club
from scoring.club.actions import Actor, add_player, change_player
from scoring.core.errors import ActionRefused, InvalidInput
from scoring.models import Change, Club, DuesStatus, Entry, Evening, Player, Tariff
from scoring.players.actions import merge_players
from tests import fake_clock
from tests.cash.books import legs_of
from tests.cash.kasse import closed, typed
from tests.cash.tariffs import TREASURER, give_tariff
from tests.factories import make_club, make_player, make_table

pytestmark = pytest.mark.django_db
TODAY = timezone.localdate()


def month_ago(many: int) -> str:
    number = TODAY.year * 12 + TODAY.month - 1 - many
    return f"{number // 12}-{number % 12 + 1:02}"


THIS, LAST, BEFORE = month_ago(0), month_ago(1), month_ago(2)


@pytest.fixture(autouse=True)
def _is_today(monkeypatch: pytest.MonkeyPatch) -> None:
    """Until the end, also where midnight comes before."""
    fake_clock.begin(monkeypatch, TODAY)


@pytest.fixture
def club(db: None) -> Club:
    club = make_club()
    for name in ("Anton", "Berta"):
        make_player(club, name)
    make_player(club, "Gerd", guest=True)
    return club


@pytest.fixture
def anton(club: Club) -> Player:
    return club.players.get(name="Anton")


def charge(club: Club, since: str = LAST, **dues: Any) -> Tariff:
    """A tariff with dues of 5 €, less 2 €, that was set up in the first days of a month."""
    tariff = give_tariff(club, dues={"cents": 500, "reduced": 200, **dues})
    Tariff.objects.filter(pk=tariff.pk).update(made_at=f"{since}-03T12:00Z")
    return tariff


def status(player: Player, month: str, to: str) -> None:
    set_dues_status(player=player, actor=TREASURER, month=month, status=to)


def due(club: Club) -> dict[str, dict[str, int]]:
    """Who owes what, by month."""
    return {one.month: {player.name: cents for player, cents in one.sums} for one in list_dues(club)}


def book(club: Club, month: str, seen: str | None = None) -> Entry:
    found = {one.month: one.seen for one in list_dues(club)}
    return book_dues(club=club, actor=TREASURER, month=month, seen=found[month] if seen is None else seen)


# --- What is due ------------------------------------------------------------------------------------------------------


def test_every_month_is_due_since_there_is_a_tariff_until_it_is_booked_or_closed(club: Club) -> None:
    assert due(club) == {}
    charge(club, since=BEFORE)
    everybody = {"Anton": 500, "Berta": 500}
    assert due(club) == {BEFORE: everybody, LAST: everybody, THIS: everybody}
    book(club, LAST)
    assert list(due(club)) == [BEFORE, THIS]
    typed(club, Kind.OPENING, 100, f"{BEFORE}-01", heading="cash")
    assert [one.month for one in get_closing_checks(club, BEFORE)["dues"]] == [BEFORE]
    closed(club, BEFORE)
    assert list(due(club)) == [THIS]


def test_who_pays_what_follows_from_status_and_membership(club: Club, anton: Player) -> None:
    charge(club)
    status(anton, LAST, "reduced")
    status(anton, THIS, "none")
    first = datetime.date.fromisoformat(f"{THIS}-01")
    make_player(club, "Clara", joined_on=first)
    make_player(club, "Dora", joined_on=first + datetime.timedelta(days=1))
    make_player(club, "Emil", left_on=first - datetime.timedelta(days=1))
    assert due(club) == {
        LAST: {"Anton": 200, "Berta": 500, "Emil": 500},
        THIS: {"Berta": 500, "Clara": 500},
    }


def test_whoever_was_merged_pays_once(club: Club, anton: Player) -> None:
    charge(club, since=THIS)
    merge_players(player=club.players.get(name="Berta"), into=anton, actor=TREASURER)
    assert due(club) == {THIS: {"Anton": 500}}


def test_quarter_and_year_are_due_in_their_first_month(club: Club) -> None:
    for every, firsts in (("quarter", ("01", "04", "07", "10")), ("year", ("01",))):
        Tariff.objects.filter(club=club).delete()
        charge(club, since=month_ago(11), every=every)
        assert [month[-2:] for month in due(club)] == sorted(firsts, key=lambda one: (one <= THIS[-2:], one))


def test_dues_without_an_evening_wait_until_the_month_is_over(club: Club) -> None:
    charge(club, since=BEFORE, when="no_evening")
    table = make_table(club, held_on=datetime.date.fromisoformat(f"{LAST}-15"))
    assert list(due(club)) == [BEFORE]
    Evening.objects.filter(pk=table.evening_id).update(dropped=True, closed_at=timezone.now())
    assert list(due(club)) == [BEFORE, LAST]


def test_a_month_is_charged_by_the_tariff_of_its_end(club: Club) -> None:
    charge(club, since=BEFORE)
    book(club, BEFORE)
    charge(club, since=THIS, cents=700)
    assert due(club) == {LAST: {"Anton": 500, "Berta": 500}, THIS: {"Anton": 700, "Berta": 700}}


# --- Booking ----------------------------------------------------------------------------------------------------------


def test_months_of_a_tariff_that_nobody_used_stay_due_when_it_is_changed(club: Club) -> None:
    charge(club, since=BEFORE)
    assert give_tariff(club, dues={"cents": 700}).version == 2
    assert [(due.month, due.total) for due in list_dues(club)] == [(BEFORE, 1000), (LAST, 1000), (THIS, 1400)]
    # What was typed today is typed over.
    assert give_tariff(club, dues={"cents": 800}).version == 2


def test_the_dues_of_a_month_are_one_entry_and_booked_once(club: Club, anton: Player) -> None:
    tariff = charge(club)
    status(anton, LAST, "reduced")
    [seen] = [one.seen for one in list_dues(club) if one.month == LAST]
    entry = book(club, LAST)
    assert (entry.key, entry.month, str(entry.date)) == (uuid5(UUID(int=0), f"dues/{LAST}/0"), LAST, f"{LAST}-01")
    assert (entry.kind, entry.tariff) == (Kind.DUES, tariff)
    dues = ("dues",)
    assert legs_of(entry) == [("income:dues", -700, *dues), ("member:1", 200, *dues), ("member:2", 500, *dues)]
    assert book(club, LAST, seen) == book(club, LAST, "anything") == entry
    assert list(list_broken_laws_of_club(club)) == []


def test_what_was_taken_back_is_booked_anew(club: Club, anton: Player) -> None:
    charge(club)
    [seen] = [one.seen for one in list_dues(club) if one.month == LAST]
    entry = book(club, LAST)
    take_back(entry=entry, actor=TREASURER, key=uuid4(), reason="Anton ruhte")
    with pytest.raises(ActionRefused, match="Inzwischen hat sich etwas geändert"):
        book(club, LAST, seen)
    status(anton, LAST, "none")
    again = book(club, LAST)
    assert again.key == uuid5(UUID(int=0), f"dues/{LAST}/1")
    assert legs_of(again) == [("income:dues", -500, "dues"), ("member:2", 500, "dues")]


def test_what_changed_meanwhile_is_looked_at_again(club: Club, anton: Player) -> None:
    charge(club)
    [seen] = [one.seen for one in list_dues(club) if one.month == LAST]
    status(anton, LAST, "reduced")
    with pytest.raises(ActionRefused, match="Inzwischen hat sich etwas geändert"):
        book(club, LAST, seen)
    for month in (BEFORE, month_ago(-1)):
        with pytest.raises(ActionRefused, match="Für diesen Monat ist kein Beitrag"):
            book(club, month, seen)
    assert Entry.objects.count() == 0


# --- A status ---------------------------------------------------------------------------------------------------------


def test_a_status_holds_from_its_month_and_the_history_names_nobody(club: Club, anton: Player) -> None:
    for month, to in ((LAST, "full"), (LAST, "reduced"), (THIS, "reduced"), (THIS, "full"), (LAST, "none")):
        status(anton, month, to)
    assert list(DuesStatus.objects.order_by("month").values_list("month", "status")) == [(LAST, "none"), (THIS, "full")]
    told = Change.objects.filter(verb="cash.dues_set").order_by("pk").values_list("before", "after")
    assert list(told) == [(None, {"month": month}) for month in (LAST, THIS, LAST)]


@pytest.mark.parametrize(("month", "to"), [("2026-13", "none"), ("26-01", "none"), ("2026-01", "half")])
def test_what_is_no_status_is_refused(anton: Player, month: str, to: str) -> None:
    with pytest.raises(ValidationError):
        status(anton, month, to)


def test_a_guest_has_no_status(club: Club) -> None:
    with pytest.raises(InvalidInput, match="Einen Mitgliedsbeitrag zahlen nur Mitglieder"):
        status(club.players.get(name="Gerd"), THIS, "none")


# --- Joining ----------------------------------------------------------------------------------------------------------


def test_whoever_becomes_a_member_is_proposed_until_it_is_booked(club: Club) -> None:
    def new() -> list[str]:
        return [player.name for player in list_newcomers(club)]

    add_player(club=club, actor=Actor(), name="Vorher")
    give_tariff(club, joining={"cents": 2000})
    clara = add_player(club=club, actor=Actor(), name="Clara")
    guest = add_player(club=club, actor=Actor(), name="Gast", guest=True)
    assert new() == ["Clara"]
    change_player(player=guest, actor=Actor(), name="Dora", guest=False)
    change_player(player=club.players.get(name="Anton"), actor=Actor(), name="Anton", joined_on=TODAY)
    assert new() == ["Clara", "Dora"]
    entry = typed(club, Kind.JOINING, 2000, TODAY.isoformat(), person=clara)
    assert new() == ["Dora"]
    take_back(entry=entry, actor=TREASURER, key=uuid4(), reason="Doppelt")
    # Joining costs something for long, and Dora has been a member for longer than somebody is new.
    Tariff.objects.filter(club=club).update(made_at=timezone.now() - datetime.timedelta(days=90))
    Change.objects.filter(subject_id=str(guest.pk)).update(at=timezone.now() - datetime.timedelta(days=61))
    assert new() == ["Clara", "Vorher"]
    give_tariff(club)
    assert new() == []
