"""The file formats that are read: from the bytes of an uploaded file to the text of its cells. CSV in any usual encoding,
workbooks of Excel (.xlsx, .xls) and of LibreOffice (.ods). A process of its own runs it (`__main__.py`), without Django."""

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
from html import unescape
from io import BytesIO, StringIO
from itertools import islice
from typing import Any, Final

MOST_ROWS: Final = 20_000
# Names down, a column for every evening of five years.
MOST_COLUMNS: Final = 260
# 20,000 games of eight people with their dates, or every week of thirty years with 60 people.
MOST_CELLS: Final = 180_000
MOST_TEXT: Final = 4_000_000
WIDEST: Final = 300
LONGEST_CELL: Final = 200
ZIP: Final = b"PK"
OLD_EXCEL: Final = b"\xd0\xcf\x11\xe0"
# Stands at the beginning of the archive that an .ods is.
OPEN_DOCUMENT: Final = b"application/vnd.oasis.opendocument.spreadsheet"
SEPARATORS: Final = (";", "\t", ",", "|")
# Stands where a workbook has a formula that no program has worked out.
UNCALCULATED: Final = "="

# Some programs write a page of the web and call it .xls.
WEB_PAGE: Final = re.compile(rb"[\xef\xbb\xbf\s]*<(!doctype|html|table|\?xml|head|meta)\b", re.IGNORECASE)

# The sheets by which the file with everything of a club is known, and those of it that are lists; in German and in English.
OUR_WORKBOOK: Final = (frozenset({"Deckblatt", "Hausregeln"}), frozenset({"Cover", "House rules"}))
OUR_LISTS: Final = ("Datum × Name", "Date × name")
# Invisible marks of the direction of writing, which messengers put around names. The two that turn letters around are refused.
DIRECTIONS: Final = dict.fromkeys((0x061C, 0x200E, 0x200F, 0x202A, 0x202B, 0x202C, *range(0x2066, 0x206A)))
# What our own files have before text that begins like a formula.
QUOTED: Final = re.compile(r"'[=+\-@]")

Rows = list[list[str]]


class Refusal(Exception):
    """A file that cannot be read: the `reason` as a key of the sentences in `uploads.py`, and what is said in it."""

    def __init__(self, reason: str, **said: object) -> None:
        super().__init__(reason)
        self.reason, self.said = reason, said


def sheets_of(data: bytes) -> Iterator[tuple[str, Rows, bool]]:
    """Yield the sheets of a file, each with its name (empty for CSV) and whether it is hidden, which comes without its rows where
    there are too many. What the file is follows from what is in it. Raises Refusal."""
    if WEB_PAGE.match(data[:1000]):
        raise Refusal("web")
    if data.startswith(OLD_EXCEL) or (data.startswith(ZIP) and OPEN_DOCUMENT in data[:200]):
        found = read_ods_or_xls(data)
    elif data.startswith(ZIP):
        found = read_xlsx(data)
    else:
        found = iter([("", False, _csv(data))])
    room = _Room()
    for name, hidden, rows in found:
        try:
            kept = _trimmed(room.checked(rows))
        except Refusal:
            if not hidden:
                raise
            yield _plain(name), [], hidden
        else:
            if kept:
                yield _plain(name), kept, hidden


class _Room:
    """How much more may stand in a file, all its sheets together."""

    def __init__(self) -> None:
        self._rows, self._cells, self._text = MOST_ROWS, MOST_CELLS, MOST_TEXT

    def checked(self, rows: Iterable[Sequence[Any]]) -> Rows:
        """The rows, each cell one line of text. Raises Refusal."""
        found = []
        for number, cells in enumerate(rows, 1):
            # A row that is very wide is not looked through for something in it: there could be twenty thousand of them.
            if len(cells) > WIDEST or any(cell not in (None, "") for cell in cells[MOST_COLUMNS:]):
                raise Refusal("columns", row=number, columns=MOST_COLUMNS)
            row = [_plain(cell) for cell in cells[:MOST_COLUMNS]]
            self._rows -= 1
            self._cells -= len(row)
            self._text -= sum(map(len, row))
            if self._rows < 0:
                raise Refusal("rows", rows=MOST_ROWS)
            if self._cells < 0 or self._text < 0:
                raise Refusal("cells", cells=MOST_CELLS)
            found.append(row)
        return found


