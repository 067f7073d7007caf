"""What an evening costs, part by part, where the worked cases leave a question open."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cash.lines import answer, dues, evening, legs, people

MINUS = {"scheme": "minus", "rate": 10}
GUEST = {"id": "G", "guest": True}


def cents_table(*lines: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"unit": "cents", "lines": list(lines)}]


def test_points_without_a_part_in_the_tariff_cost_nothing() -> None:
    assert legs({"fee": {"cents": 5}}, evening({"A": -3, "B": 3})) == {"fee A": 5, "fee B": 5, "fee income:fee": -10}


@pytest.mark.parametrize(
    ("rounding", "cents"),
    [
        ({}, 25),
        ({"to": 10}, 30),
        ({"to": 10, "how": "down"}, 20),
        ({"to": 10, "how": "up"}, 30),
        ({"to": 100}, 0),
        ({"to": 50}, 50),
        ({"how": "up"}, 25),
    ],
)
def test_rounding_is_decided_by_whoever_pays(rounding: dict[str, Any], cents: int) -> None:
    found = legs(
        {"points": {"scheme": "minus", "rate": 5, "winners": 1, "round": rounding}}, evening({"A": 5, "B": -5})
    )
    assert found == ({"points A": -cents, "points B": cents} if cents else {})


def test_rounding_and_cap_come_once_for_all_tables_together() -> None:
    tables = [{"unit": "points", "points": {"A": 1, "B": -1}}] * 3
    tariff = {"scheme": "minus", "rate": "1/2", "scope": "table", "cap": 1}
    assert legs({"points": {**tariff, "cap": 9}}, evening(people=people("A", "B"), tables=tables)) == {
        "points B": 2,
        "points income:points": -2,
    }
    assert legs({"points": tariff}, evening(people=people("A", "B"), tables=tables))["points B"] == 1


def test_only_who_has_an_entry_is_compared() -> None:
    facts = evening({"A": 4, "B": 0}, people=people("A", "B", "C"))
    assert legs({"points": {"scheme": "best", "rate": 10}}, facts) == {"points B": 40, "points income:points": -40}


def test_a_sum_without_lines_is_one_line_where_games_count() -> None:
    tables = [
        {"unit": "points", "points": {"A": 2, "B": -2}},
        {"unit": "points", "lines": [{"seats": ["A", "B"], "points": [-1, 1]}, {"seats": ["A"], "points": [-1]}]},
    ]
    found = legs({"points": {**MINUS, "scope": "game"}}, evening(people=people("A", "B"), tables=tables))
    assert found == {"points A": 20, "points B": 20, "points income:points": -40}


def test_dearer_is_decided_for_each_group_and_after_the_factor() -> None:
    tables = [{"unit": "points", "rules": rules, "points": {"A": 60, "B": -60}} for rules in ("x", "y")]
    tariff = {**MINUS, "scope": "table", "dearer": {"beyond": 100, "rate": 20}, "factors": {"x": 2}}
    assert legs({"points": tariff}, evening(people=people("A", "B"), tables=tables))["points B"] == 2400 + 600


def test_guests_left_out_are_not_in_the_group() -> None:
    facts = evening({"A": 1, "B": -1, "G": 9}, people=[*people("A", "B"), GUEST])
    tariff = {"scheme": "rank", "amounts": [0, 100, 200]}
    assert legs({"points": tariff}, facts) == {"points A": 100, "points B": 200, "points income:points": -300}
    assert legs({"points": {**tariff, "guests": False}}, facts) == {"points B": 100, "points income:points": -100}


def test_odd_cents_of_winners_go_by_the_order_of_people_not_of_the_table() -> None:
    facts = evening({"C": 1, "B": 1, "A": 1, "D": -1}, people=people(*"ABCD"))
    found = legs({"points": {"scheme": "minus", "rate": 10, "winners": 1}}, facts)
    assert found == {"points A": -4, "points B": -3, "points C": -3, "points D": 10}


def test_less_than_a_point_is_a_point_in_proportion() -> None:
    """A has 1/2 and B 3/2 by the factor: they share 20 cents as one to three."""
    facts = evening(
        people=people(*"ABC"), tables=[{"unit": "points", "rules": "x", "points": {"A": 1, "B": 3, "C": -4}}]
    )
    tariff = {**MINUS, "winners": 1, "factors": {"x": "1/2"}}
    assert legs({"points": tariff}, facts) == {"points A": -5, "points B": -15, "points C": 20}


# --- The pot ----------------------------------------------------------------------------------------------------------


def test_a_line_that_tops_up_buys_in_first() -> None:
    facts = evening(tables=cents_table({"seats": ["A"], "top_up": 7}, {"seats": ["B"], "points": [0]}))
    found = legs({"pot": {"buy_in": 10, "rest": "kasse"}}, facts)
    assert found == {"pot A": 17, "pot B": 10, "pot income:pot": -27}


def test_an_empty_pot_is_topped_up_as_often_as_it_takes_by_the_seats_of_the_line() -> None:
    facts = evening(people=people(*"ABC"), tables=cents_table({"seats": [*"AB"], "points": [50, 0]}))
    found = legs({"pot": {"buy_in": 10, "top_up": 7, "rest": "kasse"}}, facts)
    assert found == {"pot A": 31 - 50, "pot B": 31, "pot income:pot": -12}


def test_a_minus_is_paid_into_the_pot() -> None:
    facts = evening(tables=cents_table({"seats": ["A", "B"], "points": [-30, 10]}))
    assert legs({"pot": {"buy_in": 0, "top_up": 1, "rest": "kasse"}}, facts) == {
        "pot A": 30,
        "pot B": -10,
        "pot income:pot": -20,
    }


def test_a_pot_below_zero_is_borne_by_all_who_bought_in_also_where_the_rest_is_the_kasses() -> None:
    facts = evening(people=people(*"ABC"), tables=cents_table({"seats": [*"AB"], "points": [3, 0]}))
    assert legs({"pot": {"buy_in": 0, "empty": "warn", "rest": "kasse"}}, facts) == {"pot A": -1, "pot B": 1}


def test_every_table_has_a_pot_of_its_own() -> None:
    table = cents_table({"seats": ["A", "B"], "points": [10, 0]})
    assert legs({"pot": {"buy_in": 10}}, evening(tables=table * 2)) == {"pot A": -10, "pot B": 10}


@pytest.mark.parametrize(("turn", "paid"), [(0, [-3, -4, 7]), (1, [-2, -4, 6]), (2, [-3, -3, 6])])
def test_odd_cents_of_the_rest_go_by_the_order_of_people_and_by_turn(turn: int, paid: list[int]) -> None:
    """Of 20 each 50 are left: 17, 17 and 16, in turn."""
    facts = evening(people=people(*"ABC"), tables=cents_table({"seats": [*"CBA"], "points": [-3, 7, 6]}), turn=turn)
    assert [legs({"pot": {"buy_in": 20}}, facts)[f"pot {who}"] for who in "ABC"] == paid


# --- Fee, host, drinks, fines -----------------------------------------------------------------------------------------


def test_a_host_who_is_alone_gets_nothing_from_others() -> None:
    facts = evening(people=[{"id": "A"}, GUEST], host="A")
    assert legs({"host": {"cents": 100}}, facts) == {}
    assert legs({"host": {"cents": 100, "from": "club"}}, facts) == {"host A": -100, "host expense:host": 100}


def test_a_bill_that_nobody_paid_stands_against_the_kasse_and_guests_share_it() -> None:
    facts = evening(people=[*people("A", "B"), GUEST], drinks={"cents": 10}, turn=1)
    assert legs({"drinks": {"shared": True}}, facts) == {
        "drinks A": 3,
        "drinks B": 4,
        "drinks G": 3,
        "drinks income:drinks": -10,
    }


def test_a_bill_is_not_charged_where_nobody_is_here() -> None:
    facts = evening(people=[{"id": "A", "absence": "free"}], drinks={"cents": 10, "paid_by": "A"})
    assert legs({"drinks": {"shared": True, "flat": 5}}, facts) == {}


def test_the_absent_can_be_fined_and_a_guest_as_well() -> None:
    facts = evening(
        people=[{"id": "A", "absence": "excused"}, GUEST], fines=[{"who": who, "code": "x"} for who in "AG"]
    )
    assert legs({"fines": {"x": {"cents": 5}}}, facts) == {"fine.x A": 5, "fine.x G": 5, "fine.x income:fines": -10}


def test_games_that_a_guest_lost_count_as_well() -> None:
    facts = evening(people=[{"id": "A", "lost": 1}, {**GUEST, "lost": 2}])
    found = legs({"fines": {"lost": {"steps": [[1, 5], [None, 7]], "counts": "lost_games"}}}, facts)
    assert found == {"fine.lost A": 5, "fine.lost G": 12, "fine.lost income:fines": -17}


def test_every_row_of_minutes_is_capped_by_itself() -> None:
    rows = [{"who": "A", "code": "late", "minutes": minutes} for minutes in (1, 10, 11)]
    found = legs({"fines": {"late": {"cents": 20, "minutes": 5, "cap": 50}}}, evening(fines=rows))
    assert found["fine.late A"] == 20 + 40 + 50


# --- The absent, and who pays for a guest -----------------------------------------------------------------------------


def test_an_average_takes_each_kind_by_itself_and_only_what_is_paid() -> None:
    """A gets 30 by points and pays 8 for drinks; B pays 30 and 8, and 6 for two fines: 52 / 2 each."""
    facts = evening(
        {"A": 3, "B": -3},
        people=[*people("A", "B"), {"id": "C", "absence": "excused"}, {"id": "D", "absence": "free"}],
        fines=[{"who": "B", "code": "x"}, {"who": "B", "code": "y"}],
    )
    tariff = {
        "points": {**MINUS, "winners": 1},
        "drinks": {"flat": 8},
        "fines": {"x": {"cents": 2}, "y": {"cents": 4}},
        "absence": {"excused": {"average": ["points", "drinks", "fines"], "plus": 1}},
    }
    assert legs(tariff, facts)["absence C"] == 26 + 1


def test_guests_are_in_no_average_and_pay_for_no_absence() -> None:
    facts = evening(
        {"A": -1, "G": -9},
        people=[{"id": "A"}, {"id": "B", "absence": "excused"}, GUEST, {**GUEST, "id": "H", "absence": "excused"}],
    )
    found = legs({"points": MINUS, "absence": {"excused": {"average": ["points"]}}}, facts)
    assert {key: cents for key, cents in found.items() if key.startswith("absence")} == {
        "absence B": 10,
        "absence income:absence": -10,
    }


def test_nobody_there_is_an_average_of_nothing() -> None:
    facts = evening(people=[{"id": "A", "absence": "unexcused"}, GUEST])
    tariff = {"absence": {"unexcused": {"average": ["points"], "plus": 7}}}
    assert legs(tariff, facts) == {"absence A": 7, "absence income:absence": -7}


@pytest.mark.parametrize(
    ("payer", "accounts"),
    [("guest", "GH"), ("bringer", "BH"), ("host", "AA"), ("club", ["expense:guests"] * 2)],
)
def test_all_legs_of_a_guest_fall_on_the_payer(payer: str, accounts: str) -> None:
    """G was brought by B, H by nobody; A is the host. Who gets something moves as well."""
    facts = evening(
        {"G": 2, "H": -1},
        people=[*people("A", "B"), {**GUEST, "brought_by": "B"}, {"id": "H", "guest": True, "absence": None}],
        host="A",
    )
    found = answer({"tariff": {"points": {**MINUS, "winners": 1}, "guests": {"payer": payer}}, "evening": facts})[
        "legs"
    ]
    wanted = [f"{'' if ':' in account else 'member:'}{account}" for account in accounts]
    sums: dict[str, int] = {}
    for account, cents in zip(wanted, (-10, 10), strict=True):
        sums[account] = sums.get(account, 0) + cents
    assert {leg["account"]: leg["cents"] for leg in found} == {who: cents for who, cents in sums.items() if cents}


def test_the_fine_of_an_absent_guest_falls_on_the_payer_too() -> None:
    facts = evening(people=[{"id": "A"}, {**GUEST, "absence": "free"}], fines=[{"who": "G", "code": "x"}])
    found = legs({"fines": {"x": {"cents": 5}}, "guests": {"cents": 100, "payer": "club"}}, facts)
    assert found == {"fine.x expense:guests": 5, "fine.x income:fines": -5}


def test_what_was_booked_twice_is_added_up_and_what_agrees_is_left_out() -> None:
    leg = {"kind": "fee", "account": "member:A", "cents": 2}
    line = {"tariff": {"fee": {"cents": 4}}, "evening": evening(people=people("A")), "booked": [leg, leg]}
    assert answer(line)["difference"] == [{"account": "income:fee", "kind": "fee", "was": 0, "is": -4}]


# --- Dues -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("every", "months"), [("month", [*range(1, 13)]), ("quarter", [1, 4, 7, 10]), ("year", [1])])
def test_dues_fall_due_in_their_months(every: str, months: list[int]) -> None:
    tariff = {"cents": 5, "every": every}
    found = [n for n in range(1, 13) if dues(tariff, {"month": f"2026-{n:02}", "people": people("A")})]
    assert found == months


@pytest.mark.parametrize(
    ("person", "pays"),
    [
        ({"from": "2026-03-01", "until": "2026-03-01"}, True),
        ({"from": None, "until": None}, True),
        ({"from": "2026-03-02"}, False),
        ({"until": "2026-02-28"}, False),
        ({"guest": True}, False),
        ({"dues": "reduced"}, False),
        ({"dues": "none"}, False),
    ],
)
def test_members_of_the_first_day_owe_dues(person: dict[str, Any], pays: bool) -> None:
    found = dues({"cents": 5}, {"month": "2026-03", "people": [{"id": "A", **person}]})
    assert found == ({"dues A": 5, "dues income:dues": -5} if pays else {})


def test_dues_for_months_without_an_evening() -> None:
    tariff, month = {"cents": 5, "when": "no_evening"}, {"month": "2026-03", "people": people("A")}
    assert [bool(dues(tariff, {**month, "evenings": n})) for n in (0, 1)] == [True, False]
    assert answer({"tariff": {}, "month": month}) == {"legs": []}
