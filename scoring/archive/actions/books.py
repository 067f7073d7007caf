"""The books of an archive on their way into the database: entry by entry, each with its legs and sealed with the number that it
has had, so that every law of the books is asked once more."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from django.core.exceptions import ValidationError
from django.db import DataError, IntegrityError
from django.utils.translation import gettext as _

from scoring.archive.errors import ArchiveRefused
from scoring.archive.queries import BY_NAME, ArchiveRow, Document
from scoring.cash.actions.posting import write
from scoring.club.models.people import Club
from scoring.core.pieces import piece

from .rows import Made, clean_row, in_turn, instance_of, refused_by_database, sentences


def insert_entries(club: Club, document: Document, made: Made) -> None:
    """Every entry in the order of its numbers, in which each reverses one before it, and its legs."""
    made["entries"], made["legs"] = [], [None] * len(document["legs"])
    legs: dict[int, list[ArchiveRow]] = defaultdict(list)
    for row in document["legs"]:
        legs[row["entry"]].append(row)
    for some in in_turn(document["entries"]):
        with piece():
            for row in some:
                _insert(club, row, legs[row["row"]], made)


def _insert(club: Club, row: ArchiveRow, legs: list[ArchiveRow], made: Made) -> None:
    place = f"entries[{row['row']}]"
    if row["number"] is None or (row["reverses"] or 0) >= row["row"]:
        raise ArchiveRefused([f"{place}: " + _("Das ist keine Buchung, wie sie in den Büchern steht.")])
    entry = _judged("entries", club, row, made)
    made["entries"].append(entry)
    for leg in legs:
        made["legs"][leg["row"] - 1] = _judged("legs", club, leg, made)
    try:
        write(entry, [made["legs"][leg["row"] - 1] for leg in legs], row["number"])
    except (IntegrityError, DataError) as error:
        raise refused_by_database(place) from error


def _judged(name: str, club: Club, row: ArchiveRow, made: Made) -> Any:
    kind = BY_NAME[name]
    instance = instance_of(kind, club, row, made)
    try:
        clean_row(kind, instance, row)
    except ValidationError as error:
        raise ArchiveRefused(sentences(f"{name}[{row['row']}]", error)) from error
    return instance
