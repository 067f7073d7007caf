"""The figures of players: their units, and that they take the same few queries."""

from __future__ import annotations

import datetime

import pytest
from pytest_django import DjangoAssertNumQueries

from scoring.core.charts import thin_out
from scoring.league.rules import to_hundredths
from scoring.models import Club, Player, Table
from scoring.play.rules import Tally
from scoring.players.queries import (
    MIN_GAMES_TOGETHER,
    accumulate_by_day,
    find_partners,
    read_companions,
    read_lives,
    read_matrix,
)
from scoring.standings.queries.selection import Selection
from scoring.standings.queries.standings import list_standings
from tests.factories import (
    OWN_SPECIALS,
    add_game,
    make_club,
    make_next_version,
    make_old_evening,
    make_player,
    make_rule_set,
    make_table,
    own_rules,
)

pytestmark = pytest.mark.django_db

DAY = datetime.date(2026, 1, 2)


def get_player(name: str) -> Player:
    return Player.objects.select_related("club").get(name=name)


def add_evenings(club: Club, evenings: int = 2) -> list[Table]:
    tables = []
    for number in range(evenings):
        table = make_table(club, 4, held_on=DAY + datetime.timedelta(days=7 * number))
        add_game(table, eyes=150)
        add_game(table, kind="damensolo", re=[2], eyes=150)
        add_game(table, form="short", winners=[1, 3], base=2)
        add_game(table, form="penalty", points=[-3, 1, 1, 1], reason="verworfen")
        tables.append(table)
    return tables


def test_a_life_in_figures() -> None:
    club = make_club()
    add_evenings(club)
    (life,) = read_lives([get_player("Bodo")])
    # 121..150 eyes 1 point; the solo lost to 3 × 1, one each; the short game 2; the penalty 1
    assert [(e.points, e.total, e.played) for e in life.evenings] == [(3, 3, True), (6 - 3, 6, True)]
    assert (life.career.all.games, life.career.all.wins, life.career.by_hand, life.career.short) == (6, 4, 2, 2)
    row = next(row for row in list_standings(club) if row.name == "Bodo")
    assert (life.points, life.average) == (row.figures["points"], row.figures["average"])
    assert (life.best_evening.held_on, life.worst_evening.held_on) == (DAY, DAY)
    assert life.career.best_ref["held_on"] == DAY


def test_games_with_and_against_others() -> None:
    club = make_club()
    add_evenings(club, 1)
    (life,) = read_lives([get_player("Bodo")])
    told = {
        player.name: (together.games, against.games, together.points) for player, together, against in read_companions(life)
    }
    # with Ärmel the first game and against the solo; with Özlem the solo and the short game; against Çelik always
    assert told == {"Ärmel": (2, 1, 0), "Özlem": (2, 1, 1), "Çelik": (0, 3, 0)}
    one, other = read_lives([get_player("Bodo"), get_player("Özlem")])
    together, against = one.mates[other.player.pk]
    assert (together.games, together.points, against.games) == (2, 1, 1)


def test_the_matrix_is_that_of_the_pages() -> None:
    club = make_club()
    add_evenings(club)
    people = list(Player.objects.all())
    by_name, together, against = read_matrix(club, Selection(unit="points"), [player.pk for player in people])
    assert [player.name for player in by_name] == ["Ärmel", "Bodo", "Çelik", "Özlem"]
    for life in read_lives(people):
        for player, *both in read_companions(life):
            key = life.player.pk, player.pk
            assert [together.get(key), against.get(key)] == [tally if tally.games else None for tally in both]


def test_points_and_cents_are_never_one_life() -> None:
    club = make_club()
    add_evenings(club, 1)
    add_game(make_table(club, preset="klassisch"), eyes=150)
    (points,) = read_lives([get_player("Bodo")])
    (cents,) = read_lives([get_player("Bodo")], "cents")
    assert (points.unit, cents.unit, points.units) == ("points", "cents", ["points", "cents"])
    assert (points.career.all.games, cents.career.all.games) == (3, 1)
    assert read_lives([get_player("Bodo")], "euros")[0].unit == "points"
    assert [one.games for _player, one, _against in read_companions(cents)] == [1, 0, 0]


