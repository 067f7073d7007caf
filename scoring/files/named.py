"""When the rows of a sheet are a table of Excel, and what it is called: formulas and pivots then know it by a name, wherever it
ends."""

from __future__ import annotations

import re
from collections.abc import Sequence

from openpyxl.worksheet.filters import AutoFilter
from openpyxl.worksheet.table import Table, TableColumn

from .cells import Column, Day, SheetNames, plain

# Excel would take these for cells.
_CELL = re.compile(r"[A-Za-z]{1,3}[0-9]+|[RrCc]")


class TableNames(SheetNames):
    """The names of the tables of one file: letters, digits and strokes, and like no other nor a cell."""

    ENDING = "_%s"

    def take(self, name: str) -> str:
        base = re.sub(r"\W+", "_", name).strip("_")
        return super().take(base if base[:1].isalpha() and not _CELL.fullmatch(base) else f"T_{base}")


def can_be_named(columns: Sequence[Column]) -> bool:
    """Are the headings those of a table: all of them text, and each another?"""
    headings = [plain(column.heading).casefold() for column in columns if not isinstance(column.heading, Day)]
    return len({heading for heading in headings if heading}) == len(columns)


def table_of(name: str, area: str, columns: Sequence[Column]) -> Table:
    table = Table(displayName=name, ref=area, autoFilter=AutoFilter(ref=area))
    table.tableColumns = [
        TableColumn(id=place, name=plain(str(column.heading))) for place, column in enumerate(columns, 1)
    ]
    return table
