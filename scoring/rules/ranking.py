"""Ranks of a list, and the rounding of exact figures when they are shown."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

Figure = int | Fraction | None


def rank_all(figures: Sequence[int]) -> list[int]:
    """Return the rank of each figure: 1 plus the number of higher figures, so equal figures share a rank (1, 1, 3)."""
    ranks: dict[int, int] = {}
    for rank, figure in enumerate(sorted(figures, reverse=True), start=1):
        ranks.setdefault(figure, rank)
    return [ranks[figure] for figure in figures]


def sort_key(figure: Figure, descending: bool) -> tuple[bool, int | Fraction]:
    """Return a sort key for a figure; None (a rate of no games) comes last in both directions."""
    if figure is None:
        return True, 0
    return False, -figure if descending else figure


def rate(part: int, whole: int) -> Fraction | None:
    return Fraction(part, whole) if whole else None


def round_half_up(figure: int | Fraction, digits: int) -> Decimal:
    """Round to `digits` decimals; a half goes away from zero."""
    return Decimal(round_to_units(figure, digits)).scaleb(-digits)


def round_to_units(figure: int | Fraction, digits: int) -> int:
    """Round like `round_half_up`, but return units of the last digit: 12.35 with two digits is 1235."""
    part, divisor = figure.as_integer_ratio()
    whole: int = (2 * abs(part) * 10**digits + divisor) // (2 * divisor)
    return whole if part >= 0 else -whole
