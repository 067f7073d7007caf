"""How our Excel files are made: text that stays text whatever it begins with, real numbers and dates, one row
of headings that is frozen and repeated on paper, A4, colours and charts. The sheets themselves are written elsewhere."""

from __future__ import annotations

import datetime
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from copy import copy
from decimal import Decimal
from functools import lru_cache
from io import BytesIO
from itertools import pairwise
from textwrap import wrap
from typing import NamedTuple

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from openpyxl import Workbook
from openpyxl.cell import Cell, WriteOnlyCell
from openpyxl.chart import BarChart, LineChart, Reference
from openpyxl.chart.marker import Marker
from openpyxl.chart.series import Series
from openpyxl.formatting.rule import CellIsRule
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
from openpyxl.utils import get_column_letter, quote_sheetname
from openpyxl.utils.datetime import to_excel
from openpyxl.worksheet.filters import AutoFilter
from openpyxl.worksheet.header_footer import HeaderFooterItem
from openpyxl.worksheet.hyperlink import Hyperlink
from openpyxl.worksheet.pagebreak import Break
from openpyxl.worksheet.properties import PageSetupProperties
from openpyxl.worksheet.table import Table, TableColumn
from openpyxl.worksheet.worksheet import Worksheet

A4 = 9
# How wide a page in landscape is, and how many columns it has at most where a table goes over several.
PAGE_PIXELS = 1026
COLUMNS_A_PAGE = 10
# The height of a line of text, in points.
LINE = 15
# How large a chart is, in columns and rows as they are by themselves: as wide as its page of paper.
CHART_COLUMNS = {"landscape": 14, "portrait": 9}
# Beside the first columns, which are repeated on each page.
CHART_COLUMNS_PAGED = 11
CHART_ROWS = 23
COLUMN_CM = 1.7
ROW_CM = 0.53

_RED, _GREEN = Font(color="B00020"), Font(color="1B6E3C")

NONCHARACTERS = "\ufffe\uffff"
# What the name of a sheet may be in Excel.
LONGEST_NAME = 31
NOT_IN_NAMES = str.maketrans(dict.fromkeys("[]:*?/\\", "-"))
RESERVED_NAMES = ("history",)

WHOLE = "0"
TWO_DIGITS = "0.00"
PERCENT = "0.0%"
DATE = "dd.mm.yyyy"
DAY_OF_MONTH = "dd.mm."
INSTANT = "dd.mm.yyyy hh:mm"
# The same as the English pages write it, with English months on every computer.
_ENGLISH = {DATE: "[$-809]d mmm yyyy", DAY_OF_MONTH: "[$-809]d mmm"}


class Formula(NamedTuple):
    """A formula, told apart from text that merely begins with "="."""

    text: str


class Link(NamedTuple):
    """A sheet of the same file, to be tapped; `text` where it does not go by its name."""

    sheet: str
    text: str = ""


Value = Link | str | int | float | Decimal | datetime.date | datetime.datetime | Formula | None


class Look(NamedTuple):
    """How a cell looks. `box` is the ring that a solo gets on paper, `line` the heavier line under a row, `grey` what does
    not count; `indent` is the gap to a number on the left; `quoted` text stays text in Excel even after somebody has edited it."""

    number_format: str = "General"
    align: str | None = None
    bold: bool = False
    box: bool = False
    line: bool = False
    shade: bool = False
    wrap: bool = False
    size: int = 11
    quoted: bool = False
    grey: bool = False
    indent: bool = False

    @property
    def stands_right(self) -> bool:
        """Does it stand at the right edge of its cell, as a number does?"""
        return self.align == "right" or (self.align is None and self.number_format != "General")

    @property
    def digits(self) -> int | None:
        """To how many digits it shows a number; None where it does not say."""
        return {WHOLE: 0, TWO_DIGITS: 2, PERCENT: 3}.get(self.number_format)

    @property
    def in_brackets(self) -> Look:
        """Of a number that does not count: the brackets are the format's, so that it stays a number."""
        positive, negative = (f'"({sign}"{self.number_format}")"' for sign in ("", "-"))
        return self._replace(number_format=f"{positive};{negative}", grey=True)


