"""Decides that the rules written out a second time answer every worked case of fixtures/cases as it expects."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.rules import reference

CASES = sorted((Path(__file__).parents[2] / "fixtures" / "cases").glob("*.jsonl"))


def compared(lines: list[dict[str, Any]]) -> Iterator[tuple[Any, Any, Any]]:
    """(what to look at, expected, found) for every line, with the running totals of its evening."""
    answers, totals = iter(reference.answer_evening(lines)), [0] * 8
    for line in lines:
        if line.get("evening") == "new":
            totals = [0] * 8
            continue
        answer = next(answers)
        points = answer.get("points", [])
        totals = [total + gain for total, gain in zip(totals, points, strict=False)] or totals
        found = {"odd": [], **answer, "error_fields": answer.get("error", []), "totals": totals}
        yield (
            line.get("note") or line,
            {key: comparable(key, value) for key, value in line["expect"].items()},
            {key: comparable(key, found.get(key)) for key in line["expect"]},
        )


def comparable(key: str, value: Any) -> Any:
    """Steps in any order."""
    return sorted(json.dumps(step, sort_keys=True) for step in value or []) if key == "steps" else value


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_the_reference_answers_as_the_cases_expect(path: Path) -> None:
    lines = [json.loads(text) for text in path.read_text(encoding="utf-8").splitlines()]
    cases = list(compared(lines))
    assert [case for case in cases if case[1] != case[2]] == []
    assert len(cases) >= 13
