"""Write Excel and CSV files; the topics write the content. openpyxl writes a row once: it cannot be changed afterwards.
CSV: semicolons, a byte order mark (so that Excel reads UTF-8), German dates and decimals, no formulas. A CsvWorkbook has the
methods of an ExcelWorkbook, so that one function writes both; it ignores totals, checks, colors and charts."""

from __future__ import annotations

import csv
import datetime
import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache
from io import BytesIO, StringIO
from itertools import pairwise
from textwrap import wrap
from typing import NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile

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

from scoring.core.text import build_file_name

A4 = 9
# The width of a landscape page, and the columns on each page of a table that takes several.
PAGE_PIXELS = 1026
COLUMNS_A_PAGE = 10
LINE_HEIGHT = 15  # points
# The size of a chart in columns and rows of default size: as wide as its page of paper.
CHART_COLUMNS = {"landscape": 14, "portrait": 9}
CHART_COLUMNS_PAGED = 11  # the frozen columns are repeated beside it
CHART_ROWS = 23
COLUMN_CM = 1.7
ROW_CM = 0.53

_RED, _GREEN = Font(color="B00020"), Font(color="1B6E3C")

NONCHARACTERS = "\ufffe\uffff"
# The limits of Excel for the name of a sheet.
MAX_NAME_LENGTH = 31
NOT_IN_NAMES = str.maketrans(dict.fromkeys("[]:*?/\\", "-"))

WHOLE = "0"
TWO_DIGITS = "0.00"
PERCENT = "0.0%"
DATE = "dd.mm.yyyy"
DAY_OF_MONTH = "dd.mm."
INSTANT = "dd.mm.yyyy hh:mm"
_ENGLISH = {DATE: "[$-809]d mmm yyyy", DAY_OF_MONTH: "[$-809]d mmm"}  # English months, whatever the language of the computer


class Formula(NamedTuple):
    """A formula; a str that begins with "=" is text."""

    text: str


class Link(NamedTuple):
    """A link to a sheet of the same file, with the name of the sheet if there is no `text`."""

    sheet: str
    text: str = ""


Value = Link | str | int | float | Decimal | datetime.date | datetime.datetime | Formula | None


class CellStyle(NamedTuple):
    """The style of a cell. `box` is the ring around a solo on paper, `line` a heavier line below, `grey` does not count,
    `indent` is for text right of a number. `quoted` text stays text in Excel after it is edited."""

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
    def is_right_aligned(self) -> bool:
        return self.align == "right" or (self.align is None and self.number_format != "General")

    @property
    def digits(self) -> int | None:
        """The decimal places of a number (of the fraction itself, for a percentage); None if the format has no limit."""
        return {WHOLE: 0, TWO_DIGITS: 2, PERCENT: 3}.get(self.number_format)

    @property
    def in_brackets(self) -> CellStyle:
        """The style of a number that does not count. The brackets belong to the format, so that it stays a number."""
        positive, negative = (f'"({sign}"{self.number_format}")"' for sign in ("", "-"))
        return self._replace(number_format=f"{positive};{negative}", grey=True)


class Day(NamedTuple):
    """A day as the heading of a column; `ordinal` distinguishes several columns of one day."""

    day: datetime.date
    ordinal: str = ""


class Column(NamedTuple):
    """A column of a sheet: its heading, its width in characters and the default style of its cells."""

    heading: str | Day
    width: float
    style: CellStyle = CellStyle()


TEXT = CellStyle(align="left", wrap=True)
NUMBER = CellStyle(WHOLE, "right")


def localize_number_format(number_format: str) -> str:
    if get_language() == "en":
        for german, english in _ENGLISH.items():
            number_format = number_format.replace(german, english)
    return number_format


@lru_cache(maxsize=4096)
def clean_text(text: str) -> str:
    """Return the text without characters that a workbook cannot hold: control characters, lone surrogates, noncharacters."""
    spaced = " ".join(text.split())
    return "".join(c for c in spaced if unicodedata.category(c) not in ("Cc", "Cs") and c not in NONCHARACTERS)


