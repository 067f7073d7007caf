"""Test ranks and rounding, by properties and examples."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rules.ranking import rank_all, rate, round_half_up, sort_key


@pytest.mark.parametrize(
    ("figures", "expected"),
    [
        ([], []),
        ([7], [1]),
        ([9, 9, 4], [1, 1, 3]),
        ([4, 9, 9], [3, 1, 1]),
        ([5, 3, 3, 3, -2, -2], [1, 2, 2, 2, 5, 5]),
        ([0, 0, 0], [1, 1, 1]),
    ],
)
def test_equal_figures_share_a_rank(figures: list[int], expected: list[int]) -> None:
    assert rank_all(figures) == expected


@given(st.lists(st.integers(-50, 50)))
def test_a_rank_counts_the_higher_figures(figures: list[int]) -> None:
    assert rank_all(figures) == [1 + sum(other > figure for other in figures) for figure in figures]


def test_a_missing_figure_comes_last_in_both_directions() -> None:
    figures = [None, Fraction(1, 3), 2, Fraction(-5, 2)]
    assert sorted(figures, key=lambda f: sort_key(f, True)) == [2, Fraction(1, 3), Fraction(-5, 2), None]
    assert sorted(figures, key=lambda f: sort_key(f, False)) == [Fraction(-5, 2), Fraction(1, 3), 2, None]


def test_a_rate_of_nothing_is_none() -> None:
    assert rate(3, 0) is None
    assert rate(2, 6) == Fraction(1, 3)


@pytest.mark.parametrize(
    ("figure", "digits", "expected"),
    [
        (Fraction(1, 8), 2, "0.13"),
        (Fraction(-1, 8), 2, "-0.13"),
        (Fraction(201, 200), 2, "1.01"),  # as a float 1.005 lies below the half
        (Fraction(1, 3), 2, "0.33"),
        (Fraction(2, 3), 2, "0.67"),
        (Fraction(-1, 1000), 2, "0.00"),
        (12, 2, "12.00"),
    ],
)
def test_a_half_goes_away_from_zero(figure: int | Fraction, digits: int, expected: str) -> None:
    assert str(round_half_up(figure, digits)) == expected


@given(st.integers(-(10**9), 10**9), st.sampled_from([1, 2, 4, 5, 8, 16, 25, 40, 125]), st.integers(0, 4))
def test_rounding_agrees_with_decimal(part: int, whole: int, digits: int) -> None:
    """The decimal fractions of these denominators are finite, so `Decimal` can round them."""
    with localcontext(prec=60):
        exact = Decimal(part) / Decimal(whole)
        expected = exact.quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_UP)
    assert round_half_up(Fraction(part, whole), digits) == expected
