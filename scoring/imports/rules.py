"""What the rows of an old Kasse book: of an evening what everybody paid, an income or an expense, or an opening balance. The key of
each entry follows from the file, so that the same file again books nothing."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple
from uuid import UUID, uuid5

KASSE: Final = ("cash", "bank")
# What the entries of a row can be.
PARTS: Final = ("imported", "payment", "income", "expense", "opening")


class ColumnLeg(NamedTuple):
    """Cents of one kind on the account of the person in this column, or on the one of this code. Plus is what the club has or is
    owed."""

    account: int | str
    cents: int
    kind: str


@dataclass(frozen=True)
class KasseRow:
    """One row of the file, counted as there: its day, and its entries by their kind, which is what each is called in its key."""

    number: int
    date: datetime.date
    entries: Mapping[str, Sequence[ColumnLeg]]

    @property
    def in_kasse(self) -> int:
        """The cents that it brings into the Kasse."""
        return sum(move.cents for moves in self.entries.values() for move in moves if move.account in KASSE)

    @property
    def amounts(self) -> list[int]:
        """The amounts in cents that the file says: every leg of the first entry but the one that balances it."""
        said, *_others = self.entries.values()
        return [move.cents for move in said[:-1]]

    def of(self, column: int) -> int:
        """What it says of somebody: what they paid, or what they owe."""
        said, *_others = self.entries.values()
        return sum(move.cents for move in said if move.account == column)


def paid(number: int, date: datetime.date, people: Mapping[int, int]) -> KasseRow:
    """What an evening cost each, all of it paid in cash."""
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


def moved(number: int, date: datetime.date, cents: int, kind: str) -> KasseRow:
    """An "income" or an "expense" in cash that is no one's."""
    signed = cents if kind == "income" else -cents
    return KasseRow(number, date, {kind: [ColumnLeg("cash", signed, kind), ColumnLeg(f"{kind}:other", -signed, kind)]})


def opened(number: int, date: datetime.date, account: int | str, cents: int) -> KasseRow:
    """What stood on an account when the Kasse began here."""
    moves = [ColumnLeg(account, cents, "opening"), ColumnLeg("equity:opening", -cents, "opening")]
    return KasseRow(number, date, {"opening": moves})


def key_of(digest: str, sheet: int, row: int, part: str, again: int) -> UUID:
    """The key of an entry of a file with this digest; further sheets are told from the first by their number, and so is how often
    the row was taken back before."""
    place = f"{sheet + 1}.{row}" if sheet else str(row)
    return uuid5(UUID(int=0), "/".join([digest, place, part, *([str(again)] if again else [])]))
