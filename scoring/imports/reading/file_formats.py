"""File formats: from the bytes of an uploaded file to the text of its cells.
Reads CSV in any usual encoding and workbooks of Excel (.xlsx, .xls) and LibreOffice (.ods); `read_sheets` chooses, and a new
file format is added there. A process of its own runs this module (`__main__.py`), so it must not import Django."""

from __future__ import annotations

import codecs
import csv
import datetime
import re
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO, StringIO
from itertools import islice
from typing import Any, Final

MAX_ROWS: Final = 20_000
# People in rows and a column for every evening of five years.
MAX_COLUMNS: Final = 260
# 20,000 games of eight people with their dates, or every week of thirty years with 60 people.
MAX_CELLS: Final = 180_000
MAX_TEXT: Final = 4_000_000
WIDEST: Final = 300
LONGEST_CELL: Final = 200
ZIP: Final = b"PK"
OLD_EXCEL: Final = b"\xd0\xcf\x11\xe0"
# Found at the beginning of an .ods file.
OPEN_DOCUMENT: Final = b"application/vnd.oasis.opendocument.spreadsheet"
SEPARATORS: Final = (";", "\t", ",", "|")
# The text of a cell with a formula that no program has calculated.
UNCALCULATED: Final = "="

# Some programs write an HTML page and call it .xls.
WEB_PAGE: Final = re.compile(rb"[\xef\xbb\xbf\s]*<(!doctype|html|table|\?xml|head|meta)\b", re.IGNORECASE)

# The sheets that identify our own workbook of a whole club, and those of its sheets that are lists; in German and in English.
OUR_WORKBOOK: Final = (frozenset({"Deckblatt", "Hausregeln"}), frozenset({"Cover", "House rules"}))
OUR_LISTS: Final = ("Datum × Name", "Date × name")
# Invisible marks of the writing direction, which messengers put around names. The two that reverse letters are refused.
DIRECTIONS: Final = dict.fromkeys((0x061C, 0x200E, 0x200F, 0x202A, 0x202B, 0x202C, *range(0x2066, 0x206A)))
# Our own files put an apostrophe before text that begins like a formula.
QUOTED: Final = re.compile(r"'[=+\-@]")

Rows = list[list[str]]


class UnreadableFile(Exception):
    """An unreadable file: the `reason` is a key of the sentences in `uploads.py`, `values` are their placeholders."""

    def __init__(self, reason: str, **values: object) -> None:
        super().__init__(reason)
        self.reason, self.values = reason, values


def read_sheets(data: bytes) -> Iterator[tuple[str, Rows, bool]]:
    """Yield the name (empty for CSV), the rows and whether it is hidden for each sheet of a file. Raise UnreadableFile.
    The format follows from the content, never from the name. A hidden sheet with too many rows comes without them."""
    if WEB_PAGE.match(data[:1000]):
        raise UnreadableFile("web")
    if data.startswith(OLD_EXCEL) or (data.startswith(ZIP) and OPEN_DOCUMENT in data[:200]):
        sheets = read_ods_or_xls(data)
    elif data.startswith(ZIP):
        sheets = read_xlsx(data)
    else:
        sheets = iter([("", False, _read_csv(data))])
    limits = _Limits()
    for name, hidden, rows in sheets:
        try:
            texts = _trim(limits.read_rows(rows))
        except UnreadableFile:
            if not hidden:
                raise
            yield _clean_cell(name), [], hidden
        else:
            if texts:
                yield _clean_cell(name), texts, hidden


