"""An archive as it lies in its file: which lines are the rows of which kind. A row is read from its line each time it is asked
for, so that memory holds only where the lines begin, however large the archive is."""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, BinaryIO, Final, NamedTuple, NoReturn

from django.utils.translation import gettext as _

from scoring.archive.errors import ArchiveRefused
from scoring.archive.queries import FORMAT, Document
from scoring.imports.reading.rows import ZIP

# A part that is no list of rows, the beginning of one that is, and what ends it.
_PART: Final = re.compile(rb'("[a-z_]+"): (.+?)(,?)\n')
_OPENED: Final = b"["
# What begins with another line is looked at as a whole to say what it is; of a larger file nothing is said but that it is none.
MOST_LOOKED_AT: Final = 10_000_000


class Rows(Sequence[Any]):
    """The rows of one kind, each read from its line."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._begins = array("q")

    def append(self, begin: int) -> None:
        self._begins.append(begin)

    def __len__(self) -> int:
        return len(self._begins)

    def __getitem__(self, index: Any) -> Any:
        self._file.seek(self._begins[index])
        return parsed(self._file.readline().rstrip(b"\n").removesuffix(b","))


class Turned(Sequence[Any]):
    """The same rows, each turned into another one when it is asked for."""

    def __init__(self, rows: Sequence[Any], turn: Callable[[Any], Any]) -> None:
        self._rows, self._turn = rows, turn

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, index: Any) -> Any:
        return self._turn(self._rows[index])


class _Line(NamedTuple):
    number: int
    begin: int
    text: bytes


def laid_out(file: BinaryIO) -> Document:
    """The parts of an archive by their names, in the order of the file. Raises ArchiveRefused where it is no archive, or not
    laid out like one."""
    lines = _lines(file)
    if [line.text for line in (next(lines), next(lines))] != [b"{\n", b'"format": "%s",\n' % FORMAT.encode()]:
        raise ArchiveRefused([_what_it_is(file)])
    document: Document = {"format": FORMAT}
    more = True
    while more:
        line = next(lines)
        part = _PART.fullmatch(line.text)
        if part is None or (name := parsed(part[1])) in document:
            raise misplaced(line.number)
        if part[2] == _OPENED and not part[3]:
            document[name], more = _rows(file, lines)
        else:
            document[name], more = parsed(part[2]), bool(part[3])
    end, behind = next(lines), next(lines)
    if end.text != b"}\n" or behind.text:
        raise misplaced(end.number)
    return document


def _rows(file: BinaryIO, lines: Iterator[_Line]) -> tuple[Rows, bool]:
    """The rows of a kind up to the end of its list, and whether another part comes behind it."""
    rows, parted = Rows(file), True
    for line in lines:
        if line.text in (b"]\n", b"],\n"):
            if parted:
                break
            return rows, line.text == b"],\n"
        if not parted or not line.text.endswith(b"\n"):
            break
        rows.append(line.begin)
        parted = line.text.endswith(b",\n")
    raise misplaced(line.number)


def refuse_other_writing(file: BinaryIO, written: Iterable[bytes]) -> None:
    """Every line must be `written` just so."""
    for line, wanted in zip(_lines(file), chain(written, [b""]), strict=False):
        if line.text != wanted:
            raise misplaced(line.number)


def _lines(file: BinaryIO) -> Iterator[_Line]:
    """Every line with its number and where it begins; behind the last one, empty ones. Rows may be read meanwhile."""
    number, begin = 0, 0
    while True:
        file.seek(begin)
        text = file.readline()
        number += 1
        yield _Line(number, begin, text)
        begin += len(text)


def misplaced(number: int) -> ArchiveRefused:
    return ArchiveRefused([_("Zeile %(line)s ist nicht so geschrieben, wie es ein Archiv ist.") % {"line": number}])


def parsed(text: bytes) -> Any:
    """The value that is written here. Raises ArchiveRefused."""
    try:
        return _decode(text.decode())
    except (ValueError, RecursionError) as error:
        raise ArchiveRefused([_("Die Datei ist kein JSON in UTF-8 mit ganzen Zahlen.")]) from error


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is not among the numbers of an archive.")


_decode: Final = json.JSONDecoder(parse_float=_no_number, parse_constant=_no_number).decode


def _what_it_is(file: BinaryIO) -> str:
    """Why a file is none that begins like an archive."""
    file.seek(0)
    looked_at = file.read(MOST_LOOKED_AT + 1)
    if looked_at.startswith(ZIP):
        return _("Das ist eine ZIP-Datei. Liegt ein Archiv darin, bitte zuerst auspacken.")
    if len(looked_at) <= MOST_LOOKED_AT:
        found = parsed(looked_at)
        if isinstance(found, dict) and found.get("format") == FORMAT:
            return misplaced(1).faults[0]
    return _("Das ist kein Archiv eines Clubs.")
