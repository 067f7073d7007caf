"""File formats: encodings, separators, workbooks of many programs, and malicious files, which are refused early."""

from __future__ import annotations

import datetime
import subprocess
import sys
import zipfile
from io import BytesIO
from typing import Any

import openpyxl
import pytest
from defusedxml.common import EntitiesForbidden
from django.conf import settings

from scoring.imports.reading.file_formats import (
    MAX_CELLS,
    MAX_COLUMNS,
    MAX_ROWS,
    WESTERN,
    UnreadableFile,
    read_sheets,
)
from scoring.imports.reading.uploads import MAX_BYTES, FileRefused, read_file
from tests.effort import in_soak, some
from tests.imports.examples import ROOT

LISTS = ROOT / "fixtures/lists"
ROWS = [["Datum", "Ärmel", "Özlem, Çelik"], ["20.03.22", "−12", "12"]]
TEXT = 'Datum;Ärmel;"Özlem, Çelik"\r\n20.03.22;−12;12\r\n'
DOCTYPE = (
    '<!DOCTYPE x [<!ENTITY a "ha">'
    + "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefghi", "bcdefghij", strict=True))
    + "]>"
)


def rows_of(data: bytes) -> list[list[str]]:
    ((_name, rows, _hidden),) = read_sheets(data)
    return rows


def workbook(*sheets: list[list[Any]], titles: str = "ABC") -> bytes:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in zip(titles, sheets, strict=False):
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    buffer = BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def replace_parts(data: bytes, **parts: bytes) -> bytes:
    """Replace files in a workbook; in their names __ means a slash and _dot_ a dot."""
    named = {name.replace("__", "/").replace("_dot_", "."): content for name, content in parts.items()}
    buffer = BytesIO()
    with zipfile.ZipFile(BytesIO(data)) as old, zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            if name not in named:
                new.writestr(name, old.read(name))
        for name, content in named.items():
            new.writestr(name, content)
    return buffer.getvalue()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252", "cp850", "mac_roman"])
def test_any_usual_encoding(encoding: str) -> None:
    text = TEXT if encoding.startswith("utf") else TEXT.replace("−", "-")
    mark = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}.get(encoding, b"")
    rows = rows_of(mark + text.encode(encoding))
    assert rows == [ROWS[0], ["20.03.22", rows[1][1], "12"]]
    assert rows[1][1] in ("−12", "-12")


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_two_bytes_each_without_a_mark(encoding: str) -> None:
    assert rows_of(TEXT.encode(encoding)) == ROWS


@pytest.mark.parametrize(
    ("name", "encoding"),
    [
        *((name, encoding) for name in ("Cäsar", "Jörg", "Müller", "Groß", "Ärmel", "Österle", "Übel") for encoding in WESTERN),
        *((name, encoding) for name in ("MÜLLER", "Renée", "André") for encoding in ("cp1252", "mac_roman")),
        ("Šimon", "cp1252"),
        ("Žižka", "cp1252"),
        ("François", "cp1252"),
        ("Çelik", "cp1252"),
        ("Anna–Lena", "cp1252"),
        ("„Otto“", "cp1252"),
        ("D’Arc", "cp1252"),
        ("2,50 €", "cp1252"),
        ("…", "cp1252"),
    ],
)
def test_names_are_read_as_they_were_written(name: str, encoding: str) -> None:
    """The file has nothing else that shows its encoding."""
    assert rows_of(f"Datum;{name};Dora\n1.1.22;3;-3\n".encode(encoding))[0] == ["Datum", name, "Dora"]


