"""The tables of the Kasse as files to take home."""

from __future__ import annotations

from django.http import HttpResponse

from scoring.core.csv import CsvWorkbook
from scoring.core.responses import attachment
from scoring.core.workbook import ExcelWorkbook


def new_book(title: str, club: str, as_csv: bool) -> ExcelWorkbook | CsvWorkbook:
    return CsvWorkbook() if as_csv else ExcelWorkbook(title, club)


def taken_home(workbook: ExcelWorkbook | CsvWorkbook, *name: str) -> HttpResponse:
    """The file of a book: Excel, or CSV, which is one file for one table and a ZIP archive for several."""
    if isinstance(workbook, ExcelWorkbook):
        return attachment(workbook.as_bytes(), "xlsx", *name)
    if len(workbook.sheets) == 1:
        return attachment(workbook.sheets[0].as_bytes(), "csv", *name)
    return attachment(workbook.as_zip(), "zip", *name)
