"""Who pays whom: nothing is left, with the fewest transfers there can be, and always the same ones."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.cash.settling.rules import KASSE, settle
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


@repeatable
@given(st.lists(st.integers(-60, 60), max_size=24 if LONG else 14))
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
