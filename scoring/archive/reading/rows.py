"""Validate each row of an archive by itself before anything is written: its structure, its values, and what its pages show."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from scoring.archive.actions import format_errors, parse_value
from scoring.archive.queries import BY_NAME, PUBLISHED, ArchiveRow, RowKind, format_value, list_ids, translate_ids
from scoring.archive.reading.published import day, list_content_faults, list_misfits, moment, number, row_of, text
from scoring.imports.models import KASSE_KINDS, Import
from scoring.imports.reading.file_formats import MAX_CELLS
from scoring.league.queries.books import parse_content


def list_row_faults(kind: RowKind, number: int, row: Any, counts: Mapping[str, int], instance: Any) -> list[str]:
    """Return the faults of a row, each after its field: of its structure, of its values, then of its ids and its content.
    `counts` are the numbers of rows by kind. The `instance` is reused for all rows of the kind, which is faster."""
    wanted = ["row", *kind.fields]
    if not isinstance(row, dict) or list(row) != wanted:
        return [": " + _("Erwartet wird der Reihe nach: %(names)s") % {"names": ", ".join(wanted)}]
    if row["row"] != number or isinstance(row["row"], bool):
        return [".row: " + _("Erwartet wird %(number)s.") % {"number": number}]
    return (
        list(_list_value_faults(kind, row, counts, instance))
        or list(_list_id_faults(kind, row, counts))
        or list(_list_model_faults(kind, row, instance))
        or [f".{name}: {_SENTENCES[kind.name]()}" for name in _list_content_faults(kind, row)]
    )


def _list_value_faults(kind: RowKind, row: ArchiveRow, counts: Mapping[str, int], instance: Any) -> Iterator[str]:
    for name, field in kind.fields.items():
        value, target = row[name], kind.targets.get(name)
        try:
            if value is None and field.null:
                parsed = None
            elif target is None:
                parsed = parse_value(field, value)
                _check_text_and_depth(value, MAX_DEPTH)
            else:
                _check_reference(target, value, counts[target])
                if value < 1:
                    raise ValueError(_describe_missing_row())
            if target is None:
                setattr(instance, name, parsed)
        except ValueError as error:
            yield f".{name}: {error}"


def _check_text_and_depth(value: Any, room: int) -> None:
    """Raise ValueError for a null character, which databases refuse, and for JSON that is nested too deep."""
    if isinstance(value, str):
        if "\0" in value:
            raise ValueError(describe_wrong_kind())
    elif isinstance(value, (dict, list)):
        if not room:
            raise ValueError(describe_wrong_kind())
        for one in [*value, *value.values()] if isinstance(value, dict) else value:
            _check_text_and_depth(one, room - 1)


def _list_id_faults(kind: RowKind, row: ArchiveRow, counts: Mapping[str, int]) -> Iterator[str]:
    def refer(of: str, number: Any) -> Any:
        _check_reference(of, number, counts[of])
        return number

    try:
        if translate_ids(kind.name, row, refer) != row:
            yield ": " + describe_wrong_kind()
    except ValueError as error:
        yield f": {error}"
    except (KeyError, TypeError, AttributeError):
        yield ": " + describe_wrong_kind()


def _check_reference(kind: str, number: Any, count: int) -> None:
    """Raise ValueError if there is no such row. Negative numbers are deleted rows, which log entries may name."""
    if not isinstance(number, int) or isinstance(number, bool) or not -(2**31) < number <= count or number == 0:
        raise ValueError(f"{_describe_missing_row()} ({kind})")


def describe_wrong_kind() -> str:
    return _("Hier steht etwas anderes, als hierher gehört.")


def _describe_missing_row() -> str:
    return _("Diese Zeile gibt es im Archiv nicht.")


def _list_model_faults(kind: RowKind, row: ArchiveRow, instance: Any) -> Iterator[str]:
    """Yield what the model refuses, and the fields whose value it would change."""
    try:
        instance.full_clean(exclude=[*kind.targets, "club"], validate_unique=False, validate_constraints=False)
    except ValidationError as error:
        yield from format_errors("", error)
        return
    for name in kind.fields.keys() - kind.targets.keys():
        if format_value(getattr(instance, name)) != row[name]:
            yield f".{name}: " + _("So schreibt das Programm es nicht.")


def _list_content_faults(kind: RowKind, row: ArchiveRow) -> Iterator[str]:
    """Yield the places that their pages could not show. The lines are checked by the replay, the history when all is imported."""
    match kind.name:
        case "games" if not isinstance(row["facts"], dict):
            yield "facts"
        case "imports":
            yield from _list_import_faults(row)
        case "closings" | "supplements":
            yield from _list_published_faults(kind.name, row)


# Levels of nested JSON; facts and settings need four.
MAX_DEPTH: Final = 20
_FILLED: Final = re.compile(r"%\((\w+)\)s")
# A place within a sheet, a part and a file.
_MAX_DEPTH: Final = 4


def sentence(value: Any, depth: int = _MAX_DEPTH) -> bool:
    """Return whether the value is a stored sentence: a template, and values for all its placeholders."""
    if not (depth and isinstance(value, list) and len(value) == 2 and text(value[0]) and isinstance(value[1], dict)):
        return False
    template, values = value
    whole = "%" not in _FILLED.sub("", template) and values.keys() >= set(_FILLED.findall(template))
    return bool(template) and whole and all(number(one) or text(one) or sentence(one, depth - 1) for one in values.values())


def place(value: Any) -> bool:
    """Return whether the value is a place: the number of a row, a text or a sentence."""
    return number(value) or text(value) or sentence(value)


# A place and a sentence; older versions wrote the sentence as text, with the name of the sheet.
_LEFT_OUT: Final = [(row_of(place, sentence), row_of(place, text), row_of(number, text, text))]
_REPORT: Final = {
    "evenings": number,
    "together": number,
    "games": number,
    "odd?": [row_of(place, day, number)],
    "by_hand?": [place],
    "left_out?": _LEFT_OUT,
}
# Of an old Kasse: the booked rows of the sheet with the number of their undos; the last days of seasons.
_REPORT_OF_KASSE: Final = {**_REPORT, "sheet": number, "rows": [row_of(number, number)], "seasons": [row_of(text, day)]}
# Of opening standings: the day, the number of people and the sum of their points.
_REPORT_OF_SUMS: Final = {"until": day, "people": number, "points": number, "left_out?": _LEFT_OUT}
# A file of an older version could have twice as many cells.
_SHEETS: Final = [{"name": text, "rows": [[str]]}]
# The hashes of a published month before a name was erased from it.
_FORMER: Final = [{"content_sha256": text, "file_sha256": text, "at": moment}]


_REPORTS: Final = {**dict.fromkeys(KASSE_KINDS, _REPORT_OF_KASSE), Import.Kind.SUMS: _REPORT_OF_SUMS}
_SENTENCES = {
    "games": lambda: _("Das sind keine Angaben zu einem Spiel."),
    "imports": lambda: _("Das ist nicht, was von einer mitgebrachten Datei behalten wird."),
    "closings": lambda: _("Das ist nicht, was von einem Monat veröffentlicht wird."),
    "supplements": lambda: _("Das ist nicht, was von einem Monat veröffentlicht wird."),
}


def _list_import_faults(row: ArchiveRow) -> Iterator[str]:
    report = {} if row["imported_at"] is None else _REPORTS.get(row["kind"], _REPORT)
    yield from (f"report{way}" for way in list_misfits(row["report"], report))
    found = [f"sheets{way}" for way in list_misfits(row["sheets"], (None, _SHEETS))]
    yield from found
    if not found and sum(len(cells) for sheet in row["sheets"] or () for cells in sheet["rows"]) > 2 * MAX_CELLS:
        yield "sheets"


def _list_published_faults(kind: str, row: ArchiveRow) -> Iterator[str]:
    try:
        content = parse_content(row["content"])
    except (ValueError, RecursionError):
        yield "content"
        return
    if found := list(list_content_faults(kind, content)):
        yield from (f"content{way}" for way in found)
        return
    month = content if kind == "closings" else content["counted"]
    if month["month"] != (row["month"] if kind == "closings" else row["about"]):
        yield "content.month"
    named = list_ids(row["content"])
    yield from (f"ids.{of}" for of in PUBLISHED if named[of].keys() != row["ids"][of].keys())
    if kind == "closings":
        yield from (f"former{way}" for way in list_misfits(row["former"], _FORMER))
        if content["version"] != row["version"]:
            yield "content.version"
        if sha256(row["content"].encode()).hexdigest() != row["content_sha256"]:
            yield "content_sha256"
        file = bytes(parse_value(BY_NAME["closings"].fields["file"], row["file"]))
        if sha256(file).hexdigest() != row["file_sha256"]:
            yield "file_sha256"
        if not file.startswith(b"PK"):
            yield "file"
