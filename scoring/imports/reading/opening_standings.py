"""Reads a list of sums: one row for each person with their totals, and no days but perhaps the last one that is counted. A
cell that is no number is kept as it was written, so that it is refused at its field."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from scoring.core.text import text_key

from .cells import DAYS, OTHERS, TOTALS, CellRefused, column_name, is_absent, is_day, read_day, read_points
from .layouts import brings
from .uploads import FileRefused, FileSheet

# The head stands among the first rows, below a title at most.
_FIRST_ROWS: Final = 20
# What a column is called, folded.
_HEADS: Final = {
    "name": {"name", "namen", "spieler", "spielerin", "mitspieler", "person", "mitglied", "wer"},
    "points": {"punkte", "pkt", "pkte", "punktestand", "gesamt", "gesamtpunkte", "punkte gesamt", "summe", "stand", "cent"},
    "evenings": {"abende", "spielabende", "teilnahmen", "teiln", "anwesend", "anzahl abende"},
    "games": {"spiele", "sp", "gespielt", "anzahl spiele", "spiele gesamt"},
    "wins": {"siege", "gewonnen", "spiele gewonnen", "gewonnene spiele"},
    "solos": {"soli", "solos", "solo", "soli gespielt", "gespielte soli"},
    "solos_won": {"soli gewonnen", "gew. soli", "gewonnene soli", "solos gewonnen"},
}
_FIGURE_OF: Final = {head: figure for figure, heads in _HEADS.items() for head in heads}
_THOUSANDS: Final = re.compile(r"[+-]?[0-9]{1,3}(?:[.'’ ][0-9]{3})+")


@dataclass(frozen=True)
class PeopleSums:
    """What stands there for each person, by figure as it is typed; up to which day, as an ISO date, empty where none stands
    above the list; and a sentence for everything that is left out."""

    people: Sequence[Mapping[str, str]]
    until: str
    left_out: Sequence[str]


def looks_like_sums(sheets: Sequence[FileSheet]) -> bool:
    """Is one of these sheets nothing but names down and sums across? Where there is more beside one sum, these may be months."""
    heads = [sheet.rows[head] for sheet in sheets if (head := _head(sheet)) is not None]
    for cells in heads:
        known = [cell for cell in cells if _figure(cell)]
        others = [cell for cell in cells if cell and cell not in known and not OTHERS.match(text_key(cell))]
        if not others or len(known) > max(2, len(others) + 1):
            return True
    return False


def read_sums(sheets: Sequence[FileSheet]) -> PeopleSums:
    """The first visible sheet of sums. Raises FileRefused where there is none, or nobody in it."""
    for sheet in sheets:
        if not sheet.hidden and (head := _head(sheet)) is not None:
            others = [_("Das Blatt „%(name)s“") % {"name": other.name} for other in sheets if other is not sheet]
            return _read(sheet, head, others)
    raise FileRefused(_("In der Datei fehlt eine Kopfzeile mit „Name“ und „Punkte“ über den Summen."))


def _figure(cell: str) -> str | None:
    return _FIGURE_OF.get(text_key(cell).rstrip(".:"))


def _head(sheet: FileSheet) -> int | None:
    """The row in which a name and its points are headed, and no day is."""
    for index, row in enumerate(sheet.rows[:_FIRST_ROWS]):
        found = {_figure(cell) for cell in row}
        days = any(text_key(cell).startswith("datum") or text_key(cell) in DAYS or is_day(cell) for cell in row)
        days = days or (index > 0 and sum(map(is_day, sheet.rows[index - 1])) > 1)
        if {"name", "points"} <= found and not days:
            return index
    return None


def _read(sheet: FileSheet, head: int, left_out: list[str]) -> PeopleSums:
    columns: dict[str, int] = {}
    for index, cell in enumerate(sheet.rows[head]):
        figure = _figure(cell)
        if figure and figure not in columns:
            columns[figure] = index
    people, rows, without = [], [], []
    for number, row in enumerate(sheet.rows[head + 1 :], head + 2):
        cells = {figure: _cell(row, index) for figure, index in columns.items()}
        why = _why_not(cells)
        if why and any(row):
            brought = ", ".join(cell for cell in row if cell)[:100]
            without.append(_("Zeile %(row)s: %(cells)s (%(why)s)") % {"row": number, "cells": brought, "why": why})
        elif not why:
            rows.append(row)
            people.append({figure: cell if figure == "name" else _typed(cell) for figure, cell in cells.items()})
    if not people:
        raise FileRefused(_("Unter der Kopfzeile steht niemand mit Punkten."))
    others = _other_columns(sheet.rows[head], rows, columns)
    return PeopleSums(people, _day_above(sheet, head), [*left_out, *others, *without])


def _other_columns(heads: Sequence[str], rows: Sequence[Sequence[str]], columns: Mapping[str, int]) -> Iterator[str]:
    """What is no figure of ours, each with what it says of these people; one that says nothing and is called nothing is none."""
    for index in range(max(len(row) for row in (heads, *rows))):
        if index in columns.values():
            continue
        name, figures = _cell(heads, index), brings((row[columns["name"]], _cell(row, index)) for row in rows)
        said = {"column": column_name(index), "name": name}
        place = _("Spalte %(column)s („%(name)s“)") % said if name else _("Spalte %(column)s") % said
        if name or figures:
            yield f"{place}: {figures}" if figures else place


def _cell(row: Sequence[str], index: int) -> str:
    return row[index].strip() if index < len(row) else ""


def _why_not(cells: Mapping[str, str]) -> str:
    if not cells["name"]:
        return _("ohne Namen")
    if TOTALS.match(text_key(cells["name"])):
        return _("eine Summe")
    return _("ohne Punkte") if is_absent(cells["points"]) else ""


def _typed(cell: str) -> str:
    """A number in plain digits; what is none stays as it is, and is refused where it stands."""
    if _THOUSANDS.fullmatch(cell):
        return re.sub("[.'’ ]", "", cell)
    try:
        points = read_points(cell)
    except CellRefused:
        return cell
    return "" if points is None else str(points)


def _day_above(sheet: FileSheet, head: int) -> str:
    for row in sheet.rows[:head]:
        for cell in row:
            try:
                return read_day(cell).isoformat()
            except CellRefused:
                continue
    return ""

