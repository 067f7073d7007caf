"""Facts of an evening: what may be said of whom and by whom, and that a closed evening is booked anew."""

from __future__ import annotations

from uuid import uuid4

import pytest

from scoring.cash.evening.actions import (
    change_attendance,
    change_drinks,
    enter_fine,
    pin_tariff,
    serialize_attendance,
    strike_fine,
)
from scoring.cash.tariff.actions import change_tariff
from scoring.club.actions import Actor
from scoring.core.errors import ActionRefused, InvalidInput
from scoring.evenings.actions import close_evening, discard_evening
from scoring.models import Attendance, Change, Club, Evening, Fine, Player, Table
from scoring.play.replay import EveningIsClosed
from tests.cash.tariffs import SMALL, TREASURER, booked, costs, give_tariff
from tests.factories import add_game, make_club, make_player, make_table

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(db: None) -> Table:
    """An evening of four with a game, and Greta, who is not there."""
    club = make_club()
    give_tariff(club)
    table = make_table(club)
    make_player(club, "Greta")
    add_game(table)
    return table


def person(name: str) -> Player:
    return Player.objects.get(name=name)


def say(table: Table, actor: Actor = TREASURER, host: str = "", seen: str | None = None, **people: Attendance) -> None:
    rows = Attendance.objects.filter(evening=table.evening)
    evening = Evening.objects.get(pk=table.evening_id)
    change_attendance(
        evening=evening,
        actor=actor,
        people={person(name): said for name, said in people.items()},
        host=person(host) if host else None,
        seen=serialize_attendance(evening, rows) if seen is None else seen,
    )


def fined(table: Table, name: str = "Bodo", code: str = "late", amount: int = 7, actor: Actor = TREASURER) -> Fine:
    return enter_fine(evening=table.evening, actor=actor, key=uuid4(), player=person(name), code=code, amount=amount)


def test_a_host_a_guest_and_somebody_who_is_missed(table: Table) -> None:
    make_player(table.evening.club, "Toni", guest=True)
    say(
        table,
        actor=Actor(),
        host="Bodo",
        Toni=Attendance(guest=True, brought_by=person("Bodo")),
        Greta=Attendance(absence="unexcused"),
    )
    rows = {row.player.name: row for row in Attendance.objects.filter(evening=table.evening)}
    assert (rows["Toni"].guest, rows["Toni"].brought_by, rows["Greta"].absence) == (True, person("Bodo"), "unexcused")
    assert Evening.objects.get(pk=table.evening_id).host == person("Bodo")
    change = Change.objects.latest("pk")
    assert (change.verb, (change.after or {})["unexcused"]) == ("cash.evening", [person("Greta").pk])


@pytest.mark.parametrize(
    ("host", "people", "refusal"),
    [
        ("", {"Bodo": Attendance(absence="excused")}, "Diese Person hat gespielt"),
        ("Greta", {"Greta": Attendance(absence="excused")}, "Gastgeber kann nur ein Mitglied sein"),
        ("Toni", {"Toni": Attendance(guest=True)}, "Gastgeber kann nur ein Mitglied sein"),
        ("", {"Toni": Attendance(guest=True, absence="excused")}, "Diese Person hat gespielt"),
    ],
)
def test_what_cannot_be(table: Table, host: str, people: dict[str, Attendance], refusal: str) -> None:
    make_player(table.evening.club, "Toni", guest=True)
    with pytest.raises(InvalidInput, match=refusal):
        say(table, host=host, **people)
    assert Attendance.objects.count() == 4


def test_a_guest_is_brought_by_a_member(table: Table) -> None:
    toni = make_player(table.evening.club, "Toni", guest=True)
    for said in (Attendance(brought_by=person("Bodo")), Attendance(guest=True, brought_by=toni)):
        with pytest.raises(InvalidInput, match="Mitgebracht werden nur Gäste"):
            say(table, Toni=said)


def test_somebody_of_another_club_is_on_no_list(table: Table) -> None:
    make_player(make_club("Pik"), "Fremd")
    with pytest.raises(InvalidInput, match="Diese Person steht nicht in der Anwesenheit"):
        say(table, Fremd=Attendance())
    with pytest.raises(InvalidInput, match="Diese Person steht nicht in der Anwesenheit"):
        fined(table, "Fremd")


def test_nobody_writes_over_what_another_one_said(table: Table) -> None:
    with pytest.raises(ActionRefused, match="Inzwischen hat sich an diesem Abend"):
        say(table, seen="|1")


def test_a_closed_evening_is_the_treasurers_and_the_admins(table: Table) -> None:
    close_evening(evening=table.evening, actor=Actor())
    with pytest.raises(EveningIsClosed):
        say(table, actor=Actor())
    with pytest.raises(EveningIsClosed):
        fined(table, actor=Actor())
    say(table, Greta=Attendance(absence="free"), actor=Actor(admin=True))
    assert "Greta" not in costs(table.evening) and booked(table.evening) == ["evening", "reversal", "evening"]


