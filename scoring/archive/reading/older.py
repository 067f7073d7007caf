"""Reads an archive that an older version of this program wrote: each step adds what the next version has and the one before had
not. What an archive of that version could not hold becomes a fault like any other, named with its place."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from scoring.archive.queries import Document

from .lines import Turned


def as_of_today(document: Document) -> Document:
    """The same archive as today's version writes it, one version after the other. What names a version that has no step
    comes back as it is."""
    while type(version := document.get("version")) is int and version in _STEPS:
        document = _STEPS[version](document) | {"version": version + 1}
    return document


def _strangers_and_erased_names(document: Document) -> Document:
    """A club shows its list, its months and its evenings each by itself (what was public were the list and the league); a
    person can be an initial, and says when their name was erased, as a month says which hashes it had before that."""
    club = document.get("club")
    if isinstance(club, dict) and list(club) == ["name", "slug", "public"]:
        shown = dict.fromkeys(("shows_list", "shows_months"), club["public"])
        club = {"name": club["name"], "slug": club["slug"], **shown, "shows_evenings": False, "findable": False}
    else:
        club = None
    people = _with(document.get("players"), {"by_initial": False, "erased_on": None})
    return document | {"club": club, "players": people, "closings": _with(document.get("closings"), {"former": []})}


def _with(rows: Any, fields: dict[str, Any], behind: str = "") -> Any:
    """The rows of a kind with these fields behind those they have, or behind one of them. A row that has one already is none of
    that version."""
    if not isinstance(rows, Sequence) or isinstance(rows, str):
        return rows

    def of_next_version(row: Any) -> Any:
        return _in_order(row, fields, behind) if isinstance(row, dict) and not fields.keys() & row.keys() else None

    return Turned(rows, of_next_version)


def _in_order(row: dict[str, Any], fields: dict[str, Any], behind: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in row.items():
        found |= {name: value} | (fields if name == behind else {})
    return found | fields


def _books(document: Document) -> Document:
    """Adds the rows of the Kasse, none: there was no Kasse yet."""
    return _before_the_history(document, _BOOKS)


def _beside_the_books(document: Document) -> Document:
    """The Kasse had no pages: nobody reported a payment, counted or countersigned."""
    return _before_the_history(document, _BESIDE)


def _before_the_history(document: Document, kinds: Document) -> Document:
    """Kinds without rows stand before the history, which names theirs."""
    if document.keys() & kinds.keys():
        return document
    found: Document = {}
    for name, rows in document.items():
        found |= (kinds if name == "changes" else {}) | {name: rows}
    return found


_BOOKS: Final[Document] = {"accounts": [], "entries": [], "legs": [], "periods": []}
_BESIDE: Final[Document] = {"countersignatures": [], "reports": [], "counts": [], "headings": [], "book_years": []}


def _kasse_in_use(document: Document) -> Document:
    return _beside_the_books(_tariffs(document))


def _tariffs(document: Document) -> Document:
    """Adds tariffs, lists and fines, none: evenings cost nothing yet."""
    if document.keys() & _FACTS.keys():
        return document
    found: Document = {}
    for name, rows in document.items():
        found |= {"tariffs": []} if name == "evenings" else {}
        found |= ({"attendance": [], "fines": []} if name == "seasons" else {}) | {name: rows}
    evenings = _with(document.get("evenings"), _UNCHARGED)
    return found | {"evenings": evenings, "entries": _with(document.get("entries"), {"tariff": None}, behind="month")}


_FACTS: Final[Document] = {"tariffs": [], "attendance": [], "fines": []}
_UNCHARGED: Final = {
    "dropped": False,
    "tariff": None,
    "turn": 0,
    "host": None,
    "bill_cents": None,
    "bill_paid_by": None,
}


def _dues_and_settlements(document: Document) -> Document:
    """Nobody rested between two dates, everybody paid full dues, and who pays whom was not kept."""
    people = _with(document.get("players"), {"rests_from": None, "rests_until": None}, behind="left_on")
    return _before_the_history(document | {"players": people}, _SETTLING)


_SETTLING: Final[Document] = {"dues_statuses": [], "settlements": [], "settlement_lines": []}


def _openings(document: Document) -> Document:
    """Adds what people had before the first evening, nothing: it was not kept yet."""
    return _before_the_history(document, {"openings": []})


def _program(document: Document) -> Document:
    """Names no program: which one wrote an archive was not kept yet."""
    return _in_order(document, {"program": ""}, behind="version")


# By the version that is read.
_STEPS: Final[Mapping[int, Callable[[Document], Document]]] = {
    1: _strangers_and_erased_names,
    2: _books,
    3: _kasse_in_use,
    4: _dues_and_settlements,
    5: _openings,
    6: _program,
}
