"""Seasons with a table are found by one query, which agrees with counting them."""

from __future__ import annotations

import datetime

import pytest

from scoring.league.queries.books import read_books
from scoring.league.queries.seasons import list_filled_seasons, read_season_table
from scoring.models import Player, TableResult
from tests.factories import add_game, make_club, make_rule_set, make_table
from tests.months import close, make_season

pytestmark = pytest.mark.django_db

DAY = datetime.date


def test_filled_seasons_are_found_without_counting() -> None:
    club = make_club()
    ours, others = make_rule_set(club, name="Bei uns"), make_rule_set(club, name="Woanders")
    add_game(make_table(club, held_on=DAY(2021, 12, 31), rule_set=ours))
    # A player without games and points does not count.
    make_table(club, held_on=DAY(2022, 5, 1), rule_set=ours)
    add_game(make_table(club, held_on=DAY(2023, 5, 1), rule_set=ours))
    published = make_table(club, held_on=DAY(2024, 5, 1), rule_set=ours)
    add_game(published)
    seasons = [
        make_season(club, f"{year} {name}", DAY(year, 1, 1), DAY(year, 12, 31), unit, guests=guests, rule_sets=rules)
        for year in (2021, 2022, 2023, 2024)
        for name, unit, guests, rules in (
            ("unsere", "points", False, [ours.name]),
            ("andere", "points", False, [others.name]),
            ("Gäste", "cents", True, []),
        )
    ]
    mixed = make_season(club, "mit Gästen", DAY(2020, 1, 1), DAY(2020, 12, 31), guests=True)
    add_game(make_table(club, held_on=DAY(2020, 1, 1), rule_set=ours))
    close(seasons[9], "2024-05")
    # A published month stays without its games.
    TableResult.objects.filter(table=published).update(games=0, points=0, wins=0)
    Player.objects.filter(club=club).update(guest=True)

    asked = [mixed, *seasons]
    counted = [season for season in asked if read_season_table(read_books(season)).rows]
    assert list_filled_seasons(asked) == counted == [mixed, seasons[9]]
    Player.objects.filter(club=club).update(guest=False)
    counted = [season for season in asked if read_season_table(read_books(season)).rows]
    assert list_filled_seasons(asked) == counted == [mixed, seasons[0], seasons[6], seasons[9]]