class Day(NamedTuple):
    """A day as the heading of a column; `ordinal` tells it from another column of this day."""

    day: datetime.date
    ordinal: str = ""


class Column(NamedTuple):
    """A column of a sheet: its heading, its width in characters and how its cells look unless told otherwise."""

    heading: str | Day
    width: float
    look: Look = Look()


TEXT = Look(align="left", wrap=True)
NUMBER = Look(WHOLE, "right")


def in_language(number_format: str) -> str:
    """The format of a cell as whoever the file is for writes days."""
    if get_language() == "en":
        for german, english in _ENGLISH.items():
            number_format = number_format.replace(german, english)
    return number_format


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """Text without what a workbook cannot hold: control characters, lone surrogates and noncharacters."""
    spaced = " ".join(text.split())
    return "".join(c for c in spaced if unicodedata.category(c) not in ("Cc", "Cs") and c not in NONCHARACTERS)


class SheetNames:
    """The names of the sheets of one file."""

    ENDING = " (%s)"

    def __init__(self) -> None:
        self._taken = set(RESERVED_NAMES)

    def take(self, name: str) -> str:
        """A name that Excel takes: short, without what formulas need, and like no other, in capitals or not."""
        base = plain(name).translate(NOT_IN_NAMES)[:LONGEST_NAME].strip(" '") or "-"
        found, number = base, 1
        while found.casefold() in self._taken:
            number += 1
            ending = self.ENDING % number
            found = base[: LONGEST_NAME - len(ending)] + ending
        self._taken.add(found.casefold())
        return found


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


class Book:
    """One workbook, written row by row."""

    def __init__(self, title: str, club: str) -> None:
        self.club = club
        self._book = Workbook(write_only=True)
        self._book.properties.title = plain(title)
        self._book.properties.creator = "Club Ledger"
        self._pens: dict[tuple[Look, bool], Pen] = {}
        self._names = SheetNames()
        self.table_names = TableNames()
        self.sheets: list[BookSheet] = []
        # The sheet to which a link leads from every one that is added after it.
        self.cover: BookSheet | None = None

    def sheet(
        self,
        name: str,
        columns: Sequence[Column],
        captions: Sequence[str] = (),
        frozen: int = 1,
        named: bool = True,
        paged: bool = False,
    ) -> BookSheet:
        """A new sheet: the captions, then the headings, frozen together with the first `frozen` columns; called as Excel takes
        it, and like no other. One that is laid out as on paper has no table that is `named`. On paper its columns stand side by
        side, those of a `paged` one on as many pages as they need."""
        worksheet = self._book.create_sheet(self._names.take(name))
        is_paged = paged and len(columns) > COLUMNS_A_PAGE
        self.sheets.append(BookSheet(self, worksheet, columns, captions, frozen, named, is_paged))
        return self.sheets[-1]

    def as_bytes(self) -> bytes:
        for sheet in self.sheets:
            sheet.close()
        buffer = BytesIO()
        self._book.save(buffer)
        return buffer.getvalue()

    def pens(self, looks: Iterable[Look], worksheet: Worksheet, tall: bool = False) -> list[Pen]:
        """What writes the cells of these looks, on any sheet of the book; `tall` in a row of several lines."""
        for look in looks:
            if (look, tall) not in self._pens:
                self._pens[look, tall] = Pen(worksheet, look, tall)
        return [self._pens[look, tall] for look in looks]


