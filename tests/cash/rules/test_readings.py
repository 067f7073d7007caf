"""Decides how the reference reads the description of the Kasse where it could be read in two ways: one case for each.

A case is a line and the paths of its refusal; no paths mean that it is answered.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.cash.rules import reference

ANTON_BERTA = [{"id": "Anton"}, {"id": "Berta", "absence": "excused"}]
FINES = {"late": {"cents": 50, "minutes": 5}, "phone": {"cents": 100}}


def tariff(**parts: Any) -> dict[str, Any]:
    return {"tariff": parts, "evening": {"people": [{"id": "Anton"}]}}


def evening(people: list[Any], **others: Any) -> dict[str, Any]:
    return {"tariff": {"fines": FINES}, "evening": {"people": people, **others}}


def line_of(unit: str, **values: Any) -> dict[str, Any]:
    return evening([{"id": "Anton"}], tables=[{"unit": unit, "lines": [{"seats": ["Anton"], **values}]}])


LINE = "evening.tables.0.lines.0"
READINGS: dict[str, tuple[Any, list[str]]] = {
    # Section 9, the line
    "no object": (["settle"], ["line"]),
    "none of the four": ({"tariff": {}}, ["line"]),
    "two of the four": ({"settle": [], "split": {}}, ["line"]),
    "a missing tariff is a missing key": ({"evening": {"people": []}}, ["tariff"]),
    "a tariff is no key of a split": ({"tariff": 5, "split": {"cents": 5, "weights": [1]}}, ["tariff"]),
    "faults of the tariff leave out those of the line": ({**tariff(tip=1), "farbe": 1}, ["tariff.tip"]),
    "a booked leg is one of the books": (
        {**tariff(), "booked": [{"account": "bank", "cents": 0, "kind": "fee"}]},
        ["booked.0.cents"],
    ),
    # Section 3, the tariff
    "amounts are required with rank": (tariff(points={"scheme": "rank"}), ["tariff.points.amounts"]),
    "a missing scheme is read as minus": (
        tariff(points={"amounts": [1]}),
        ["tariff.points.amounts", "tariff.points.rate", "tariff.points.scheme"],
    ),
    "nothing inside a forbidden key is judged": (
        tariff(points={"scheme": "rank", "amounts": [1], "dearer": {"x": 1}}),
        ["tariff.points.dearer"],
    ),
    "winners of 0 are forbidden as well": (
        tariff(points={"scheme": "each", "rate": 1, "winners": 0}),
        ["tariff.points.winners"],
    ),
    "only no_evening is monthly only": (tariff(dues={"cents": 1, "every": "year", "when": "always"}), []),
    "cents of leaving may stand without fixed": (tariff(leaving={"payout": "share", "cents": 5}), []),
    "a fine without a form lacks cents": (tariff(fines={"late": {}}), ["tariff.fines.late.cents"]),
    "a fine with steps has no cents": (
        tariff(fines={"late": {"steps": [[None, 5]], "cents": 5}}),
        ["tariff.fines.late.cents"],
    ),
    "leading zeros count as digits": (tariff(points={"scheme": "minus", "rate": "000010/08"}), []),
    "seven digits are too many": (tariff(points={"scheme": "minus", "rate": "0000010"}), ["tariff.points.rate"]),
    # Section 9, the evening
    "while an id is refused nobody is unknown": (
        evening([{"id": ""}, {"id": "Anton"}], host="Berta"),
        ["evening.people.0.id"],
    ),
    "an id twice is the later one's fault": (evening([{"id": "Anton"}, {"id": "Anton"}]), ["evening.people.1.id"]),
    "a refused absence is none": (
        evening([{"id": "Anton", "absence": "ill"}], host="Anton"),
        ["evening.people.0.absence"],
    ),
    "a refused guest is a member": (
        evening([{"id": "Anton", "guest": 1, "brought_by": "Berta"}, {"id": "Berta"}]),
        ["evening.people.0.brought_by", "evening.people.0.guest"],
    ),
    "who brought a guest may be absent": (
        evening([*ANTON_BERTA, {"id": "Gast", "guest": True, "brought_by": "Berta"}]),
        [],
    ),
    "drinks of somebody absent are judged by code as well": (
        evening([{"id": "Anton", "absence": "free", "drinks": {"schnaps": -1}}]),
        ["evening.people.0.drinks", "evening.people.0.drinks.schnaps"],
    ),
    "a bill that is not shared is not judged inside": (
        evening([{"id": "Anton"}], drinks={"paid_by": "Niemand"}),
        ["evening.drinks"],
    ),
    "a table in cents with points lacks no lines": (
        evening([{"id": "Anton"}], tables=[{"unit": "cents", "points": {"Niemand": 1}}]),
        ["evening.tables.0.points"],
    ),
    "a table without lines yet": (evening([{"id": "Anton"}], tables=[{"unit": "cents", "lines": []}]), []),
    "top_up in points lacks no points": (line_of("points", top_up=5), [f"{LINE}.top_up"]),
    "beside points top_up is an unknown key": (line_of("cents", points=[0], top_up=5), [f"{LINE}.top_up"]),
    "with neither points are missing": (line_of("cents"), [f"{LINE}.points"]),
    "points of a line are judged one by one": (line_of("points", points=[True]), [f"{LINE}.points.0"]),
    "refused seats have no length": (
        evening(ANTON_BERTA, tables=[{"unit": "points", "lines": [{"seats": ["Berta"], "points": []}]}]),
        [f"{LINE}.seats"],
    ),
    "count is no key of minutes": (
        evening(ANTON_BERTA, fines=[{"who": "Berta", "code": "late", "minutes": 5, "count": 1}]),
        ["evening.fines.0.count"],
    ),
    # Section 9, month, settle and split
    "a month has as many people as it likes": ({"tariff": {}, "month": {"month": "2026-03", "people": []}}, []),
    "a refused balance uses up no id": ({"settle": [["Anton", "5"], ["Anton", 5]]}, ["settle.0"]),
    "nobody settles nothing": ({"settle": []}, []),
    "weights have no upper end": ({"split": {"cents": 5, "weights": [10**9, "999999"]}}, []),
}


@pytest.mark.parametrize("name", READINGS)
def test_the_reference_reads_it_so(name: str) -> None:
    line, paths = READINGS[name]
    assert sorted(reference.answer(line).get("error", {})) == paths


def test_the_kasse_counts_among_the_sixteen() -> None:
    """Sixteen people and the Kasse are seventeen: pairs, and one group of all others."""
    pairs = [[f"P{place}", cents] for place, cents in enumerate([10, -4, -6, 20, -20] + [7, -3, -4] * 3 + [1, 1])]
    assert len(pairs) == 16
    transfers = reference.answer({"settle": pairs})["transfers"]
    assert transfers[0] == {"from": "P3", "to": "P4", "cents": 20}
    fewer = reference.answer({"settle": [*pairs[:-2], ["P14", 2]]})["transfers"]
    assert fewer[0] == {"from": "P0", "to": "P2", "cents": 6}