@pytest.mark.parametrize(
    "text",
    [
        TEXT, TEXT.replace("\r\n", "\n"), TEXT.replace("\r\n", "\r"), TEXT.replace(";", "\t"), TEXT.replace(";", ","),
        TEXT.replace(";", "|"), "sep=|\n" + TEXT.replace(";", "|"), "sep=;\r\n" + TEXT,
        "SEP=,\n" + TEXT.replace(";", ","), "sep=\t\n" + TEXT.replace(";", "\t"), TEXT + ";;\r\n;;\r\n",
        TEXT.replace("\r\n", ";;;\r\n"), TEXT.replace("Ärmel", "  Ärmel "), TEXT.replace("Ärmel", '"Ärmel\n"'),
        TEXT.replace("Ärmel", "A\u0308rmel"), TEXT.replace(";−12", ";\u00a0−12"),
    ],
)  # fmt: skip
def test_any_usual_separator_and_quoting(text: str) -> None:
    rows = rows_of(text.encode())
    assert [row for row in rows if any(row)] == ROWS


def test_a_decimal_comma_separates_nothing() -> None:
    assert rows_of(b"Datum;A;B\n1.1.22;12,0;-12,0\n2.1.22;1,0;-1,0\n")[1] == ["1.1.22", "12,0", "-12,0"]


def test_rows_keep_their_numbers() -> None:
    assert rows_of(b"\n\nDatum;A\n\n1.1.22;3\n") == [[], [], ["Datum", "A"], [], ["1.1.22", "3"]]


def test_a_workbook_says_what_one_would_type() -> None:
    days = [datetime.date(2022, 3, 20), datetime.datetime(2022, 3, 20, 19, 30)]
    data = workbook([["Datum", "A", None, "B"], [days[0], 12, None, -12.0], [days[1], 1.5, None, True]], [[None]], [[1]])
    sheets = read_file(data)
    assert [sheet.name for sheet in sheets] == ["A", "C"], "a sheet without anything on it is none"
    assert sheets[0].rows == [["Datum", "A", "", "B"], ["2022-03-20", "12", "", "-12"], ["2022-03-20", "1,5", "", "True"]]


def test_a_formula_without_a_result_is_no_empty_cell() -> None:
    data = workbook([["Datum", "A", "B"], ["1.1.22", "=1+2", -3]])
    assert rows_of(data)[1] == ["1.1.22", "=", "-3"]
    with zipfile.ZipFile(BytesIO(data)) as archive:
        xml = archive.read("xl/worksheets/sheet1.xml").decode()
    assert "<f>1+2</f><v />" in xml or "<f>1+2</f><v/>" in xml or "<f>1+2</f><v></v>" in xml
    for result, says in {"<v>3</v>": "3", "<v>3.0000000000000004</v>": "3"}.items():
        worked_out = xml.replace("<v />", result, 1).replace("<v/>", result, 1).replace("<v></v>", result, 1)
        name = {"xl__worksheets__sheet1_dot_xml": worked_out.encode()}
        assert rows_of(replace_parts(data, **name))[1] == ["1.1.22", says, "-3"]
    empty_text = xml.replace('<c r="B2">', '<c r="B2" t="str">').replace('<c r="B2" t="n">', '<c r="B2" t="str">')
    assert empty_text != xml
    assert rows_of(replace_parts(data, xl__worksheets__sheet1_dot_xml=empty_text.encode()))[1] == ["1.1.22", "", "-3"]


@pytest.mark.parametrize("cells", [["x"], ["a\u200bb"], [*range(MAX_COLUMNS + 1)]])
def test_hidden_sheets_are_marked_and_hinder_nothing(cells: list[object]) -> None:
    book = openpyxl.Workbook()
    book.active.append(["Datum", "A"])
    book.create_sheet("Geheim", 0).append(cells)
    book["Geheim"].sheet_state = "hidden"
    buffer = BytesIO()
    book.save(buffer)
    rows = [["x"]] if cells == ["x"] else []
    assert read_file(buffer.getvalue()) == [("Sheet", [["Datum", "A"]], False), ("Geheim", rows, True)]