def test_drinks_and_a_bill_that_somebody_paid(table: Table) -> None:
    club = table.evening.club
    tariff = give_tariff(club, drinks={"list": {"bier": 250}, "shared": True})
    pin_tariff(evening=table.evening, actor=TREASURER, tariff=tariff, seen=table.evening.tariff_id)
    close_evening(evening=table.evening, actor=Actor())
    bodo = person("Bodo")
    told = {"evening": table.evening, "drunk": {bodo: {"bier": 2}}, "bill": 800, "paid_by": bodo}
    with pytest.raises(EveningIsClosed):
        change_drinks(**told, actor=Actor())
    change_drinks(**told, actor=TREASURER)
    # The fee, two beers, a quarter of the bill; he paid all of it.
    assert costs(table.evening)["Bodo"] == 100 + 500 + 200 - 800
    assert (Change.objects.filter(verb="cash.evening").latest("pk").after or {})["bill"] == 800
    with pytest.raises(InvalidInput, match="Diese Person steht nicht in der Anwesenheit"):
        change_drinks(**{**told, "paid_by": person("Greta"), "drunk": {make_player(club, "X"): {}}}, actor=TREASURER)


def test_fines_of_a_closed_evening_are_booked(table: Table) -> None:
    close_evening(evening=table.evening, actor=Actor())
    fine = fined(table)
    assert costs(table.evening)["Bodo"] == 200
    strike_fine(fine=fine, actor=TREASURER)
    assert costs(table.evening)["Bodo"] == 100
    with pytest.raises(ActionRefused, match="Dieses Strafgeld ist schon gestrichen"):
        strike_fine(fine=fine, actor=TREASURER)


def test_a_fine_that_is_sent_twice_is_one(table: Table) -> None:
    told = {"evening": table.evening, "actor": Actor(), "key": uuid4(), "player": person("Bodo"), "code": "late"}
    assert enter_fine(**told, amount=7) == enter_fine(**told, amount=7)
    with pytest.raises(InvalidInput, match="Hier ist schon etwas anderes eingetragen"):
        enter_fine(**told, amount=8)


def test_a_fine_that_the_tariff_does_not_know(table: Table) -> None:
    with pytest.raises(InvalidInput, match="Dieses Strafgeld gibt es im Tarif"):
        fined(table, code="phone", amount=1)
    for code, amount in (("late", 1441), ("misdeal", 0), ("other", 0)):
        with pytest.raises(InvalidInput, match="So viel geht bei diesem Strafgeld"):
            fined(table, code=code, amount=amount)


def test_an_evening_without_a_tariff_has_no_list(db: None) -> None:
    table = make_table(make_club())
    with pytest.raises(ActionRefused, match="Dieser Abend hat keinen Tarif"):
        say(table)


def test_nothing_changes_at_one_that_was_dropped(db: None) -> None:
    club = make_club()
    tariff = give_tariff(club)
    table = make_table(club)
    close_evening(evening=table.evening, actor=Actor())
    discard_evening(evening=table.evening, actor=TREASURER)
    with pytest.raises(ActionRefused, match="Dieser Abend zählt nicht mehr"):
        say(table)
    with pytest.raises(ActionRefused, match="Dieser Abend zählt nicht mehr"):
        pin_tariff(evening=table.evening, actor=TREASURER, tariff=None, seen=tariff.pk)


# --- Tariffs ----------------------------------------------------------------------------------------------------------


def test_a_version_that_nobody_used_is_changed_itself_and_one_in_use_never(club: Club) -> None:
    first = give_tariff(club)
    assert give_tariff(club, fee={"cents": 5}).pk == first.pk
    make_table(club)
    second = give_tariff(club, fee={"cents": 6})
    assert (second.version, club.tariffs.get(version=1).content["fee"]) == (2, {"cents": 5})


def test_two_who_change_the_tariff(club: Club) -> None:
    give_tariff(club)
    with pytest.raises(ActionRefused, match="Der Tarif ist schon so"):
        change_tariff(club=club, actor=TREASURER, content=SMALL, seen=1)
    assert change_tariff(club=club, actor=TREASURER, content=SMALL, seen=0).version == 1
    with pytest.raises(ActionRefused, match="Jemand hat den Tarif inzwischen geändert"):
        change_tariff(club=club, actor=TREASURER, content={}, seen=0)


def test_a_pin_that_was_moved_meanwhile(club: Club) -> None:
    tariff = give_tariff(club)
    table = make_table(club)
    with pytest.raises(ActionRefused, match="Inzwischen hat sich an diesem Abend"):
        pin_tariff(evening=table.evening, actor=TREASURER, tariff=tariff, seen=None)
    with pytest.raises(ActionRefused, match="Dieser Abend hat keinen Tarif"):
        pin_tariff(evening=table.evening, actor=TREASURER, tariff=give_tariff(make_club("Pik")), seen=tariff.pk)


@pytest.fixture
def club(db: None) -> Club:
    return make_club()
