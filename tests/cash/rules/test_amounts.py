"""Amounts as people type them. The cases are those of the script as well (`tests/scripts/amounts.test.js`)."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest
from django.conf import settings

from scoring.cash.rules.money import is_ambiguous, parse_cents

CASES: Final[dict[str, Any]] = json.loads((settings.BASE_DIR / "fixtures" / "amounts.json").read_text())
# More than the table takes.
LARGE: Final = [("0", 0), ("1.234.567", 123456700), ("999999999,99", 99999999999)]


@pytest.mark.parametrize(("text", "cents"), [*CASES["read"], *LARGE])
def test_an_amount_is_read_as_people_write_it(text: str, cents: int) -> None:
    assert (parse_cents(text), is_ambiguous(text)) == (cents, False)


@pytest.mark.parametrize("text", CASES["refused"])
def test_nothing_else_is_an_amount(text: str) -> None:
    assert (parse_cents(text), is_ambiguous(text)) == (None, False)


@pytest.mark.parametrize("text", CASES["asked"])
def test_a_thousand_or_little_more_than_one_is_asked_about(text: str) -> None:
    assert (parse_cents(text), is_ambiguous(text)) == (None, True)
