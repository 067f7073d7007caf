"""Money as plain figures: amounts as people type them (the cases are those of the script as well, `tests/scripts/amounts.test.js`),
how it is rounded, and a million random splits in `make soak`, some thousand in every run: nothing is lost, nobody is a cent off,
and who gets the odd cents is who a list written by hand says."""

from __future__ import annotations

import json
from fractions import Fraction
from random import Random
from typing import Any, Final

import pytest
from django.conf import settings

from scoring.cash.rules.money import Rounding, is_ambiguous, parse_cents, split
from tests.effort import LONG

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


SPLITS = 1_000_000 if LONG else 5_000


def by_hand(cents: int, weights: list[int], turn: int) -> list[int]:
    """The largest remainder, without a fraction: remainders are compared over the sum of the weights."""
    whole = sum(weights)
    shares = [cents * weight // whole for weight in weights]
    sharers = [place for place, weight in enumerate(weights) if weight]
    begin = turn % len(sharers)
    in_turn = sharers[begin:] + sharers[:begin]
    odd = sorted(in_turn, key=lambda place: -(cents * weights[place] % whole))
    for place in odd[: cents - sum(shares)]:
        shares[place] += 1
    return shares


def test_a_million_splits_are_exact() -> None:
    rng = Random(10_000_000)
    for _split in range(SPLITS):
        cents = rng.choice([rng.randrange(100), rng.randrange(10**5), rng.randrange(10**8)])
        weights = [rng.choice([0, 1, 1, 1, rng.randrange(1, 1000)]) for _person in range(rng.randint(1, 12))]
        weights[rng.randrange(len(weights))] = rng.randint(1, 9)
        turn = rng.randrange(1000)
        shares = split(cents, weights, turn)
        assert sum(shares) == cents
        assert shares == by_hand(cents, weights, turn)
        assert [-share for share in shares] == split(-cents, weights, turn)


def test_rounding_goes_to_the_next_multiple() -> None:
    rng = Random(3)
    for to in (1, 5, 10, 50, 100) * 40:
        amount = Fraction(rng.randrange(600_000), rng.randint(1, 60))
        down, nearest, up = (Rounding(to, how).apply(amount) for how in ("down", "nearest", "up"))
        assert down % to == nearest % to == up % to == 0 and down <= amount <= up
        assert up - down == (0 if amount % to == 0 else to)
        assert nearest == (up if 2 * (amount - down) >= to else down)
