"""Reads the archive of a club from the bytes of its file, packed or not. It checks that the file is an archive, that each row
has its fields and each value its kind, that every row exists that another one names, and that each row is valid by itself
(`rows.py`). What is wrong is named with its place. Whether all rows fit together in one club is judged when the archive is
taken in."""

from __future__ import annotations

import json
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from typing import Any, BinaryIO, Final

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scoring.archive.actions.rows import value_in
from scoring.archive.errors import ArchiveRefused
from scoring.archive.queries import (
    BY_NAME,
    CLUB_FIELDS,
    KINDS,
    VERSION,
    ArchiveRow,
    Document,
    RowKind,
    lines_of,
    turned,
)
from scoring.club.models import VISIBILITY_FIELDS
from scoring.core.readers import ReaderFailed, run_reader
from scoring.imports.reading.rows import ZIP

from . import rows as archive_rows
from .lines import laid_out, refuse_other_writing
from .older import as_of_today

# What is uploaded, packed or not, once it is unpacked: nine thousand games.
MOST_UNPACKED: Final = 10_000_000
MOST_SECONDS: Final = 100
# How many lists and objects may stand inside of each other; facts and settings need four.
DEEPEST: Final = 20
_HEAD: Final = ("format", "version", "program", "club")
# How a program calls itself.
_PROGRAM: Final = re.compile("[ -~]{0,80}")


def read_archive(file: BinaryIO) -> Document:
    """The archive in a file, sound in itself, whose rows are read as long as that is open. Raises ArchiveRefused."""
    written = laid_out(file)
    document = as_of_today(written)
    if document.get("version") != VERSION:
        raise ArchiveRefused([_("Dieses Archiv hat eine Fassung, die dieses Programm nicht kennt.")])
    if faults := list(_faults(document)) or list(archive_rows.faults(document)):
        raise ArchiveRefused(faults)
    refuse_other_writing(file, lines_of(written))
    return document


def judged(data: bytes) -> str:
    """The text of an uploaded archive, packed or not, which a program of its own judges. Raises ArchiveRefused."""
    try:
        answer = run_reader("scoring.archive.reading", data, settings_as_text(), seconds=MOST_SECONDS)
    except ReaderFailed as error:
        raise ArchiveRefused([_("Das Archiv ist zu verschachtelt oder zu fehlerhaft, um es zu lesen.")]) from error
    if "faults" in answer:
        raise ArchiveRefused(answer["faults"])
    return str(answer["text"])


def settings_as_text() -> str:
    """What that program is told of our settings: no secret, no database."""
    told = {name: getattr(settings, name) for name in ("USE_TZ", "TIME_ZONE", "FORMAT_MODULE_PATH")}
    told["LANGUAGE_CODE"] = get_language()
    told["LOCALE_PATHS"] = [str(path) for path in settings.LOCALE_PATHS]
    told["INSTALLED_APPS"] = ["django.contrib.auth", "django.contrib.contenttypes", "scoring"]
    return json.dumps(told)


def read_judged(text: str) -> Document:
    """The archive whose text was judged before."""
    return as_of_today(json.loads(text))


def unpacked(data: bytes) -> bytes:
    """The archive in an uploaded file: as it is, or alone in a ZIP file. Raises ArchiveRefused."""
    found = _only_part(data) if data.startswith(ZIP) else data
    if len(found) > MOST_UNPACKED:
        raise ArchiveRefused([too_big()])
    return found


def too_big() -> str:
    return _(
        "Das Archiv ist zu groß für diese Seite: Höchstens 10 MB lassen sich hochladen, auch ausgepackt. Größere liest auf "
        "dem Server „manage.py archive import“ ein."
    )


def _only_part(data: bytes) -> bytes:
    """No more is unpacked than an archive may have, whatever the list of contents says."""
    try:
        with zipfile.ZipFile(BytesIO(data)) as packed:
            parts = [part for part in packed.infolist() if not (part.is_dir() or part.filename.startswith("__MACOSX/"))]
            if len(parts) == 1 and parts[0].compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                with packed.open(parts[0]) as part:
                    return part.read(MOST_UNPACKED + 1)
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, ValueError, OverflowError) as error:
        raise ArchiveRefused([_("Die ZIP-Datei ist beschädigt oder verschlüsselt.")]) from error
    raise ArchiveRefused([_("In der ZIP-Datei darf nur das Archiv eines Clubs liegen.")])