def test_marks_of_direction_are_dropped_and_those_that_turn_letters_around_are_refused() -> None:
    marks = "\u061c\u200e\u200f\u202a\u202b\u202c\u2066\u2067\u2068\u2069"
    assert read_file(f"{marks}1;2{marks}\n {marks} Jan;x\n".encode())[0].rows == [["1", "2"], ["Jan", "x"]]


# --- Refused ----------------------------------------------------------------------------------------------------------

BOOK = workbook([["Datum", "A", "B"], ["1.1.22", 3, -3]])


with zipfile.ZipFile(BytesIO(BOOK)) as _archive:
    SHEET_XML = _archive.read("xl/worksheets/sheet1.xml")


def test_a_long_remark_is_cut_off_and_hinders_nothing() -> None:
    assert read_file(b"1;2\n1;" + b"x" * 201)[0].rows[1] == ["1", "x" * 200]


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        pytest.param(b"", "steht nichts", id="empty"),
        pytest.param(b"\n;;\n \n", "steht nichts", id="blank"),
        pytest.param(b"\xef\xbb\xbf", "steht nichts", id="a byte order mark alone"),
        pytest.param(b"x" * (MAX_BYTES + 1), "zu groß", id="too many bytes"),
        pytest.param(b"1;2\n" * (MAX_ROWS + 1), "mehr als 20000 Zeilen", id="too many rows"),
        pytest.param(b"1;2\n" + b"1;" * MAX_COLUMNS + b"1\n", "Zeile 2 hat mehr als 260 Spalten", id="too many columns"),
        pytest.param(b"1;2\n" + b";" * 1_000_000, "Zeile 2 hat mehr als 260 Spalten", id="a million blank columns"),
        pytest.param(b'1;2\n1;"' + b"x" * 200_000, "keine Zeile einer CSV", id="a quote that never closes"),
        pytest.param(b"1;2\n1;a\x07b\n", "Zeile 2, Spalte B: Da stehen unsichtbare", id="a control character"),
        pytest.param("1;2\n\u202eanna;3\n".encode(), "Zeile 2, Spalte A: Da stehen unsichtbare", id="turned around"),
        pytest.param("1;a\u200bb\n".encode(), "Zeile 1, Spalte B", id="of no width"),
        pytest.param(b"1;2\n\x00\x00\n", "weder CSV noch", id="zeros"),
        pytest.param(b"\x81\x8d\x8f", "weder CSV noch", id="no encoding"),
        pytest.param(b"\xff\xfe\x00\xd8", "weder CSV noch", id="half a character"),
        pytest.param(b"<html><table><tr><td>Datum", "Das ist eine Webseite", id="a page of the web"),
        pytest.param(b"\x89PNG\r\n\x1a\n\x00\x00", "weder CSV noch", id="a picture"),
        pytest.param(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "beschädigt oder geschützt", id="an old workbook, cut off"),
        pytest.param(b"PK\x03\x04 nothing", "beschädigt", id="half a zip archive"),
        pytest.param(BOOK[: len(BOOK) // 2], "beschädigt", id="half a workbook"),
        pytest.param(replace_parts(BOOK, xl__workbook_dot_xml=b"<workbook"), "beschädigt", id="broken XML"),
        pytest.param(workbook([["A"] * (MAX_COLUMNS + 1)]), "Zeile 1 hat mehr als", id="a wide workbook"),
        pytest.param(workbook([["A", "B"], ["1", "a\u202eb"]]), "Zeile 2, Spalte B", id="a workbook turned around"),
    ],
)
def test_an_unreadable_file_is_explained(data: bytes, sentence: str) -> None:
    with pytest.raises(FileRefused, match=sentence):
        read_file(data)


def test_other_archives_are_no_workbooks() -> None:
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.text")
    with pytest.raises(FileRefused, match="weder CSV noch"):
        read_file(buffer.getvalue())


