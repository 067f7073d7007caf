"""Test that the scorer and the reference answer every worked case in fixtures/ as expected: the documents' examples, published
suites, random games of all rule sets, chains, limits, refusals, and whole evenings.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from scoring.rules.score_lines import LineScorer
from tests.rules import reference

Lines = list[dict[str, Any]]

FIXTURES = Path(__file__).parents[2] / "fixtures"
REAL = FIXTURES / "real" / "evening.jsonl"
FILES = [*sorted((FIXTURES / "cases").glob("*.jsonl")), REAL]
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


def answer_by_scorer(lines: Lines) -> Lines:
    answers = map(json.loads, LineScorer().answers(map(json.dumps, lines)))
    return [{**answer, "error_fields": sorted(answer.get("error", {}))} for answer in answers]


def answer_by_reference(lines: Lines) -> Lines:
    return [{**answer, "error_fields": answer.get("error", [])} for answer in reference.answer_evening(lines)]


@cache
def read_lines(path: Path) -> Lines:
    return [json.loads(text) for text in path.read_text(encoding="utf-8").splitlines()]


@cache
def answer_file(path: Path, answer: Callable[[Lines], Lines]) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Return each line of a file but those that start an evening, with its answer and the totals of its evening so far."""
    answers, totals, pairs = iter(answer(read_lines(path))), [0] * 8, []
    for line in read_lines(path):
        if line.get("evening") == "new":
            totals = [0] * 8
            continue
        found = next(answers)
        totals = [sum(pair) for pair in zip(totals, found.get("points", []), strict=False)] or totals
        pairs.append((line, {"odd": [], **found, "totals": totals}))
    return pairs


def comparable(key: str, value: Any) -> Any:
    """Return steps in any order."""
    return Counter(json.dumps(step, sort_keys=True) for step in value or []) if key == "steps" else value


@pytest.mark.parametrize("answer", [answer_by_scorer, answer_by_reference])
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_line_is_answered_as_expected(path: Path, answer: Callable[[Lines], Lines]) -> None:
    wrong = []
    for line, found in answer_file(path, answer):
        expected = {key: comparable(key, value) for key, value in line["expect"].items()}
        got = {key: comparable(key, found.get(key)) for key in expected}
        if got != expected:
            wrong.append((line.get("note") or line, got, expected))
    assert wrong == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_case_is_lost(path: Path) -> None:
    expecting = sum("expect" in line for line in read_lines(path))
    assert expecting == LINES[path.stem] == len(answer_file(path, answer_by_scorer))


def test_the_real_evening_ends_with_the_totals_of_the_club() -> None:
    assert answer_file(REAL, answer_by_scorer)[19][1]["totals"] == [-86, 305, -27, -111, -81]