def test_an_evening_without_its_games_counts_in_points_alone() -> None:
    club = make_club()
    add_evenings(club, 1)
    make_old_evening(club, {"Bodo": 40})
    (life,) = read_lives([get_player("Bodo")])
    row = next(row for row in list_standings(club) if row.name == "Bodo")
    assert (life.without_games, life.points, life.career.all.games) == (1, 43, 3)
    assert (life.average, len(life.played)) == (row.figures["average"], row.figures["evenings"])
    assert life.best_evening.held_on.year == 2020


def test_special_points_of_all_players(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    club = make_club()
    people = [make_player(club, name, guest=name == "Gast") for name in ("Ärmel", "Bodo", "Çelik", "Gast", "Željko")]
    table = make_table(club, people, rule_set=own_rules(club))
    # Željko sits out twice, then Ärmel.
    first = {
        "re_specials": {"gans": 2, "fuchs": 1},
        "kontra_specials": {"doppelkopf": 1},
        "game_specials": {"hirsch": 1},
    }
    add_game(table, dealer=4, re=[0, 1], **first)
    add_game(table, dealer=4, re=[0, 3], re_specials={"gans": 1}, kontra_specials={"doppelkopf": 1})
    add_game(table, dealer=0, re=[3, 4], game_specials={"hirsch": 1})
    # There it is worth 0 points.
    herzstich = make_rule_set(club, "ddv", "Herz", specials={"herzstich": {"points": 0}})
    add_game(make_table(club, people[:4], rule_set=herzstich), re=[2, 3], re_specials={"herzstich": 1})
    with django_assert_num_queries(5):
        lives = read_lives(people)
    told = {
        life.player.name: {special: tuple(tally) for special, tally in life.career.specials.items()}
        for life in lives
    }
    assert told == {
        "Ärmel": {"gans": (3, 2), "fuchs": (1, 1), "hirsch": (1, 1)},
        "Bodo": {"gans": (2, 1), "fuchs": (1, 1), "doppelkopf": (1, 1), "hirsch": (2, 2)},
        "Çelik": {"doppelkopf": (2, 2), "hirsch": (2, 2), "herzstich": (1, 1)},
        "Gast": {"gans": (1, 1), "doppelkopf": (1, 1), "hirsch": (2, 2), "herzstich": (1, 1)},
        "Željko": {"hirsch": (1, 1)},
    }


def test_a_special_point_has_the_name_of_the_newest_rule_set() -> None:
    club = make_club()
    table = make_table(club, rule_set=own_rules(club))
    add_game(table, re_specials={"gans": 1})
    make_next_version(table.rule_set, specials={"gans": {**OWN_SPECIALS["gans"], "name": "Goldene Gans"}})
    make_rule_set(make_club("Pik Dame"), "vln", specials={"gans": {**OWN_SPECIALS["gans"], "name": "Fremde Gans"}})
    (life,) = read_lives([get_player("Bodo")])
    assert life.own["specials"] == {"gans": "Goldene Gans", "hirsch": "Hirsch"}


def test_a_player_without_games_has_an_empty_life() -> None:
    (life,) = read_lives([make_player(make_club(), "Neu")])
    assert (life.points, life.evenings, life.form, life.average, life.best_evening) == (0, [], [], None, None)
    assert read_companions(life) == []


def test_partners_need_enough_games_and_two_to_choose_from() -> None:
    few = {"Anna": Tally(MIN_GAMES_TOGETHER, 0, 5), "Bert": Tally(MIN_GAMES_TOGETHER - 1, 0, 99)}
    assert find_partners(few) is None
    enough = few | {"Cem": Tally(40, 0, 12), "Dora": Tally(40, 0, 12), "Emil": Tally(100, 0, -3)}
    assert find_partners(enough) == ("Cem", "Emil")
    assert find_partners({"Anna": Tally(20, 0, 4), "Bert": Tally(40, 0, 8)}) == ("Anna", "Bert")


def test_an_average_runs_from_the_first_game_on() -> None:
    brought: tuple[list[int], ...] = [1, 2, 3, 4, 4], [-3, 5, 0, 4, 2], [0, 4, 4, 0, 0]
    sums = accumulate_by_day(*brought)
    assert sums == {2: (2, 4), 3: (2, 8), 4: (8, 8)}
    assert {day: to_hundredths(*both) for day, both in sums.items()} == {2: 50, 3: 25, 4: 100}
    assert [to_hundredths(*sums[day]) for day in thin_out(list(sums), 2)] == [50, 100], "as a chart with two points shows them"