def _plain(cell: Any) -> str:
    """A cell as one line in composed form, without marks of direction. `uploads.py` judges whether all of it can be seen."""
    text = _text(cell)
    if not text.isascii():
        text = unicodedata.normalize("NFC", text.translate(DIRECTIONS))
    text = " ".join(text.split())
    # Neither a name nor a day nor points are that long: a remark or a title.
    return text[:LONGEST_CELL]


def _text(cell: Any) -> str:
    """A cell as one would type it: a whole number without a comma, a day without its hours."""
    if cell is None:
        return ""
    if isinstance(cell, datetime.datetime):
        return cell.date().isoformat()
    if isinstance(cell, float):
        # Sums of cents come with a tiny rest.
        cell = round(cell, 9)
        return str(int(cell)) if cell.is_integer() else str(cell).replace(".", ",")
    return str(cell)


def _trimmed(rows: Rows) -> Rows:
    """Without the blank cells and rows behind the last that hold anything."""
    width = max((index for row in rows for index, cell in enumerate(row, 1) if cell), default=0)
    last = max((number for number, row in enumerate(rows, 1) if any(row)), default=0)
    return [row[:width] for row in rows[:last]]


# --- CSV --------------------------------------------------------------------------------------------------------------


def _csv(data: bytes) -> Iterator[list[str]]:
    text = decoded(data)
    if text is None:
        raise Refusal("neither")
    text, separator = _separated(text)
    if _is_quoted(text):
        text, separator = _separated("\n".join(line[1:-1].replace('""', '"') for line in text.splitlines()))
    reader = csv.reader(StringIO(text, newline=""), delimiter=separator)
    try:
        for row in reader:
            yield [cell[1:] if QUOTED.match(cell) else cell for cell in row]
    except csv.Error as error:
        raise Refusal("csv", row=reader.line_num) from error


def _separated(text: str) -> tuple[str, str]:
    """The text, and the character that separates its cells: the one that Excel's own first line names, otherwise the one
    that cuts most of the first rows into the same number of cells (at least two)."""
    first, _break, rest = text.partition("\n")
    if first.strip().lower() in {f"sep={separator}" for separator in SEPARATORS}:
        return "\n" + rest, first.strip()[4:]
    if first.rstrip("\r").lower() == "sep=\t":
        return "\n" + rest, "\t"
    return text, max(SEPARATORS, key=lambda separator: _evenness(text, separator))


def _is_quoted(text: str) -> bool:
    """Does every line stand in quotes as a whole? So a program writes a file that it opened as one column."""
    lines = [line for line in text.splitlines() if line.strip('" ')]
    whole = (line[0] == line[-1] == '"' and len(line) > 2 and '"' not in line[1:-1].replace('""', "") for line in lines)
    return bool(lines) and all(whole) and any(separator in lines[0] for separator in SEPARATORS)


def _evenness(text: str, separator: str) -> tuple[int, int]:
    head = StringIO("\n".join(text.splitlines()[:50]), newline="")
    try:
        widths = Counter(len(row) for row in csv.reader(head, delimiter=separator) if len(row) > 1)
    except csv.Error:
        return 0, 0
    return max(((rows, width) for width, rows in widths.items()), default=(0, 0))


# --- Encodings --------------------------------------------------------------------------------------------------------


