"""Decides that the Kasse written out a second time answers every worked case as it expects, the table of section 4
of its description among them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cash.rules import reference
from tests.cash.rules.tables import POINTS

CASES = Path(__file__).parents[3] / "fixtures" / "cash.jsonl"
LINES = [json.loads(text) for text in CASES.read_text(encoding="utf-8").splitlines()]


def found(line: dict[str, Any]) -> dict[str, Any]:
    """The answer as a case expects it: of a refusal the sorted paths."""
    answer = reference.answer(line)
    return {"error_fields": sorted(answer["error"])} if "error" in answer else answer


@pytest.mark.parametrize("line", LINES, ids=lambda line: line["note"])
def test_the_reference_answers_as_a_case_expects(line: dict[str, Any]) -> None:
    assert found(line) == line["expect"]


def test_no_case_is_lost() -> None:
    assert len(LINES) == 64


@pytest.mark.parametrize(("tariff", "points", "owed", "kasse"), POINTS, ids=str)
def test_the_table_of_points(tariff: dict[str, Any], points: list[int], owed: list[int], kasse: int) -> None:
    names = "ABCD"[: len(points)]
    table = {"unit": "points", "points": dict(zip(names, points, strict=True))}
    line = {"tariff": {"points": tariff}, "evening": {"people": [{"id": name} for name in names], "tables": [table]}}
    expected = {"income:points": kasse} | {f"member:{name}": cents for name, cents in zip(names, owed, strict=True)}
    assert legs(line) == {account: cents for account, cents in expected.items() if cents}


def test_the_table_of_the_pot() -> None:
    """The last row: 390 left, split 98 98 97 97."""
    table = {"unit": "cents", "lines": [{"seats": list("ABCD"), "points": [5, 5, 0, 0]}]}
    line = {"tariff": {"pot": {"buy_in": 100}}, "evening": {"people": [{"id": n} for n in "ABCD"], "tables": [table]}}
    assert legs(line) == {"member:A": -3, "member:B": -3, "member:C": 3, "member:D": 3}


def legs(line: dict[str, Any]) -> dict[str, int]:
    return {leg["account"]: leg["cents"] for leg in reference.answer(line)["legs"]}


@pytest.mark.parametrize(("turn", "shares"), [(0, [334, 333, 333]), (1, [333, 334, 333]), (5, [333, 333, 334])])
def test_the_split_of_ten_euros_over_three(turn: int, shares: list[int]) -> None:
    assert reference.answer({"split": {"cents": 1000, "weights": [1, 1, 1], "turn": turn}}) == {"shares": shares}
