"""Validate the rows of an archive by themselves before anything is written: by the model, by the rules, by their pages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext as _

from scoring.archive.actions import format_errors, parse_value
from scoring.archive.queries import BY_NAME, KINDS, PUBLISHED, ArchiveRow, Document, RowKind, format_value, list_ids
from scoring.archive.reading.published import day, list_content_faults, list_misfits, moment, number, row_of, text
from scoring.club.models import Change
from scoring.club.texts import is_describable
from scoring.imports.models import KASSE_KINDS, Import
from scoring.imports.reading.file_formats import MAX_CELLS
from scoring.league.queries.books import parse_content
from scoring.play.actions import check_line
from scoring.play.models import SEATS
from scoring.rules.settings import RuleSettings
from scoring.rules.validation import Refused


def list_faults(document: Document) -> Iterator[str]:
    found = [fault for kind in KINDS for fault in _list_kind_faults(kind, document[kind.name])]
    yield from found
    if not found:
        yield from _list_line_faults(document)


def _list_kind_faults(kind: RowKind, rows: Iterable[ArchiveRow]) -> Iterator[str]:
    """Yield the faults of the rows of a kind. One instance is reused for all rows, which is faster."""
    instance = kind.model()
    for row in rows:
        for name, field in kind.fields.items():
            if name not in kind.targets:
                setattr(instance, name, None if row[name] is None else parse_value(field, row[name]))
        place = f"{kind.name}[{row['row']}]"
        try:
            _clean(kind, instance, row)
        except ValidationError as error:
            yield from format_errors(place, error)
        else:
            yield from (f"{place}.{name}: {_SENTENCES[kind.name]()}" for name in _list_inner_faults(kind, row))


def _clean(kind: RowKind, instance: Any, row: ArchiveRow) -> None:
    """Raise ValidationError by field, also if cleaning would change a value."""
    instance.clean_fields(exclude=[*kind.targets, "club"])
    instance.clean()
    for name, field in kind.fields.items():
        is_itself = not isinstance(field, (models.JSONField, models.ForeignKey)) and name != "subject_id"
        if is_itself and format_value(getattr(instance, name)) != row[name]:
            raise ValidationError({name: _("So schreibt das Programm es nicht.")})


def _list_inner_faults(kind: RowKind, row: ArchiveRow) -> Iterator[str]:
    match kind.name:
        case "imports":
            yield from _list_import_faults(row)
        case "changes":
            # The ids are numbers of rows, which is enough for a description.
            change = Change(verb=row["verb"], subject_id=row["subject_id"], before=row["before"], after=row["after"])
            if not is_describable(change):
                yield "before/after"
        case "closings" | "supplements":
            yield from _list_published_faults(kind.name, row)


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
    "imports": lambda: _("Das ist nicht, was von einer mitgebrachten Datei behalten wird."),
    "changes": lambda: _("Das ist kein Verlauf."),
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
        file = parse_value(BY_NAME["closings"].fields["file"], row["file"])
        if sha256(file).hexdigest() != row["file_sha256"]:
            yield "file_sha256"
        if not file.startswith(b"PK"):
            yield "file"


def _list_line_faults(document: Document) -> Iterator[str]:
    """Yield the lines that the rules of their table refuse, except deleted ones."""
    people = Counter(seat["round"] for seat in document["seats"])
    rules = [RuleSettings.from_data(row["settings"]) for row in document["rule_sets"]]
    of_tables = [rules[row["rule_set"] - 1] for row in document["tables"]]
    of_rounds = [of_tables[row["table"] - 1] for row in document["rounds"]]
    for at, row in enumerate(document["games"], 1):
        if people[row["round"]] not in SEATS:
            yield f"rounds[{row['round']}]: " + _("Die Sitze der Sitzordnung zählen nicht von 0 an, oder es sind zu wenige.")
            continue
        if not isinstance(row["facts"], dict):
            yield f"games[{at}].facts: " + _("Das sind keine Angaben zu einem Spiel.")
            continue
        try:
            check_line(row["form"], row["facts"], of_rounds[row["round"] - 1].at(people[row["round"]]), row["dealer"])
        except Refused as refused:
            # A deleted line may follow earlier rules.
            if not row["deleted"]:
                yield from (f"games[{at}].{name}: {sentence}" for name, sentence in refused.fields.items())
