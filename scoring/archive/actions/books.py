"""Insert the books of an archive. An entry gets its number after its legs are inserted: this seals it, and the triggers then check
all laws of the books."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final

from django.db import DataError, IntegrityError
from django.utils.translation import gettext as _

from scoring.archive.errors import ArchiveRefused
from scoring.archive.queries import BY_NAME, ArchiveRow, Document
from scoring.cash.ledger.posting import seal
from scoring.cash.models import Entry, Leg
from scoring.club.models import Club
from scoring.core.limits import short_transaction

from .rows import Ids, build_instance, build_refusal, find_refused_row

# Entries that are written in one transaction; each has several rows.
ENTRIES_PER_BATCH: Final = 100


class _Books:
    """The import of the books of a document; `ids` are those of the entries written so far."""

    def __init__(self, club: Club, document: Document, made: Ids) -> None:
        self._club, self._document, self._made = club, document, made
        self.ids = made["entries"] = array("q")
        # The indexes of the legs of each entry.
        self._legs: dict[int, list[int]] = defaultdict(list)
        for index, leg in enumerate(document["legs"]):
            self._legs[leg["entry"]].append(index)

    def insert(self, rows: list[ArchiveRow]) -> None:
        """Insert these entries without numbers, then their legs, then seal each entry by its number."""
        entries = [build_instance(BY_NAME["entries"], self._club, row, self._made) for row in rows]
        for entry in entries:
            entry.number = None
        Entry.objects.bulk_create(entries)
        self.ids.extend(entry.pk for entry in entries)
        legs = (self._document["legs"][index] for row in rows for index in self._legs[row["row"]])
        Leg.objects.bulk_create(build_instance(BY_NAME["legs"], self._club, leg, self._made) for leg in legs)
        for row, entry in zip(rows, entries, strict=True):
            entry.number = row["number"]
        seal(entries)

    def find_refused(self, rows: list[ArchiveRow]) -> ArchiveRow:
        """Return the first of these entries that breaks a law."""
        del self.ids[rows[0]["row"] - 1 :]
        return find_refused_row(rows, lambda row: self.insert([row]))


def insert_entries(club: Club, document: Document, made: Ids) -> None:
    """Insert all entries in the order of their numbers, with their legs."""
    books = _Books(club, document, made)
    for some in _split_batches(document["entries"]):
        try:
            with short_transaction():
                books.insert(some)
        except (IntegrityError, DataError) as error:
            raise build_refusal(_place(books.find_refused(some))) from error


def _split_batches(rows: Iterable[ArchiveRow]) -> Iterator[list[ArchiveRow]]:
    """Yield batches of entries. An entry is never in the same batch as the one that it reverses."""
    some: list[ArchiveRow] = []
    for row in rows:
        if row["number"] is None or (row["reverses"] or 0) >= row["row"]:
            raise ArchiveRefused([f"{_place(row)}: " + _("Das ist keine Buchung, wie sie in den Büchern steht.")])
        if some and (len(some) == ENTRIES_PER_BATCH or (row["reverses"] or 0) >= some[0]["row"]):
            yield some
            some = []
        some.append(row)
    if some:
        yield some


def _place(row: ArchiveRow) -> str:
    return f"entries[{row['row']}]"