class _Limits:
    """The rows, cells and characters that the sheets of one file may still have."""

    def __init__(self) -> None:
        self._rows, self._cells, self._text = MAX_ROWS, MAX_CELLS, MAX_TEXT

    def read_rows(self, rows: Iterable[Sequence[Any]]) -> Rows:
        """Return the rows, each cell as one line of text. Raise UnreadableFile."""
        texts = []
        for number, cells in enumerate(rows, 1):
            # Very wide rows are not searched for a filled cell: there could be twenty thousand of them.
            if len(cells) > WIDEST or any(cell not in (None, "") for cell in cells[MAX_COLUMNS:]):
                raise UnreadableFile("columns", row=number, columns=MAX_COLUMNS)
            row = [_clean_cell(cell) for cell in cells[:MAX_COLUMNS]]
            self._rows -= 1
            self._cells -= len(row)
            self._text -= sum(map(len, row))
            if self._rows < 0:
                raise UnreadableFile("rows", rows=MAX_ROWS)
            if self._cells < 0 or self._text < 0:
                raise UnreadableFile("cells", cells=MAX_CELLS)
            texts.append(row)
        return texts


def _clean_cell(cell: Any) -> str:
    """Return a cell as one line in composed Unicode form, without direction marks. `uploads.py` checks for invisible characters."""
    text = _format_cell(cell)
    if not text.isascii():
        text = unicodedata.normalize("NFC", text.translate(DIRECTIONS))
    text = " ".join(text.split())
    # No name, day or amount is longer: this is a remark or a title.
    return text[:LONGEST_CELL]


def _format_cell(cell: Any) -> str:
    """Return a cell as a person would type it: a whole number without a comma, a day without its time."""
    if cell is None:
        return ""
    if isinstance(cell, datetime.datetime):
        return cell.date().isoformat()
    if isinstance(cell, float):
        # Floating-point sums of cents have a tiny rest.
        cell = round(cell, 9)
        return str(int(cell)) if cell.is_integer() else str(cell).replace(".", ",")
    return str(cell)


def _trim(rows: Rows) -> Rows:
    """Drop the blank cells and rows at the end."""
    width = max((index for row in rows for index, cell in enumerate(row, 1) if cell), default=0)
    last = max((number for number, row in enumerate(rows, 1) if any(row)), default=0)
    return [row[:width] for row in rows[:last]]


# --- CSV --------------------------------------------------------------------------------------------------------------

def _read_csv(data: bytes) -> Iterator[list[str]]:
    text = decode(data)
    if text is None:
        raise UnreadableFile("neither")
    text, separator = _split_off_separator(text)
    if _is_quoted(text):
        text, separator = _split_off_separator("\n".join(line[1:-1].replace('""', '"') for line in text.splitlines()))
    reader = csv.reader(StringIO(text, newline=""), delimiter=separator)
    try:
        for row in reader:
            yield [cell[1:] if QUOTED.match(cell) else cell for cell in row]
    except csv.Error as error:
        raise UnreadableFile("csv", row=reader.line_num) from error


def _split_off_separator(text: str) -> tuple[str, str]:
    """Return the text and its separator.
    The first line may name it. Otherwise it is the character that splits most of the first rows into the same number of cells."""
    first, _break, rest = text.partition("\n")
    for separator in SEPARATORS:
        # A tab would be stripped.
        if f"sep={separator}" in (first.strip().lower(), first.rstrip("\r").lower()):
            return "\n" + rest, separator
    return text, max(SEPARATORS, key=lambda separator: _rate_separator(text, separator))


def _is_quoted(text: str) -> bool:
    """Return whether every line is quoted as a whole: a program that opened the file as one column writes it like that."""
    lines = [line for line in text.splitlines() if line.strip('" ')]
    whole = (line[0] == line[-1] == '"' and len(line) > 2 and '"' not in line[1:-1].replace('""', "") for line in lines)
    return bool(lines) and all(whole) and any(separator in lines[0] for separator in SEPARATORS)


def _rate_separator(text: str, separator: str) -> tuple[int, bool, int]:
    """Return how many rows this character splits alike, whether it is a tab, which is in no cell, and into how many cells."""
    head = StringIO("\n".join(text.splitlines()[:50]), newline="")
    try:
        widths = Counter(len(row) for row in csv.reader(head, delimiter=separator) if len(row) > 1)
    except csv.Error:
        return 0, False, 0
    return max(((rows, separator == "\t", width) for width, rows in widths.items()), default=(0, False, 0))


