"""Writes the books of an archive into the database: each entry with its legs, sealed with its old number. So the triggers judge
every law of the books once more."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final

from django.db import DataError, IntegrityError
from django.utils.translation import gettext as _

from scoring.archive.errors import ArchiveRefused
from scoring.archive.queries import BY_NAME, ArchiveRow, Document
from scoring.cash.actions.posting import seal
from scoring.cash.models.books import Entry, Leg
from scoring.club.models import Club
from scoring.core.limits import short_transaction

from .rows import Made, first_refused, instance_of, refused_by_database

# An entry is some rows, and is sealed by itself.
ENTRIES_AT_ONCE: Final = 100


class _Books:
    """The books of a document on their way to a club; `ids` are those of the entries so far."""

    def __init__(self, club: Club, document: Document, made: Made) -> None:
        self._club, self._document, self._made = club, document, made
        self.ids = made["entries"] = array("q")
        # Where the legs of each entry stand.
        self._legs: dict[int, list[int]] = defaultdict(list)
        for index, leg in enumerate(document["legs"]):
            self._legs[leg["entry"]].append(index)

    def insert(self, rows: list[ArchiveRow]) -> None:
        """Insert these entries without numbers, and their legs. Then each is sealed by its number, and
        the triggers check every law."""
        entries = [instance_of(BY_NAME["entries"], self._club, row, self._made) for row in rows]
        for entry in entries:
            entry.number = None
        Entry.objects.bulk_create(entries)
        self.ids.extend(entry.pk for entry in entries)
        legs = (self._document["legs"][index] for row in rows for index in self._legs[row["row"]])
        Leg.objects.bulk_create(instance_of(BY_NAME["legs"], self._club, leg, self._made) for leg in legs)
        for row, entry in zip(rows, entries, strict=True):
            entry.number = row["number"]
        seal(entries)

    def first_refused(self, rows: list[ArchiveRow]) -> ArchiveRow:
        """The first of these entries that breaks a law, one after the other."""
        del self.ids[rows[0]["row"] - 1 :]
        return first_refused(rows, lambda row: self.insert([row]))


def insert_entries(club: Club, document: Document, made: Made) -> None:
    """Every entry in the order of its numbers, in which each reverses one before it, and its legs."""
    books = _Books(club, document, made)
    for some in _in_turn(document["entries"]):
        try:
            with short_transaction():
                books.insert(some)
        except (IntegrityError, DataError) as error:
            raise refused_by_database(_place(books.first_refused(some))) from error


def _in_turn(rows: Iterable[ArchiveRow]) -> Iterator[list[ArchiveRow]]:
    """As many as are written at once; what one of them reverses was written before."""
    some: list[ArchiveRow] = []
    for row in rows:
        if row["number"] is None or (row["reverses"] or 0) >= row["row"]:
            raise ArchiveRefused([f"{_place(row)}: " + _("Das ist keine Buchung, wie sie in den Büchern steht.")])
        if some and (len(some) == ENTRIES_AT_ONCE or (row["reverses"] or 0) >= some[0]["row"]):
            yield some
            some = []
        some.append(row)
    if some:
        yield some


def _place(row: ArchiveRow) -> str:
    return f"entries[{row['row']}]"