class SheetNames:
    """The names of the sheets of a workbook: unique, and valid in Excel."""

    ENDING = " (%s)"

    def __init__(self) -> None:
        self._taken = {"history"}  # reserved by Excel

    def add(self, name: str) -> str:
        base = clean_text(name).translate(NOT_IN_NAMES)[:MAX_NAME_LENGTH].strip(" '") or "-"
        unique, number = base, 1
        while unique.casefold() in self._taken:
            number += 1
            ending = self.ENDING % number
            unique = base[: MAX_NAME_LENGTH - len(ending)] + ending
        self._taken.add(unique.casefold())
        return unique


_CELL = re.compile(r"[A-Za-z]{1,3}[0-9]+|[RrCc]")  # Excel would read these as cell references


class TableNames(SheetNames):
    """The names of the tables of a workbook: letters, digits and underscores, unique, and no cell references."""

    ENDING = "_%s"

    def add(self, name: str) -> str:
        base = re.sub(r"\W+", "_", name).strip("_")
        return super().add(base if base[:1].isalpha() and not _CELL.fullmatch(base) else f"T_{base}")


def have_unique_headings(columns: Sequence[Column]) -> bool:
    """Return whether the columns can be a table of Excel: all headings must be different texts."""
    headings = [clean_text(column.heading).casefold() for column in columns if not isinstance(column.heading, Day)]
    return len({heading for heading in headings if heading}) == len(columns)


CellOrValue = Cell | str | int | None  # a value as openpyxl takes it

# With these styles a value of the type needs no cell of its own in a row of one line: Excel aligns it the same by default.
_BARE: dict[CellStyle, type] = {CellStyle(): str, TEXT._replace(wrap=False): str, NUMBER: int}
# Text that begins like a formula or like the name of an error: openpyxl must be told that it is text.
_FORMULA_SIGNS = frozenset("=+-@")
_SIGNS = _FORMULA_SIGNS | {"#"}


class CellWriter:
    """Make cells of one style, or return a value that looks right as it is. In a `tall` row every value gets a cell."""

    def __init__(self, worksheet: Worksheet, style: CellStyle, tall: bool) -> None:
        self.style = style
        self._worksheet = worksheet
        self._cell = apply_style(Cell(worksheet, row=1, column=1), style)
        self._bare_type = None if tall else _BARE.get(style._replace(wrap=False))
        self._is_visible_empty = style.box or style.line or style.shade

    def write(self, value: Value) -> CellOrValue:
        if isinstance(value, str) and (text := clean_text(value)):
            return text if self._bare_type is str and text[0] not in _SIGNS else self._make_text_cell(text)
        if value is None or isinstance(value, str | Link):
            return self._make_cell(None) if self._is_visible_empty else None
        return value if type(value) is int and self._bare_type is int else self._make_cell(_convert_value(value))

    def _make_text_cell(self, text: str) -> Cell:
        """Return a cell that is text whatever it begins with, also after it is edited in Excel."""
        cell = self._make_cell(text)
        if text[0] in _FORMULA_SIGNS:
            # A new cell: copies share one style.
            cell = apply_style(Cell(self._worksheet, row=1, column=1, value=text), self.style._replace(quoted=True))
        cell.data_type = "s"
        return cell

    def _make_cell(self, value: str | float | Decimal | None) -> Cell:
        cell = copy(self._cell)
        cell.value = value
        return cell


def _convert_value(value: float | Decimal | datetime.date | Formula) -> str | float | Decimal:
    if isinstance(value, Formula):
        return value.text
    if isinstance(value, datetime.datetime):
        value = timezone.localtime(value).replace(tzinfo=None, microsecond=0)
    if isinstance(value, datetime.date):
        days: float = to_excel(value)
        return days
    return value


