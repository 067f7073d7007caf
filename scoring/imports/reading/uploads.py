"""Uploaded files: read as sheets with rows of text, or refused with a sentence. Nothing is written to a disk."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import override

from scoring.core.readers import ReaderFailed, run_reader
from scoring.core.text import text_key, validate_plain

from .cells import ERRORS, format_column
from .file_formats import OUR_WORKBOOK, Rows

# A list of twenty years has 100 kB.
MAX_BYTES: Final = 2_000_000
MAX_SECONDS: Final = 20


class FileRefused(ValueError):
    """A file that cannot be read; the message is the sentence for the user, with the row if there is one."""


def build_opening_refusal() -> FileRefused:
    return FileRefused(_(
        "In dieser Datei steht von jeder Person ein Punktestand und kein Tag. Das ist ein Anfangsstand, keine Liste von "
        "Abenden: Bitte „Anfangsstand eingeben“ wählen."
    ))


class FileSheet(NamedTuple):
    """One sheet: its name (empty for CSV) and its rows as text, blank rows empty. A hidden sheet is read only on request."""

    name: str
    rows: Rows
    hidden: bool = False

    @classmethod
    def load(cls, name: str, rows: Rows, hidden: bool = False) -> FileSheet:
        """Return a stored sheet, with the errors of its formulas named in the user's language."""
        return cls(name, [[_(ERRORS[cell]) if cell in ERRORS else cell for cell in row] for row in rows], hidden)


