"""Whose columns they are: found by their names, somebody else, or left out."""

from __future__ import annotations

import pytest

from scoring.core.names import are_alike
from scoring.models import Import, Player, TableResult
from scoring.standings.queries.standings import standings
from tests.desk import Desk, everything
from tests.factories import make_club, make_player, make_user
from tests.imports.lists import REAL, TOTALS, column
from tests.pages import flat

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(db: None) -> Desk:
    club = make_club(slug="karo")
    return Desk(club, make_user("anna", club, ["admin"]))


def test_names_are_found_however_they_are_written(desk: Desk) -> None:
    caesar = make_player(desk.club, "cäsar")
    address = desk.bring(REAL)
    form = desk.look(address).context["form"]
    assert {form.data[f"column_{c.index}"] for c in form.outline.columns if c.name == "Cäsar"} == {str(caesar.pk)}
    desk.take(address)
    assert Player.objects.filter(club=desk.club).count() == 7
    assert standings(desk.club)[0].name == "Berta"
    assert TableResult.objects.filter(player=caesar).count() == 67


def test_a_column_can_be_somebody_else_or_left_out(desk: Desk) -> None:
    zora = make_player(desk.club, "Zora")
    address = desk.bring(REAL)
    said = {column(desk, address, "Anton"): zora.pk, column(desk, address, "Gustav"): "skip"}
    assert desk.take(address, **said).status_code == 302
    assert set(Player.objects.values_list("name", flat=True)) == {"Zora", *TOTALS} - {"Anton", "Gustav"}
    assert TableResult.objects.filter(player=zora).count() == 29


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ({"Anton": "new", "Berta": "zora"}, None),
        ({"Anton": "zora", "Berta": "zora"}, "In zwei Spalten einer Person stehen Punkte: bitte in der Datei"),
        (dict.fromkeys(TOTALS, "skip"), "Mindestens eine Spalte muss zu einer Person gehören."),
        ({"Anton": "999999"}, "Bitte eine gültige Auswahl treffen"),
    ],
    ids=["as it should be", "somebody twice", "nobody", "a stranger"],
)
def test_who_is_who_is_judged(desk: Desk, said: dict[str, str], sentence: str | None) -> None:
    zora = make_player(desk.club, "Zora")
    address = desk.bring(REAL)
    fields = {column(desk, address, name): zora.pk if who == "zora" else who for name, who in said.items()}
    before = everything()
    response = desk.take(address, **fields)
    if sentence is None:
        assert response.status_code == 302
        return
    assert response.status_code == 422
    assert sentence in response.content.decode()
    assert everything() == before


def test_a_person_of_another_club_is_nobody_here(desk: Desk) -> None:
    stranger = make_player(make_club("Pik Dame", slug="pik"), "Fremd")
    address = desk.bring(REAL)
    response = desk.take(address, **{column(desk, address, "Anton"): stranger.pk})
    assert response.status_code == 422
    assert not TableResult.objects.exists()


SPELLINGS = "Datum;Anton;Bertha;Berta;Gast Kurt\n1.3.24;3;-2;;-1\n8.3.24;-4;;4;\n15.3.24;1;;1;-2\n22.3.24;99;;-99;\n"


def test_spellings_of_one_name_are_joined_a_guest_is_marked_and_a_row_left_out(desk: Desk) -> None:
    address = desk.bring(SPELLINGS)
    html = flat(desk.look(address))
    assert "ist eine Person mit „Bertha“" in html
    html = flat(desk.look(address, rows_out="5"))
    assert "Von Hand ausgelassen" in html and "Zeile 5 · 22.3.24 · Anton 99, Berta -99" in html
    assert desk.take(address, rows_out="5", guest_4="on").status_code == 302
    results = TableResult.objects.order_by("table__evening__held_on", "player__name")
    assert list(results.values_list("player__name", "points")) == [
        ("Anton", 3), ("Bertha", -2), ("Gast Kurt", -1), ("Anton", -4), ("Bertha", 4), ("Anton", 1),
        ("Bertha", 1), ("Gast Kurt", -2),
    ]  # fmt: skip
    assert list(Player.objects.filter(guest=True).values_list("name", flat=True)) == ["Gast Kurt"]
    report = flat(desk.client.get(f"/c/karo/imports/{Import.objects.get().pk}/"))
    assert "Zeile 5 ist von Hand ausgelassen" in report


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("Hans Meier", "Meier, Hans", True), ("H. Meier", "Hans Meier", True), ("Hans Meier", "Heinz Meier", False),
        ("H. Meier", "Hans Kunz", False), ("Hans M.", "Hans Meier", True), ("Meier, H.", "Hans Meier", True),
        ("Jan", "Jana", False), ("Jürgen", "Juergen", True), ("Meier-Kunz, Eva-Maria", "Eva-Maria Meier-Kunz", True),
    ],
)  # fmt: skip
def test_which_names_may_be_one_person(one: str, other: str, alike: bool) -> None:
    assert are_alike(one, other) is are_alike(other, one) is alike


def test_a_name_that_could_be_two_people_is_proposed_as_neither(desk: Desk) -> None:
    known = make_player(desk.club, "Hans Meier")
    rows = "1.3.24;3;-2;;-1\n8.3.24;-4;;4;\n15.3.24;1;;1;-2\n"
    form = desk.look(desk.bring(f"Datum;Meier, Hans;Heinz Meier;H. Meier;Dora\n{rows}")).context["form"]
    assert [form.data[f"column_{index}"] for index in (1, 2, 3, 4)] == [str(known.pk), "new", "with_2", "new"]
    both = "Datum;Hans Meier;Heinz Meier;H. Meier;Dora\n1.3.24;3;-2;;-1\n8.3.24;;;4;-4\n"
    assert desk.look(desk.bring(both)).context["form"].data["column_3"] == "new"


def test_a_name_that_stands_twice_with_points_is_asked_about(desk: Desk) -> None:
    zora = make_player(desk.club, "Zora")
    address = desk.bring("Datum;Anton;Berta;Anton\n1.3.24;3;-3;4\n8.3.24;-4;4;1\n")
    html = flat(desk.look(address))
    assert "„Anton“ steht zweimal da, beide Male mit Punkten: Bitte in der Datei" in html and 'name="take"' not in html
    assert desk.take(address).status_code == 422 and not TableResult.objects.exists()
    assert 'name="take"' in flat(desk.look(address, column_3="skip"))
    assert desk.take(address, column_3=zora.pk).status_code == 302
    assert list(TableResult.objects.filter(player=zora).values_list("points", flat=True)) == [4, 1]


def test_what_is_joined_or_left_out_can_be_said_otherwise(desk: Desk) -> None:
    address = desk.bring(SPELLINGS)
    form = desk.look(address, leave_5="on", column_3="new").context["form"]
    assert form.data["leave_5"] == "on" and len(form.people) == 4
    assert "„x“ ist keine Zeile." in desk.look(address, rows_out="x").content.decode()
    assert "In Zeile 77-80 steht nichts." in desk.look(address, rows_out="77 - 80").content.decode()
    html = desk.look(address, column_2="with_1", column_3="with_2").content.decode()
    assert (
        "Diese Spalte ist selbst ausgelassen oder zu einer anderen gelegt." in html
        or "Bitte eine gültige Auswahl" in html
    )
    html = desk.look(address, column_1="skip", column_3="with_2").content.decode()
    assert 'name="take"' not in html or "ist eine Person mit" in html
