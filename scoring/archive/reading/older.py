"""Upgrade archives of older versions. Values that the older version could not contain become faults in the validation."""

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
    """Replace `public`, which was for list and league, by a switch for each page; add initials, erased names, former hashes."""
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


def _add_before_changes(document: Document, kinds: Document) -> Document:
    """Insert parts before `changes`, which refers to their rows."""
    if document.keys() & kinds.keys():
        return document
    found: Document = {}
    for name, rows in document.items():
        found |= (kinds if name == "changes" else {}) | {name: rows}
    return found


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
_UNCHARGED: Final = {"dropped": False, "tariff": None, "turn": 0, "host": None, "bill_cents": None, "bill_paid_by": None}


def _add_dues_and_settlements(document: Document) -> Document:
    people = _add_fields(document.get("players"), {"rests_from": None, "rests_until": None}, behind="left_on")
    settling: Document = {"dues_statuses": [], "settlements": [], "settlement_lines": []}
    return _add_before_changes(document | {"players": people}, settling)


# The empty parts for the Kasse; and those for reported payments, counts, countersignatures, headings and book years.
_BOOKS: Final[Document] = {"accounts": [], "entries": [], "legs": [], "periods": []}
_BESIDE: Final[Document] = {"countersignatures": [], "reports": [], "counts": [], "headings": [], "book_years": []}
# The steps by the version that they upgrade.
_STEPS: Final[Mapping[int, Callable[[Document], Document]]] = {
    1: _add_visibility,
    2: lambda document: _add_before_changes(document, _BOOKS),
    3: lambda document: _add_before_changes(_add_tariffs(document), _BESIDE),
    4: _add_dues_and_settlements,
    5: lambda document: _add_before_changes(document, {"openings": []}),
    6: lambda document: _insert_fields(document, {"program": ""}, behind="version"),
    7: lambda document: document | {"evenings": _add_fields(document.get("evenings"), {"note": ""}, behind="place")},
}
