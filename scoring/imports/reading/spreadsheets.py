"""What stands in a workbook of LibreOffice (.ods) or of an Excel before 2007 (.xls). How much an .ods may be is looked at
before anything is unpacked; beyond that the program that reads has its bounds of time and memory."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import Any, Final

from python_calamine import CalamineError, CalamineSheet, CalamineWorkbook, PasswordError, SheetVisibleEnum

from .rows import ZIP, Refusal
from .workbook import MOST_PARTS, MOST_TAGS, MOST_UNPACKED

_CONTENT: Final = "content.xml"
_PIECE: Final = 64 * 1024


def sheets_in(data: bytes) -> Iterator[tuple[str, bool, Iterator[Sequence[Any]]]]:
    """Yield the sheets, the hidden ones last, each with its name, whether it is hidden, and the values of its rows. Raises
    Refusal."""
    if data.startswith(ZIP):
        data = _judged(data)
    try:
        book = CalamineWorkbook.from_filelike(BytesIO(data))
        hidden = {sheet.name: sheet.visible != SheetVisibleEnum.Visible for sheet in book.sheets_metadata}
        sheets = [book.get_sheet_by_name(name) for name in sorted(hidden, key=hidden.__getitem__)]
    except PasswordError as error:
        raise Refusal("locked") from error
    except (CalamineError, OSError, ValueError) as error:
        raise Refusal("unread") from error
    for sheet in sheets:
        yield sheet.name, hidden[sheet.name], _rows(sheet)


def _rows(sheet: CalamineSheet) -> Iterator[Sequence[Any]]:
    """From the first row of the sheet, and each from its first column."""
    before = [None] * (sheet.start[1] if sheet.start else 0)
    for row in sheet.iter_rows():
        yield [*before, *row]


def _judged(data: bytes) -> bytes:
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
