"""Write CSV files: semicolons, a byte order mark (so that Excel reads UTF-8), German dates and decimals, no formulas.

A CsvWorkbook has the methods of an ExcelWorkbook, so that one function writes a table to both. It keeps headings and rows and
ignores totals, checks, colors and charts.
"""

from __future__ import annotations

import csv
import datetime
from collections.abc import Callable, Iterable, Sequence
from decimal import ROUND_HALF_UP, Decimal
from io import BytesIO, StringIO
from zipfile import ZIP_DEFLATED, ZipFile

from django.utils import timezone

from .text import build_file_name
from .workbook import CellStyle, Column, Day, Formula, Link, SheetNames, Value, clean_text

FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n")


class CsvWorkbook:
    """Several tables, each a file of its own."""

    def __init__(self) -> None:
        self.sheets: list[CsvSheet] = []
        self._names = SheetNames()

    def add_sheet(
        self,
        name: str,
        columns: Sequence[Column],
        captions: Sequence[str] = (),
        frozen: int = 1,
        named: bool = True,
        paged: bool = False,
    ) -> CsvSheet:
        sheet = CsvSheet(self._names.add(name), columns)
        self.sheets.append(sheet)
        return sheet

    def as_zip(self) -> bytes:
        """Return an archive of all tables, numbered in their order."""
        buffer = BytesIO()
        with ZipFile(buffer, "w", ZIP_DEFLATED) as archive:
            for number, sheet in enumerate(self.sheets, start=1):
                archive.writestr(f"{number:03}-{build_file_name(sheet.name.replace('.', '-'))}.csv", sheet.as_bytes())
        return buffer.getvalue()


class CsvSheet:
    """A table as text. It ignores what only Excel has; `cell` and `area` return "" for formulas that are ignored as well."""

    def __init__(self, name: str, columns: Sequence[Column]) -> None:
        self.name = name
        self.row = 0
        self._digits = [column.style.digits for column in columns]
        self.first = 2
        self.checks: list[str] = []
        self._text = StringIO()
        self._write: Callable[[Iterable[str]], object] = csv.writer(self._text, delimiter=";").writerow
        self.append([_format_heading(column) for column in columns])

    def append(self, values: Sequence[Value], styles: Sequence[CellStyle | None] = (), line: bool = False) -> None:
        texts = [format_csv_value(value, digits) for value, digits in zip(values, self._digits, strict=False)]
        self._write([*texts, *[""] * (len(self._digits) - len(texts))])
        self.row += 1

    def _ignore(self, *args: object) -> str:
        return ""

    append_totals = append_gap = append_check = cell = area = _ignore
    add_filter = color_signs = add_line_chart = add_bar_chart = close = _ignore

    def as_bytes(self) -> bytes:
        return self._text.getvalue().encode("utf-8-sig")


def _format_heading(column: Column) -> str:
    if isinstance(column.heading, Day):
        return f"{format_csv_value(column.heading.day)}{column.heading.ordinal}"
    return column.heading


def format_csv_value(value: Value, digits: int | None = None) -> str:
    """Return a value as a German spreadsheet reads it, a fraction rounded to `digits`.

    Text that begins like a formula gets an apostrophe before it.
    """
    if value is None:
        return ""
    if isinstance(value, Formula | Link):
        raise TypeError("A CSV file holds values only.")
    if isinstance(value, str):
        text = clean_text(value)
        return f"'{text}" if text.startswith(FORMULA_SIGNS) or value.startswith(FORMULA_SIGNS) else text
    if isinstance(value, datetime.datetime):
        return f"{timezone.localtime(value):%d.%m.%Y %H:%M}"
    if isinstance(value, datetime.date):
        return f"{value:%d.%m.%Y}"
    if isinstance(value, float):
        # Rounded from 15 significant digits, half away from zero, as Excel does.
        exact = Decimal(f"{value:.15g}")
        rounded = exact if digits is None else exact.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
        return str(rounded).replace(".", ",")
    return str(value).replace(".", ",")
