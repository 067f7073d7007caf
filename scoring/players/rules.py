"""What is read off somebody's career: who is a good partner and who is not, and how the mean goes over time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Final, TypeVar

from scoring.play.rules import Mate

T = TypeVar("T")

# So many games two people must have played together before anybody says how well they do.
ENOUGH_TOGETHER: Final = 20


def partners(mates: Mapping[T, Mate]) -> tuple[T, T] | None:
    """With whom somebody brought most from a game together, and with whom least, of those with enough of them; of equals who
    stands first, and who stands last. None where there are no two to choose from."""
    means = {one: mate.together.average for one, mate in mates.items() if mate.together.games >= ENOUGH_TOGETHER}
    known = {one: mean for one, mean in means.items() if mean is not None}
    if len(known) < 2:
        return None
    return max(known, key=lambda one: known[one]), min(reversed(known), key=lambda one: known[one])


def running_sums(days: Sequence[T], points: Iterable[int], games: Iterable[int]) -> dict[T, tuple[int, int]]:
    """Points and games after each of these days, which say how many of both they brought, in their order; none before the first
    game, and of a day what stands behind the last of it."""
    sums = dict(zip(days, zip(accumulate(points), accumulate(games), strict=True), strict=True))
    return {day: both for day, both in sums.items() if both[1]}
