"""The entries of the rows of an old Kasse. Their keys follow from the file, so that the same file again books nothing."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple
from uuid import UUID, uuid5

KASSE: Final = ("cash", "bank")
# The kinds of the entries of a row.
PARTS: Final = ("imported", "payment", "income", "expense", "opening")


class ColumnLeg(NamedTuple):
    """Cents of one kind on the account of the player in a column or with a code, positive for what the club has or is owed."""

    account: int | str
    cents: int
    kind: str


@dataclass(frozen=True)
class KasseRow:
    """A row of the file by its number there: its day, and the legs of its entries by kind, which is part of the key of an entry.
    `reason` is its purpose."""

    number: int
    date: datetime.date
    entries: Mapping[str, Sequence[ColumnLeg]]
    reason: str = ""

    @property
    def in_kasse(self) -> int:
        return sum(leg.cents for legs in self.entries.values() for leg in legs if leg.account in KASSE)

    @property
    def amounts(self) -> list[int]:
        """The amounts of the file in cents: every leg except those that balance an entry, and payments of what was charged."""
        return [leg.cents for part, legs in self.entries.items() if part != "payment" for leg in legs[:-1]]

    def sum_column(self, column: int) -> int:
        return sum(leg.cents for part, legs in self.entries.items() if part != "payment" for leg in legs if leg.account == column)


def build_evening(number: int, date: datetime.date, people: Mapping[int, int]) -> KasseRow:
    """Build the row of an evening that all players paid in cash."""
    total = sum(people.values())
    charged = [ColumnLeg(column, cents, "points") for column, cents in people.items()]
    payments = [ColumnLeg(column, -cents, "payment") for column, cents in people.items()]
    return KasseRow(
        number,
        date,
        {
            "imported": [*charged, ColumnLeg("income:points", -total, "points")],
            "payment": [*payments, ColumnLeg("cash", total, "payment")],
        },
    )


def build_movement(
    number: int, date: datetime.date, cents: int, kind: str, box: str = "cash", reason: str = ""
) -> KasseRow:
    """Build the row of an "income" or "expense" without a player, in cash or on the bank account."""
    signed = cents if kind == "income" else -cents
    return KasseRow(number, date, {kind: [ColumnLeg(box, signed, kind), ColumnLeg(f"{kind}:other", -signed, kind)]}, reason)


def build_balance(number: int, date: datetime.date, account: int | str, cents: int) -> KasseRow:
    legs = [ColumnLeg(account, cents, "opening"), ColumnLeg("equity:opening", -cents, "opening")]
    return KasseRow(number, date, {"opening": legs})


def build_key(digest: str, sheet: int, row: int, part: str, again: int) -> UUID:
    """Return the key of an entry; `again` is how often the row was undone before.
    The first sheet and the first time add nothing to the text that is hashed."""
    place = f"{sheet + 1}.{row}" if sheet else str(row)
    return uuid5(UUID(int=0), "/".join([digest, place, part, *([str(again)] if again else [])]))