def apply_style(cell: Cell, style: CellStyle) -> Cell:
    side = Side("thin") if style.box else Side()
    cell.number_format = localize_number_format(style.number_format)
    cell.font = Font("Calibri", bold=style.bold, size=style.size, color="6B6B6B" if style.grey else None)
    cell.alignment = Alignment(style.align, "top", wrap_text=style.wrap, indent=int(style.indent))
    cell.border = Border(left=side, right=side, top=side, bottom=Side("medium") if style.line else side)
    cell.quotePrefix = style.quoted
    if style.shade:
        cell.fill = PatternFill("solid", fgColor="E6ECE6")
    return cell


class ExcelWorkbook:
    def __init__(self, title: str, club: str) -> None:
        self.club = club
        self._workbook = Workbook(write_only=True)
        self._workbook.properties.title = clean_text(title)
        self._workbook.properties.creator = "Club Ledger"
        self._writers: dict[tuple[CellStyle, bool], CellWriter] = {}
        self._names = SheetNames()
        self.table_names = TableNames()
        self.sheets: list[ExcelSheet] = []
        self.cover: ExcelSheet | None = None  # sheets added after the cover have a link to it

    def add_sheet(
        self,
        name: str,
        columns: Sequence[Column],
        captions: Sequence[str] = (),
        frozen: int = 1,
        named: bool = True,
        paged: bool = False,
    ) -> ExcelSheet:
        """Add a sheet with captions and headings; `frozen` columns stay in sight. A `named` one gets a table of Excel.
        Its columns are printed on one page, those of a `paged` sheet on as many as they need."""
        worksheet = self._workbook.create_sheet(self._names.add(name))
        is_paged = paged and len(columns) > COLUMNS_A_PAGE
        self.sheets.append(ExcelSheet(self, worksheet, columns, captions, frozen, named, is_paged))
        return self.sheets[-1]

    def as_bytes(self) -> bytes:
        for sheet in self.sheets:
            sheet.close()
        buffer = BytesIO()
        self._workbook.save(buffer)
        return buffer.getvalue()

    def get_writers(self, styles: Iterable[CellStyle], worksheet: Worksheet, tall: bool = False) -> list[CellWriter]:
        """Return the writers of these styles, shared by all sheets; `tall` for a row of several lines."""
        for style in styles:
            if (style, tall) not in self._writers:
                self._writers[style, tall] = CellWriter(worksheet, style, tall)
        return [self._writers[style, tall] for style in styles]


