"""From the bytes of an uploaded file to rows of text: CSV in any usual encoding and separator, or an Excel workbook. How much
a file may hold is decided here, and looked at before anything is unpacked; nothing is written to a disk."""

from __future__ import annotations

import csv
import datetime
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO, StringIO
from typing import Any, Final, NamedTuple

import openpyxl
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from openpyxl.utils import get_column_letter

from scoring.models.text import tidy, validate_plain

from .cells import UNCALCULATED
from .encoding import decoded
from .titles import sheets_to_read, written_in

# An eternal list of twenty years is 100 kB.
MOST_BYTES: Final = 2_000_000
MOST_ROWS: Final = 20_000
MOST_COLUMNS: Final = 60
WIDEST: Final = 300
LONGEST_CELL: Final = 200
# Of a workbook, which is a zip archive: how many files are in it, how many bytes they are unpacked, and how many times
# bigger than packed one of them may be; a small one may repeat itself as it likes.
MOST_PARTS: Final = 500
MOST_UNPACKED: Final = 16_000_000
MOST_TIMES: Final = 100
SMALL_PART: Final = 1_000_000

SEPARATORS: Final = (";", "\t", ",", "|")
# By how they begin: formats that people may well try, and what to do about it.
ZIP: Final = b"PK"
OLD_EXCEL: Final = b"\xd0\xcf\x11\xe0"

Rows = list[list[str]]


class Bounds(NamedTuple):
    """How many rows a file may have, and how long its texts may be."""

    rows: int
    text: int


LISTS: Final = Bounds(MOST_ROWS, LONGEST_CELL)
# Our own workbook has five rows for a game, and cells with a note and all that was odd besides, or a house rule.
OURS: Final = Bounds(2 * MOST_ROWS, 3 * LONGEST_CELL)


class FileRefused(ValueError):
    """A file that cannot be read; the message is the sentence for whoever uploaded it, with the row where there is one."""


class Sheet(NamedTuple):
    """One sheet: its name (empty for CSV) and its rows as text, from the first row of the file, blank rows empty."""

    name: str
    rows: Rows


def read_file(data: bytes) -> list[Sheet]:
    """The sheets of a file that hold anything. What it is follows from what is in it, never from its name. Raises
    FileRefused."""
    if len(data) > MOST_BYTES:
        raise FileRefused(too_big())
    if data.startswith(OLD_EXCEL):
        raise FileRefused(_("Das ist eine alte oder verschlüsselte Excel-Datei. Bitte als .xlsx oder CSV speichern."))
    sheets = list(_workbook(data)) if data.startswith(ZIP) else [Sheet("", _csv(_text_of(data)))]
    sheets = [Sheet(name, _trimmed(rows)) for name, rows in sheets if any(map(any, rows))]
    if not sheets:
        raise FileRefused(_("In der Datei steht nichts."))
    return sheets