class BookSheet:
    """One sheet of a book; rows are appended and cannot be changed afterwards."""

    def __init__(
        self,
        book: Book,
        worksheet: Worksheet,
        columns: Sequence[Column],
        captions: Sequence[str],
        frozen: int,
        named: bool,
        paged: bool,
    ) -> None:
        self._book, self._named, self._paged = book, named, paged
        self._worksheet = worksheet
        self._columns = columns = _apart(columns)
        self._first_page = len(columns)
        self._row = 0
        self._looks = [column.look for column in columns]
        self._pens = book.pens(self._looks, worksheet)
        self._wraps = any(look.wrap for look in self._looks)
        self.checks: list[str] = []
        # The areas of its charts, each printed on a page of its own.
        self._printed: list[str] = []
        # By column the rows of what does not count.
        self._grey: dict[int, list[int]] = defaultdict(list)
        # How many rows stand in its tables, without what stands under them.
        self.lines_written = 0
        back = [Link(book.cover.name, _("Zum Deckblatt"))] if book.cover else []
        self._lay_out(len(captions) + len(back) + 1, frozen)
        for place, caption in enumerate(captions):
            self._caption(caption, Look(size=11) if place else Look(bold=True, size=14))
        for link in back:
            self._write([link], [Look()])
        self._write([_heading(column) for column in columns], [_heading_look(column) for column in columns])
        self._head = self._row

    def _caption(self, caption: str, look: Look) -> None:
        """Text as wide as the table on its first page; what does not fit goes on below, and is not cut off on paper."""
        width = sum(column.width for column in self._columns[: self._first_page]) * 11 / look.size
        lines = _lines(caption, width)
        row = self._row + 1
        if lines > 1:
            look = look._replace(wrap=True)
            self._worksheet.merged_cells.add(f"A{row}:{get_column_letter(self._first_page)}{row}")
        self._write([caption], [look], round(LINE * look.size / 11) * lines)

    @property
    def name(self) -> str:
        return self._worksheet.title

    @property
    def row(self) -> int:
        """The number of the last row written, as Excel counts."""
        return self._row

    def append(self, values: Sequence[Value], looks: Sequence[Look | None] = (), line: bool = False) -> None:
        """One row. `looks` where a cell differs from its column, `line` for the heavier line under it."""
        own = self._looks_but(looks)
        for column, look in enumerate(looks):
            if look and look.grey:
                self._grey[column].append(self._row + 1)
        if line:
            own = [_underlined(look) for look in own]
        self._write(values, own)
        self.lines_written += 1

    def sums(self, values: Sequence[Value]) -> None:
        """The row under a table that adds it up."""
        self._write(values, [look._replace(bold=True) for look in self._looks])

    def gap(self) -> None:
        """An empty row, behind which no program takes anything for a part of the table."""
        self._write([], [])

    def check(self, values: Sequence[Value]) -> None:
        """The row of formulas that must show 0."""
        self._write(values, self._looks_but([NUMBER if isinstance(value, Formula) else None for value in values]))
        self.checks.append(self.area(0, self._row, len(self._columns) - 1, self._row))

    def _looks_but(self, looks: Sequence[Look | None]) -> list[Look]:
        """The look of each column, or the one given in its place."""
        if not looks:
            return self._looks
        return [look or self._looks[index] for index, look in enumerate(looks)] + self._looks[len(looks) :]

    @property
    def first(self) -> int:
        """The number of the first row below the headings."""
        return self._head + 1

    def at(self, column: int, row: int) -> str:
        """The cell of a column (from 0) in a row, as formulas of any sheet name it."""
        return f"{quote_sheetname(self.name)}!{get_column_letter(column + 1)}{row}"

    def area(self, column: int, row: int, last_column: int, last_row: int) -> str:
        """The cells between two corners, columns from 0."""
        return f"{self.at(column, row)}:{get_column_letter(last_column + 1)}{last_row}"

    def filter(self) -> None:
        """Offer a filter in the headings, over the rows written so far: a table of Excel that is called like the sheet."""
        area = f"A{self._head}:{get_column_letter(len(self._columns))}{self._row}"
        if self._named and self._row > self._head and can_be_named(self._columns):
            self._worksheet.tables.add(table_of(self._book.table_names.take(self.name), area, self._columns))
        else:
            self._worksheet.auto_filter.ref = area

    def colour(self, columns: Iterable[int]) -> None:
        """Below 0 red, above it green, in these columns of the rows written so far; text stays as it is, and so does
        what is grey."""
        areas = []
        for column in columns:
            letter = get_column_letter(column + 1)
            runs = _runs(self.first, self._row, self._grey[column])
            areas += [f"{letter}{first}:{letter}{last}" for first, last in runs]
        if areas:
            # A rule gets its place among all others when it is written: each sheet has its own.
            self._worksheet.conditional_formatting.add(" ".join(areas), CellIsRule("lessThan", ["0"], font=_RED))
            # "Greater than 0" would be true of text.
            above = CellIsRule("between", ["0.000001", "1E+15"], font=_GREEN)
            self._worksheet.conditional_formatting.add(" ".join(areas), above)

    def lines(self, title: str, columns: range) -> None:
        """A chart of the rows written so far, one line for each of these columns, along the first column."""
        chart = LineChart()
        for series in self._chart(chart, title, columns):
            series.smooth = False
            series.marker = Marker("none")
        chart.x_axis.number_format = in_language(DATE)

    def bars(self, title: str, names: int, column: int, most: int) -> None:
        """A chart of one column by the column of `names`, at most so many rows."""
        self._chart(BarChart(), title, range(column, column + 1), names, min(self._row, self._head + most))

    def _chart(
        self, chart: BarChart | LineChart, title: str, columns: range, names: int = 0, last: int | None = None
    ) -> list[Series]:
        """Put the chart to the right of the table; on paper it is a page of its own behind it."""
        last = last or self._row
        if last <= self._head or not columns:
            return []
        orientation = self._worksheet.page_setup.orientation or "portrait"
        columns_wide = CHART_COLUMNS_PAGED if self._paged else CHART_COLUMNS[orientation]
        chart.title, chart.height = plain(title), CHART_ROWS * ROW_CM
        chart.width = columns_wide * COLUMN_CM  # type: ignore[assignment]  # a fraction as well, whatever the stubs say
        values = Reference(self._worksheet, columns[0] + 1, self._head, columns[-1] + 1, last)
        chart.add_data(values, titles_from_data=True)
        chart.set_categories(Reference(self._worksheet, names + 1, self.first, names + 1, last))
        chart.x_axis.delete = chart.y_axis.delete = False
        chart.x_axis.tickLblPos = "low"
        if len(columns) == 1:
            chart.legend = None
        left = len(self._columns) + 2
        corner = f"{get_column_letter(left)}{self.first}"
        self._worksheet.add_chart(chart, corner)
        # A row and a column more than it takes where these are narrower than in Excel.
        self._printed.append(f"{corner}:{get_column_letter(left + columns_wide)}{self.first + CHART_ROWS}")
        return list(chart.series)

    def close(self) -> None:
        """Nothing more is written here: what belongs to the whole sheet, and its file among the many is let go."""
        if not self._worksheet.closed:  # type: ignore[attr-defined]  # the stubs know no sheet that is only written
            table = f"A1:{get_column_letter(len(self._columns))}{self._row}"
            self._worksheet.print_area = ",".join([table, *self._printed])
            self._worksheet.close()  # type: ignore[attr-defined]  # as above

    def _write(self, values: Sequence[Value], looks: Sequence[Look], height: int = 0) -> None:
        """One row, `height` points high where that does not follow from its cells."""
        self._row += 1
        own = looks is not self._looks
        if not height and (own or self._wraps):
            height = self._height(values, looks)
        tall = height > LINE
        if tall:
            self._worksheet.row_dimensions[self._row].height = height
        pens = self._book.pens(looks, self._worksheet, tall) if own or tall else self._pens
        self._worksheet.append(self._cells(values, pens))

    def _height(self, values: Sequence[Value], looks: Sequence[Look]) -> int:
        """The height that the text of a row needs, in points."""
        lines = max(
            (
                _lines(value, column.width - 2 * look.indent)
                for column, value, look in zip(self._columns, values, looks, strict=False)
                if look.wrap and isinstance(value, str)
            ),
            default=1,
        )
        return LINE * lines

    def _cells(self, values: Sequence[Value], pens: Sequence[Pen]) -> list[Written]:
        """The cells of a row. One that leads to another sheet is known to its own, and is made for it alone."""
        if Link in map(type, values):
            return [
                self._link(value, pen.look) if isinstance(value, Link) else pen.write(value)
                for value, pen in zip(values, pens, strict=False)
            ]
        return list(map(Pen.write, pens, values))

    def _link(self, link: Link, look: Look) -> Cell:
        """A cell of its own: openpyxl keeps it with its sheet."""
        cell = dressed(WriteOnlyCell(self._worksheet, link.text or link.sheet), look)
        cell.hyperlink = Hyperlink(ref="", location=f"{quote_sheetname(link.sheet)}!A1")
        return cell

    def _break_pages(self, frozen: int) -> None:
        """Give each page about as many columns; the first `frozen` ones stand on all of them."""
        sheet, others = self._worksheet, len(self._columns) - frozen
        pages = -(-others // (COLUMNS_A_PAGE - frozen))
        ends = [frozen + others * page // pages for page in range(pages + 1)]
        pixels = [round(7 * column.width + 5) for column in self._columns]
        widest = sum(pixels[:frozen]) + max(sum(pixels[begin:end]) for begin, end in pairwise(ends))
        sheet.page_setup.orientation = "landscape"
        sheet.page_setup.scale = min(100, 100 * PAGE_PIXELS // widest)
        self._first_page = ends[1]
        sheet.print_title_cols = f"A:{get_column_letter(frozen)}"
        for end in ends[1:-1]:
            sheet.col_breaks.append(Break(end))

    def _lay_out(self, heading: int, frozen: int) -> None:
        """Everything that has to be said before the first row."""
        sheet = self._worksheet
        sheet.freeze_panes = f"{get_column_letter(frozen + 1)}{heading + 1}"
        for index, column in enumerate(self._columns, start=1):
            sheet.column_dimensions[get_column_letter(index)].width = column.width
        sheet.page_setup.paperSize = A4
        if self._paged:
            self._break_pages(frozen)
        else:
            sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
            wide = sum(column.width for column in self._columns) > 95
            sheet.page_setup.orientation = "landscape" if wide else "portrait"
            sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight = 1, 0
        sheet.page_margins.left = sheet.page_margins.right = 0.5
        sheet.print_title_rows = f"{heading}:{heading}"
        head, foot = HeaderFooterItem(), HeaderFooterItem()
        head.left.text, head.right.text = _print_text(self._book.club), _print_text(sheet.title)
        foot.left.text = _print_text(date_format(timezone.localdate(), "SHORT_DATE_FORMAT"))
        foot.right.text = _("Seite %(page)s von %(pages)s") % {"page": "&P", "pages": "&N"}
        sheet.oddHeader, sheet.oddFooter = head, foot


def _apart(columns: Sequence[Column]) -> list[Column]:
    """The columns, with a gap between numbers and the text on their right."""
    behind = [False, *(column.look.stands_right for column in columns)]
    return [
        column._replace(look=column.look._replace(indent=beside and not column.look.stands_right))
        for column, beside in zip(columns, behind, strict=False)
    ]


@lru_cache
def _underlined(look: Look) -> Look:
    return look._replace(line=True)


@lru_cache(maxsize=4096)
def _lines(text: str, width: float) -> int:
    """How many lines a text takes in a column: not every program makes room for them by itself."""
    return len(wrap(text, max(int(width) - 1, 1)))


def _heading(column: Column) -> Value:
    return column.heading.day if isinstance(column.heading, Day) else column.heading


def _heading_look(column: Column) -> Look:
    look = Look(
        align=column.look.align or "left", bold=True, line=True, shade=True, wrap=True, indent=column.look.indent
    )
    if isinstance(column.heading, Day):
        behind = f'"{column.heading.ordinal}"' if column.heading.ordinal else ""
        return look._replace(number_format=DAY_OF_MONTH + behind)
    return look


def _runs(first: int, last: int, but: Iterable[int]) -> list[tuple[int, int]]:
    """The rows from first to last without some of them, as stretches."""
    ends = [first - 1, *but, last + 1]
    return [(one + 1, other - 1) for one, other in pairwise(ends) if other - one > 1]


def _print_text(text: str) -> str:
    """Text for the head and foot of a page, where "&" begins a command."""
    return plain(text).replace("&", "&&")