class ExcelSheet:
    """A sheet of a workbook. Columns count from 0, rows from 1 as in Excel."""

    def __init__(
        self,
        workbook: ExcelWorkbook,
        worksheet: Worksheet,
        columns: Sequence[Column],
        captions: Sequence[str],
        frozen: int,
        named: bool,
        paged: bool,
    ) -> None:
        self._workbook, self._named, self._paged = workbook, named, paged
        self._worksheet, self.name = worksheet, worksheet.title
        self._columns = columns = _indent_text_after_numbers(columns)
        self._first_page = len(columns)
        self.row = 0  # the last row written
        self._styles = [column.style for column in columns]
        self._writers = workbook.get_writers(self._styles, worksheet)
        self._wraps = any(style.wrap for style in self._styles)
        self.checks: list[str] = []
        self._chart_areas: list[str] = []  # the areas of the charts: each is printed on a page of its own
        self._grey: dict[int, list[int]] = defaultdict(list)  # the rows with a grey cell, by column
        self.row_count = 0  # of the tables, without totals and checks
        links = [Link(workbook.cover.name, _("Zum Deckblatt"))] if workbook.cover else []
        self._lay_out(len(captions) + len(links) + 1, frozen)
        for index, caption in enumerate(captions):
            self._write_caption(caption, CellStyle(size=11) if index else CellStyle(bold=True, size=14))
        for link in links:
            self._write([link], [CellStyle()])
        headings: list[Value] = [column.heading.day if isinstance(column.heading, Day) else column.heading for column in columns]
        self._write(headings, [_get_heading_style(column) for column in columns])
        self._head = self.row  # the row of the headings
        self.first = self._head + 1

    def _write_caption(self, caption: str, style: CellStyle) -> None:
        """Write a caption over the columns of the first page, in several lines if it is too long: paper would cut it off."""
        width = sum(column.width for column in self._columns[: self._first_page]) * 11 / style.size
        lines = _count_lines(caption, width)
        row = self.row + 1
        if lines > 1:
            style = style._replace(wrap=True)
            self._worksheet.merged_cells.add(f"A{row}:{get_column_letter(self._first_page)}{row}")
        self._write([caption], [style], round(LINE_HEIGHT * style.size / 11) * lines)

    def append(self, values: Sequence[Value], styles: Sequence[CellStyle | None] = (), line: bool = False) -> None:
        """Append a row. `styles` replace those of the columns where they are not None; `line` draws a heavier line below."""
        row_styles = self._merge_styles(styles)
        for column, style in enumerate(styles):
            if style and style.grey:
                self._grey[column].append(self.row + 1)
        if line:
            row_styles = [_underline(style) for style in row_styles]
        self._write(values, row_styles)
        self.row_count += 1

    def append_totals(self, values: Sequence[Value]) -> None:
        self._write(values, [style._replace(bold=True) for style in self._styles])

    def append_gap(self) -> None:
        """Append an empty row: no program takes what follows for a part of the table."""
        self._write([], [])

    def append_check(self, values: Sequence[Value]) -> None:
        """Append a row of formulas that must show 0."""
        self._write(values, self._merge_styles([NUMBER if isinstance(value, Formula) else None for value in values]))
        self.checks.append(self.area(0, self.row, len(self._columns) - 1, self.row))

    def _merge_styles(self, styles: Sequence[CellStyle | None]) -> list[CellStyle]:
        if not styles:
            return self._styles
        return [style or self._styles[index] for index, style in enumerate(styles)] + self._styles[len(styles) :]

    def cell(self, column: int, row: int) -> str:
        """Return the reference to a cell for formulas, with the name of the sheet."""
        return f"{quote_sheetname(self.name)}!{get_column_letter(column + 1)}{row}"

    def area(self, column: int, row: int, last_column: int, last_row: int) -> str:
        return f"{self.cell(column, row)}:{get_column_letter(last_column + 1)}{last_row}"

    def add_filter(self) -> None:
        """Offer a filter in the headings for the rows written so far, as a table of Excel with the name of the sheet."""
        area = f"A{self._head}:{get_column_letter(len(self._columns))}{self.row}"
        if self._named and self.row >= self.first and have_unique_headings(self._columns):
            table = Table(displayName=self._workbook.table_names.add(self.name), ref=area, autoFilter=AutoFilter(ref=area))
            headings = [clean_text(str(column.heading)) for column in self._columns]
            table.tableColumns = [TableColumn(id=number, name=heading) for number, heading in enumerate(headings, 1)]
            self._worksheet.tables.add(table)
        else:
            self._worksheet.auto_filter.ref = area

    def color_signs(self, columns: Iterable[int]) -> None:
        """Color numbers below 0 red and above 0 green in the rows written so far, but neither text nor grey cells."""
        areas = []
        for column in columns:
            letter = get_column_letter(column + 1)
            runs = _list_row_ranges(self.first, self.row, self._grey[column])
            areas += [f"{letter}{first}:{letter}{last}" for first, last in runs]
        if areas:
            # New rules for each sheet: openpyxl numbers a rule when it is written.
            self._worksheet.conditional_formatting.add(" ".join(areas), CellIsRule("lessThan", ["0"], font=_RED))
            # "Greater than 0" would be true of text.
            above = CellIsRule("between", ["0.000001", "1E+15"], font=_GREEN)
            self._worksheet.conditional_formatting.add(" ".join(areas), above)

    def add_line_chart(self, title: str, columns: range) -> None:
        """Add a chart of the rows written so far, with a line for each of these columns along the first column."""
        chart = LineChart()
        for series in self._add_chart(chart, title, columns):
            series.smooth = False
            series.marker = Marker("none")
        chart.x_axis.number_format = localize_number_format(DATE)

    def add_bar_chart(self, title: str, names: int, column: int, limit: int) -> None:
        """Add a chart of the first `limit` rows: a bar for the number in `column`, labelled by the column `names`."""
        self._add_chart(BarChart(), title, range(column, column + 1), names, min(self.row, self._head + limit))

    def _add_chart(
        self, chart: BarChart | LineChart, title: str, columns: range, names: int = 0, last: int | None = None
    ) -> list[Series]:
        last = last or self.row
        if last < self.first or not columns:
            return []
        orientation = self._worksheet.page_setup.orientation or "portrait"
        columns_wide = CHART_COLUMNS_PAGED if self._paged else CHART_COLUMNS[orientation]
        chart.title, chart.height = clean_text(title), CHART_ROWS * ROW_CM
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
        # A row and a column more than it needs in Excel: other programs make them narrower.
        self._chart_areas.append(f"{corner}:{get_column_letter(left + columns_wide)}{self.first + CHART_ROWS}")
        return list(chart.series)

    def close(self) -> None:
        if not self._worksheet.closed:  # type: ignore[attr-defined]  # the stubs know no sheet that is only written
            table = f"A1:{get_column_letter(len(self._columns))}{self.row}"
            self._worksheet.print_area = ",".join([table, *self._chart_areas])
            self._worksheet.close()  # type: ignore[attr-defined]  # as above

    def _write(self, values: Sequence[Value], styles: Sequence[CellStyle], height: int = 0) -> None:
        """Write a row, `height` points high; 0 means as high as its text needs."""
        self.row += 1
        has_own_styles = styles is not self._styles
        if not height and (has_own_styles or self._wraps):
            height = self._measure_height(values, styles)
        tall = height > LINE_HEIGHT
        if tall:
            self._worksheet.row_dimensions[self.row].height = height
        writers = self._writers
        if has_own_styles or tall:
            writers = self._workbook.get_writers(styles, self._worksheet, tall)
        self._worksheet.append(self._make_cells(values, writers))

    def _measure_height(self, values: Sequence[Value], styles: Sequence[CellStyle]) -> int:
        lines = max(
            (
                _count_lines(value, column.width - 2 * style.indent)
                for column, value, style in zip(self._columns, values, styles, strict=False)
                if style.wrap and isinstance(value, str)
            ),
            default=1,
        )
        return LINE_HEIGHT * lines

    def _make_cells(self, values: Sequence[Value], writers: Sequence[CellWriter]) -> list[CellOrValue]:
        if Link in map(type, values):
            return [
                self._make_link(value, writer.style) if isinstance(value, Link) else writer.write(value)
                for value, writer in zip(values, writers, strict=False)
            ]
        return list(map(CellWriter.write, writers, values))

    def _make_link(self, link: Link, style: CellStyle) -> Cell:
        """Return a cell with a link: a new one, since openpyxl keeps the link with the cell's sheet."""
        cell = apply_style(WriteOnlyCell(self._worksheet, link.text or link.sheet), style)
        cell.hyperlink = Hyperlink(ref="", location=f"{quote_sheetname(link.sheet)}!A1")
        return cell

    def _break_pages(self, frozen: int) -> None:
        """Spread the columns evenly over the pages; the first `frozen` ones are repeated on each."""
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
        """Set the layout, which openpyxl needs before the first row."""
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
        head.left.text, head.right.text = _escape_print_text(self._workbook.club), _escape_print_text(sheet.title)
        foot.left.text = _escape_print_text(date_format(timezone.localdate(), "SHORT_DATE_FORMAT"))
        foot.right.text = _("Seite %(page)s von %(pages)s") % {"page": "&P", "pages": "&N"}
        sheet.oddHeader, sheet.oddFooter = head, foot


