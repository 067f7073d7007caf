"""Decides the two rules for odd cents: how a sum is split, and how an amount is rounded."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor
from typing import Any


def split(cents: int, weights: Sequence[Fraction | int], turn: int) -> list[int]:
    """Section 4, Split: each the whole cents of their part; those left over one each to the largest remainders.

    Somebody of weight 0 is no sharer and has 0. Equal remainders: in the order, beginning with sharer number
    `turn` mod k and going round.
    """
    if cents < 0:
        return [-share for share in split(-cents, weights, turn)]
    whole = sum(weights)
    exact = [cents * Fraction(weight) / whole if weight else Fraction(0) for weight in weights]
    shares = [floor(part) for part in exact]
    sharers = [place for place, weight in enumerate(weights) if weight > 0]
    begin = turn % len(sharers)
    from_the_turn = sharers[begin:] + sharers[:begin]
    # Python sorts stably: of equal remainders the one that is nearer to the turn stays in front.
    by_remainder = sorted(from_the_turn, key=lambda place: exact[place] - shares[place], reverse=True)
    for place in by_remainder[: cents - sum(shares)]:
        shares[place] += 1
    return shares


def split_evenly(cents: int, names: Sequence[str], turn: int) -> dict[str, int]:
    return dict(zip(names, split(cents, [1] * len(names), turn), strict=True))


def rounded(amount: Fraction, how_to: dict[str, Any]) -> int:
    """Section 3, Round: to whole steps of `to` cents; nearest takes halves up."""
    step = how_to.get("to", 1)
    steps = Fraction(amount) / step
    how = how_to.get("how", "nearest")
    if how == "down":
        return floor(steps) * step
    if how == "up":
        return ceil(steps) * step
    return floor(steps + Fraction(1, 2)) * step
