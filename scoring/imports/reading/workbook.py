"""What stands in an Excel workbook, which is a ZIP archive of XML. How much it may be is looked at before anything is unpacked,
counted while it is unpacked, and only what is needed goes on to openpyxl."""

from __future__ import annotations

import re
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from html import unescape
from io import BytesIO
from typing import Any, Final

import openpyxl

from .rows import OUR_LISTS, OUR_WORKBOOK, UNCALCULATED, Refusal

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
_ATTRIBUTE: Final = re.compile(r'([\w:]+)="([^"]*)"')
_PIECE: Final = 64 * 1024


def sheets_in(data: bytes) -> Iterator[tuple[str, bool, Iterator[Sequence[Any]]]]:
    """Yield the sheets, the hidden ones last, each with its name, whether it is hidden, and the values of its rows. Raises
    Refusal."""
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
        yield sheet.title, _is_hidden(sheet), _rows(sheet, formulas and formulas[sheet.title])


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


def _rows(values: Any, formulas: Any) -> Iterator[Sequence[Any]]:
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
        parts = _judged(archive.infolist())
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


def _judged(parts: list[zipfile.ZipInfo]) -> list[zipfile.ZipInfo]:
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
