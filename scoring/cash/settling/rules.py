"""Compute the fewest transfers that leave no debt: exact up to 16 balances; above that equal amounts are paired first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

KASSE: Final = "kasse"
MOST_EXACT: Final = 16
# Positions of people who settle among themselves, in their order; their amounts sum to 0.
Group = list[int]


def settle(balances: Sequence[tuple[str, int]]) -> list[tuple[str, str, int]]:
    """Compute transfers (payer, receiver, cents) for balances in cents (plus: a debt); the Kasse has their rest."""
    rest = -sum(cents for _who, cents in balances)
    open_ = [(who, cents) for who, cents in [*balances, (KASSE, rest)] if cents]
    amounts = [cents for _who, cents in open_]
    groups = build_most_groups(amounts) if len(amounts) <= MOST_EXACT else _build_pairs_first(amounts)
    return [
        (open_[payer][0], open_[receiver][0], cents)
        for group in groups
        for payer, receiver, cents in _settle_group(group, amounts)
    ]


def build_most_groups(amounts: Sequence[int]) -> list[Group]:
    """Split all positions into as many groups as possible that each sum to 0. Every subset of positions is a bit mask; n
    positions take n * 2^n steps."""
    sums = [0]
    for amount in amounts:
        sums += [before + amount for before in sums]
    most = _count_groups_by_mask(sums, [1 << place for place in range(len(amounts))])
    groups: list[Group] = []
    rest = len(sums) - 1
    while rest:
        groups.append(min(_list_next_groups(rest, sums, most), key=lambda group: (len(group), group)))
        rest ^= sum(1 << place for place in groups[-1])
    return groups


def _count_groups_by_mask(sums: list[int], bits: list[int]) -> list[int]:
    """Return for every mask how often its positions, taken out one by one in the best order, leave a sum of 0. For a mask
    with the sum 0 this is the largest number of groups."""
    most = [0] * len(sums)
    for mask in range(1, len(sums)):
        best = max([most[mask ^ bit] for bit in bits if mask & bit])
        most[mask] = best if sums[mask] else best + 1
    return most


def _list_next_groups(rest: int, sums: list[int], most: list[int]) -> list[Group]:
    """List every group with the first open position that leaves a best partition of the others."""
    first = rest & -rest
    others = subset = rest ^ first
    found = []
    while True:
        mask = subset | first
        if not sums[mask] and most[rest ^ mask] == most[rest] - 1:
            found.append([place for place in range(mask.bit_length()) if mask >> place & 1])
        if not subset:
            return found
        subset = (subset - 1) & others


def _build_pairs_first(amounts: Sequence[int]) -> list[Group]:
    """Pair each debtor, in the order, with the first free creditor of exactly that amount; all others are one group."""
    free = list(range(len(amounts)))
    groups: list[Group] = []
    for debtor in range(len(amounts)):
        creditor = next((place for place in free if amounts[place] == -amounts[debtor]), None)
        if amounts[debtor] > 0 and creditor is not None:
            groups.append([debtor, creditor])
            free = [place for place in free if place not in groups[-1]]
    return [*groups, free]


def _settle_group(group: Group, amounts: Sequence[int]) -> list[tuple[int, int, int]]:
    """Return (payer, receiver, cents): always the largest debtor pays the largest creditor; of equals the first."""
    left = {place: amounts[place] for place in group}
    paid = []
    while any(left.values()):
        payer, receiver = max(left, key=left.__getitem__), min(left, key=left.__getitem__)
        cents = min(left[payer], -left[receiver])
        left[payer] -= cents
        left[receiver] += cents
        paid.append((payer, receiver, cents))
    return paid