BYTE_ORDERS: Final = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
WESTERN: Final = ("cp1252", "cp850", "mac_roman")
GERMAN: Final = frozenset("äöüßÄÖÜ")
# May stand between words and numbers, and those of the second kind inside of a word.
BETWEEN: Final = frozenset("„“”‚‘’‹›«»–—…€§°·×½ \u00a0")
INSIDE: Final = frozenset("’´–\u00ad")
# So many of them tell enough.
SAMPLE: Final = 20_000
_FOREIGN: Final = re.compile(r"[^\x00-\x7f]")


def decoded(data: bytes) -> str | None:
    """The text, None where there is none in these bytes."""
    named = next((encoding for mark, encoding in BYTE_ORDERS.items() if data.startswith(mark)), None)
    if named or (named := _two_bytes_each(data)):
        return _read(data, named)
    return _read(data, "utf-8") or _western(data)


def _read(data: bytes, encoding: str) -> str | None:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text


def _two_bytes_each(data: bytes) -> str | None:
    """UTF-16 without a mark: of most characters one byte is zero, and it is always the same one."""
    first, second = data[::2], data[1::2]
    if len(data) % 2 or not data:
        return None
    for high, low, encoding in ((first, second, "utf-16-be"), (second, first, "utf-16-le")):
        if 4 * high.count(0) >= 3 * len(high) and not low.count(0):
            return encoding
    return None


def _western(data: bytes) -> str | None:
    """What Windows writes, unless another encoding makes better words of it; bytes that Windows does not know have to make
    some German ones."""
    texts = {encoding: text for encoding in WESTERN if (text := _read(data, encoding)) is not None}
    worths = {encoding: _worth(text) for encoding, text in texts.items()}
    best = max(worths, key=lambda encoding: worths[encoding], default=None)
    if best is None or (WESTERN[0] not in texts and worths[best] <= 0):
        return None
    return texts[best]


def _worth(text: str) -> int:
    """How much the first letters beyond ASCII look like parts of words: two for each German one, two less for each sign
    that cannot stand where it does."""
    return sum(_worth_at(text, found.start()) for found in islice(_FOREIGN.finditer(text), SAMPLE))


def _worth_at(text: str, at: int) -> int:
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


# Limits of a workbook, which is a zip archive: how many files are in it, how many bytes they have unpacked, and how many
# times larger than packed one of them may be. Small files may have any ratio.
MOST_PARTS: Final = 500
MOST_UNPACKED: Final = 16_000_000
MOST_TIMES: Final = 100
SMALL_PART: Final = 1_000_000
# How many tags may stand in what holds the cells, and in all the rest: styles, names, the list of sheets.
MOST_TAGS: Final = 1_000_000
MOST_TAGS_BESIDE: Final = 50_000

# The parts of a workbook that are needed for its cells. Pictures, comments, charts and links to other files are not.
CELLS: Final = re.compile(r"xl/(sharedStrings|worksheets/[^/]+)\.xml", re.IGNORECASE)
BESIDE: Final = re.compile(r"\[Content_Types\]\.xml|(xl/)?_rels/[^/]*\.rels|xl/(workbook|styles)\.xml", re.IGNORECASE)
UNCALCULATED_CELL: Final = re.compile(rb"(</f>|<f(\s[^<>]*)?/>)\s*(<v\s*/>|<v>\s*</v>)?\s*</c>")
# Where it says which sheet stands in which part.
_SHEETS: Final = re.compile(r"<sheet\b[^>]*>")
_RELATIONS: Final = re.compile(r"<Relationship\b[^>]*>")
_PIECE: Final = 64 * 1024
_ATTRIBUTE: Final = re.compile(r'([\w:]+)="([^"]*)"')


