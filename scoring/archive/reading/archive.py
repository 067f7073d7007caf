"""Read an archive, plain or zipped, validate and summarize it. The import checks whether the rows fit together."""

from __future__ import annotations

import datetime
import json
import re
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import Any, BinaryIO, Final

from django.conf import settings
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scoring.archive.actions import ArchiveRefused, refuse_faults
from scoring.archive.queries import BY_NAME, CLUB_FIELDS, KINDS, VERSION, Document, format_lines
from scoring.archive.reading.lines import check_format, split_parts
from scoring.archive.reading.older import upgrade
from scoring.archive.reading.rows import describe_wrong_kind, list_row_faults
from scoring.club.models import VISIBILITY_FIELDS, Club
from scoring.core.readers import ReaderFailed, run_reader
from scoring.imports.reading.file_formats import ZIP

# Bytes of an uploaded archive after unpacking: about 9,000 games.
MAX_UNPACKED: Final = 10_000_000
MAX_SECONDS: Final = 100
_HEAD: Final = ("format", "version", "program", "club")
# The name and version of the program that wrote the archive.
_PROGRAM: Final = re.compile("[ -~]{0,80}")


def read_archive(file: BinaryIO) -> Document:
    """Return the validated archive in a file. Its rows are read from the file when they are used. Raises ArchiveRefused."""
    written = split_parts(file)
    document = upgrade(written)
    if document.get("version") != VERSION:
        raise ArchiveRefused([_("Dieses Archiv hat eine Fassung, die dieses Programm nicht kennt.")])
    refuse_faults(_list_document_faults(document))
    check_format(file, format_lines(written))
    return document


def validate_upload(data: bytes) -> str:
    """Validate an uploaded archive in a process of its own and return its text. Raises ArchiveRefused."""
    try:
        answer = run_reader("scoring.archive.reading", data, format_settings(), seconds=MAX_SECONDS)
    except ReaderFailed as error:
        raise ArchiveRefused([_("Das Archiv ist zu verschachtelt oder zu fehlerhaft, um es zu lesen.")]) from error
    if "faults" in answer:
        raise ArchiveRefused(answer["faults"])
    return str(answer["text"])


def format_settings() -> str:
    """Return the settings of the process that validates, as JSON."""
    values = {name: getattr(settings, name) for name in ("USE_TZ", "TIME_ZONE", "FORMAT_MODULE_PATH")}
    values["LANGUAGE_CODE"] = get_language()
    values["LOCALE_PATHS"] = [str(path) for path in settings.LOCALE_PATHS]
    values["INSTALLED_APPS"] = ["django.contrib.auth", "django.contrib.contenttypes", "scoring"]
    return json.dumps(values)


def parse_valid(text: str) -> Document:
    """Return the archive in a text of `validate_upload`."""
    return upgrade(json.loads(text))


def unpack(data: bytes) -> bytes:
    """Return the archive in an uploaded file, which may be the only file in a ZIP file. Raises ArchiveRefused."""
    found = _read_only_file(data) if data.startswith(ZIP) else data
    if len(found) > MAX_UNPACKED:
        sentence = _(
            "Das Archiv ist zu groß für diese Seite: Höchstens 10 MB lassen sich hochladen, auch ausgepackt. Größere liest auf "
            "dem Server „manage.py archive import“ ein."
        )
        raise ArchiveRefused([sentence])
    return found


def _read_only_file(data: bytes) -> bytes:
    """Return the only file of a ZIP file, read up to the limit whatever its header says."""
    try:
        with zipfile.ZipFile(BytesIO(data)) as packed:
            parts = [part for part in packed.infolist() if not (part.is_dir() or part.filename.startswith("__MACOSX/"))]
            if len(parts) == 1 and parts[0].compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                with packed.open(parts[0]) as part:
                    return part.read(MAX_UNPACKED + 1)
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, ValueError, OverflowError) as error:
        raise ArchiveRefused([_("Die ZIP-Datei ist beschädigt oder verschlüsselt.")]) from error
    raise ArchiveRefused([_("In der ZIP-Datei darf nur das Archiv eines Clubs liegen.")])


def _list_document_faults(document: Document) -> Iterator[str]:
    wanted = [*_HEAD, *BY_NAME]
    if list(document) != wanted:
        yield _("Erwartet wird der Reihe nach: %(names)s") % {"names": ", ".join(wanted)}
        return
    if not isinstance(document["program"], str) or not _PROGRAM.fullmatch(document["program"]):
        yield "program: " + describe_wrong_kind()
    club = document["club"]
    if not isinstance(club, dict) or list(club) != list(CLUB_FIELDS):
        yield "club: " + _("Erwartet wird der Reihe nach: %(names)s") % {"names": ", ".join(CLUB_FIELDS)}
    elif not all(isinstance(value, bool if name in VISIBILITY_FIELDS else str) for name, value in club.items()):
        yield "club: " + describe_wrong_kind()
    for kind in KINDS:
        if not isinstance(document[kind.name], Sequence) or isinstance(document[kind.name], str):
            yield f"{kind.name}: " + describe_wrong_kind()
            return
    counts = {kind.name: len(document[kind.name]) for kind in KINDS}
    for kind in KINDS:
        instance = kind.model()
        for number, row in enumerate(document[kind.name], 1):
            yield from (f"{kind.name}[{number}]{fault}" for fault in list_row_faults(kind, number, row, counts, instance))


def summarize(document: Document) -> dict[str, Any]:
    """Return the summary of a valid archive. Merged people count once, deleted lines do not count."""
    days = sorted(datetime.date.fromisoformat(row["held_on"]) for row in document["evenings"])
    club = document["club"]
    return {
        "name": club["name"],
        "slug": club["slug"],
        "shown": [str(one.verbose_name) for one in Club._meta.fields if one.name in VISIBILITY_FIELDS and club[one.name]],
        "people": sum(row["merged_into"] is None for row in document["players"]),
        "openings": len(document["openings"]),
        "evenings": len(days),
        "days": (days[0], days[-1]) if days else None,
        "lines": sum(not row["deleted"] for row in document["games"]),
        "rule_sets": list(dict.fromkeys(row["name"] for row in document["rule_sets"])),
        "seasons": [row["name"] for row in document["seasons"]],
        "closed_months": len({(row["season"], row["month"]) for row in document["closings"]}),
    }