# --- Encodings --------------------------------------------------------------------------------------------------------

BYTE_ORDERS: Final = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
WESTERN: Final = ("cp1252", "cp850", "mac_roman")
GERMAN: Final = frozenset("äöüßÄÖÜ")
# Characters that may stand between words and numbers, and those that may stand inside a word.
BETWEEN: Final = frozenset("„“”‚‘’‹›«»–—…€§°·×½ \u00a0")
INSIDE: Final = frozenset("’´–\u00ad")
# How many non-ASCII characters are rated.
SAMPLE: Final = 20_000
_FOREIGN: Final = re.compile(r"[^\x00-\x7f]")


def decode(data: bytes) -> str | None:
    """Return the text, or None if these bytes are not text.
    UTF-8 or UTF-16 where the bytes allow nothing else, otherwise the encoding of Windows, DOS or an old Mac in western Europe,
    whichever gives words that look like names."""
    encoding = next((encoding for mark, encoding in BYTE_ORDERS.items() if data.startswith(mark)), None)
    if encoding or (encoding := _detect_utf_16(data)):
        return _decode_as(data, encoding)
    return _decode_as(data, "utf-8") or _decode_western(data)


def _decode_as(data: bytes, encoding: str) -> str | None:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text


def _detect_utf_16(data: bytes) -> str | None:
    """Return the byte order of UTF-16 without a mark: one byte of most characters is zero, always the same one."""
    first, second = data[::2], data[1::2]
    if len(data) % 2 or not data:
        return None
    for high, low, encoding in ((first, second, "utf-16-be"), (second, first, "utf-16-le")):
        if 4 * high.count(0) >= 3 * len(high) and not low.count(0):
            return encoding
    return None


def _decode_western(data: bytes) -> str | None:
    """Decode as Windows does, unless another encoding gives better words.
    Where Windows cannot decode the bytes, another encoding must give some German letters. Otherwise return None."""
    texts = {encoding: text for encoding in WESTERN if (text := _decode_as(data, encoding)) is not None}
    ratings = {encoding: _rate_text(text) for encoding, text in texts.items()}
    best = max(ratings, key=lambda encoding: ratings[encoding], default=None)
    if best is None or (WESTERN[0] not in texts and ratings[best] <= 0):
        return None
    return texts[best]


def _rate_text(text: str) -> int:
    """Rate how much the first non-ASCII characters look like parts of words: +2 for a German letter, -2 for an impossible place."""
    return sum(_rate_character(text, match.start()) for match in islice(_FOREIGN.finditer(text), SAMPLE))


def _rate_character(text: str, at: int) -> int:
    char, before, after = text[at], text[at - 1 : at], text[at + 1 : at + 2]
    if not char.isalpha():
        inside = before.isalpha() and after.isalpha()
        return 0 if char in (INSIDE if inside else BETWEEN) else -2
    if char.isupper() and before.isalpha() and (before.islower() or after.islower()):
        return -2
    if char not in GERMAN or not (before.isalpha() or after.isalpha()):
        return 0
    return 2 if char.isupper() or before.isalpha() else 0


# --- Excel (.xlsx) ----------------------------------------------------------------------------------------------------

# A cell with a formula and no value, and the files of a workbook that have the cells.
UNCALCULATED_CELL: Final = re.compile(rb"(</f>|<f(\s[^<>]*)?/>)\s*(<v\s*/>|<v>\s*</v>)?\s*</c>")
CELLS: Final = re.compile(r"xl/worksheets/[^/]+\.xml", re.IGNORECASE)