def _faults(document: Document) -> Iterator[str]:
    wanted = [*_HEAD, *BY_NAME]
    if list(document) != wanted:
        yield _("Erwartet wird der Reihe nach: %(names)s") % {"names": ", ".join(wanted)}
        return
    if not isinstance(document["program"], str) or not _PROGRAM.fullmatch(document["program"]):
        yield "program: " + _not_of_its_kind()
    club = document["club"]
    if not isinstance(club, dict) or list(club) != list(CLUB_FIELDS):
        yield "club: " + _("Erwartet wird der Reihe nach: %(names)s") % {"names": ", ".join(CLUB_FIELDS)}
    elif not all(isinstance(value, bool if name in VISIBILITY_FIELDS else str) for name, value in club.items()):
        yield "club: " + _not_of_its_kind()
    for kind in KINDS:
        if not isinstance(document[kind.name], Sequence) or isinstance(document[kind.name], str):
            yield f"{kind.name}: " + _not_of_its_kind()
            return
    counts = {kind.name: len(document[kind.name]) for kind in KINDS}
    for kind in KINDS:
        for number, row in enumerate(document[kind.name], 1):
            yield from (f"{kind.name}[{number}]{fault}" for fault in _row_faults(kind, number, row, counts))


def _row_faults(kind: RowKind, number: int, row: Any, counts: Mapping[str, int]) -> Iterator[str]:
    """What is wrong with one row, each with the field where it is."""
    wanted = ["row", *kind.fields]
    if not isinstance(row, dict) or list(row) != wanted:
        yield ": " + _("Erwartet wird der Reihe nach: %(names)s") % {"names": ", ".join(wanted)}
        return
    if row["row"] != number or isinstance(row["row"], bool):
        yield ".row: " + _("Erwartet wird %(number)s.") % {"number": number}
    sound = True
    for name, field in kind.fields.items():
        try:
            _judge(kind, field, row[name], counts)
        except (ValueError, ValidationError) as error:
            sound = False
            yield f".{name}: {error.messages[0] if isinstance(error, ValidationError) else error}"
    if sound:
        yield from _inner_faults(kind, row, counts)


def _judge(kind: RowKind, field: models.Field[Any, Any], value: Any, counts: Mapping[str, int]) -> None:
    if value is None and field.null:
        return
    target = kind.targets.get(field.name)
    if target is None:
        value_in(field, value)
        _refuse_unseen(value, DEEPEST)
    else:
        _refer(target, value, counts[target])
        if value < 1:
            raise ValueError(_no_such_row())


def _inner_faults(kind: RowKind, row: ArchiveRow, counts: Mapping[str, int]) -> Iterator[str]:
    """The rows that are named inside of JSON."""

    def refer(of: str, number: Any) -> Any:
        _refer(of, number, counts[of])
        return number

    try:
        if turned(kind.name, row, refer) != row:
            yield ": " + _not_of_its_kind()
    except ValueError as error:
        yield f": {error}"
    except (KeyError, TypeError, AttributeError):
        yield ": " + _not_of_its_kind()


def _refer(kind: str, number: Any, count: int) -> None:
    """A number below 0 is something that is no more, as which the history may name it."""
    if not isinstance(number, int) or isinstance(number, bool) or not -(2**31) < number <= count or number == 0:
        raise ValueError(f"{_no_such_row()} ({kind})")


def _refuse_unseen(value: Any, room: int) -> None:
    """No database takes this character in a text, and nothing of ours is as deep as that."""
    if isinstance(value, str):
        if "\0" in value:
            raise ValueError(_not_of_its_kind())
    elif isinstance(value, (dict, list)):
        if not room:
            raise ValueError(_not_of_its_kind())
        for one in [*value, *value.values()] if isinstance(value, dict) else value:
            _refuse_unseen(one, room - 1)


def _not_of_its_kind() -> str:
    return _("Hier steht etwas anderes, als hierher gehört.")


def _no_such_row() -> str:
    return _("Diese Zeile gibt es im Archiv nicht.")
