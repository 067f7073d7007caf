"""Every worked case in fixtures/, line by line: the documents' examples, published suites, random games of all rule
sets, chains, limits, refusals, and three whole evenings.
"""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from scoring.rules.score_lines import LineScorer

FIXTURES = Path(__file__).parents[2] / "fixtures"
FILES = [*sorted((FIXTURES / "cases").glob("*.jsonl")), FIXTURES / "real" / "evening.jsonl"]
LINES = {
    "bock": 112,
    "ddv": 54,
    "edges": 60,
    "evening_anleitung": 30,
    "evening_ddv": 24,
    "hausrunde": 15,
    "house": 136,
    "mixed": 400,
    "refused": 46,
    "seeds": 34,
    "evening": 20,
}


@cache
def lines_of(path: Path) -> list[str]:
    """The lines of a file."""
    return path.read_text(encoding="utf-8").splitlines()


@cache
def answers(path: Path) -> dict[int, dict[str, Any]]:
    """The answer to each line of a file, with the running totals of its evening."""
    evening, totals, found = LineScorer(), [], {}
    for number, text in enumerate(lines_of(path)):
        answered = evening.answer(json.loads(text))
        if answered is None:
            totals = []
            continue
        answer = json.loads(answered)
        if "error" in answer:
            found[number] = {"error_fields": sorted(answer["error"])}
        else:
            points = answer["points"]
            before = totals if len(totals) == len(points) else [0] * len(points)
            totals = [sum(pair) for pair in zip(before, points, strict=True)]
            found[number] = {**answer, "totals": totals}
    return found


def comparable(key: str, value: Any) -> Any:
    """Steps in any order, seats as a list."""
    if key == "steps":
        return Counter(json.dumps(step, sort_keys=True) for step in value)
    return list(value) if isinstance(value, tuple) else value


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_line(path: Path) -> None:
    """What differs in each line of the file that says what to expect: what came of it, and what should."""
    wrong = {}
    for number, text in enumerate(lines_of(path)):
        line = json.loads(text)
        expect, answer = line.get("expect", {}), answers(path).get(number, {})
        got = {key: comparable(key, answer.get(key, [] if key == "odd" else None)) for key in expect}
        if got != (expected := {key: comparable(key, value) for key, value in expect.items()}):
            wrong[f"line {number + 1}", line.get("note", "")] = got, expected
    assert wrong == {}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_case_is_lost(path: Path) -> None:
    expecting = sum('"expect"' in text for text in lines_of(path))
    assert expecting == LINES[path.stem] == len(answers(path))


def test_the_real_evening_ends_with_what_the_club_wrote_down() -> None:
    last = answers(FIXTURES / "real" / "evening.jsonl")[19]
    assert last["totals"] == [-86, 305, -27, -111, -81]
