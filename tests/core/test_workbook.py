"""Excel files: text, dates, layout and characters that a file cannot hold."""

from __future__ import annotations

import datetime
from io import BytesIO
from zipfile import ZipFile

import pytest
from openpyxl import Workbook, load_workbook

from scoring.core.workbook import DATE, INSTANT, NUMBER, TEXT, CellStyle, Column, ExcelWorkbook, Formula, clean_text


def reopened(workbook: ExcelWorkbook) -> Workbook:
    return load_workbook(BytesIO(workbook.as_bytes()))


@pytest.mark.parametrize("text", ["=1+1", '=HYPERLINK("http://example.org")', "+1", "-1", "@SUM(A1)", "#N/A", "1-29", "007"])
def test_text_stays_text(text: str) -> None:
    workbook = ExcelWorkbook("Probe", "Karo")
    workbook.add_sheet("A", [Column("Text", 10, TEXT)]).append([text])
    cell = reopened(workbook)["A"]["A2"]
    assert (cell.value, cell.data_type) == (text, "s")
    assert bool(cell.quotePrefix) is (text[0] in "=+-@")


def test_headings_and_captions_are_text_as_well() -> None:
    workbook = ExcelWorkbook("Probe", "Karo")
    workbook.add_sheet("A", [Column("=1+1", 10)], ["=2+2"])
    sheet = reopened(workbook)["A"]
    assert [(sheet[place].value, sheet[place].data_type) for place in ("A1", "A2")] == [("=2+2", "s"), ("=1+1", "s")]


def test_a_formula_is_a_formula() -> None:
    workbook = ExcelWorkbook("Probe", "Karo")
    workbook.add_sheet("A", [Column("Zahl", 10, NUMBER)]).append([Formula("=1+1")])
    assert reopened(workbook)["A"]["A2"].data_type == "f"


def test_invalid_characters_are_left_out() -> None:
    assert clean_text("A\x00B\x1bC\ud800\uffff") == "ABC"
    assert clean_text("eine\tZeile\nund noch eine") == "eine Zeile und noch eine"
    assert clean_text("Özlem 🂡 ‏א") == "Özlem 🂡 ‏א"


def test_dates_are_real_dates_in_local_time() -> None:
    workbook = ExcelWorkbook("Probe", "Karo")
    columns = [Column("Tag", 10, CellStyle(DATE)), Column("Wann", 10, CellStyle(INSTANT))]
    instant = datetime.datetime(2026, 7, 1, 22, 30, 15, 5, tzinfo=datetime.UTC)
    workbook.add_sheet("A", columns).append([datetime.date(2026, 7, 1), instant])
    day, when = reopened(workbook)["A"][2]
    assert (day.value, day.number_format) == (datetime.datetime(2026, 7, 1), DATE)
    assert (when.value, when.number_format) == (datetime.datetime(2026, 7, 2, 0, 30, 15), INSTANT)


def test_headings_are_frozen_and_repeated_on_a4() -> None:
    workbook = ExcelWorkbook("Probe", "Karo & Eins")
    sheet = workbook.add_sheet("A", [Column("Eins", 60), Column("Zwei", 60)], ["Titel"], frozen=1)
    sheet.append(["a", "b"])
    sheet.add_filter()
    written = reopened(workbook)["A"]
    assert written.freeze_panes == "B3"
    assert written.print_title_rows == "$2:$2"
    assert [table.ref for table in written.tables.values()] == ["A2:B3"]
    assert (written.page_setup.paperSize, written.page_setup.orientation) == (9, "landscape")
    assert (written.page_setup.fitToWidth, written.page_setup.fitToHeight) == (1, 0)
    assert written.sheet_properties.pageSetUpPr.fitToPage
    assert written.column_dimensions["A"].width == 60


def test_a_paged_table_has_ten_columns_on_each_page() -> None:
    """The frozen columns are repeated on each page; the chart is beside them."""
    workbook = ExcelWorkbook("Probe", "Karo")
    sheet = workbook.add_sheet(
        "A", [Column(f"Spalte {number}", 24, NUMBER) for number in range(19)], ["Titel " * 40], 2, paged=True
    )
    sheet.append([*range(19)])
    sheet.add_bar_chart("Bild", 0, 2, 1)
    workbook.add_sheet("B", [Column("Eins", 9)] * 10, paged=True)
    long, short = reopened(workbook).worksheets
    assert (long.print_title_cols, [one.id for one in long.col_breaks.brk]) == ("$A:$B", [7, 13])
    assert not long.sheet_properties.pageSetUpPr.fitToPage
    assert (long.page_setup.orientation, long.page_setup.scale) == ("landscape", 74)
    assert str(long.merged_cells) == "A1:G1"
    assert long.print_area.endswith(",'A'!$U$3:$AF$26")
    assert short.sheet_properties.pageSetUpPr.fitToPage and not short.col_breaks.brk


def test_text_to_the_right_of_a_number_is_indented() -> None:
    workbook = ExcelWorkbook("Probe", "Karo")
    columns = [Column("Nr.", 6, NUMBER), Column("Name", 9, TEXT), Column("Ort", 9, TEXT), Column("Tag", 9, CellStyle(DATE))]
    sheet = workbook.add_sheet("A", [*columns, Column("Was", 9)])
    sheet.append([1, "Ärmel", "Krone", datetime.date(2026, 3, 6), "x"])
    assert [[cell.alignment.indent for cell in row] for row in reopened(workbook)["A"].iter_rows()] == [[0, 1, 0, 0, 1]] * 2


def test_an_ampersand_is_escaped_in_the_page_head() -> None:
    workbook = ExcelWorkbook("Probe", "Karo &P Eins")
    workbook.add_sheet("A", [Column("Eins", 10)])
    page = ZipFile(BytesIO(workbook.as_bytes())).read("xl/worksheets/sheet1.xml").decode()
    assert "Karo &amp;&amp;P Eins" in page


def test_a_wide_caption_is_wrapped() -> None:
    workbook = ExcelWorkbook("Probe", "Karo")
    captions = ["Titel", "Gezählt wird, was jeder an seinen besten Abenden hat.", "kurz"]
    workbook.add_sheet("A", [Column("Eins", 10), Column("Zwei", 20)], captions)
    sheet = reopened(workbook)["A"]
    assert [str(area) for area in sheet.merged_cells.ranges] == ["A2:B2"]
    assert sheet["A2"].alignment.wrap_text
    assert [sheet.row_dimensions[row].height for row in (1, 2, 3)] == [19, 30, None]


def test_cells_of_one_style_share_it_in_the_file() -> None:
    workbook = ExcelWorkbook("Probe", "Karo")
    sheet = workbook.add_sheet("A", [Column("Zahl", 10, NUMBER)])
    for number in range(20):
        sheet.append([number], [NUMBER._replace(bold=True)])
    written = reopened(workbook)
    assert {cell.style_id for (cell,) in written["A"].iter_rows(min_row=2)} == {written["A"]["A2"].style_id}
    assert written["A"]["A2"].font.bold


def test_the_height_of_a_row_fits_its_text() -> None:
    workbook = ExcelWorkbook("Probe", "Karo")
    sheet = workbook.add_sheet("A", [Column("Soli gespielt", 9, NUMBER), Column("Text", 20, TEXT)], ["Titel"])
    sheet.append([1, "kurz"])
    sheet.append([2, "ein Satz, der nicht in eine einzige Zeile passt"])
    rows = reopened(workbook)["A"].row_dimensions
    heights = [rows[row].height for row in (1, 2, 3, 4)]
    assert heights == [19, 30, None, 60]
