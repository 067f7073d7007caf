"""The places of a list: equal figures share a place and the next place stays free (1, 1, 3), whatever the order of the
rows. And how an exact rate is rounded, once, when it is shown."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

Figure = int | Fraction | None


def rank_all(figures: Sequence[int]) -> list[int]:
    """The place of each figure, the highest first: one more than the number of higher ones."""
    first: dict[int, int] = {}
    for place, figure in enumerate(sorted(figures, reverse=True), start=1):
        first.setdefault(figure, place)
    return [first[figure] for figure in figures]


def sort_key(figure: Figure, descending: bool) -> tuple[bool, int | Fraction]:
    """The key that puts figures in order; where there is none (a rate of no games) it comes last either way."""
    if figure is None:
        return True, 0
    return False, -figure if descending else figure


def rate(part: int, whole: int) -> Fraction | None:
    """An exact quotient, None where there is nothing to divide by."""
    return Fraction(part, whole) if whole else None


def round_half_up(figure: int | Fraction, digits: int) -> Decimal:
    """Rounded to so many digits behind the comma as one learns it at school: a half goes away from zero."""
    return Decimal(round_to_units(figure, digits)).scaleb(-digits)


def round_to_units(figure: int | Fraction, digits: int) -> int:
    """What `half_up` rounds to, in units of the last digit: 12.35 with two digits is 1235."""
    part, divisor = figure.as_integer_ratio()
    whole: int = (2 * abs(part) * 10**digits + divisor) // (2 * divisor)
    return whole if part >= 0 else -whole
