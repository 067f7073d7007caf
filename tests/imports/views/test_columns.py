"""Whose columns they are: found by their names, somebody else, or left out."""

from __future__ import annotations

import pytest

from scoring.models import Player, TableResult
from scoring.standings.queries.standings import standings
from tests.desk import Desk, everything
from tests.factories import make_club, make_player, make_user
from tests.imports.lists import REAL, TOTALS, column

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
        ({"Anton": "zora", "Berta": "zora"}, "Diese Person steht schon bei einer anderen Spalte."),
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
