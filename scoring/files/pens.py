"""How the cells of a look are written to an Excel file, quickly: a club of eight years has two million of them."""

from __future__ import annotations

from decimal import Decimal
from functools import cached_property

from openpyxl.cell import Cell
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
from openpyxl.worksheet.worksheet import Worksheet

from .cells import NUMBER, TEXT, Look

# Of these looks a value of this type needs nothing said, in a row of one line: numbers stand to the right, text to the left.
_BARE: dict[Look, type] = {Look(): str, TEXT._replace(wrap=False): str, NUMBER: int}


class _Cell(Cell):
    """A cell that is written quickly. openpyxl looks up the number of its style for each value: here once. And openpyxl tries
    each cell of a row as a value first, and describes it in an error that it then ignores: here with nothing."""

    @cached_property
    def style_id(self) -> int:
        return super().style_id

    def __repr__(self) -> str:
        return ""


class Pen:
    """Writes the cells of one look, all with one cell of openpyxl: a row is handed over cell by cell, and each is in the file
    before the next is made. Nor does openpyxl spend a cell on a `bare` value, one that looks by itself as it should."""

    def __init__(self, worksheet: Worksheet, look: Look) -> None:
        self._cell = dressed(_Cell(worksheet, row=1, column=1), look)
        self.look = look
        self.bare = _BARE.get(look._replace(wrap=False))
        self.seen_empty = look.box or look.line or look.shade

    def text(self, value: str) -> Cell:
        """Text, whatever it begins with."""
        self._cell.value = value
        self._cell.data_type = "s"
        return self._cell

    def other(self, value: str | float | Decimal | None) -> Cell:
        """A number, a formula, or an empty cell that is seen."""
        self._cell.value = value
        return self._cell


def dressed(cell: Cell, look: Look) -> Cell:
    side = Side("thin") if look.box else Side()
    cell.number_format = look.number_format
    cell.font = Font("Calibri", bold=look.bold, size=look.size, color="6B6B6B" if look.grey else None)
    cell.alignment = Alignment(look.align, "top", wrap_text=look.wrap)
    cell.border = Border(left=side, right=side, top=side, bottom=Side("medium") if look.line else side)
    cell.quotePrefix = look.quoted
    if look.shade:
        cell.fill = PatternFill("solid", fgColor="E6ECE6")
    return cell
