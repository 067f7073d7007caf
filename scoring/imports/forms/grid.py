"""The sheet of a preview as a table: its first and last rows and those with a remark, and what each column and row is."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from scoring.imports.reading.cells import get_cell
from scoring.imports.reading.outline import Outline, Remark, format_row

# How many rows of each sheet are shown, how many with a remark, and how many above the headings.
FIRST_ROWS: Final = 8
LAST_ROWS: Final = 4
MAX_REMARKED: Final = 100
ROWS_ABOVE: Final = 4

# What a column holds; the stylesheet colours it.
DAY, PLAYER, OUT = "day", "player", "out"


def list_titles(outline: Outline) -> list[str]:
    """Return the texts above the headings, one for each row."""
    above = [" · ".join(filter(None, row)) for row in outline.rows[: outline.head]]
    return list(filter(None, above))[-ROWS_ABOVE:]


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
                own = remarks_by_row.get(number, [])
                marked = {remark.column for remark in own}
                is_total = outline.is_total(row, people)
                yield {
                    "number": number,
                    "where": place or format_row(number),
                    "place": place,
                    "is_left": number in leave,
                    "is_total": is_total,
                    "is_aside": is_total or number in leave or str(place or format_row(number)) in aside,
                    "remarks": own,
                    "cells": [
                        {"text": get_cell(row, index), "role": role, "marked": index in marked} for index, role in columns.items()
                    ],
                }
