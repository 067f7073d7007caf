"""How many questions a change takes: as many for the first game as for the fortieth."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.models import Table
from scoring.play.queries import read_records
from tests import factories
from tests.factories import make_club, make_rule_set, make_table
from tests.table.actions.games import LOST, add, correct, in_bock, played

pytestmark = pytest.mark.django_db

# The scores of forty games are more values than one statement of SQLite may carry.
ALL_CHANGE = {"sqlite": 14, "postgresql": 13}


def evening(people: int, games: int) -> Table:
    """An evening that is all one Bock, started by its first game."""
    club = make_club()
    rules = make_rule_set(club, "anleitung", bock={"triggers": ["manual"], "per_game": "each"})
    table = make_table(club, players=people, rule_set=rules)
    for number in range(games):
        re = sorted([(number + 1) % people, (number + 3) % people])
        factories.add_game(table, re=re, eyes=130, **({} if number else {"starts_bock": 10}))
    return table


def test_saving_game_40_takes_11_queries() -> None:
    table = evening(5, 39)
    last = read_records(table).last
    assert last is not None
    with CaptureQueriesContext(connection) as queries:
        add(table, played({"kind": "normal", "re": [0, 1], "eyes": 100}, dealer=4), after=last.key)
    assert len(queries) == 11


@pytest.mark.parametrize("people", [4, 5])
def test_correcting_game_1_of_40_takes_as_many_even_if_all_change(people: int) -> None:
    table = evening(people, 40)
    first = read_records(table).games[0]
    with CaptureQueriesContext(connection) as queries:
        saved = correct(table, first, played({key: first.facts[key] for key in ("kind", "re", "eyes")}))
    assert len(saved.effects) == 40
    assert len(queries) == ALL_CHANGE[connection.vendor]


def test_correcting_who_dealt_takes_one_more() -> None:
    """Somebody else sat out, so one score goes and another comes."""
    table = evening(5, 40)
    first = read_records(table).games[0]
    with CaptureQueriesContext(connection) as queries:
        saved = correct(table, first, played({"kind": "normal", "re": [0, 1], "eyes": 130}, dealer=4))
    assert len(saved.effects) == 40
    assert len(queries) == ALL_CHANGE[connection.vendor] + 1


def test_the_number_of_queries_does_not_follow_the_number_of_games() -> None:
    counts = []
    for number, games in enumerate((2, 20)):
        club = make_club(f"Club {number}")
        table = make_table(club, rule_set=in_bock(club))
        for _ in range(games):
            factories.add_game(table)
        game = read_records(table).games[0]
        with CaptureQueriesContext(connection) as queries:
            correct(table, game, replace(played(LOST), dealer=0))
        counts.append(len(queries))
    assert counts == [13, 13]


def test_a_retry_asks_little() -> None:
    table = evening(5, 39)
    last = read_records(table).last
    assert last is not None
    with CaptureQueriesContext(connection) as queries:
        add(table, played(last.facts), last.key)
    assert len(queries) == 5
