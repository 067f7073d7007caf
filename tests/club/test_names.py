"""Letters and colors of players in a row."""

from __future__ import annotations

import re

import pytest

from scoring.club.names import COLORS, build_letters, get_color_class, get_initial
from scoring.templatetags.scoring import faces
from tests.factories import make_club, make_player


@pytest.mark.parametrize(
    ("names", "drawn"),
    [
        (["Heike", "Bernd", "jürgen"], ["H", "B", "J"]),
        (["Anna", "Armin", "Bodo"], ["An", "Ar", "B"]),
        (["Anna B.", "Anna K."], ["AB", "AK"]),
        # One name begins with the other.
        (["Ann", "Anna"], ["An", "Aa"]),
        # An initial stays as it is.
        (["A.", "A."], ["A.", "A."]),
        (["Ä", "Ärmel"], ["Ä", "Är"]),
    ],
)
def test_players_with_the_same_initial_get_two_letters(names: list[str], drawn: list[str]) -> None:
    assert list(build_letters(dict(enumerate(names))).values()) == drawn


def test_the_color_follows_from_the_id_and_an_initial_has_none() -> None:
    assert [get_color_class(player, "Anna") for player in (1, COLORS - 1, COLORS)] == ["p1", "p11", "p0"]
    assert get_color_class(1, get_initial("Anna")) == ""


@pytest.mark.django_db
def test_faces_of_players_and_of_rows_are_the_same() -> None:
    club = make_club()
    anna, bodo = make_player(club, "Anna"), make_player(club, 'B"odo')
    row = faces([anna, bodo])
    assert row[anna.pk] == f'<span class="p{anna.pk % COLORS}" data-i="A"></span>'
    assert faces([{"player": one.pk, "name": one.name} for one in (anna, bodo)]) == row
    assert [re.findall(r"(?<=>)[^<]+", drawn) for drawn in row.values()] == [[], []]
