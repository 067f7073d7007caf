"""Every worked case of the Kasse in fixtures/cash.jsonl, and the table of what an evening costs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cash.lines import answer, legs, people
from tests.cash.rules.tables import POINTS

TEXTS = (Path(__file__).parents[3] / "fixtures" / "cash.jsonl").read_text(encoding="utf-8").splitlines()
CASES = [json.loads(text) for text in TEXTS]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["note"])
def test_case(case: dict[str, Any]) -> None:
    found = answer(case)
    if "error_fields" in case["expect"]:
        found = {"error_fields": sorted(found["error"])}
    assert found == case["expect"]


def test_no_case_is_lost() -> None:
    assert (len(CASES), sum("error_fields" in case["expect"] for case in CASES)) == (64, 4)


@pytest.mark.parametrize(("tariff", "points", "cents", "kasse"), POINTS, ids=str)
def test_what_points_cost(tariff: dict[str, Any], points: list[int], cents: list[int], kasse: int) -> None:
    names = "ABCD"[: len(points)]
    table = {"unit": "points", "points": dict(zip(names, points, strict=True))}
    found = legs({"points": tariff}, {"people": people(*names), "tables": [table]})
    wanted = {f"points {who}": owed for who, owed in zip(names, cents, strict=True) if owed}
    assert found == wanted | ({"points income:points": kasse} if kasse else {})


def test_what_a_pot_of_one_game_leaves() -> None:
    table = {"unit": "cents", "lines": [{"seats": [*"ABCD"], "points": [5, 5, 0, 0]}]}
    found = legs({"pot": {"buy_in": 100}}, {"people": people(*"ABCD"), "tables": [table]})
    assert found == {"pot A": -3, "pot B": -3, "pot C": 3, "pot D": 3}
