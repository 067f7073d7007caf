"""Decides who pays whom directly (section 7)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

Balance = tuple[str, int]
Transfer = dict[str, Any]
MOST_EXACTLY = 16


def transfers_of(balances: list[Balance]) -> list[Transfer]:
    """Section 7: what they do not add up to is the Kasse's, last; balances of 0 fall away first."""
    kasse = ("kasse", -sum(cents for _, cents in balances))
    open_ones = [(name, cents) for name, cents in [*balances, kasse] if cents != 0]
    groups = best_groups(open_ones) if len(open_ones) <= MOST_EXACTLY else pairs_and_the_rest(open_ones)
    return [transfer for group in groups for transfer in within(group)]


def best_groups(balances: list[Balance]) -> Iterator[list[Balance]]:
    """Section 7: zero-sum groups, as many as possible.

    Always the first person still open; of the groups with them that leave a best partition possible the one with
    fewest people, of several the one whose list of positions comes first.
    """
    most = most_groups([cents for _, cents in balances])
    still_open = list(range(len(balances)))
    while still_open:
        group = next(
            group
            for group in with_the_first(still_open)
            if sum(balances[place][1] for place in group) == 0
            and most[mask(still_open)] == 1 + most[mask(still_open) - mask(group)]
        )
        yield [balances[place] for place in group]
        still_open = [place for place in still_open if place not in group]


def with_the_first(places: list[int]) -> Iterator[tuple[int, ...]]:
    """Every group with the first of them: the smallest before larger ones, of one size in the order of positions."""
    first, *others = places
    for size in range(len(places)):
        for chosen in combinations(others, size):
            yield (first, *chosen)


def mask(places: tuple[int, ...] | list[int]) -> int:
    return sum(1 << place for place in places)


def most_groups(cents: list[int]) -> list[int]:
    """How many zero-sum groups each set of people can be parted into at most, by its mask.

    People step forward one after another; each time that those in front sum to 0 a group is complete. Of all orders in
    which they can step forward the best one counts.
    """
    most = [0]
    sums = [0]
    for people in range(1, 1 << len(cents)):
        last = people.bit_length() - 1
        sums.append(sums[people - (1 << last)] + cents[last])
        before = max(most[people - (1 << place)] for place in range(last + 1) if people >> place & 1)
        most.append(before + (sums[people] == 0))
    return most


def pairs_and_the_rest(balances: list[Balance]) -> list[list[Balance]]:
    """Section 7, above 16: for each debtor the first creditor still free with exactly that amount; all others one group."""
    pairs: list[list[Balance]] = []
    rest = list(balances)
    for debtor in [balance for balance in balances if balance[1] > 0]:
        creditor = next((one for one in rest if one[1] == -debtor[1]), None)
        if creditor is not None:
            pairs.append([debtor, creditor])
            rest.remove(debtor)
            rest.remove(creditor)
    return [*pairs, rest]


def within(group: list[Balance]) -> Iterator[Transfer]:
    """Section 7: the largest debtor pays the largest creditor the smaller of both amounts; of equals the first."""
    left = dict(group)
    while any(left.values()):
        debtor = max(left, key=lambda name: left[name])
        creditor = min(left, key=lambda name: left[name])
        cents = min(left[debtor], -left[creditor])
        yield {"from": debtor, "to": creditor, "cents": cents}
        left[debtor] -= cents
        left[creditor] += cents
