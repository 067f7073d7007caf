"""How our CSV files are made: separated by semicolons and with the byte mark by which Excel knows UTF-8, German dates and
decimals, rates rounded as the page shows them, and no text that a spreadsheet would take for a formula. A CsvBook takes
what a Book takes, so that a table is written once for both; it keeps the headings and the rows, and leaves sums, checks,
colours and charts to Excel."""

from __future__ import annotations

import csv
import datetime
from collections.abc import Callable, Iterable, Sequence
from decimal import ROUND_HALF_UP, Decimal
from io import BytesIO, StringIO
from zipfile import ZIP_DEFLATED, ZipFile

from django.utils import timezone

from .text import build_file_name
from .workbook import Column, Day, Formula, Link, Look, SheetNames, Value, plain

FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n")


class CsvBook:
    """Several tables, each a file of its own."""

    def __init__(self) -> None:
        self.sheets: list[CsvSheet] = []
        self._names = SheetNames()

    def sheet(
        self,
        name: str,
        columns: Sequence[Column],
        captions: Sequence[str] = (),
        frozen: int = 1,
        named: bool = True,
        paged: bool = False,
    ) -> CsvSheet:
        sheet = CsvSheet(self._names.take(name), columns)
        self.sheets.append(sheet)
        return sheet

    def as_zip(self) -> bytes:
        """All tables, numbered in their order."""
        buffer = BytesIO()
        with ZipFile(buffer, "w", ZIP_DEFLATED) as archive:
            for number, sheet in enumerate(self.sheets, start=1):
                archive.writestr(f"{number:03}-{build_file_name(sheet.name.replace('.', '-'))}.csv", sheet.as_bytes())
        return buffer.getvalue()


class CsvSheet:
    """One table as text. It answers where its cells would stand as a BookSheet does, since formulas are made of that before
    they are left out."""

    def __init__(self, name: str, columns: Sequence[Column]) -> None:
        self.name = name
        self.row = 0
        self._digits = [column.look.digits for column in columns]
        self.first = 2
        self.checks: list[str] = []
        self._text = StringIO()
        self._write: Callable[[Iterable[str]], object] = csv.writer(self._text, delimiter=";").writerow
        self.append([_heading(column) for column in columns])

    def append(self, values: Sequence[Value], looks: Sequence[Look | None] = (), line: bool = False) -> None:
        texts = [csv_text(value, digits) for value, digits in zip(values, self._digits, strict=False)]
        self._write([*texts, *[""] * (len(self._digits) - len(texts))])
        self.row += 1

    def _left_out(self, *args: object) -> str:
        """Formulas and what they add up, filters, colours and charts are Excel's alone."""
        return ""

    sums = gap = check = at = area = filter = colour = lines = bars = close = _left_out

    def as_bytes(self) -> bytes:
        return self._text.getvalue().encode("utf-8-sig")


def _heading(column: Column) -> str:
    if isinstance(column.heading, Day):
        return f"{csv_text(column.heading.day)}{column.heading.ordinal}"
    return column.heading


def csv_text(value: Value, digits: int | None = None) -> str:
    """A value as a German spreadsheet reads it, a fraction to so many digits. Text that begins like a formula gets an
    apostrophe before it."""
    if value is None:
        return ""
    if isinstance(value, Formula | Link):
        raise TypeError("A file of text holds values only.")
    if isinstance(value, str):
        text = plain(value)
        return f"'{text}" if text.startswith(FORMULA_SIGNS) or value.startswith(FORMULA_SIGNS) else text
    if isinstance(value, datetime.datetime):
        return f"{timezone.localtime(value):%d.%m.%Y %H:%M}"
    if isinstance(value, datetime.date):
        return f"{value:%d.%m.%Y}"
    if isinstance(value, float):
        # The fifteen digits that it can hold, a half away from zero, as Excel shows it.
        known = Decimal(f"{value:.15g}")
        rounded = known if digits is None else known.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
        return str(rounded).replace(".", ",")
    return str(value).replace(".", ",")
