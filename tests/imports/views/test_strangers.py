"""Lists that strangers brought (fixtures/strangers): each holds a kind of fault, and comes in right."""

from __future__ import annotations

import pytest
from django.db.models import Sum

from scoring.models import Evening, Game, Player, TableResult
from tests.desk import Desk
from tests.factories import add_game, make_club, make_player, make_table, make_user
from tests.imports.lists import ROOT
from tests.pages import flat

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(db: None) -> Desk:
    club = make_club(slug="karo")
    return Desk(club, make_user("anna", club, ["admin"]))


def file(name: str) -> bytes:
    return (ROOT / "fixtures/strangers" / name).read_bytes()


def totals() -> dict[str, int]:
    rows = TableResult.objects.values_list("player__name").annotate(Sum("points"))
    return dict(rows.order_by("player__name"))


def days() -> list[str]:
    return [f"{day:%d.%m.%Y}" for day in Evening.objects.order_by("held_on").values_list("held_on", flat=True)]


def test_a_time_with_a_zone_is_read_in_the_zone_of_the_club(desk: Desk) -> None:
    desk.bring_and_take(file("days_in_utc.csv"))
    assert days() == ["13.01.2023", "27.01.2023", "10.02.2023"]


def test_games_with_times_are_one_evening(desk: Desk) -> None:
    desk.bring_and_take(file("games_with_times_zero_sum.csv"))
    assert days() == ["07.05.2026"] and Game.objects.filter(form="short").count() == 5
    assert [*totals()] == ["Edda", "Falk", "Gesa", "Hinrich"]


def test_marks_of_direction_are_dropped(desk: Desk) -> None:
    desk.bring_and_take(file("pasted_from_a_messenger.csv"))
    assert totals() == {"Edda": 9, "Falk": 17, "Gesa": -15, "Jan": -11}


def test_a_hidden_sheet_is_named_and_joins_by_one_tap(desk: Desk) -> None:
    address = desk.bring(file("hidden_sheet_2022.xlsx"), "liste.xlsx")
    page = desk.look(address)
    assert "Das Blatt „2022“ ist in der Datei ausgeblendet und wird nicht übernommen. Gehört es dazu?" in flat(page)
    assert "Blatt „2022“: ist ausgeblendet" in flat(page)
    form = page.context["form"]
    assert len(form.reading.sittings) == 3
    tapped = desk.client.post(address, {**dict(form.hidden_values), "sheet_1": "on"})
    assert len(tapped.context["form"].reading.sittings) == 5 and "bleibt weg. Gehört" not in flat(tapped)
    assert desk.take_seen(address, tapped).status_code == 302
    assert days() == ["14.01.2022", "28.01.2022", "13.01.2023", "27.01.2023", "10.02.2023"]


def test_a_hidden_sheet_stays_away_where_nothing_is_tapped(desk: Desk) -> None:
    desk.bring_and_take(file("hidden_sheet_2022.xlsx"), "liste.xlsx")
    assert days() == ["13.01.2023", "27.01.2023", "10.02.2023"]


def test_a_column_of_checks_is_left_out(desk: Desk) -> None:
    desk.bring_and_take(file("euro_with_check_column.csv"))
    assert totals() == {"Anni": 65, "Bert": -25, "Cleo": -35, "Dora": -5}


def test_a_guest_in_brackets_is_proposed_as_the_guest(desk: Desk) -> None:
    desk.bring_and_take(file("guest_in_brackets_two_headings.csv"))
    assert totals() == {"Anni": 13, "Bert": -5, "Cleo": -7, "Ralf": -1}
    assert Player.objects.get(name="Ralf").guest


@pytest.mark.parametrize("known", [True, False])
def test_a_heading_may_be_a_name(desk: Desk, known: bool) -> None:
    if known:
        make_player(desk.club, "Max")
    desk.bring_and_take(file("list_with_max.csv"))
    assert totals() == {"Edda": 9, "Max": 17, "Gesa": -15, "Jan": -11}


@pytest.mark.parametrize("known", [True, False])
def test_a_name_below_name_is_a_person(desk: Desk, known: bool) -> None:
    if known:
        make_player(desk.club, "Max")
    desk.bring_and_take(file("long_list_with_max.csv"))
    assert totals() == {"Edda": 4, "Max": 16, "Gesa": -6, "Jan": -14}


def test_a_player_of_the_club_is_that_player_whatever_the_name_means(desk: Desk) -> None:
    names = ["Summer", "Ende", "Wein", "Bock", "Summe"]
    for name in names[:-1]:
        make_player(desk.club, name)
    rows = "13.01.2023;3;1;-2;5;0\n27.01.2023;1;;2;7;10\n10.02.2023;-1;1;;4;4\n"
    desk.bring_and_take(";".join(["Datum", *names]) + "\n" + rows)
    assert totals() == {"Summer": 3, "Ende": 2, "Wein": 0, "Bock": 16}
    assert Player.objects.count() == 4


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_every_name_of_our_own_sheet_is_a_person(desk: Desk, ending: str) -> None:
    people = [make_player(desk.club, name) for name in ("Max", "Ende", "Wein", "Kasse")]
    table = make_table(desk.club, people)
    add_game(table)
    address = f"/c/karo/list/evenings/{'csv' if ending == 'csv' else 'excel'}/"
    answer = desk.client.get(address)
    name = answer["Content-Disposition"].split('"')[1]
    other = make_club("Herz", slug="herz")
    there = Desk(other, make_user("emil", other, ["admin"]))
    there.bring_and_take(answer.content, name)
    assert set(Player.objects.filter(club=other).values_list("name", flat=True)) == {"Max", "Ende", "Wein", "Kasse"}


def test_other_apostrophes_and_hyphens_are_the_same_people(desk: Desk) -> None:
    for name in ("Sean O’Neill", "Özgür Ilhan", "Anna-Lena", "Jan"):
        make_player(desk.club, name)
    desk.bring_and_take(file("same_people_other_signs.csv"))
    assert totals() == {"Sean O’Neill": 9, "Özgür Ilhan": 17, "Anna-Lena": -15, "Jan": -11}
    assert Player.objects.count() == 4


def test_other_spellings_are_proposed_and_other_letters_are_other_people(desk: Desk) -> None:
    for name in ("Änne", "Müller", "Weiß", "Jan"):
        make_player(desk.club, name)
    rows = "13.01.2023;12;-4;-6;-2;0\n27.01.2023;-8;20;0;-12;0\n"
    desk.bring_and_take("Datum;Aenne;Mueller;Weiß;Weiss;Jan\n" + rows)
    assert totals() == {"Änne": 4, "Müller": 16, "Weiß": -6, "Weiss": -14, "Jan": 0}
