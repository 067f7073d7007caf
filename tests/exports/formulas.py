"""Evaluate the few formulas of our workbooks: sums of ranges, sums of the rows of a name, counts of cells, and differences."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from openpyxl import Workbook
from openpyxl.cell import Cell
from openpyxl.utils import range_boundaries
from openpyxl.worksheet.worksheet import Worksheet

CELL = re.compile(r"^'(?P<sheet>[^']+)'!(?P<cells>[A-Z]+[0-9]+(:[A-Z]+[0-9]+)?)$")
AREA = r"'[^']+'![A-Z0-9:]+"
SUM = re.compile(rf"^SUM\((?P<inner>{AREA}|[0-9]+)\)$")
COUNT = re.compile(rf"^COUNTA\((?P<inner>{AREA})\)$")
NAMED = re.compile(rf"^SUMPRODUCT\(\((?P<names>{AREA})=(?P<name>{AREA})\)\*(?P<numbers>{AREA})\)$")


def evaluate(book: Workbook, formula: str) -> Decimal:
    """Return the value of "=SUM('Sheet'!A1:A9)-'Sheet'!A10"; fail for other formulas."""
    assert formula.startswith("=")
    formula = re.sub(r"^=ROUND\((.*),2\)$", r"=\1", formula)
    # A "-" within quotes is part of the name of a sheet.
    first, *rest = re.split(r"-(?=(?:[^']*'[^']*')*[^']*$)", formula[1:])
    return _term(book, first) - sum((_term(book, term) for term in rest), Decimal(0))


def _term(book: Workbook, term: str) -> Decimal:
    if found := NAMED.match(term):
        name = _values(book, found["name"])[0]
        pairs = zip(_values(book, found["names"]), _values(book, found["numbers"]), strict=True)
        return sum((Decimal(str(number or 0)) for who, number in pairs if who == name), Decimal(0))
    if found := COUNT.match(term):
        return Decimal(sum(value is not None for value in _values(book, found["inner"])))
    term = found["inner"] if (found := SUM.match(term)) else term
    if re.fullmatch(r"[0-9]+", term):
        return Decimal(term)
    place = CELL.match(term)
    assert place, f"not one of our formulas: {term}"
    rows = _rows(book, place)
    # A sum over a range ignores text, as in Excel.
    values = [cell.value for row in rows for cell in row if cell.value is not None]
    numbers = [value for value in values if len(rows) == 1 or not isinstance(value, str)]
    return sum((Decimal(str(value)) for value in numbers), Decimal(0))


def _values(book: Workbook, area: str) -> list[Any]:
    place = CELL.match(area)
    assert place, f"not an area of ours: {area}"
    return [cell.value for row in _rows(book, place) for cell in row]


def _rows(book: Workbook, place: re.Match[str]) -> list[tuple[Cell, ...]]:
    """Return the cells between two corners in any order."""
    left, top, right, bottom = range_boundaries(place["cells"])
    (top, bottom), (left, right) = sorted((top, bottom)), sorted((left, right))
    return list(book[place["sheet"]].iter_rows(top, bottom, left, right))


def formulas(sheet: Worksheet) -> list[str]:
    """Return the formulas of a sheet."""
    return [cell.value for row in sheet.iter_rows() for cell in row if cell.data_type == "f"]