def _indent_text_after_numbers(columns: Sequence[Column]) -> list[Column]:
    """Indent text that is to the right of a number: they would touch."""
    after_number = [False, *(column.style.is_right_aligned for column in columns)]
    return [
        column._replace(style=column.style._replace(indent=indent and not column.style.is_right_aligned))
        for column, indent in zip(columns, after_number, strict=False)
    ]


@lru_cache
def _underline(style: CellStyle) -> CellStyle:
    return style._replace(line=True)


@lru_cache(maxsize=4096)
def _count_lines(text: str, width: float) -> int:
    """Return the lines that a text needs in a column: not every program adjusts the height of a row itself."""
    return len(wrap(text, max(int(width) - 1, 1)))


def _get_heading_style(column: Column) -> CellStyle:
    own = column.style
    style = CellStyle(align=own.align or "left", bold=True, line=True, shade=True, wrap=True, indent=own.indent)
    if isinstance(column.heading, Day):
        ordinal = f'"{column.heading.ordinal}"' if column.heading.ordinal else ""
        return style._replace(number_format=DAY_OF_MONTH + ordinal)
    return style


def _list_row_ranges(first: int, last: int, excluded: Iterable[int]) -> list[tuple[int, int]]:
    """Return the first and last row of each run of rows without an `excluded` one, which are in ascending order."""
    ends = [first - 1, *excluded, last + 1]
    return [(one + 1, other - 1) for one, other in pairwise(ends) if other - one > 1]


