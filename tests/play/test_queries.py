"""Test the sheet: numbers, cycles, running totals, and the proposal of the next game."""

from __future__ import annotations

import pytest

from scoring.play.queries import read_sheet
from scoring.table.actions.seats import seat_players
from tests.factories import add_game, make_club, make_player, make_rule_set, make_table

pytestmark = pytest.mark.django_db


def test_running_totals_follow_the_lines() -> None:
    table = make_table(make_club())
    add_game(table, re=[0, 1], eyes=130)
    add_game(table, re=[0, 2], eyes=100)
    sheet = read_sheet(table)
    assert [[cell.total for cell in row.cells] for row in sheet.rows] == [[1, 1, -1, -1], [-1, 3, -3, 1]]
    assert [total for _player, total in sheet.columns] == [-1, 3, -3, 1]
    assert [row.value for row in sheet.rows] == [1, 2]
    assert sheet.sum == 0


@pytest.mark.parametrize(
    ("counting", "lost", "expected"),
    [
        ("plus_minus", -3, (1, False, True)),
        ("plus_minus", -4, (0, False, False)),
        ("winners", -4, (2, True, False)),
        ("winners", -3, (3, True, True)),
        ("winners", -6, (0, False, False)),
    ],
)
def test_causes_of_an_uneven_sum(counting: str, lost: int, expected: tuple[int, bool, bool]) -> None:
    club = make_club()
    table = make_table(club, 5, rule_set=make_rule_set(club, counting=counting))
    add_game(table, re=[1, 2], eyes=130)
    add_game(table, form="penalty", points=[lost, 1, 1, 1, 1], reason="Regelverstoß")
    sheet = read_sheet(table)
    assert (sheet.sum, sheet.games_uneven, sheet.others_uneven) == expected


def test_a_person_who_sits_out_has_a_dash_and_keeps_the_total() -> None:
    table = make_table(make_club(), players=5)
    add_game(table, re=[1, 2], eyes=130)
    add_game(table, re=[0, 2], eyes=130)
    add_game(table, kind="bubensolo", re=[3], eyes=100)
    first, second, solo = read_sheet(table).rows
    assert [cell.solo for cell in solo.cells] == [False, False, False, True, False]
    assert [(cell.won, cell.points) for cell in solo.cells] == [(True, 1), (True, 1), (False, 0), (False, -3), (True, 1)]
    assert [cell.out for cell in first.cells] == [True, False, False, False, False]
    assert [cell.out for cell in second.cells] == [False, True, False, False, False]
    assert [cell.total for cell in second.cells] == [1, 1, 2, -2, -2]


def test_only_played_games_are_numbered() -> None:
    table = make_table(make_club())
    add_game(table)
    add_game(table, form="redeal")
    add_game(table, form="penalty", points=[-3, 1, 1, 1], reason="falsch bedient")
    add_game(table, form="short", winners=[0, 1], base=2, solo=False)
    sheet = read_sheet(table)
    assert [row.number for row in sheet.rows] == [1, None, None, 2]
    assert sheet.next.number == 3
    assert [row.cells[0].total for row in sheet.rows] == [1, 1, -2, 0]


def test_a_cycle_ends_when_all_have_dealt() -> None:
    table = make_table(make_club())
    for _ in range(5):
        add_game(table)
    sheet = read_sheet(table)
    assert [row.ends_cycle for row in sheet.rows] == [False, False, False, True, False]
    assert [row.cycle for row in sheet.rows] == [1, 1, 1, 1, 2]


@pytest.mark.parametrize(("people", "preset", "out"), [(4, "ohne_neunen", ()), (5, "ohne_neunen", (0,)), (5, "hausrunde", (0,))])
def test_after_a_redeal_the_same_seat_deals(people: int, preset: str, out: tuple[int, ...]) -> None:
    table = make_table(make_club(), people, preset=preset)
    add_game(table, form="redeal")
    sheet = read_sheet(table)
    assert (sheet.next.proposal.dealer, sheet.next.proposal.out, sheet.next.proposal.cycle) == (0, out, 1)
    add_game(table, re=[1, 2])
    sheet = read_sheet(table)
    assert [(row.turn, row.ends_cycle) for row in sheet.rows] == [(None, False), (None, False)]
    assert sheet.next.proposal.dealer == 1


def test_under_rules_that_pass_the_deal_on_after_a_redeal_the_next_seat_deals() -> None:
    club = make_club()
    table = make_table(club, 5, rule_set=make_rule_set(club, deal_stays=["duty_solo"]))
    add_game(table, form="redeal")
    assert read_sheet(table).next.proposal.dealer == 1


def test_after_a_pflichtsolo_the_same_seat_deals_and_one_owes_less() -> None:
    table = make_table(make_club())
    add_game(table)
    add_game(table, kind="damensolo", re=[2], eyes=140, duty=True)
    ahead = read_sheet(table).next
    assert ahead.proposal.dealer == 1
    assert list(ahead.owing) == [ahead.people[seat] for seat in (0, 1, 3)]
    assert ahead.leader == ahead.people[2]


def test_the_next_game_has_the_open_bock_games() -> None:
    table = make_table(make_club(), players=5, preset="anleitung")
    add_game(table, re=[1, 2], eyes=100, re_said="said")
    assert read_sheet(table).next.levels == [1, 1, 1, 1, 1]
    add_game(table, re=[0, 2], eyes=130)
    sheet = read_sheet(table)
    assert sheet.next.levels == [1, 1, 1, 1]
    assert sheet.rows[-1].result.level == 1


def test_a_new_line_up_keeps_the_turn() -> None:
    club = make_club()
    table = make_table(club, rule_set=make_rule_set(club, "ddv"))
    add_game(table)
    add_game(table)
    people = list(read_sheet(table).next.people)
    newcomer = make_player(club, "Wilhelmine")
    seat_players(table=table, players=[people[1], newcomer, people[2], people[3]])
    sheet = read_sheet(table)
    assert sheet.next.dealer == people[2]
    assert [player.name for player in sheet.players] == [*(p.name for p in people), "Wilhelmine"]
    add_game(table, re=[0, 1], eyes=130)
    (*_, last) = read_sheet(table).rows
    assert [cell.total for cell in last.cells] == [None, 3, -3, -3, 1]
