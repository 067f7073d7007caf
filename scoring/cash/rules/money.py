"""Money in whole cents: legs, rounding, splitting, and amounts as people type them. Exact fractions, never a float."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import ceil, floor
from typing import Final, NamedTuple, TypeVar

K = TypeVar("K")


class DueLeg(NamedTuple):
    """Cents on one account, of one kind. Plus: a member owes it, or the club spends it. Legs sort by kind, then account.
    The account of a person is named by `build_member_account`: in a club "member:" with the id of the player. The code of
    the stored `Account` has the number of the account in the club instead."""

    kind: str
    account: str
    cents: int


_MEMBER: Final = "member:"


def build_member_account(person: str | int) -> str:
    """Return the code of the account of a person, also of a guest."""
    return f"{_MEMBER}{person}"


def parse_player(account: str) -> int | None:
    """Return the id of the player in an account of the charges; None for other accounts."""
    kind, found = account[: len(_MEMBER)], account[len(_MEMBER) :]
    return int(found) if kind == _MEMBER and found.isdecimal() else None


def build_leg_pair(kind: str, debtor: str, cents: int, creditor: str) -> tuple[DueLeg, DueLeg]:
    """Build the two legs by which one account owes another these cents; below 0 the other way round."""
    return DueLeg(kind, debtor, cents), DueLeg(kind, creditor, -cents)


def sum_by_key(amounts: Iterable[tuple[K, int]]) -> dict[K, int]:
    sums: dict[K, int] = {}
    for key, cents in amounts:
        sums[key] = sums.get(key, 0) + cents
    return sums


def merge_legs(legs: Iterable[DueLeg]) -> list[DueLeg]:
    """Add up legs to one per kind and account, sorted; leave out sums of 0."""
    sums = sum_by_key(((kind, account), cents) for kind, account, cents in legs)
    return sorted(DueLeg(*key, cents) for key, cents in sums.items() if cents)


class Rounding(NamedTuple):
    """Round to a multiple of `to` cents: `how` is nearest, down or up."""

    to: int = 1
    how: str = "nearest"

    def apply(self, amount: Fraction) -> int:
        """Return the rounded amount in cents; `nearest` rounds halves up."""
        steps = amount / self.to
        if self.how == "down":
            return self.to * floor(steps)
        return self.to * (ceil(steps) if self.how == "up" else floor(steps + Fraction(1, 2)))


def split(cents: int, weights: Sequence[int | Fraction], turn: int) -> list[int]:
    """Split a sum by weights (from 0, not all 0) into whole cents. This is the one rule for odd cents: each sharer gets the
    whole cents of the exact share; the rest goes by one cent to the largest remainders; equal ones follow the order,
    beginning with sharer number `turn`, counted round the table."""
    if cents < 0:
        return [-share for share in split(-cents, weights, turn)]
    total = Fraction(sum(weights))
    exact = [cents * weight / total for weight in weights]
    shares = [floor(share) for share in exact]
    sharers = [place for place, weight in enumerate(weights) if weight]
    first = turn % len(sharers)
    in_turn = sharers[first:] + sharers[:first]
    in_turn.sort(key=lambda place: shares[place] - exact[place])
    for place in in_turn[: cents - sum(shares)]:
        shares[place] += 1
    return shares


_EURO: Final = r"(?:€|EUR|Euro)"
_AMOUNT: Final = re.compile(
    rf"(?:{_EURO} ?)?"
    r"(?:(?P<plain>[0-9]{1,9})|(?P<grouped>[0-9]{1,3}(?P<gap>[ .,'’])[0-9]{3}(?:(?P=gap)[0-9]{3})?))?"
    r"(?:(?P<point>[.,])(?P<cents>[0-9]{1,2}|--?|–|—))?"
    rf"(?: ?{_EURO})?",
    re.IGNORECASE,
)


def parse_cents(text: str) -> int | None:
    """Return the cents of a typed amount; None if the text is no amount or could be two."""
    found = _match(text)
    if found is None or _is_match_ambiguous(found):
        return None
    whole, cents = re.sub("[^0-9]", "", found["plain"] or found["grouped"] or ""), found["cents"] or "0"
    if not whole and not (found["cents"] and cents.isdigit()):
        return None
    return 100 * int(whole or "0") + (int(cents.ljust(2, "0")) if cents.isdigit() else 0)


def is_ambiguous(text: str) -> bool:
    """Return whether an amount is like 1.234: either above a thousand or just above one."""
    found = _match(text)
    return found is not None and _is_match_ambiguous(found)


def _match(text: str) -> re.Match[str] | None:
    """Match the parts of an amount; None also if the same sign separates thousands and cents."""
    found = _AMOUNT.fullmatch(" ".join(text.split()))
    return None if found is None or (found["point"] and found["point"] == found["gap"]) else found


def _is_match_ambiguous(found: re.Match[str]) -> bool:
    return found["gap"] in (".", ",") and not found["point"] and found["grouped"].count(found["gap"]) == 1