def read_file(data: bytes) -> list[FileSheet]:
    """Return the sheets of a file that are not empty. Raise FileRefused."""
    if len(data) > MAX_BYTES:
        sentence = _("Die Datei ist zu groß: Höchstens %(size)s MB lassen sich übernehmen.")
        raise FileRefused(sentence % {"size": MAX_BYTES // 1_000_000})
    try:
        answer = run_reader("scoring.imports.reading", data, seconds=MAX_SECONDS)
    except ReaderFailed as error:
        raise FileRefused(
            _(
                "Die Datei ist zu groß oder zu verschachtelt, um sie zu lesen. Bitte nur das Blatt mit der Liste als CSV "
                "speichern, oder ein Jahr."
            )
        ) from error
    if "reason" in answer:
        raise FileRefused(_explain(answer["reason"], answer["values"]))
    sheets = [FileSheet(*sheet) for sheet in answer["sheets"]]
    if all(sheet.hidden for sheet in sheets):
        raise FileRefused(_("In der Datei steht nichts."))
    return list(map(_check_characters, sheets))


def _explain(reason: str, values: dict[str, Any]) -> str:
    return {
        "locked": _("Die Datei ist mit einem Kennwort geschützt. Bitte ohne Kennwort als .xlsx oder CSV speichern."),
        "unread": _("Die Datei ist beschädigt oder geschützt. Bitte öffnen und ohne Kennwort als .xlsx oder CSV speichern."),
        "neither": _("Das ist weder CSV noch eine Datei von Excel (.xlsx, .xls) oder LibreOffice (.ods)."),
        "web": _("Das ist eine Webseite, wie sie auch heißt. Bitte in Excel oder LibreOffice öffnen und als .xlsx speichern."),
        "ours": explain_own_workbook(),
        "broken": _("Die Excel-Datei ist beschädigt und lässt sich nicht lesen."),
        "rows": _("Die Datei hat mehr als %(rows)s Zeilen. Bitte nur das Blatt mit der Liste speichern, oder ein Jahr."),
        "columns": _("Zeile %(row)s hat mehr als %(columns)s Spalten. Bitte nur das Blatt mit der Liste speichern, oder ein Jahr."),
        "cells": _("Die Datei hat mehr als %(cells)s Zellen. Bitte nur das Blatt mit der Liste speichern, oder ein Jahr."),
        "csv": _("Zeile %(row)s ist keine Zeile einer CSV-Datei."),
    }[reason] % values


def _check_characters(sheet: FileSheet) -> FileSheet:
    """Return the sheet. If it has invisible characters raise FileRefused, or return it without its rows if it is hidden."""
    cells = ((number, index, cell) for number, row in enumerate(sheet.rows, 1) for index, cell in enumerate(row))
    for number, index, cell in chain([(1, 0, sheet.name)], cells):
        if cell.isascii() and cell.isprintable():
            continue
        try:
            validate_plain(cell)
        except ValidationError as error:
            if sheet.hidden:
                return sheet._replace(name=sheet.name if sheet.name.isprintable() else "", rows=[])
            sentence = _("Zeile %(row)s, Spalte %(column)s: Da stehen unsichtbare Zeichen. Bitte die Zelle neu schreiben.")
            raise FileRefused(sentence % {"row": number, "column": format_column(index)}) from error
    return sheet


def explain_own_workbook() -> str:
    return _(
        "Das ist unsere eigene Excel-Datei mit allem, noch ohne das Blatt „Datum × Name“. Bitte unter „Liste“ die "
        "Datei „Datum × Name“ nehmen. Einen ganzen Club bringt sein Archiv mit: Bitte „Archiv einlesen“ wählen."
    )


# Our own tables that are no lists: the title of each, and the headings that identify it, known in every language.
NO_LISTS: Final = (
    ("Ewige Liste", "Platz", "Name", "Siegquote", "Soli gespielt"),
    ("Spiele", "Datum", "Zeile", "Regelwerk", "Partei"),
    ("Personen", "Name", "dabei seit", "erster Abend", "letzter Abend"),
    ("Hausregeln", "Regelwerk", "Fassung", "Abschnitt", "Regel"),
    ("Liga", "Platz", "Vormonat", "Name", "Ergebnis"),
    ("Liga", "Name", "Rechnung", "Wert"),
    ("Kassenbericht", "Jahr", "Seite", "Was", "Betrag"),
)
# The table of a season has ranks, names, and months where a list has evenings.
SEASON: Final = ("Platz", "Name")
TOTAL: Final = ("Gesamt", "Schnitt")
_MONTH: Final = re.compile(r"[a-z]+ [0-9]{4}")
# The headings are in one of the first rows, below titles.
TITLES: Final = 12


def select_lists(sheets: Sequence[FileSheet]) -> list[FileSheet]:
    """Return the sheets that can be lists. Raise FileRefused if all are our own tables that are none."""
    if any(ours <= {sheet.name for sheet in sheets} for ours in OUR_WORKBOOK):
        # An earlier version has read it.
        raise FileRefused(explain_own_workbook())
    titles = [_find_own_title(sheet) for sheet in sheets]
    if sheets and all(title for sheet, title in zip(sheets, titles, strict=True) if not sheet.hidden):
        raise FileRefused(
            _(
                "Das ist unsere eigene Tabelle „%(name)s“, die keine Abende nennt. Bitte unter „Liste“ die Datei „Datum × Name“ "
                "nehmen. Einen ganzen Club bringt sein Archiv mit: Bitte „Archiv einlesen“ wählen."
            )
            % {"name": _(titles[0] or "")}
        )
    return [sheet for sheet, title in zip(sheets, titles, strict=True) if not title]


def _find_own_title(sheet: FileSheet) -> str | None:
    """Return the title if this is one of our own tables that are no lists."""
    for row in sheet.rows[:TITLES]:
        headings = {text_key(cell) for cell in row if cell}
        for language, _name in settings.LANGUAGES:
            for title, *words in NO_LISTS:
                if {text_key(translate_word(word, language)) for word in words} <= headings:
                    return title
            if _is_season(row, language):
                return "Liga"
    return None


def _is_season(row: Sequence[str], language: str) -> bool:
    cells = [text_key(cell) for cell in row if cell]
    totals = {text_key(translate_word(word, language)) for word in TOTAL}
    if len(cells) < 4 or cells[:2] != [text_key(translate_word(word, language)) for word in SEASON] or cells[2] not in totals:
        return False
    return any(map(_MONTH.fullmatch, cells[3:]))


@lru_cache
def translate_word(word: str, language: str) -> str:
    with override(language):
        return _(word)

