"""How the cells of a look are written to an Excel file, quickly: a club of eight years has two million of them."""

from __future__ import annotations

import datetime
from copy import copy
from decimal import Decimal
from functools import cached_property

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
# Values of these types come again and again. So many of a look are kept at a time.
_KEPT = frozenset({int, str, datetime.date, type(None)})
MOST_KEPT = 1024


class _Cell(Cell):
    """A cell that is written quickly. openpyxl asks a cell at each place whether it has a look and which number its style has: here
    both are worked out once, since a cell keeps its look.

    `__repr__` leans on how openpyxl 3.1 appends a row: it first takes each cell for a value, and the error that follows describes
    the cell. openpyxl catches that error and ignores its text, so here it says nothing. Should another version do otherwise,
    the files stay the same and only `make bench` becomes slower (`tests/bench/bench_workbook.py`). That one cell may stand in many
    places leans on the same loop, which writes a cell before it looks at the next: `tests/files/test_book.py` and
    `tests/workbook/test_excel.py` read every value back."""

    has_style = True

    @cached_property
    def style_id(self) -> int:
        return super().style_id

    def __repr__(self) -> str:
        return ""


class Pen(dict[Value, Written]):
    """What openpyxl is handed for each value of one look, worked out once for all places where it stands: a row is handed over
    cell by cell, and each is in the file before the next is looked at. openpyxl spends no cell on a value that looks by itself
    as it should; in a `tall` row none does, since all need to be told to stand at the top."""

    def __init__(self, worksheet: Worksheet, look: Look, tall: bool) -> None:
        super().__init__()
        self.look = look
        self._worksheet = worksheet
        self._cell = dressed(_Cell(worksheet, row=1, column=1), look)
        self._bare = None if tall else _BARE.get(look._replace(wrap=False))
        self._seen_empty = look.box or look.line or look.shade

    def __missing__(self, value: Value) -> Written:
        written = self._written(value)
        if type(value) in _KEPT:
            if len(self) == MOST_KEPT:
                self.clear()
            self[value] = written
        return written

    def _written(self, value: Value) -> Written:
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
            cell = dressed(_Cell(self._worksheet, row=1, column=1, value=text), self.look._replace(quoted=True))
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
