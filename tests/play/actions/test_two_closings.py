"""Two evenings of a club that are closed at the same moment: the year counts both of them."""

from __future__ import annotations

import datetime
from functools import partial

import pytest

from scoring.club.actions.history import Actor
from scoring.evenings.actions import close_evening
from scoring.models import YearCareer
from scoring.play.actions.years import compare_years
from tests.cash.together import at_once
from tests.factories import add_game, make_club, make_player, make_table

pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS = 4


def test_the_year_counts_both() -> None:
    club = make_club()
    people = [make_player(club, name) for name in ("Anton", "Berta", "Cäsar", "Dora")]
    for number in range(ROUNDS):
        tables = [make_table(club, people, held_on=datetime.date(2026, 3 + number, day)) for day in (6, 13)]
        for table in tables:
            add_game(table)
        at_once(*(partial(close_evening, evening=table.evening, actor=Actor()) for table in tables))
        counted = list(YearCareer.objects.filter(club=club).values_list("evenings", "games"))
        assert counted == [(2 * (number + 1), 2 * (number + 1))] * 4
    stored, wanted = compare_years(club.pk)
    assert stored.keys() == wanted.keys()
