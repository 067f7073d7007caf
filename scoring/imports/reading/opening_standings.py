"""Lists of totals, one row for each person. A cell that is no number stays as written: the form refuses it at its field."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final

from django.utils.translation import gettext as _

from scoring.core.text import text_key

from .cells import (
    DAYS,
    OTHER_HEADINGS,
    TOTAL_LABELS,
    CellRefused,
    format_column,
    get_cell,
    is_absent,
    is_day,
    read_day,
    read_points,
)
from .outline import format_points
from .uploads import FileRefused, FileSheet

# The headings are in one of the first rows.
_FIRST_ROWS: Final = 20
# The headings of each figure, as text keys.
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


# The cells of each person by figure, the last day as an ISO date or empty, and a sentence for everything that is left out.
Totals = tuple[Sequence[Mapping[str, str]], str, Sequence[str]]


def looks_like_totals_list(sheets: Sequence[FileSheet]) -> bool:
    """Return whether one of these sheets has only names and totals. With several other columns these may be months."""
    heads = [sheet.rows[head] for sheet in sheets if (head := _find_head(sheet)) is not None]
    for cells in heads:
        known = [cell for cell in cells if _find_figure(cell)]
        others = [cell for cell in cells if cell and cell not in known and not OTHER_HEADINGS.match(text_key(cell))]
        if not others or len(known) > max(2, len(others) + 1):
            return True
    return False


def read_totals(sheets: Sequence[FileSheet]) -> Totals:
    """Read the first visible sheet of totals. Raise FileRefused if there is none, or no person in it."""
    for sheet in sheets:
        if not sheet.hidden and (head := _find_head(sheet)) is not None:
            others = [_("Das Blatt „%(name)s“") % {"name": other.name} for other in sheets if other is not sheet]
            return _read(sheet, head, others)
    raise FileRefused(_("In der Datei fehlt eine Kopfzeile mit „Name“ und „Punkte“ über den Summen."))


def _find_figure(cell: str) -> str | None:
    return _FIGURE_OF.get(text_key(cell).rstrip(".:"))


def _find_head(sheet: FileSheet) -> int | None:
    """Return the row with headings for names and points, and without days."""
    for index, row in enumerate(sheet.rows[:_FIRST_ROWS]):
        figures = {_find_figure(cell) for cell in row}
        days = any(text_key(cell).startswith("datum") or text_key(cell) in DAYS or is_day(cell) for cell in row)
        days = days or (index > 0 and sum(map(is_day, sheet.rows[index - 1])) > 1)
        if {"name", "points"} <= figures and not days:
            return index
    return None


def _read(sheet: FileSheet, head: int, left_out: list[str]) -> Totals:
    columns: dict[str, int] = {}
    for index, cell in enumerate(sheet.rows[head]):
        figure = _find_figure(cell)
        if figure and figure not in columns:
            columns[figure] = index
    people, rows, without = [], [], []
    for number, row in enumerate(sheet.rows[head + 1 :], head + 2):
        cells = {figure: get_cell(row, index) for figure, index in columns.items()}
        why = _explain_skip(cells)
        if why and any(row):
            text = ", ".join(cell for cell in row if cell)[:100]
            without.append(_("Zeile %(row)s: %(cells)s (%(why)s)") % {"row": number, "cells": text, "why": why})
        elif not why:
            rows.append(row)
            people.append({figure: cell if figure == "name" else _normalize_number(cell) for figure, cell in cells.items()})
    if not people:
        raise FileRefused(_("Unter der Kopfzeile steht niemand mit Punkten."))
    others = _describe_other_columns(sheet.rows[head], rows, columns)
    return people, _find_day_above(sheet, head), [*left_out, *others, *without]


def _describe_other_columns(heads: Sequence[str], rows: Sequence[Sequence[str]], columns: Mapping[str, int]) -> Iterator[str]:
    """Describe the columns without a known heading, each with its numbers, unless it is empty."""
    for index in range(max(len(row) for row in (heads, *rows))):
        if index in columns.values():
            continue
        name, figures = get_cell(heads, index), format_points((row[columns["name"]], get_cell(row, index)) for row in rows)
        values = {"column": format_column(index), "name": name}
        place = _("Spalte %(column)s („%(name)s“)") % values if name else _("Spalte %(column)s") % values
        if name or figures:
            yield f"{place}: {figures}" if figures else place


def _explain_skip(cells: Mapping[str, str]) -> str:
    if not cells["name"]:
        return _("ohne Namen")
    if TOTAL_LABELS.match(text_key(cells["name"])):
        return _("eine Summe")
    return _("ohne Punkte") if is_absent(cells["points"]) else ""


def _normalize_number(cell: str) -> str:
    """Return a number in plain digits, and any other cell as it is."""
    if _THOUSANDS.fullmatch(cell):
        return re.sub("[.'’ ]", "", cell)
    try:
        points = read_points(cell)
    except CellRefused:
        return cell
    return "" if points is None else str(points)


def _find_day_above(sheet: FileSheet, head: int) -> str:
    """Return the first day above the headings as an ISO date, or an empty string."""
    for row in sheet.rows[:head]:
        for cell in row:
            with suppress(CellRefused):
                return read_day(cell).isoformat()
    return ""

