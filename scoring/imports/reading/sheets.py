"""The sheets of a file that are read together: which of them are lists, and all of them as one sheet, in which each row still knows
where it stands in the file. A year or a day in the name of a sheet is that of its rows."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from django.utils.translation import gettext as _

from scoring.core.text import text_key

from .cells import LAST_CENTURY, MONTHS, CellRefused, read_day
from .files import FileRefused, FileSheet
from .outline import TOTALS, Column, Outline, row_called, understand
from .rows import Rows
from .shapes import reshaped, shape_of

_YEAR: Final = re.compile(r"(?<![0-9])((?:19[5-9]|20[0-9])[0-9])(?![0-9])")
_MONTH_AND_YEAR: Final = re.compile(r"([a-z]+)[ .'/-]*([0-9]{2})")


def outline_of(sheet: FileSheet, shape: str = "") -> Outline:
    """One sheet, in the shape that was said, else the one it looks like. Raises FileRefused."""
    grid = reshaped(sheet.rows, shape or shape_of(sheet.rows))
    outline = understand(grid.rows)
    return replace(
        outline, shape=grid.shape, places=grid.places, left_out=grid.left_out, years=years_in(sheet.rows, outline.head)
    )


def understood(sheets: Sequence[FileSheet], shape: str = "") -> dict[int, Outline]:
    """The sheets that are lists, by their index. Raises FileRefused, for the first of them, where none is."""
    found, faults = {}, []
    for index, sheet in enumerate(sheets):
        try:
            found[index] = outline_of(sheet, shape)
        except FileRefused as refused:
            faults.append(refused)
    if not found:
        raise faults[0]
    return found


def alike(outlines: dict[int, Outline]) -> list[int]:
    """Those that are lists of one kind, of much the same people as the first, and of other days: the same days once more are of
    money, or of something else."""
    first = next(iter(outlines.values()))
    names: set[str] = set()
    days: set[str] = set()
    found: list[int] = []
    for index, outline in outlines.items():
        own = {text_key(column.name) for column in outline.columns if not column.why_not}
        on = outline.days()
        same_kind = (outline.label is None, outline.kind()) == (first.label is None, first.kind())
        same_days = outline.number is None and 2 * len(on & days) > len(on)
        if not found or (same_kind and not same_days and 2 * len(own & names) > len(own)):
            found.append(index)
            names |= own
            days |= on
    return found


def why_none(sheet: FileSheet, shape: str = "") -> str:
    """Why this sheet is no list; empty where it is one."""
    try:
        outline_of(sheet, shape)
    except FileRefused as refused:
        return str(refused)
    return ""


def joined(sheets: Sequence[FileSheet], outlines: dict[int, Outline]) -> Outline:
    """All of these as one, those of one name in one column. One alone stays as it is but for what its name says."""
    dated = {index: _dated(sheets[index].name, outline) for index, outline in outlines.items()}
    if len(dated) == 1:
        return next(iter(dated.values()))
    first = next(iter(dated.values()))
    has_day = any(outline.day is not None for outline in dated.values())
    has_number = not has_day and any(outline.number is not None for outline in dated.values())
    start = int(has_day or has_number)
    columns: dict[tuple[str, str], Column] = {}
    rows: Rows = [[first.rows[first.head][first.label] if start and first.label is not None else ""]]
    places, left_out = [""], []
    for index, outline in dated.items():
        name = sheets[index].name
        at = {}
        for column in outline.columns:
            key = (text_key(column.name), column.why_not)
            columns.setdefault(key, replace(column, index=start + len(columns)))
            at[column.index] = columns[key].index
        if start and outline.label is not None:
            at[outline.label] = 0
        left_out += [replace(remark, place=f"{name}, {remark.where}") for remark in outline.left_out]
        for number, row in outline.data():
            moved = [""] * (start + len(columns))
            for column_index, cell in enumerate(row):
                if column_index in at:
                    moved[at[column_index]] = cell
            if start and not moved[0]:
                # What names a sum may stand in a column of its own.
                moved[0] = next((cell for cell in row if TOTALS.match(text_key(cell))), "")
            rows.append(moved)
            places.append(f"{name}, {outline.place(number) or row_called(number)}")
    rows[0] += [column.name for column in columns.values()]
    years = list(dict.fromkeys(year for outline in dated.values() for year in outline.years))
    return Outline(
        rows=rows,
        head=0,
        day=0 if has_day else None,
        columns=_without_doubts(list(columns.values())),
        number=0 if has_number else None,
        places=places,
        left_out=left_out,
        shape=first.shape,
        years=years,
    )


def _without_doubts(columns: Sequence[Column]) -> list[Column]:
    """Somebody who is left out on one sheet for having no points there has them on another."""
    named = {text_key(column.name) for column in columns if not column.why_not}
    return [column for column in columns if not (column.why_not == _("ohne Punkte") and text_key(column.name) in named)]


def years_in(rows: Rows, head: int) -> list[int]:
    """The years that stand above the headings."""
    cells = [cell for row in rows[: max(head, 1)] for cell in row]
    return list(dict.fromkeys(int(year) for cell in cells for year in _YEAR.findall(cell)))


def year_in(text: str) -> int | None:
    """The one year that a name says: 2023, "Saison 2023", "Januar 23"."""
    found = list(dict.fromkeys(_YEAR.findall(text)))
    if len(found) == 1:
        return int(found[0])
    short = _MONTH_AND_YEAR.fullmatch(text_key(text))
    if short and short[1] in MONTHS:
        return int(short[2]) + (1900 if int(short[2]) >= LAST_CENTURY else 2000)
    return None


def _dated(name: str, outline: Outline) -> Outline:
    """With the days of a sheet whose name says its year, or the one day of it."""
    if outline.label is None:
        try:
            day = read_day(name).isoformat()
        except CellRefused:
            return outline
        at = max(map(len, outline.rows[outline.head :]))
        rows = [[*row, *[""] * (at - len(row))] for row in outline.rows]
        rows[outline.head].append(_("Datum"))
        for number, _row in outline.data():
            rows[number - 1].append(day)
        return replace(outline, rows=rows, day=at)
    year = year_in(name)
    if year is None or outline.day is None:
        return outline
    near, rows = datetime.date(year, 7, 2), list(outline.rows)
    for number, row in outline.data():
        if outline.day < len(row) and row[outline.day]:
            try:
                near = read_day(row[outline.day], near)
            except CellRefused:
                continue
            rows[number - 1] = [*row[: outline.day], near.isoformat(), *row[outline.day + 1 :]]
    return replace(outline, rows=rows)
