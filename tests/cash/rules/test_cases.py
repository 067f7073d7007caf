"""Cases worked by hand: each is asked of the program, and if it is not refused of its description written out a second time."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.conf import settings

from tests.cash.lines import answer, people
from tests.cash.rules import reference

BOTH = (answer, reference.answer)
TEXTS = (settings.BASE_DIR / "fixtures" / "cash.jsonl").read_text(encoding="utf-8").splitlines()
CASES = [json.loads(text) for text in TEXTS]
# What points cost, as the table of the specification has it: points of A, B, … in the order, what each owes, what is left.
POINTS: list[tuple[dict[str, Any], list[int], list[int], int]] = [
    ({"scheme": "minus", "rate": 10, "winners": "1/2"}, [12, 3, -5, -10], [-60, -15, 50, 100], -75),
    ({"scheme": "minus", "rate": 50, "round": {"to": 100, "how": "down"}}, [10, -7, -3], [0, 300, 100], -400),
    ({"scheme": "minus", "rate": 50, "dearer": {"beyond": 100, "rate": 100}}, [101, -41, -60], [0, 4100, 6000], -10100),
    ({"scheme": "each", "rate": "1/2"}, [10, 0, -10], [-15, 0, 15], 0),
    ({"scheme": "better", "rate": 1}, [0, -20, -50], [0, 20, 80], -100),
    ({"scheme": "rank", "amounts": [200, 300, 400, 500]}, [9, 4, 4, -17], [200, 350, 350, 500], -1400),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["note"])
def test_case(case: dict[str, Any]) -> None:
    found = answer(case)
    assert ({"error_fields": sorted(found["error"])} if "error" in found else found) == case["expect"]
    assert "error" in found or reference.answer(case) == found


def test_no_case_is_lost() -> None:
    assert (len(CASES), sum("error_fields" in case["expect"] for case in CASES)) == (64, 4)


def test_what_points_and_a_pot_cost() -> None:
    line: dict[str, Any]
    for tariff, points, owed, kasse in POINTS:
        names = "ABCD"[: len(points)]
        table: dict[str, Any] = {"unit": "points", "points": dict(zip(names, points, strict=True))}
        line = {"tariff": {"points": tariff}, "evening": {"people": people(*names), "tables": [table]}}
        wanted = {"income:points": kasse} | {f"member:{who}": cents for who, cents in zip(names, owed, strict=True)}
        assert legs(line) == [{account: cents for account, cents in wanted.items() if cents}] * 2, tariff
    # Of a pot of one game 390 are left, split 98 98 97 97.
    table = {"unit": "cents", "lines": [{"seats": [*"ABCD"], "points": [5, 5, 0, 0]}]}
    line = {"tariff": {"pot": {"buy_in": 100}}, "evening": {"people": people(*"ABCD"), "tables": [table]}}
    assert legs(line) == [{"member:A": -3, "member:B": -3, "member:C": 3, "member:D": 3}] * 2


def legs(line: dict[str, Any]) -> list[dict[str, int]]:
    return [{leg["account"]: leg["cents"] for leg in ask(line)["legs"]} for ask in BOTH]


# --- Where the description could be read in two ways: a line, and the paths of its refusal; none where it is answered ---------

ANTON_BERTA = [{"id": "Anton"}, {"id": "Berta", "absence": "excused"}]
FINES = {"late": {"cents": 50, "minutes": 5}, "phone": {"cents": 100}}


def tariff_of(**parts: Any) -> dict[str, Any]:
    return {"tariff": parts, "evening": {"people": [{"id": "Anton"}]}}


def evening_of(people: list[Any], **others: Any) -> dict[str, Any]:
    return {"tariff": {"fines": FINES}, "evening": {"people": people, **others}}


def line_of(unit: str, **values: Any) -> dict[str, Any]:
    return evening_of([{"id": "Anton"}], tables=[{"unit": unit, "lines": [{"seats": ["Anton"], **values}]}])


LINE = "evening.tables.0.lines.0"
READINGS: dict[str, tuple[Any, list[str]]] = {
    # Section 9, the line
    "no object": (["settle"], ["line"]),
    "none of the four": ({"tariff": {}}, ["line"]),
    "two of the four": ({"settle": [], "split": {}}, ["line"]),
    "a missing tariff is a missing key": ({"evening": {"people": []}}, ["tariff"]),
    "a tariff is no key of a split": ({"tariff": 5, "split": {"cents": 5, "weights": [1]}}, ["tariff"]),
    "faults of the tariff leave out those of the line": ({**tariff_of(tip=1), "farbe": 1}, ["tariff.tip"]),
    "a booked leg is one of the books": (
        {**tariff_of(), "booked": [{"account": "bank", "cents": 0, "kind": "fee"}]},
        ["booked.0.cents"],
    ),
    # Section 3, the tariff
    "amounts are required with rank": (tariff_of(points={"scheme": "rank"}), ["tariff.points.amounts"]),
    "a missing scheme is read as minus": (
        tariff_of(points={"amounts": [1]}),
        ["tariff.points.amounts", "tariff.points.rate", "tariff.points.scheme"],
    ),
    "nothing inside a forbidden key is judged": (
        tariff_of(points={"scheme": "rank", "amounts": [1], "dearer": {"x": 1}}),
        ["tariff.points.dearer"],
    ),
    "winners of 0 are forbidden as well": (
        tariff_of(points={"scheme": "each", "rate": 1, "winners": 0}),
        ["tariff.points.winners"],
    ),
    "only no_evening is monthly only": (tariff_of(dues={"cents": 1, "every": "year", "when": "always"}), []),
    "cents of leaving may stand without fixed": (tariff_of(leaving={"payout": "share", "cents": 5}), []),
    "a fine without a form lacks cents": (tariff_of(fines={"late": {}}), ["tariff.fines.late.cents"]),
    "a fine with steps has no cents": (
        tariff_of(fines={"late": {"steps": [[None, 5]], "cents": 5}}),
        ["tariff.fines.late.cents"],
    ),
    "leading zeros count as digits": (tariff_of(points={"scheme": "minus", "rate": "000010/08"}), []),
    "seven digits are too many": (tariff_of(points={"scheme": "minus", "rate": "0000010"}), ["tariff.points.rate"]),
    # Section 9, the evening
    "while an id is refused nobody is unknown": (
        evening_of([{"id": ""}, {"id": "Anton"}], host="Berta"),
        ["evening.people.0.id"],
    ),
    "an id twice is the later one's fault": (evening_of([{"id": "Anton"}, {"id": "Anton"}]), ["evening.people.1.id"]),
    "a refused absence is none": (
        evening_of([{"id": "Anton", "absence": "ill"}], host="Anton"),
        ["evening.people.0.absence"],
    ),
    "a refused guest is a member": (
        evening_of([{"id": "Anton", "guest": 1, "brought_by": "Berta"}, {"id": "Berta"}]),
        ["evening.people.0.brought_by", "evening.people.0.guest"],
    ),
    "who brought a guest may be absent": (
        evening_of([*ANTON_BERTA, {"id": "Gast", "guest": True, "brought_by": "Berta"}]),
        [],
    ),
    "drinks of somebody absent are judged by code as well": (
        evening_of([{"id": "Anton", "absence": "free", "drinks": {"schnaps": -1}}]),
        ["evening.people.0.drinks", "evening.people.0.drinks.schnaps"],
    ),
    "a bill that is not shared is not judged inside": (
        evening_of([{"id": "Anton"}], drinks={"paid_by": "Niemand"}),
        ["evening.drinks"],
    ),
    "a table in cents with points lacks no lines": (
        evening_of([{"id": "Anton"}], tables=[{"unit": "cents", "points": {"Niemand": 1}}]),
        ["evening.tables.0.points"],
    ),
    "a table without lines yet": (evening_of([{"id": "Anton"}], tables=[{"unit": "cents", "lines": []}]), []),
    "top_up in points lacks no points": (line_of("points", top_up=5), [f"{LINE}.top_up"]),
    "beside points top_up is an unknown key": (line_of("cents", points=[0], top_up=5), [f"{LINE}.top_up"]),
    "with neither points are missing": (line_of("cents"), [f"{LINE}.points"]),
    "points of a line are judged one by one": (line_of("points", points=[True]), [f"{LINE}.points.0"]),
    "refused seats have no length": (
        evening_of(ANTON_BERTA, tables=[{"unit": "points", "lines": [{"seats": ["Berta"], "points": []}]}]),
        [f"{LINE}.seats"],
    ),
    "count is no key of minutes": (
        evening_of(ANTON_BERTA, fines=[{"who": "Berta", "code": "late", "minutes": 5, "count": 1}]),
        ["evening.fines.0.count"],
    ),
    # Section 9, month, settle and split
    "a month has as many people as it likes": ({"tariff": {}, "month": {"month": "2026-03", "people": []}}, []),
    "a refused balance uses up no id": ({"settle": [["Anton", "5"], ["Anton", 5]]}, ["settle.0"]),
    "nobody settles nothing": ({"settle": []}, []),
    "weights have no upper end": ({"split": {"cents": 5, "weights": [10**9, "999999"]}}, []),
}


@pytest.mark.parametrize("name", READINGS)
def test_it_is_read_so(name: str) -> None:
    line, paths = READINGS[name]
    assert sorted(answer(line).get("error", {})) == paths


# Tariffs at their limits, and an evening that has everything.
TAKEN: list[dict[str, Any]] = [
    {},
    {"points": {"scheme": "each", "rate": 10_000}, "leaving": {"payout": "fixed", "cents": 1}},
    {"points": {"scheme": "best", "rate": "1/9999"}, "joining": {"cents": 0}},
    {"points": {"scheme": "better", "rate": "999999/100"}, "pot": {"buy_in": 0, "empty": "warn"}},
    {"points": {"scheme": "rank", "amounts": [0] * 60, "scope": "game"}, "pot": {"buy_in": 0, "top_up": 1}},
    {"points": {"scheme": "minus", "rate": 1, "winners": "0/7", "guests": False, "cap": 1, "round": {}}, "host": {"cents": 1}},
    {"points": {"scheme": "minus", "rate": 1, "winners": 1, "factors": {"": 0, "DDV": "100/1"}}, "guests": {"cents": 1_000_000}},
    {"points": {"scheme": "minus", "rate": 1, "dearer": {"beyond": 100_000, "rate": 1}, "cap": 1_000_000}, "guests": {}},
    {"fines": {"x": {"cents": 0, "name": "x" * 60}, "y": {"cents": 1, "minutes": 1440, "cap": 1}}, "fee": {"cents": 0}},
    {"fines": {"x": {"steps": [[1, 0]] * 8 + [[None, 1]]}, "y": {"steps": [[999, 1], [None, 0]], "counts": "entries"}}},
    {"drinks": {"flat": 1, "list": {"a": 0, "b" + "_" * 29: 1}}, "dues": {"cents": 1, "every": "month", "when": "no_evening"}},
]
EVERYTHING = {
    "people": [
        *people("A", "B"), {"id": "C", "absence": "free"}, {"id": "G", "guest": True},
        {"id": "H", "guest": True, "absence": "excused"},
        {"id": "I" * 40, "guest": True, "brought_by": "C", "drinks": {"bier": 999}, "lost": 999, "absence": None},
    ],
    "tables": [
        {"unit": "points", "rules": "", "points": {"A": 100_000, "G": -100_000}},
        {"unit": "points", "points": {}},
        {"unit": "cents", "lines": [{"seats": ["A"], "points": [1]}, {"seats": ["B", "A"], "top_up": 1_000_000}]},
    ],
    "host": "A",
    "drinks": {"cents": 1_000_000, "paid_by": "H"},
    "fines": [
        {"who": "C", "code": "slip", "count": 999}, {"who": "G", "code": "phone"}, {"who": "A", "code": "late", "minutes": 1440},
        {"who": "A", "code": "glas", "cents": 1_000_000},
    ],
    "turn": 10**9,
    "date": "2028-02-29",
}  # fmt: skip


def test_what_is_at_its_limits_is_taken() -> None:
    fines = {"slip": {"cents": 1}, "late": {"cents": 1, "minutes": 5}, "phone": {"steps": [[None, 1]]}, "glas": {"open": True}}
    lines = [{"tariff": {"drinks": {"list": {"bier": 100}, "shared": True}, "fines": fines}, "evening": EVERYTHING}]
    lines += [{"settle": [["A", 10**8], ["B", -(10**8)]]}, {"split": {"cents": -(10**8), "weights": [0, "1/3", 10**9]}}]
    for line in [*lines, *(tariff_of(**tariff) for tariff in TAKEN)]:
        assert answer(line) == reference.answer(line)


def test_all_faults_of_a_tariff_answer_together_and_alone() -> None:
    line = {"tariff": {"tip": 1, "fee": {"cents": -1}}, "evening": {"people": 3}, "booked": 1, "strange": 1}
    assert sorted(answer(line)["error"]) == ["tariff.fee.cents", "tariff.tip"]


def test_the_kasse_counts_among_the_sixteen() -> None:
    """Sixteen people and the Kasse are seventeen: pairs, and one group of all others."""
    pairs = [[f"P{place}", cents] for place, cents in enumerate([10, -4, -6, 20, -20] + [7, -3, -4] * 3 + [1, 1])]
    assert len(pairs) == 16
    for ask in BOTH:
        assert ask({"settle": pairs})["transfers"][0] == {"from": "P3", "to": "P4", "cents": 20}
        fewer = ask({"settle": [*pairs[:-2], ["P14", 2]]})["transfers"]
        assert fewer[0] == {"from": "P0", "to": "P2", "cents": 6}
