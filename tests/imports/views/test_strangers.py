"""Lists that strangers brought (fixtures/strangers): each holds a kind of fault, and comes in right."""

from __future__ import annotations

import pytest
from django.db.models import Sum

from scoring.models import Evening, Game, Player, TableResult
from tests.desk import Desk
from tests.factories import make_club, make_user
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
    assert "Das Blatt „2022“ ist in der Datei ausgeblendet und bleibt weg. Gehört es zu dieser Liste?" in flat(page)
    assert "Blatt „2022“: ist ausgeblendet" in flat(page)
    form = page.context["form"]
    assert len(form.reading.sittings) == 3
    tapped = desk.client.post(address, {**dict(form.said), "sheet_1": "on"})
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