def test_a_bomb_is_refused_and_what_is_no_cell_is_not_unpacked() -> None:
    bomb = replace_parts(BOOK, xl__worksheets__sheet1_dot_xml=b"<x>" + b"0" * 150_000_000)
    assert len(bomb) < 200_000
    with pytest.raises(FileRefused, match="zu groß oder zu verschachtelt"):
        read_file(bomb)
    for beside in ("xl__media__image1_dot_png", "xl__vbaProject_dot_bin"):
        assert read_file(replace_parts(BOOK, **{beside: b"0" * 20_000_000})) == read_file(BOOK), "a picture and macros"


@pytest.mark.parametrize("part", ["[Content_Types]", "xl/workbook", "xl/worksheets/sheet1", "xl/styles"])
def test_entities_are_refused(part: str) -> None:
    """A billion laughs: each entity repeats the previous one ten times."""
    with zipfile.ZipFile(BytesIO(BOOK)) as archive:
        xml = archive.read(f"{part}.xml").decode()
    head = xml.index("?>") + 2 if xml.startswith("<?xml") else 0
    laughing = (xml[:head] + DOCTYPE + xml[head:]).replace("<v>3</v>", "<v>&j;</v>")
    with pytest.raises(UnreadableFile, match="broken") as refused:
        list(read_sheets(replace_parts(BOOK, **{f"{part.replace('/', '__')}_dot_xml": laughing.encode()})))
    causes, error = [], refused.value
    while error := error.__cause__ or error.__context__:
        causes.append(type(error))
    assert EntitiesForbidden in causes


def test_a_row_far_down_or_far_right_costs_nothing() -> None:
    name = "xl/worksheets/sheet1.xml"
    with zipfile.ZipFile(BytesIO(BOOK)) as archive:
        xml = archive.read(name).decode()
    far = {
        "mehr als 20000 Zeilen": '<row r="1048576"><c r="A1048576"><v>1</v></c></row></sheetData>',
        "Zeile 3 hat mehr als 260 Spalten": '<row r="3"><c r="XFD3"><v>1</v></c></row></sheetData>',
    }
    for sentence, row in far.items():
        data = replace_parts(BOOK, xl__worksheets__sheet1_dot_xml=xml.replace("</sheetData>", row).encode())
        with pytest.raises(FileRefused, match=sentence):
            read_file(data)


def test_a_list_of_twenty_thousand_rows_is_read() -> None:
    data = b"Datum;A;B;C;D\n" + b"1.2.2022;12;-12;12;-12\n" * (MAX_ROWS - 1)
    assert len(read_file(data)[0].rows) == MAX_ROWS


# --- A file that means harm to its reader -----------------------------------------------------------------------------


def insert_bytes(part: str, before: bytes, more: bytes) -> bytes:
    """Insert bytes in a file of the workbook."""
    with zipfile.ZipFile(BytesIO(BOOK)) as archive:
        xml = archive.read(f"xl/{part}.xml")
    assert xml.count(before) == 1
    return replace_parts(BOOK, **{f"xl__{part.replace('/', '__')}_dot_xml": xml.replace(before, more + before)})


def open_document(more: bytes) -> bytes:
    """Build an .ods file with XML after its first cell."""
    with zipfile.ZipFile(LISTS / "titles_above.ods") as archive:
        parts = {name: archive.read(name) for name in ("mimetype", "META-INF/manifest.xml", "content.xml")}
    head, cell, rest = parts["content.xml"].partition(b"</table:table-cell>")
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as new:
        for name, content in {**parts, "content.xml": head + cell + more + rest}.items():
            new.writestr(name, content, zipfile.ZIP_STORED if name == "mimetype" else None)
    return buffer.getvalue()


