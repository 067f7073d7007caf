"""Find the rows of each kind in the file of an archive. Only their offsets are in memory; a row is read when it is used."""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any, BinaryIO, Final, NoReturn

from django.utils.translation import gettext as _

from scoring.archive.actions import ArchiveRefused
from scoring.archive.queries import FORMAT, Document
from scoring.imports.reading.file_formats import ZIP

# A part that is no list of rows; and the beginning of a list.
_PART: Final = re.compile(rb'("[a-z_]+"): (.+?)(,?)\n')
_OPENED: Final = b"["
# Bytes of a file that is no archive which are read to describe it.
MAX_DESCRIBED: Final = 10_000_000


class Rows(Sequence[Any]):
    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._begins = array("q")

    def append(self, begin: int) -> None:
        self._begins.append(begin)

    def __len__(self) -> int:
        return len(self._begins)

    def __getitem__(self, index: Any) -> Any:
        self._file.seek(self._begins[index])
        return parse_json(self._file.readline().rstrip(b"\n").removesuffix(b","))


class MappedRows(Sequence[Any]):
    """The rows with a function applied to each when it is used."""

    def __init__(self, rows: Sequence[Any], convert: Callable[[Any], Any]) -> None:
        self._rows, self._convert = rows, convert

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, index: Any) -> Any:
        return self._convert(self._rows[index])


# The number of a line from 1, its offset in the file, and its text.
_Line = tuple[int, int, bytes]


def split_parts(file: BinaryIO) -> Document:
    """Return the parts of an archive by name, in the order of the file. Raises ArchiveRefused."""
    lines = _read_lines(file)
    if [text for _number, _begin, text in islice(lines, 2)] != [b"{\n", b'"format": "%s",\n' % FORMAT.encode()]:
        raise ArchiveRefused([_describe_file(file)])
    document: Document = {"format": FORMAT}
    more = True
    while more:
        number, _begin, text = next(lines)
        part = _PART.fullmatch(text)
        if part is None or (name := parse_json(part[1])) in document:
            raise build_line_refusal(number)
        if part[2] == _OPENED and not part[3]:
            document[name], more = _read_rows(file, lines)
        else:
            document[name], more = parse_json(part[2]), bool(part[3])
    number, _begin, end = next(lines)
    _number, _begin, behind = next(lines)
    if end != b"}\n" or behind:
        raise build_line_refusal(number)
    return document


def _read_rows(file: BinaryIO, lines: Iterator[_Line]) -> tuple[Rows, bool]:
    """Return the rows up to the end of the list, and whether another part follows."""
    rows, has_comma = Rows(file), True
    while True:
        number, begin, text = next(lines)
        is_end = text in (b"]\n", b"],\n")
        if is_end == has_comma or not text.endswith(b"\n"):
            raise build_line_refusal(number)
        if is_end:
            return rows, text == b"],\n"
        rows.append(begin)
        has_comma = text.endswith(b",\n")


def check_format(file: BinaryIO, written: Iterable[bytes]) -> None:
    """Raise ArchiveRefused if a line differs from those in `written`."""
    for (number, _begin, text), wanted in zip(_read_lines(file), chain(written, [b""]), strict=False):
        if text != wanted:
            raise build_line_refusal(number)


def _read_lines(file: BinaryIO) -> Iterator[_Line]:
    """Yield the lines with number and offset, then empty lines for ever. Other reads of the file may come between."""
    number, begin = 0, 0
    while True:
        file.seek(begin)
        text = file.readline()
        number += 1
        yield number, begin, text
        begin += len(text)


def build_line_refusal(number: int) -> ArchiveRefused:
    return ArchiveRefused([_("Zeile %(line)s ist nicht so geschrieben, wie es ein Archiv ist.") % {"line": number}])


def parse_json(text: bytes) -> Any:
    """Return the JSON value. Raise ArchiveRefused."""
    try:
        return _decode(text.decode())
    except (ValueError, RecursionError) as error:
        raise ArchiveRefused([_("Die Datei ist kein JSON in UTF-8 mit ganzen Zahlen.")]) from error


def _refuse_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is not among the numbers of an archive.")


_decode: Final = json.JSONDecoder(parse_float=_refuse_number, parse_constant=_refuse_number).decode


def _describe_file(file: BinaryIO) -> str:
    file.seek(0)
    data = file.read(MAX_DESCRIBED + 1)
    if data.startswith(ZIP):
        return _("Das ist eine ZIP-Datei. Liegt ein Archiv darin, bitte zuerst auspacken.")
    if len(data) <= MAX_DESCRIBED:
        found = parse_json(data)
        if isinstance(found, dict) and found.get("format") == FORMAT:
            return build_line_refusal(1).faults[0]
    return _("Das ist kein Archiv eines Clubs.")
