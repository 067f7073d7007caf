"""The tables of the Kasse as files to take home."""

from __future__ import annotations

from django.http import HttpResponse

from scoring.core.csv import CsvBook
from scoring.core.responses import attachment
from scoring.core.workbook import Book


def new_book(title: str, club: str, as_csv: bool) -> Book | CsvBook:
    return CsvBook() if as_csv else Book(title, club)


def taken_home(book: Book | CsvBook, *name: str) -> HttpResponse:
    """The file of a book: Excel, or CSV, which is one file for one table and a ZIP archive for several."""
    if isinstance(book, Book):
        return attachment(book.as_bytes(), "xlsx", *name)
    if len(book.sheets) == 1:
        return attachment(book.sheets[0].as_bytes(), "csv", *name)
    return attachment(book.as_zip(), "zip", *name)
