"""Amounts as people type them."""

from __future__ import annotations

import pytest

from scoring.cash.rules.amounts import cents_typed, reads_two_ways


@pytest.mark.parametrize(
    ("text", "cents"),
    [("3", 300), ("3,5", 350), ("12.50", 1250), (" 0,05 ", 5), ("0", 0), ("007", 700), ("999999999,99", 99999999999)],
)
def test_an_amount_has_at_most_two_digits_behind_a_comma_or_a_point(text: str, cents: int) -> None:
    assert cents_typed(text) == cents


@pytest.mark.parametrize(
    "text", ["", ",5", "3,", "3,505", "-3", "+3", "1.234", "1e3", "3 €", "drei", "٣", "1_0", "1.234,50", "1" * 10]
)
def test_nothing_else_is_an_amount(text: str) -> None:
    assert cents_typed(text) is None


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("1.234", True),
        ("1,234", True),
        ("1.234.567", True),
        ("1 234", True),
        ("1234", False),
        ("12.50", False),
        ("1.2345", False),
    ],
)
def test_a_thousand_or_little_more_than_one(text: str, asked: bool) -> None:
    assert reads_two_ways(text) is asked
