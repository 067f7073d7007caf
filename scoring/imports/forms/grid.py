"""The sheet of a preview as a table: its first and last rows and those with a remark, and what each column and row is."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from django.utils.translation import gettext_lazy

from scoring.imports.reading.cells import get_cell
from scoring.imports.reading.outline import Outline, Phrase, Remark, format_row

# How many rows of each sheet are shown, how many with a remark, and how many above the headings.
FIRST_ROWS: Final = 8
LAST_ROWS: Final = 4
MAX_REMARKED: Final = 100
ROWS_ABOVE: Final = 4

# What a column, a row or a cell is, with its label in the legend; the stylesheet colours it. `AMOUNT` is a cell of a player.
DAY, PLAYER, AMOUNT, TOTAL, PLACE, NOTE, OUT = "day", "player", "amount", "total", "place", "note", "out"
LABELS: Final = {
    DAY: gettext_lazy("Tag"),
    PLAYER: gettext_lazy("Person"),
    AMOUNT: gettext_lazy("zählt"),
    TOTAL: gettext_lazy("Summe"),
    PLACE: gettext_lazy("Ort"),
    NOTE: gettext_lazy("Bemerkung"),
    OUT: gettext_lazy("ausgelassen"),
}


def list_titles(outline: Outline) -> list[str]:
    """Return the texts above the headings, one for each row."""
    above = [" · ".join(filter(None, row)) for row in outline.rows[: outline.head]]
    return list(filter(None, above))[-ROWS_ABOVE:]


def list_skipped(outline: Outline) -> list[str]:
    """Return the texts between the headings and the first row that is read, one for each row."""
    return list(filter(None, (" · ".join(filter(None, row)) for row in outline.rows[outline.head + 1 : outline.first])))


def iter_grid_rows(
    outline: Outline,
    columns: Mapping[int, str],
    remarks: Sequence[Remark],
    left_out: Sequence[Remark],
    leave: Collection[int],
) -> Iterator[dict[str, Any]]:
    """Yield the rows to show, with a row that counts the hidden ones between them, and the name of each sheet above its rows.
    `columns` are the roles of the columns, `remarks` are shown at their row, `left_out` are the rows that are not taken in, and
    `leave` are those that the user leaves out."""
    remarks_by_row: dict[int, list[Remark]] = {}
    for remark in remarks:
        remarks_by_row.setdefault(remark.row, []).append(remark)
    aside = {remark.where for remark in left_out}
    people = [index for index, role in columns.items() if role == PLAYER]
    shown = {*list(remarks_by_row)[:MAX_REMARKED], *leave}
    for part, rows_of_part in groupby(outline.iter_rows(), key=lambda numbered: outline.part(numbered[0])):
        rows = list(rows_of_part)
        numbers = [number for number, _row in rows]
        here = {*numbers[:FIRST_ROWS], *numbers[-LAST_ROWS:], *shown}
        if part:
            yield {"sheet": part}
        for is_shown, group in groupby(rows, key=lambda numbered: numbered[0] in here):
            if not is_shown:
                yield {"hidden": len(list(group))}
                continue
            for number, row in group:
                place = outline.place(number)
                # The name of the sheet is above its rows, and the first column is narrow.
                within = place.values.get("place", place) if isinstance(place, Phrase) else place
                own = remarks_by_row.get(number, [])
                marked = {remark.column for remark in own}
                where = place or format_row(number)
                role = TOTAL if outline.is_total(row, people) else OUT if number in leave or str(where) in aside else ""
                yield {
                    "number": number,
                    "where": where,
                    "short": (within.values.get("row") if isinstance(within, Phrase) else "") or within or number,
                    "is_left": number in leave,
                    "role": role,
                    "remarks": own,
                    "cells": [
                        {
                            "text": get_cell(row, index),
                            "role": role or (AMOUNT if of_column == PLAYER else of_column),
                            "marked": index in marked,
                        }
                        for index, of_column in columns.items()
                    ],
                }


def list_legend(rows: Sequence[Mapping[str, Any]], columns: Mapping[int, str], words: Mapping[str, str]) -> list[tuple[str, str]]:
    """List what is in the grid, each with its label, which is one of these words where they have it."""
    cells = {cell["role"] for row in rows for cell in row.get("cells", ())}
    labels = {**LABELS, **words}
    return [(role, str(label)) for role, label in labels.items() if role in cells or role in columns.values()]