def too_big() -> str:
    return _("Die Datei ist zu groß: Höchstens %(size)s MB lassen sich übernehmen.") % {"size": MOST_BYTES // 1_000_000}


def column_name(index: int) -> str:
    """What a spreadsheet calls this column, counted from 0."""
    return str(get_column_letter(index + 1))


def _trimmed(rows: Rows) -> Rows:
    """Without the blank cells and rows behind the last that hold anything."""
    width = max(index for row in rows for index, cell in enumerate(row, 1) if cell)
    last = max(number for number, row in enumerate(rows, 1) if any(row))
    return [row[:width] for row in rows[:last]]


def _checked(rows: Iterable[Sequence[Any]], bounds: Bounds = LISTS, before: int = 0) -> Rows:
    """The rows, with those of the sheets `before` no more than may be, each cell one line of visible characters. Raises
    FileRefused."""
    found: Rows = []
    for number, cells in enumerate(rows, 1):
        if before + number > bounds.rows:
            raise FileRefused(_("Die Datei hat mehr als %(rows)s Zeilen.") % {"rows": bounds.rows})
        # A row that is very wide is not looked through for something in it: there could be twenty thousand of them.
        if len(cells) > WIDEST or any(cell not in (None, "") for cell in cells[MOST_COLUMNS:]):
            said = {"row": number, "columns": MOST_COLUMNS}
            raise FileRefused(_("Zeile %(row)s hat mehr als %(columns)s Spalten.") % said)
        texts = map(_text, cells[:MOST_COLUMNS])
        found.append([_plain(number, index, text, bounds.text) for index, text in enumerate(texts)])
    return found


def _plain(row: int, index: int, cell: str, longest: int = LONGEST_CELL) -> str:
    if cell.isascii() and cell.isprintable() and len(cell) <= longest:
        return " ".join(cell.split())
    text, said = tidy(cell), {"row": row, "column": column_name(index)}
    if len(text) > longest:
        raise FileRefused(_("Zeile %(row)s, Spalte %(column)s: Der Text ist zu lang.") % said)
    try:
        validate_plain(text)
    except ValidationError as error:
        sentence = _("Zeile %(row)s, Spalte %(column)s: Da stehen unsichtbare Zeichen. Bitte die Zelle neu schreiben.")
        raise FileRefused(sentence % said) from error
    return text


# --- CSV --------------------------------------------------------------------------------------------------------------


def _text_of(data: bytes) -> str:
    text = decoded(data)
    if text is None:
        raise FileRefused(_("Das ist weder CSV noch eine Excel-Datei (.xlsx)."))
    return text


def _csv(text: str) -> Rows:
    text, separator = _separated(text)
    reader = csv.reader(StringIO(text, newline=""), delimiter=separator)
    try:
        return _checked(reader)
    except csv.Error as error:
        sentence = _("Zeile %(row)s ist keine Zeile einer CSV-Datei.") % {"row": reader.line_num}
        raise FileRefused(sentence) from error


def _separated(text: str) -> tuple[str, str]:
    """The text and what separates its cells: as Excel's own first line says, else what cuts most of the first rows into
    the same number of cells, two at least."""
    first, _break, rest = text.partition("\n")
    if first.strip().lower() in {f"sep={separator}" for separator in SEPARATORS}:
        return "\n" + rest, first.strip()[4:]
    if first.rstrip("\r").lower() == "sep=\t":
        return "\n" + rest, "\t"
    return text, max(SEPARATORS, key=lambda separator: _evenness(text, separator))


def _evenness(text: str, separator: str) -> tuple[int, int]:
    head = StringIO("\n".join(text.splitlines()[:50]), newline="")
    try:
        widths = Counter(len(row) for row in csv.reader(head, delimiter=separator) if len(row) > 1)
    except csv.Error:
        return 0, 0
    return max(((rows, width) for width, rows in widths.items()), default=(0, 0))


# --- Excel ------------------------------------------------------------------------------------------------------------


def _workbook(data: bytes) -> Iterator[Sheet]:
    _judge_archive(data)
    try:
        book = openpyxl.load_workbook(BytesIO(data), read_only=True, data_only=True, keep_links=False)
        sheets = {sheet.title: sheet for sheet in book.worksheets if sheet.sheet_state == "visible"}
        ours = written_in(sheets) is not None
        formulas = None if ours or not _has_formulas(data) else openpyxl.load_workbook(BytesIO(data), read_only=True)
        before = 0
        for name in sheets_to_read(sheets):
            # What a sheet says of its own size is not to be believed.
            sheets[name].reset_dimensions()
            cells = (
                sheets[name].iter_rows(values_only=True) if formulas is None else _told(sheets[name], formulas[name])
            )
            try:
                rows = _checked(cells, OURS if ours else LISTS, before)
            except FileRefused as refused:
                if not ours:
                    raise
                raise _on_sheet(name, refused) from refused
            before += len(rows)
            yield Sheet(_plain(1, 0, name), rows)
    except FileRefused:
        raise
    except (
        Exception
    ) as error:  # a broken workbook, or one with entities in its XML, fails wherever openpyxl happens to be
        raise FileRefused(_("Die Excel-Datei ist beschädigt und lässt sich nicht lesen.")) from error


def _has_formulas(data: bytes) -> bool:
    with zipfile.ZipFile(BytesIO(data)) as archive:
        parts = [name for name in archive.namelist() if name.startswith("xl/worksheets/")]
        return any(mark in archive.read(name) for name in parts for mark in (b"<f>", b"<f "))


def _told(values: Any, formulas: Any) -> Iterator[list[Any]]:
    """The rows of a sheet, a formula that no program has worked out as what stands for one. An empty text is a result as
    well."""
    formulas.reset_dimensions()
    for row, beside in zip(values.iter_rows(), formulas.iter_rows(), strict=True):
        yield [
            UNCALCULATED if cell.value is None and formula.data_type == "f" and cell.data_type != "str" else cell.value
            for cell, formula in zip(row, beside, strict=True)
        ]


def _on_sheet(name: str, refused: FileRefused) -> FileRefused:
    """The same sentence with the sheet, where all of them are read."""
    return FileRefused(_("Blatt „%(sheet)s“: %(sentence)s") % {"sheet": tidy(name)[:LONGEST_CELL], "sentence": refused})


def _text(cell: Any) -> str:
    """A cell as one would type it: a whole number without a comma, a day without its hours."""
    if cell is None:
        return ""
    if isinstance(cell, datetime.datetime):
        return cell.date().isoformat()
    if isinstance(cell, float):
        # Sums of cents come with a tiny rest.
        cell = round(cell, 9)
        return str(int(cell)) if cell.is_integer() else str(cell)
    return str(cell)


def _judge_archive(data: bytes) -> None:
    """Look at the list of contents before anything is unpacked. No part can be unpacked to more than the list says."""
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            parts = archive.infolist()
    except (zipfile.BadZipFile, ValueError, OverflowError, NotImplementedError) as error:
        raise FileRefused(_("Die Excel-Datei ist beschädigt und lässt sich nicht lesen.")) from error
    names = {part.filename for part in parts}
    if "xl/workbook.xml" not in names:
        raise FileRefused(_("Das ist weder CSV noch eine Excel-Datei (.xlsx)."))
    if any(name.endswith("vbaProject.bin") for name in names):
        raise FileRefused(_("In der Datei stecken Makros. Bitte als .xlsx oder CSV speichern."))
    if (
        len(parts) > MOST_PARTS
        or sum(part.file_size for part in parts) > MOST_UNPACKED
        or any(part.file_size > max(SMALL_PART, MOST_TIMES * part.compress_size) for part in parts)
    ):
        raise FileRefused(
            _("Ausgepackt ist die Excel-Datei zu groß. Bitte nur das Blatt mit der Liste speichern, oder ein Jahr.")
        )