def read_xlsx(data: bytes) -> Iterator[tuple[str, bool, Iterator[Sequence[Any]]]]:
    """Yield the sheets, the hidden ones last, each with its name, whether it is hidden, and the values of its rows. Raises
    Refusal."""
    # Loading the package takes longer than reading most lists.
    import openpyxl

    with _refusing():
        plain = _unpacked(data)
        book = openpyxl.load_workbook(plain, read_only=True, data_only=True, keep_links=False)
        formulas = openpyxl.load_workbook(plain, read_only=True, keep_links=False) if _awaits_values(plain) else None
        sheets = sorted(book.worksheets, key=_is_hidden)
        if _is_ours(sheet.title for sheet in sheets if not _is_hidden(sheet)):
            # The others have what no list has: thousands of games, rules in long sentences.
            sheets = [sheet for sheet in sheets if not _is_hidden(sheet) and sheet.title.startswith(OUR_LISTS)]
            if not sheets:
                raise Refusal("ours")
    for sheet in sheets:
        yield sheet.title, _is_hidden(sheet), _xlsx_rows(sheet, formulas and formulas[sheet.title])


def _is_hidden(sheet: Any) -> bool:
    return bool(sheet.sheet_state != "visible")


@contextmanager
def _refusing() -> Iterator[None]:
    """A broken workbook, or one with entities in its XML, fails wherever openpyxl happens to be."""
    try:
        yield
    except (Refusal, MemoryError):
        raise
    except Exception as error:
        raise Refusal("broken") from error


def _xlsx_rows(values: Any, formulas: Any) -> Iterator[Sequence[Any]]:
    with _refusing():
        # What a sheet says of its own size is not to be believed.
        values.reset_dimensions()
        yield from values.iter_rows(values_only=True) if formulas is None else _told(values, formulas)


def _unpacked(data: bytes) -> BytesIO:
    """The parts that are needed, in an archive that is not packed: nothing is unpacked a second time. Raises Refusal before
    more is unpacked than may be, whatever the list of contents says."""
    room, tags = MOST_UNPACKED, {CELLS: MOST_TAGS, BESIDE: MOST_TAGS_BESIDE}
    plain = BytesIO()
    with zipfile.ZipFile(BytesIO(data)) as archive, zipfile.ZipFile(plain, "w") as copy:
        parts = _judge_parts(archive.infolist())
        unwanted = _unwanted(archive)
        for part in parts:
            if part.filename in unwanted:
                continue
            which = next((parts for parts in tags if parts.fullmatch(part.filename)), None)
            if which is None:
                continue
            with archive.open(part) as packed, copy.open(part.filename, "w") as beside:
                while piece := packed.read(_PIECE):
                    room -= len(piece)
                    tags[which] -= piece.count(b"<")
                    if room < 0 or tags[which] < 0:
                        raise Refusal("unpacked")
                    beside.write(piece)
    return plain


def _is_ours(titles: Iterable[str]) -> bool:
    names = set(titles)
    return any(ours <= names for ours in OUR_WORKBOOK)


def _unwanted(archive: zipfile.ZipFile) -> set[str]:
    """The parts with those sheets of our own workbook that are no lists: they are never unpacked."""
    sheets = [_said(tag) for tag in _SHEETS.findall(_head(archive, "xl/workbook.xml"))]
    if not _is_ours(sheet.get("name", "") for sheet in sheets):
        return set()
    parts = [_said(tag) for tag in _RELATIONS.findall(_head(archive, "xl/_rels/workbook.xml.rels"))]
    where = {part.get("Id"): "xl/" + part.get("Target", "").removeprefix("/xl/") for part in parts}
    beside = (sheet for sheet in sheets if not sheet.get("name", "").startswith(OUR_LISTS))
    return {where[sheet.get("r:id")] for sheet in beside if sheet.get("r:id") in where}


def _said(tag: str) -> dict[str, str]:
    return {name: unescape(value) for name, value in _ATTRIBUTE.findall(tag)}


def _head(archive: zipfile.ZipFile, name: str) -> str:
    """The beginning of a part, as much as a thousand sheets need; empty where there is none."""
    if name not in archive.namelist():
        return ""
    with archive.open(name) as part:
        return part.read(SMALL_PART).decode(errors="replace")


