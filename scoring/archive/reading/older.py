"""Upgrade archives of older versions: each step adds the parts and fields of the next version. Values that the older version
could not contain become faults in the validation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from scoring.archive.queries import Document
from scoring.archive.reading.lines import MappedRows


def upgrade(document: Document) -> Document:
    """Return the archive in the present version. An archive of an unknown version is returned unchanged."""
    while type(version := document.get("version")) is int and version in _STEPS:
        document = _STEPS[version](document) | {"version": version + 1}
    return document


def _add_visibility(document: Document) -> Document:
    """Replace `public`, which was for list and league, by one switch for each page; add initials, erased names and former
    hashes."""
    club = document.get("club")
    if isinstance(club, dict) and list(club) == ["name", "slug", "public"]:
        shown = dict.fromkeys(("shows_list", "shows_months"), club["public"])
        club = {"name": club["name"], "slug": club["slug"], **shown, "shows_evenings": False, "findable": False}
    else:
        club = None
    people = _add_fields(document.get("players"), {"by_initial": False, "erased_on": None})
    return document | {"club": club, "players": people, "closings": _add_fields(document.get("closings"), {"former": []})}


def _add_fields(rows: Any, fields: dict[str, Any], behind: str = "") -> Any:
    """Return the rows with these fields at the end, or behind one field. A row that has one of them already becomes None."""
    if not isinstance(rows, Sequence) or isinstance(rows, str):
        return rows

    def of_next_version(row: Any) -> Any:
        return _insert_fields(row, fields, behind) if isinstance(row, dict) and not fields.keys() & row.keys() else None

    return MappedRows(rows, of_next_version)


def _insert_fields(row: dict[str, Any], fields: dict[str, Any], behind: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in row.items():
        found |= {name: value} | (fields if name == behind else {})
    return found | fields


def _add_books(document: Document) -> Document:
    """Add the empty parts of the Kasse."""
    return _add_before_changes(document, _BOOKS)


def _add_reports_and_counts(document: Document) -> Document:
    """Add the empty parts for reported payments, counts, countersignatures, headings and book years."""
    return _add_before_changes(document, _BESIDE)


def _add_before_changes(document: Document, kinds: Document) -> Document:
    """Insert parts before `changes`, which refers to their rows."""
    if document.keys() & kinds.keys():
        return document
    found: Document = {}
    for name, rows in document.items():
        found |= (kinds if name == "changes" else {}) | {name: rows}
    return found


_BOOKS: Final[Document] = {"accounts": [], "entries": [], "legs": [], "periods": []}
_BESIDE: Final[Document] = {"countersignatures": [], "reports": [], "counts": [], "headings": [], "book_years": []}


def _add_tariffs_and_reports(document: Document) -> Document:
    return _add_reports_and_counts(_add_tariffs(document))


def _add_tariffs(document: Document) -> Document:
    """Add the empty parts for tariffs, attendance and fines, and their fields of evenings."""
    if document.keys() & _FACTS.keys():
        return document
    found: Document = {}
    for name, rows in document.items():
        found |= {"tariffs": []} if name == "evenings" else {}
        found |= ({"attendance": [], "fines": []} if name == "seasons" else {}) | {name: rows}
    evenings = _add_fields(document.get("evenings"), _UNCHARGED)
    return found | {"evenings": evenings, "entries": _add_fields(document.get("entries"), {"tariff": None}, behind="month")}


_FACTS: Final[Document] = {"tariffs": [], "attendance": [], "fines": []}
_UNCHARGED: Final = {
    "dropped": False,
    "tariff": None,
    "turn": 0,
    "host": None,
    "bill_cents": None,
    "bill_paid_by": None,
}


def _add_dues_and_settlements(document: Document) -> Document:
    """Add breaks of members, and the empty parts for dues and settlements."""
    people = _add_fields(document.get("players"), {"rests_from": None, "rests_until": None}, behind="left_on")
    return _add_before_changes(document | {"players": people}, _SETTLING)


_SETTLING: Final[Document] = {"dues_statuses": [], "settlements": [], "settlement_lines": []}


def _add_openings(document: Document) -> Document:
    """Add the empty part for opening standings."""
    return _add_before_changes(document, {"openings": []})


def _add_program(document: Document) -> Document:
    """Add an empty name of the program that wrote the archive."""
    return _insert_fields(document, {"program": ""}, behind="version")


# The steps by the version that they upgrade.
_STEPS: Final[Mapping[int, Callable[[Document], Document]]] = {
    1: _add_visibility,
    2: _add_books,
    3: _add_tariffs_and_reports,
    4: _add_dues_and_settlements,
    5: _add_openings,
    6: _add_program,
}
