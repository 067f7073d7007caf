"""From the bytes of an uploaded file to rows of text: CSV in any usual encoding and separator, or a workbook of any usual
program. How much a file may hold is decided here. A program of its own reads it (`__main__.py`), which starts in no time
without Django."""

from __future__ import annotations

import csv
import datetime
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from typing import Any, Final

from .encoding import decoded

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


def cell_of(row: Sequence[str], index: int) -> str:
    """Empty where the row is shorter."""
    return row[index] if index < len(row) else ""


def below(rows: Rows, head: int) -> Iterator[tuple[int, list[str]]]:
    """Every row below the headings that holds anything, with its number."""
    return ((index + 1, row) for index, row in enumerate(rows) if index > head and any(row))


class Refusal(Exception):
    """A file that cannot be read: the `reason` as a key of the sentences in `files.py`, and what is said in it."""

    def __init__(self, reason: str, **said: object) -> None:
        super().__init__(reason)
        self.reason, self.said = reason, said


def sheets_of(data: bytes) -> Iterator[tuple[str, Rows, bool]]:
    """Yield the sheets of a file, each with its name (empty for CSV) and whether it is hidden, which comes without its rows where
    there are too many. What the file is follows from what is in it. Raises Refusal."""
    # What reads workbooks takes longer to load than most lists to be read.
    if WEB_PAGE.match(data[:1000]):
        raise Refusal("web")
    if data.startswith(OLD_EXCEL) or (data.startswith(ZIP) and OPEN_DOCUMENT in data[:200]):
        from . import spreadsheets

        found = spreadsheets.sheets_in(data)
    elif data.startswith(ZIP):
        from . import workbook

        found = workbook.sheets_in(data)
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
    """A cell as one line in composed form, without marks of direction. `files.py` judges whether all of it can be seen."""
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
