"""Test who deals, plays and leads, the counting of cycles, who owes a Pflichtsolo, and the Vorführung."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.rules.parsing import parse_line
from scoring.rules.settings import RuleSettings, resolve
from scoring.rules.sheet import Progress, count_list_games, get_leader, get_sitters


def rules(table: int = 4, base: str = "ddv", **settings: Any) -> RuleSettings:
    return RuleSettings.from_data(resolve({"base": base, **settings})).at(table)


@pytest.mark.parametrize(
    ("table", "dealer", "players"),
    [
        (4, 2, (0, 1, 2, 3)),
        (5, 0, (1, 2, 3, 4)),
        (5, 4, (0, 1, 2, 3)),
        (6, 0, (1, 2, 4, 5)),
        (6, 5, (0, 1, 3, 4)),
        (7, 0, (1, 3, 5, 6)),
        (7, 6, (0, 2, 4, 5)),
    ],
)
def test_who_plays(table: int, dealer: int, players: tuple[int, ...]) -> None:
    out = get_sitters(rules(table), dealer)
    assert out is not None
    assert tuple(seat for seat in range(table) if seat not in out) == players
    assert get_leader(rules(table), dealer, out) == (dealer + 1) % table


def test_with_seven_in_klassisch_four_play_and_with_six_and_eight_all() -> None:
    assert get_sitters(rules(7, "klassisch"), 0) == (0, 2, 4)
    assert get_sitters(rules(6, "klassisch"), 3) == get_sitters(rules(8, "klassisch"), 3) == ()


def test_with_eight_it_must_be_entered_who_sits_out() -> None:
    assert get_sitters(rules(8), 0) is None
    proposal = Progress().propose(rules(8))
    assert (proposal.dealer, proposal.out, proposal.leader) == (0, None, None)


def test_a_seating_of_its_own() -> None:
    assert get_sitters(rules(6, seating={"6": [0, 1, 2, 3]}), 4) == (2, 3)
    assert get_leader(rules(6, seating={"6": [0, 2, 3, 4]}), 0, (1, 5)) == 2


def test_the_soloist_leads_at_a_pflichtsolo() -> None:
    assert get_leader(rules(), 0, (), 3) == 3


NORMAL = {"kind": "normal", "re": [0, 1], "eyes": 130}
DUTY = {"kind": "damensolo", "eyes": 130, "duty": True}


def add(progress: Progress, settings: RuleSettings, dealer: int, soloist: int | None = None) -> Progress:
    """Add an ordinary game, or the Pflichtsolo of a seat."""
    facts = NORMAL if soloist is None else {**DUTY, "re": [soloist]}
    out = [seat for seat in range(settings.table) if seat not in facts["re"]][: settings.sitters]
    return progress.add_line("played", parse_line("played", {**facts, "out": out}, settings), dealer, settings)


def after(table: int, *deals: tuple[int, ...], **settings: Any) -> Progress:
    """Return the progress after games of these dealers, each with the soloist of a Pflichtsolo, which does not pass the deal on."""
    progress = Progress()
    for deal in deals:
        progress = add(progress, rules(table, **settings), *deal)
    return progress


def test_the_next_seat_deals() -> None:
    assert [after(4, *[(seat,) for seat in range(count)]).dealer for count in range(6)] == [0, 1, 2, 3, 0, 1]


def test_after_a_pflichtsolo_as_game_two_the_same_seat_deals_game_three() -> None:
    state = after(4, (0,), (1, 3))
    assert (state.dealer, state.fulfilled) == (1, {3})
    assert after(4, (0,), (1, 3), (1,)).dealer == 2


def test_a_cycle_is_complete_when_all_have_dealt_once() -> None:
    assert after(4, *[(seat,) for seat in (0, 1, 2)]).cycles == 0
    assert after(4, *[(seat,) for seat in (0, 1, 2, 3)]).cycles == 1
    assert after(4, *[(seat % 4,) for seat in range(11)]).cycles == 2


def test_a_deal_that_stays_belongs_to_the_cycle_of_the_one_after_it() -> None:
    assert after(4, (0,), (1,), (2,), (3, 0)).cycles == 0
    assert after(4, (0,), (1,), (2,), (3, 0), (3,)).cycles == 1


def test_an_odd_dealer_counts_for_no_other_seat() -> None:
    assert after(4, *[(seat,) for seat in (0, 1, 1, 3)]).cycles == 0
    assert after(4, *[(seat,) for seat in (0, 1, 1, 3, 2)]).cycles == 1


@pytest.mark.parametrize(
    ("table", "dealers", "soloists"),
    [(4, [0, 1, 2, 3], [1, 2, 3, 0]), (5, [0, 1, 2, 3, 4], [1, 2, 3, 4, 0])],
)
@pytest.mark.parametrize("stays", [["duty_solo"], []])
def test_all_who_owe_a_pflichtsolo_have_to_play_it_in_turn(
    table: int, dealers: list[int], soloists: list[int], stays: list[str]
) -> None:
    settings = rules(table, duty_solo={"rounds": 1}, deal_stays=stays)
    state = after(table, *[(seat,) for seat in range(table)])
    found = []
    while (proposal := state.propose(settings)).soloist is not None:
        found.append((proposal.dealer, proposal.soloist))
        assert proposal.leader == proposal.soloist
        assert proposal.out == get_sitters(settings, proposal.dealer)
        assert proposal.soloist not in (proposal.out or ())
        state = add(state, settings, proposal.dealer, proposal.soloist)
    assert found == list(zip(dealers, soloists, strict=True))
    assert proposal.owing == ()


@pytest.mark.parametrize("table", [6, 7])
def test_the_soloist_of_a_vorfuehrung_never_sits_out(table: int) -> None:
    settings = rules(table, duty_solo={"rounds": 1})
    for owing in range(table):
        state = Progress(3, 1, frozenset(), frozenset(range(table)) - {owing})
        proposal = state.propose(settings)
        assert (proposal.soloist, proposal.dealer) == (owing, (owing - 1) % table)
        assert proposal.out is not None
        assert owing not in proposal.out


def test_there_is_no_vorfuehrung_before_the_last_cycle_is_complete() -> None:
    settings = rules(duty_solo={"rounds": 2})
    assert after(4, *[(seat % 4,) for seat in range(7)]).propose(settings).soloist is None
    assert after(4, *[(seat % 4,) for seat in range(8)]).propose(settings).soloist == 1


def test_a_list_has_a_game_for_each_deal_and_one_more_for_each_pflichtsolo() -> None:
    found = {(base, table): count_list_games(rules(table, base)) for base in ("ddv", "ohne_neunen") for table in (4, 5)}
    assert found == {("ddv", 4): 24, ("ddv", 5): 30, ("ohne_neunen", 4): 28, ("ohne_neunen", 5): 35}
    assert count_list_games(rules(4, "ddv", duty_solo={"rounds": 1})) == 8
    assert [count_list_games(rules(4, base)) for base in ("vln", "anleitung", "klassisch")] == [None, None, None]


def test_a_proposal_has_the_seats_that_owe_a_pflichtsolo() -> None:
    state = after(4, (0, 2), (0,))
    assert state.propose(rules()).owing == (0, 1, 3)
    assert state.propose(rules(duty_solo=None)).owing == ()
    assert Progress().propose(rules()).cycle == 1


def test_a_new_line_up_keeps_the_progress_of_its_people() -> None:
    """Seat 1 leaves, 2 and 3 move up, a new player takes seat 3."""
    state = after(4, (0,), (1, 1), (1,), (2, 3))
    moved = state.move("abcd", "acde")
    assert moved == Progress(1, 0, frozenset({0}), frozenset({2}))
    assert moved.propose(rules()).owing == (0, 1, 3)


def test_a_cycle_can_be_complete_because_a_player_left() -> None:
    state = after(5, *[(seat,) for seat in range(4)])
    assert state.move("abcde", "abcd").cycles == 1


@pytest.mark.parametrize(
    ("form", "facts", "stays", "progress"),
    [
        ("played", NORMAL, [], Progress(2, dealt=frozenset({1}))),
        ("played", DUTY, [], Progress(2, dealt=frozenset({1}), fulfilled=frozenset({2}))),
        ("played", DUTY, ["duty_solo"], Progress(1, fulfilled=frozenset({2}))),
        ("played", {**DUTY, "duty": False}, ["duty_solo"], Progress(2, dealt=frozenset({1}))),
        ("played", {**DUTY, "duty": False}, ["lustsolo"], Progress(1)),
        ("short", {"winners": [2], "base": 1, "solo": True}, ["duty_solo", "lustsolo"], Progress(2, dealt=frozenset({1}))),
        ("penalty", {"points": [0, 0, 0, 0], "reason": "Regelverstoß"}, ["penalty"], Progress(1)),
        ("penalty", {"points": [0, 0, 0, 0], "reason": "Regelverstoß"}, ["redeal"], Progress(2, dealt=frozenset({1}))),
        ("redeal", {"reason": ""}, ["redeal"], Progress(1)),
        ("redeal", {"reason": ""}, [], Progress(2, dealt=frozenset({1}))),
    ],
)
def test_the_deal_of_each_form_of_line(form: str, facts: dict[str, Any], stays: list[str], progress: Progress) -> None:
    settings = rules(deal_stays=stays)
    read = parse_line(form, {"re": [2], **facts} if form == "played" else facts, settings)
    assert Progress().add_line(form, read, 1, settings) == progress
    assert Progress().add_line(form, read, None, settings) == Progress()