SHEET = "worksheets/sheet1"
HOSTILE = {
    "800,000 styles": lambda: insert_bytes("styles", b"</cellXfs>", b"<xf/>" * 800_000),
    "50,000 styles": lambda: insert_bytes("styles", b"</cellXfs>", b"<xf/>" * 49_900),
    "formats": lambda: insert_bytes("styles", b"</cellXfs>", b"<xf><alignment/><protection/></xf>" * 200_000),
    "names": lambda: insert_bytes("workbook", b"</workbook>", b"<definedNames><definedName/></definedNames>" * 100_000),
    "rows": lambda: insert_bytes(SHEET, b"</sheetData>", b"<row/>" * 2_000_000),
    "cells": lambda: insert_bytes(SHEET, b"</sheetData>", b"<row>" + b"<c/>" * 900_000 + b"</row>"),
    "depth": lambda: insert_bytes(SHEET, b"</sheetData>", b"<x>" * 400_000 + b"</x>" * 400_000),
    "merged cells": lambda: insert_bytes(
        SHEET, b"</worksheet>", b"<mergeCells>" + b'<mergeCell ref="A1:XFD1048576"/>' * 30_000 + b"</mergeCells>"
    ),
    "attributes": lambda: insert_bytes(
        SHEET, b"</sheetData>", b"<row><c " + b" ".join(b'a%d=""' % n for n in range(500_000)) + b"/></row>"
    ),
    "a number": lambda: insert_bytes(SHEET, b"</sheetData>", b"<row><c><v>" + b"9" * 900_000 + b"</v></c></row>"),
    "more than it says": lambda: insert_bytes(SHEET, b"</sheetData>", b"0" * 100_000_000).replace(
        (100_000_000 + len(SHEET_XML)).to_bytes(4, "little"), (900_000).to_bytes(4, "little")
    ),
    "cells of an .ods": lambda: open_document(b'<table:table-cell table:number-columns-repeated="16000"/>' * 10_000),
    "rows of an .ods": lambda: open_document(
        b"</table:table-row>"
        b'<table:table-row table:number-rows-repeated="1000000"><table:table-cell office:value-type="string">'
        b"<text:p>x</text:p></table:table-cell>"
    ),
    "an .ods that is much bigger unpacked": lambda: open_document(b"0" * 100_000_000),
    "an old workbook of zeros": lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(MAX_BYTES - 8),
    "cells of CSV": lambda: b"A;B\n" + (b";" * (MAX_COLUMNS - 1) + b"\n") * (MAX_CELLS // MAX_COLUMNS + 1),
    "quotes": lambda: b'"' * MAX_BYTES,
    "one line": lambda: b"x" * MAX_BYTES,
    "letters of Windows": lambda: b"\xe4" * MAX_BYTES,
    "zeros": lambda: bytes(MAX_BYTES),
}
# Started by this, the reader is the only child there is.
ALONE = (
    "import resource, subprocess, sys; subprocess.run([sys.executable, '-m', 'scoring.imports.reading'], stdout=-3, stderr=-3);"
    "used = resource.getrusage(resource.RUSAGE_CHILDREN); print(used.ru_utime + used.ru_stime, used.ru_maxrss // 1024)"
)


@pytest.mark.parametrize("name", some(HOSTILE, 6))
def test_no_file_costs_its_reader_more_than_seconds_and_megabytes(name: str) -> None:
    data = HOSTILE[name]()
    assert len(data) <= MAX_BYTES, "no larger one gets here"
    done = subprocess.run([sys.executable, "-c", ALONE], input=data, capture_output=True, cwd=settings.BASE_DIR, check=True)
    seconds, megabytes = map(float, done.stdout.split())
    assert seconds < 5
    assert megabytes < 110


@pytest.mark.parametrize("name", [in_soak("attributes"), "formats"])
def test_a_killed_reader_is_explained_in_a_sentence(name: str) -> None:
    with pytest.raises(FileRefused, match="zu groß"):
        read_file(HOSTILE[name]())


def test_the_reader_knows_no_django() -> None:
    code = "import sys; sys.argv = ['x']; import scoring.imports.reading.__main__; print('django' in sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], input=b"a;b", capture_output=True, cwd=settings.BASE_DIR, check=True)
    assert done.stderr.strip() == b"False"