def read_xlsx(data: bytes) -> Iterator[tuple[str, bool, Iterator[Sequence[Any]]]]:
    """Yield the name, whether it is hidden, and the rows of values for each sheet, hidden sheets last. Raise UnreadableFile."""
    # Loading the package takes longer than reading most lists.
    import openpyxl

    with _refuse_broken():
        with zipfile.ZipFile(BytesIO(data)) as archive:
            names = archive.namelist()
            if "xl/workbook.xml" not in names:
                raise UnreadableFile("neither")
            # If some formula was never calculated, the workbook is read a second time, with its formulas.
            is_calculated = not any(UNCALCULATED_CELL.search(archive.read(name)) for name in filter(CELLS.fullmatch, names))
        book = openpyxl.load_workbook(BytesIO(data), read_only=True, data_only=True, keep_links=False)
        formulas = None if is_calculated else openpyxl.load_workbook(BytesIO(data), read_only=True, keep_links=False)
        sheets = sorted(book.worksheets, key=_is_hidden)
        visible = {sheet.title for sheet in sheets if not _is_hidden(sheet)}
        if any(ours <= visible for ours in OUR_WORKBOOK):
            # The other sheets exceed the limits of a list: thousands of games, rules in long sentences.
            sheets = [sheet for sheet in sheets if not _is_hidden(sheet) and sheet.title.startswith(OUR_LISTS)]
            if not sheets:
                raise UnreadableFile("ours")
    for sheet in sheets:
        yield sheet.title, _is_hidden(sheet), _iter_xlsx_rows(sheet, formulas and formulas[sheet.title])


def _is_hidden(sheet: Any) -> bool:
    return bool(sheet.sheet_state != "visible")


@contextmanager
def _refuse_broken() -> Iterator[None]:
    """Raise UnreadableFile for any error: openpyxl fails in many ways on broken workbooks and on XML entities."""
    try:
        yield
    except (UnreadableFile, MemoryError):
        raise
    except Exception as error:
        raise UnreadableFile("broken") from error


def _iter_xlsx_rows(values: Any, formulas: Any) -> Iterator[Sequence[Any]]:
    with _refuse_broken():
        # A file can lie about the size of its sheets.
        values.reset_dimensions()
        yield from values.iter_rows(values_only=True) if formulas is None else _mark_uncalculated(values, formulas)


def _mark_uncalculated(values: Any, formulas: Any) -> Iterator[list[Any]]:
    """Yield the rows of a sheet with UNCALCULATED for formulas without a result. An empty text is a result."""
    formulas.reset_dimensions()
    for row, formula_row in zip(values.iter_rows(), formulas.iter_rows(), strict=True):
        yield [
            UNCALCULATED if cell.value is None and formula.data_type == "f" and cell.data_type != "str" else cell.value
            for cell, formula in zip(row, formula_row, strict=True)
        ]


# --- LibreOffice (.ods) and Excel before 2007 (.xls) ------------------------------------------------------------------

def read_ods_or_xls(data: bytes) -> Iterator[tuple[str, bool, Iterator[Sequence[Any]]]]:
    """Yield the name, whether it is hidden, and the rows of values for each sheet, hidden sheets last. Raise UnreadableFile."""
    from python_calamine import CalamineError, CalamineWorkbook, PasswordError, SheetVisibleEnum

    try:
        book = CalamineWorkbook.from_filelike(BytesIO(data))
        hidden = {sheet.name: sheet.visible != SheetVisibleEnum.Visible for sheet in book.sheets_metadata}
        sheets = [book.get_sheet_by_name(name) for name in sorted(hidden, key=hidden.__getitem__)]
    except PasswordError as error:
        raise UnreadableFile("locked") from error
    except (CalamineError, OSError, ValueError) as error:
        raise UnreadableFile("unread") from error
    for sheet in sheets:
        yield sheet.name, hidden[sheet.name], _iter_ods_rows(sheet)


def _iter_ods_rows(sheet: Any) -> Iterator[Sequence[Any]]:
    before = [None] * (sheet.start[1] if sheet.start else 0)
    for row in sheet.iter_rows():
        yield [*before, *row]
