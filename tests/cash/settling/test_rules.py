"""Who pays whom: nothing is left, with the fewest transfers there can be, and always the same ones."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.cash.settling.rules import KASSE, build_most_groups, settle
from tests.effort import LONG, examples

repeatable = settings(derandomize=True, deadline=None, max_examples=examples(200))
LISTS = 100_000 if LONG else 1_000


def named(amounts: list[int]) -> list[tuple[str, int]]:
    return [(chr(ord("A") + place), cents) for place, cents in enumerate(amounts)]


def transfers(*amounts: int) -> list[str]:
    return [f"{payer}>{receiver} {cents}" for payer, receiver, cents in settle(named([*amounts]))]


@pytest.mark.parametrize(
    ("amounts", "wanted"),
    [
        ([], []),
        ([0, 0], []),
        ([5], ["A>kasse 5"]),
        ([-5], ["kasse>A 5"]),
        ([5, -5], ["A>B 5"]),
        ([5, 0, -5], ["A>C 5"]),
        # Two groups of three are as many as two of two and four: A goes with the fewest.
        ([3, 3, -3, -1, -2], ["A>C 3", "B>E 2", "B>D 1"]),
        # A could be with C and D or with C and E: the list of positions decides.
        ([3, -1, -2, -2, 2], ["A>C 2", "A>B 1", "E>D 2"]),
        # Alone with the Kasse.
        ([7, 5, -5], ["A>kasse 7", "B>C 5"]),
        # No group but all: the largest with the largest, of equals the first.
        ([4, 4, -3, -5], ["A>D 4", "B>C 3", "B>D 1"]),
    ],
)
def test_worked_out_by_hand(amounts: list[int], wanted: list[str]) -> None:
    assert transfers(*amounts) == wanted


def test_whoever_comes_first_takes_the_smallest_group_that_leaves_the_rest_at_its_best() -> None:
    # With F alone, though A, C and E, or all others, sum to 0 as well.
    assert build_most_groups([5, 3, -2, -3, 2, -5]) == [[0, 5], [1, 3], [2, 4]]
    # With B, though two groups of three are as many.
    assert build_most_groups([6, -6, 4, 2, -1, -5]) == [[0, 1], [2, 3, 4, 5]]
    # Not with B and E, who are fewer: the others would be one group then.
    assert build_most_groups([6, -2, 3, 4, -4, 2, 8, -17]) == [[0, 2, 6, 7], [1, 5], [3, 4]]


def test_seventeen_go_by_pairs_in_the_order_of_debtors() -> None:
    """The pairs are found; that the others are three groups of three is not looked for."""
    found = transfers(10, 20, 10, -10, -20, -10, 1, 2, -3, 1, 2, -3, 1, 2, -3, 40, -40)
    assert found[:4] == ["A>D 10", "B>E 20", "C>F 10", "P>Q 40"]
    assert found[4:] == ["H>I 2", "K>L 2", "N>O 2", "G>I 1", "J>L 1", "M>O 1"]


def test_the_kasse_is_one_of_the_sixteen() -> None:
    """Five groups of three, or four and one with the Kasse, are found. A sixteenth person and the Kasse are a pair; the
    others are one group then, and pay each other once more often.
    """
    fifteen = [1, 2, -3, 4, 5, -9, 6, 7, -13, 8, 9, -17, 10, 11, -21]
    assert len(transfers(*fifteen)) == 10
    assert len(transfers(2, *fifteen[1:])) == 11
    assert len(transfers(*fifteen, 100)) == 1 + 11


@repeatable
@given(st.lists(st.integers(-60, 60), max_size=24))
def test_nothing_is_left_debtors_only_pay_and_creditors_only_receive(amounts: list[int]) -> None:
    balances = named(amounts)
    left = {**dict(balances), KASSE: -sum(amounts)}
    for payer, receiver, cents in settle(balances):
        assert cents > 0
        assert left[payer] >= cents
        assert left[receiver] <= -cents
        left[payer] -= cents
        left[receiver] += cents
    assert set(left.values()) <= {0}


def test_up_to_seven_no_way_of_paying_has_fewer_transfers() -> None:
    """A hundred thousand lists in `make soak`: small amounts, among which many groups sum to nothing, and those of evenings."""
    rng = Random(7)
    for _list in range(LISTS):
        most = rng.choice([2, 6, 60, 9999])
        amounts = [rng.randint(-most, most) for _person in range(rng.randint(0, 7))]
        everybody = (*amounts, -sum(amounts))
        assert len(settle(named(amounts))) == fewest(tuple(sorted(cents for cents in everybody if cents))), amounts


def fewest(amounts: tuple[int, ...]) -> int:
    """The fewest transfers, by trying all: the first one pays, or is paid by, each of the others as much as makes one of both
    even. There is always a best way that goes so.
    """
    if not amounts:
        return 0
    return 1 + min(fewest(rest) for rest in _after_one(amounts))


def _after_one(amounts: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    own = amounts[0]
    for place, other in enumerate(amounts):
        if own * other < 0:
            rest = [*amounts[1:place], *amounts[place + 1 :]]
            yield tuple(sorted([*rest, own + other] if own + other else rest))


@repeatable
@given(st.lists(st.integers(-5, 5).filter(bool), max_size=6))
def test_the_groups_are_the_first_of_all_best_partitions(amounts: list[int]) -> None:
    """Held against every partition there is, by the rule as it is written."""
    amounts = [*amounts, -sum(amounts)] if sum(amounts) else amounts
    best = max((len(groups) for groups in _partitions(list(range(len(amounts))), amounts)), default=0)
    every = [groups for groups in _partitions(list(range(len(amounts))), amounts) if len(groups) == best]
    wanted = min(every, key=lambda groups: [(len(group), group) for group in groups])
    assert build_most_groups(amounts) == wanted


def _partitions(places: list[int], amounts: list[int]) -> Iterator[list[list[int]]]:
    """Every way to put places into groups that sum to 0; each group begins with the first place still open."""
    if not places:
        yield []
        return
    first, *others = places
    for size in range(len(others) + 1):
        for more in combinations(others, size):
            group = [first, *more]
            if sum(amounts[place] for place in group) == 0:
                for rest in _partitions([place for place in others if place not in more], amounts):
                    yield [group, *rest]
