"""Decides how much a run affords of what has no end: in `make test` fewer random cases, and of a long list of like cases a few
from everywhere in it; in `make soak` all of them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import pytest

LONG = os.environ.get("SOAK") == "1"


def examples(many: int) -> int:
    """How many random examples are drawn of `many`."""
    return many if LONG else max(many // 6, 6)


def some(cases: Iterable[Any], few: int) -> list[Any]:
    """For `parametrize`: `few` of the cases, one from each part of the list, in every run; the others in `make soak`."""
    cases = list(cases)
    chosen = {number * len(cases) // few for number in range(few)}
    return [case if number in chosen else _in_soak(case) for number, case in enumerate(cases)]


def in_soak(*values: Any, id: str | None = None) -> Any:
    """A case of `parametrize` that `make soak` alone asks."""
    return pytest.param(*values, id=id, marks=pytest.mark.soak)


def _in_soak(case: Any) -> Any:
    if hasattr(case, "marks"):
        return in_soak(*case.values, id=case.id)
    return in_soak(*case) if isinstance(case, tuple) else in_soak(case)
