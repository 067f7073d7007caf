"""Decides that the Kasse and the description of it written out a second time answer alike: 20,000 random records, of which
every run takes 1,500. Of a refusal the paths are compared, not the sentences.
"""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from scoring.cash.rules.stream import ChargesStream
from tests.cash.rules import random_records, reference


def compare(lines: list[dict[str, Any]]) -> None:
    """Both answer each line; the first difference fails the test."""
    for line in lines:
        expected, got = reference.answer(line), json.loads(next(ChargesStream().answers([json.dumps(line)])))
        if comparable(expected) != comparable(got):
            pytest.fail(difference(line, expected, got), pytrace=False)


def comparable(answered: dict[str, Any]) -> str:
    """As it is written, so that 1 is not true; without the sentences of a refusal."""
    return json.dumps(
        {**answered, "error": sorted(answered["error"])} if "error" in answered else answered, sort_keys=True
    )


def difference(line: dict[str, Any], expected: dict[str, Any], got: dict[str, Any]) -> str:
    named = {"line": line, "reference": expected, "charges": got}
    shown = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in named.items()]
    return "\n".join(["the two answers differ", *shown])


def lines_of(seed: int, number: int) -> list[dict[str, Any]]:
    rng = random.Random(seed)
    return [random_records.random_record(rng) for _ in range(number)]


@pytest.mark.parametrize("seed", range(3))
def test_random_records(seed: int) -> None:
    compare(lines_of(seed, 500))


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100, 120))
def test_many_random_records(seed: int) -> None:
    compare(lines_of(seed, 1000))