def _escape_print_text(text: str) -> str:
    """Return text for the head or foot of a page, where "&" begins a command."""
    return clean_text(text).replace("&", "&&")


# --- CSV --------------------------------------------------------------------------------------------------------------

CSV_FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n")


class CsvWorkbook:
    def __init__(self) -> None:
        self.sheets: list[CsvSheet] = []
        self._names = SheetNames()

    def add_sheet(self, name: str, columns: Sequence[Column], *_captions: object, **_layout: object) -> CsvSheet:
        self.sheets.append(CsvSheet(self._names.add(name), columns))
        return self.sheets[-1]

    def as_zip(self) -> bytes:
        buffer = BytesIO()
        with ZipFile(buffer, "w", ZIP_DEFLATED) as archive:
            for number, sheet in enumerate(self.sheets, start=1):
                archive.writestr(f"{number:03}-{build_file_name(sheet.name.replace('.', '-'))}.csv", sheet.as_bytes())
        return buffer.getvalue()


class CsvSheet:
    """A table as text. `cell` and `area` return "" for formulas, which are ignored."""

    def __init__(self, name: str, columns: Sequence[Column]) -> None:
        self.name = name
        self.row = 0
        self._digits = [column.style.digits for column in columns]
        self.first = 2
        self.checks: list[str] = []
        self._text = StringIO()
        self._write: Callable[[Iterable[str]], object] = csv.writer(self._text, delimiter=";").writerow
        headings = [column.heading for column in columns]
        self.append([f"{format_csv_value(one.day)}{one.ordinal}" if isinstance(one, Day) else one for one in headings])

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


def format_csv_value(value: Value, digits: int | None = None) -> str:
    """Return a value as a German spreadsheet reads it; an apostrophe before text that begins like a formula."""
    if value is None:
        return ""
    if isinstance(value, Formula | Link):
        raise TypeError("A CSV file holds values only.")
    if isinstance(value, str):
        text = clean_text(value)
        return f"'{text}" if text.startswith(CSV_FORMULA_SIGNS) or value.startswith(CSV_FORMULA_SIGNS) else text
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


# One function writes a table to either.
AnyWorkbook = ExcelWorkbook | CsvWorkbook
AnySheet = ExcelSheet | CsvSheet


def build_sum_check(sheet: AnySheet, column: int, last: int, left_out: Iterable[int] = ()) -> Formula:
    """Return the sum of a column up to the row `last`, without the rows `left_out`, minus the total below it; it must show 0."""
    # Without rows the area must not reach up to the headings, which count as numbers.
    area = sheet.area(column, sheet.first, column, max(last, sheet.first))
    out = [sheet.cell(column, row) for row in left_out]
    return Formula(f"=ROUND({'-'.join([f'SUM({area})', *out, sheet.cell(column, last + 1)])},2)")