def _judge_parts(parts: list[zipfile.ZipInfo]) -> list[zipfile.ZipInfo]:
    """The list of contents, which is looked at before anything is unpacked."""
    names = Counter(part.filename for part in parts)
    if "xl/workbook.xml" not in names:
        raise Refusal("neither")
    if any(name.endswith("vbaProject.bin") for name in names):
        raise Refusal("macros")
    if (
        len(parts) > MOST_PARTS
        or sum(part.file_size for part in parts) > MOST_UNPACKED
        or any(part.file_size > max(SMALL_PART, MOST_TIMES * part.compress_size) for part in parts)
    ):
        raise Refusal("unpacked")
    if max(names.values()) > 1:
        raise Refusal("broken")
    return parts


def _awaits_values(plain: BytesIO) -> bool:
    """Does any formula stand here that no program has worked out? Then the workbook is read a second time, with them."""
    return UNCALCULATED_CELL.search(plain.getbuffer()) is not None


def _told(values: Any, formulas: Any) -> Iterator[list[Any]]:
    """The rows of a sheet, a formula that no program has worked out as what stands for one. An empty text is a result as
    well."""
    formulas.reset_dimensions()
    for row, beside in zip(values.iter_rows(), formulas.iter_rows(), strict=True):
        yield [
            UNCALCULATED if cell.value is None and formula.data_type == "f" and cell.data_type != "str" else cell.value
            for cell, formula in zip(row, beside, strict=True)
        ]


# --- LibreOffice (.ods) and Excel before 2007 (.xls) ------------------------------------------------------------------


_CONTENT: Final = "content.xml"


def read_ods_or_xls(data: bytes) -> Iterator[tuple[str, bool, Iterator[Sequence[Any]]]]:
    """Yield the sheets, the hidden ones last, each with its name, whether it is hidden, and the values of its rows. Raises
    Refusal."""
    from python_calamine import CalamineError, CalamineWorkbook, PasswordError, SheetVisibleEnum

    if data.startswith(ZIP):
        data = _unpack_ods(data)
    try:
        book = CalamineWorkbook.from_filelike(BytesIO(data))
        hidden = {sheet.name: sheet.visible != SheetVisibleEnum.Visible for sheet in book.sheets_metadata}
        sheets = [book.get_sheet_by_name(name) for name in sorted(hidden, key=hidden.__getitem__)]
    except PasswordError as error:
        raise Refusal("locked") from error
    except (CalamineError, OSError, ValueError) as error:
        raise Refusal("unread") from error
    for sheet in sheets:
        yield sheet.name, hidden[sheet.name], _ods_rows(sheet)


def _ods_rows(sheet: Any) -> Iterator[Sequence[Any]]:
    """From the first row of the sheet, and each from its first column."""
    before = [None] * (sheet.start[1] if sheet.start else 0)
    for row in sheet.iter_rows():
        yield [*before, *row]


def _unpack_ods(data: bytes) -> bytes:
    """The same archive with nothing but its cells, not packed: pictures and styles say nothing. Raises Refusal before more
    is unpacked than may be, whatever its list of contents says."""
    room, tags = MOST_UNPACKED, MOST_TAGS
    plain = BytesIO()
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive, zipfile.ZipFile(plain, "w") as copy:
            if len(archive.infolist()) > MOST_PARTS:
                raise Refusal("unpacked")
            for name in ("mimetype", "META-INF/manifest.xml", _CONTENT):
                if name not in archive.namelist():
                    continue
                with archive.open(name) as packed, copy.open(name, "w") as beside:
                    while piece := packed.read(_PIECE):
                        room -= len(piece)
                        tags -= piece.count(b"<")
                        if room < 0 or tags < 0:
                            raise Refusal("unpacked")
                        beside.write(piece)
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, OSError, EOFError) as error:
        raise Refusal("unread") from error
    return plain.getvalue()

