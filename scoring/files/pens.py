"""The cells of an Excel file, by their look."""

from __future__ import annotations

import datetime
from copy import copy
from decimal import Decimal

from django.utils import timezone
from openpyxl.cell import Cell
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
from openpyxl.utils.datetime import to_excel
from openpyxl.worksheet.worksheet import Worksheet

from .cells import NUMBER, TEXT, Formula, Link, Look, Value, in_language, plain

# What openpyxl is handed for a value.
Written = Cell | str | int | None

# Of these looks a value of this type needs nothing said, in a row of one line: numbers stand to the right, text to the left.
_BARE: dict[Look, type] = {Look(): str, TEXT._replace(wrap=False): str, NUMBER: int}
# Text that begins like a formula, or also like the name of an error: openpyxl has to be told that it is text.
_FORMULA_SIGNS = frozenset("=+-@")
_SIGNS = _FORMULA_SIGNS | {"#"}


class Pen:
    """Makes what openpyxl is handed for a value of one look: a cell, or the bare value where that looks right by itself. In a
    `tall` row every value gets a cell, to stand at the top."""

    def __init__(self, worksheet: Worksheet, look: Look, tall: bool) -> None:
        self.look = look
        self._worksheet = worksheet
        self._cell = dressed(Cell(worksheet, row=1, column=1), look)
        self._bare = None if tall else _BARE.get(look._replace(wrap=False))
        self._seen_empty = look.box or look.line or look.shade

    def write(self, value: Value) -> Written:
        if isinstance(value, str) and (text := plain(value)):
            return text if self._bare is str and text[0] not in _SIGNS else self._text(text)
        if value is None or isinstance(value, str | Link):
            return self._holding(None) if self._seen_empty else None
        return value if type(value) is int and self._bare is int else self._holding(_in_file(value))

    def _text(self, text: str) -> Cell:
        """Text, whatever it begins with; what begins like a formula stays text after somebody has edited it as well."""
        cell = self._holding(text)
        if text[0] in _FORMULA_SIGNS:
            # Dressed by itself: copies have their style in common.
            cell = dressed(Cell(self._worksheet, row=1, column=1, value=text), self.look._replace(quoted=True))
        cell.data_type = "s"
        return cell

    def _holding(self, value: str | float | Decimal | None) -> Cell:
        cell = copy(self._cell)
        cell.value = value
        return cell


def _in_file(value: float | Decimal | datetime.date | Formula) -> str | float | Decimal:
    """A value as it stands in the file; days are counted there."""
    if isinstance(value, Formula):
        return value.text
    if isinstance(value, datetime.datetime):
        value = timezone.localtime(value).replace(tzinfo=None, microsecond=0)
    if isinstance(value, datetime.date):
        days: float = to_excel(value)
        return days
    return value


def dressed(cell: Cell, look: Look) -> Cell:
    side = Side("thin") if look.box else Side()
    cell.number_format = in_language(look.number_format)
    cell.font = Font("Calibri", bold=look.bold, size=look.size, color="6B6B6B" if look.grey else None)
    cell.alignment = Alignment(look.align, "top", wrap_text=look.wrap, indent=int(look.indent))
    cell.border = Border(left=side, right=side, top=side, bottom=Side("medium") if look.line else side)
    cell.quotePrefix = look.quoted
    if look.shade:
        cell.fill = PatternFill("solid", fgColor="E6ECE6")
    return cell
