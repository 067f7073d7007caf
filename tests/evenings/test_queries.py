"""Rankings of an evening: ranks with ties, sums over tables, best and worst game."""

from __future__ import annotations

import pytest

from scoring.club.actions import Actor
from scoring.evenings.actions import close_evening, seat_players
from scoring.evenings.queries import Highlight, build_listed_evenings, build_rankings, read_evening
from scoring.models import Evening, Player, Table, TableResult
from scoring.table.actions.games import delete_game
from tests.factories import add_game, make_club, make_player, make_rule_set, make_table

pytestmark = pytest.mark.django_db


def second_table(table: Table, preset: str = "ddv", players: list[Player] | None = None) -> Table:
    """Another table of the same evening, with the same people unless others are named."""
    club = table.evening.club
    rules = make_rule_set(club, preset)
    other = Table.objects.create(evening=table.evening, number=2, rule_set=rules)
    seats = table.rounds.get().seats.select_related("player").order_by("place")
    seat_players(table=other, players=players or [seat.player for seat in seats])
    return other


def list_standings(evening: Evening, ranking: int = 0) -> list[tuple[int, str, int]]:
    return [(rank, one.player.name, one.points) for rank, one in build_rankings(read_evening(evening))[ranking].ranked]


def describe(highlight: Highlight) -> tuple[int, int, list[str], int]:
    players = [player.name for player in highlight.players]
    return highlight.table.number, highlight.row.number, players, highlight.points


def test_equal_points_share_a_rank_and_the_next_is_left_out() -> None:
    table = make_table(make_club())
    add_game(table, re=[0, 1], eyes=130)
    add_game(table, form="penalty", points=[0, 0, 0, -3], reason="falsch bedient")
    assert list_standings(table.evening) == [(1, "Ärmel", 1), (1, "Bodo", 1), (3, "Çelik", -1), (4, "Özlem", -4)]
    assert [one.player.name for one in build_rankings(read_evening(table.evening))[0].winners] == ["Ärmel", "Bodo"]


def test_games_wins_and_solos_equal_the_stored_results() -> None:
    table = make_table(make_club(), players=5)
    add_game(table, re=[1, 2], eyes=130)
    add_game(table, kind="damensolo", re=[2], eyes=150)
    add_game(table, kind="damensolo", re=[3], eyes=100)
    add_game(table, form="redeal")
    (ranking,) = build_rankings(read_evening(table.evening))
    assert ranking.games == 3
    standings = {one.player.pk: one for one in ranking.standings}
    for stored in TableResult.objects.filter(table=table):
        standing = standings.pop(stored.player_id)
        for name in ("points", "games", "wins", "solos", "solos_won"):
            assert getattr(standing, name) == getattr(stored, name), name
    assert not standings


def test_the_best_and_the_worst_game() -> None:
    table = make_table(make_club())
    add_game(table, re=[0, 1], eyes=130)
    for _ in range(2):
        add_game(table, kind="damensolo", re=[2], eyes=155)
    add_game(table, kind="damensolo", re=[3], eyes=20)
    add_game(table, form="penalty", points=[-99, 33, 33, 33], reason="zählt nicht als Spiel")
    (ranking,) = build_rankings(read_evening(table.evening))
    assert describe(ranking.best) == (1, 2, ["Çelik"], 6), "of equal games the first"
    assert describe(ranking.worst) == (1, 4, ["Özlem"], -12)


def test_tables_of_one_unit_are_summed_and_cents_have_their_own_ranking() -> None:
    table = make_table(make_club())
    add_game(table, re=[0, 1], eyes=130)
    add_game(second_table(table), re=[0, 2], eyes=130)
    assert list_standings(table.evening) == [(1, "Ärmel", 2), (2, "Bodo", 0), (2, "Çelik", 0), (4, "Özlem", -2)]
    rules = make_rule_set(table.evening.club, "klassisch")
    cents = Table.objects.create(evening=table.evening, number=3, rule_set=rules)
    seat_players(table=cents, players=[make_player(table.evening.club, f"Gast {n}") for n in range(4)])
    add_game(cents, re=[0, 1], eyes=130)
    points, other = build_rankings(read_evening(table.evening))
    assert (points.in_cents, other.in_cents) == (False, True)
    assert [len(ranking.standings) for ranking in (points, other)] == [4, 4]
    assert {one.player.name for one in other.standings} == {f"Gast {n}" for n in range(4)}
    assert describe(other.best)[0] == 3
    (listed,) = build_listed_evenings([close_evening(evening=table.evening, actor=Actor())])
    assert listed["winners"] == [], "points and cents are not compared"


def test_a_struck_out_game_does_not_count() -> None:
    table = make_table(make_club())
    add_game(table, re=[0, 1], eyes=130)
    before = list_standings(table.evening)
    deleted = add_game(table, kind="damensolo", re=[2], eyes=200).game
    assert list_standings(table.evening) != before
    delete_game(table=table, actor=Actor(), key=deleted.key, version=deleted.version)
    assert list_standings(table.evening) == before
    assert describe(build_rankings(read_evening(table.evening))[0].best)[1] == 1


def test_an_evening_without_games_has_no_standings() -> None:
    (ranking,) = build_rankings(read_evening(make_table(make_club()).evening))
    assert (ranking.standings, ranking.games, ranking.best, ranking.worst) == ([], 0, None, None)
