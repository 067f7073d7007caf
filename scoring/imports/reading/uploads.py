"""Uploaded files: read as sheets with rows of text, or refused with a sentence. Nothing is written to a disk."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import override

from scoring.core.readers import ReaderFailed, run_reader
from scoring.core.text import text_key, validate_plain

from .cells import column_name
from .file_formats import OUR_WORKBOOK, Rows

# An eternal list of twenty years is 100 kB.
MOST_BYTES: Final = 2_000_000
MOST_SECONDS: Final = 20


class FileRefused(ValueError):
    """A file that cannot be read; the message is the sentence for whoever uploaded it, with the row where there is one."""


def opening_refused() -> FileRefused:
    """Said where a list of evenings is asked for and the file says how everybody stands."""
    return FileRefused(
        _(
            "In dieser Datei steht von jeder Person ein Punktestand und kein Tag. Das ist ein Anfangsstand, keine Liste von "
            "Abenden: Bitte „Anfangsstand eingeben“ wählen."
        )
    )


class FileSheet(NamedTuple):
    """One sheet: its name (empty for CSV), its rows as text, from the first row of the file, blank rows empty, and whether it is
    hidden there: such a sheet is read only if it is chosen, and stands behind the others."""

    name: str
    rows: Rows
    hidden: bool = False


def read_file(data: bytes) -> list[FileSheet]:
    """The sheets of a file that hold anything. What it is follows from what is in it, never from its name. Raises
    FileRefused."""
    if len(data) > MOST_BYTES:
        raise FileRefused(too_big())
    try:
        answer = run_reader("scoring.imports.reading", data, seconds=MOST_SECONDS)
    except ReaderFailed as error:
        raise FileRefused(
            _(
                "Die Datei ist zu groß oder zu verschachtelt, um sie zu lesen. Bitte nur das Blatt mit der Liste als CSV "
                "speichern, oder ein Jahr."
            )
        ) from error
    if "reason" in answer:
        raise FileRefused(_sentence(answer["reason"], answer["said"]))
    sheets = [FileSheet(*sheet) for sheet in answer["sheets"]]
    if all(sheet.hidden for sheet in sheets):
        raise FileRefused(_("In der Datei steht nichts."))
    return list(map(_judged, sheets))


def _sentence(reason: str, said: dict[str, Any]) -> str:
    return {
        "locked": _("Die Datei ist mit einem Kennwort geschützt. Bitte ohne Kennwort als .xlsx oder CSV speichern."),
        "unread": _(
            "Die Datei ist beschädigt oder geschützt. Bitte öffnen und ohne Kennwort als .xlsx oder CSV speichern."
        ),
        "neither": _("Das ist weder CSV noch eine Datei von Excel (.xlsx, .xls) oder LibreOffice (.ods)."),
        "web": _(
            "Das ist eine Webseite, wie sie auch heißt. Bitte in Excel oder LibreOffice öffnen und als .xlsx speichern."
        ),
        "ours": our_own(),
        "macros": _("In der Datei stecken Makros. Bitte als .xlsx oder CSV speichern."),
        "broken": _("Die Excel-Datei ist beschädigt und lässt sich nicht lesen."),
        "unpacked": _(
            "Ausgepackt ist die Excel-Datei zu groß. Bitte nur das Blatt mit der Liste speichern, oder ein Jahr."
        ),
        "rows": _(
            "Die Datei hat mehr als %(rows)s Zeilen. Bitte nur das Blatt mit der Liste speichern, oder ein Jahr."
        ),
        "columns": _(
            "Zeile %(row)s hat mehr als %(columns)s Spalten. Bitte nur das Blatt mit der Liste speichern, oder ein Jahr."
        ),
        "cells": _(
            "Die Datei hat mehr als %(cells)s Zellen. Bitte nur das Blatt mit der Liste speichern, oder ein Jahr."
        ),
        "csv": _("Zeile %(row)s ist keine Zeile einer CSV-Datei."),
    }[reason] % said


def too_big() -> str:
    return _("Die Datei ist zu groß: Höchstens %(size)s MB lassen sich übernehmen.") % {"size": MOST_BYTES // 1_000_000}


def _judged(sheet: FileSheet) -> FileSheet:
    """The sheet, a hidden one without its rows where it cannot be read. Raises FileRefused."""
    try:
        _refuse_unseen(sheet)
    except FileRefused:
        if not sheet.hidden:
            raise
        return sheet._replace(name=sheet.name if sheet.name.isprintable() else "", rows=[])
    return sheet


def _refuse_unseen(sheet: FileSheet) -> None:
    """Raises FileRefused for a cell with characters that cannot be seen."""
    cells = ((number, index, cell) for number, row in enumerate(sheet.rows, 1) for index, cell in enumerate(row))
    for number, index, cell in chain([(1, 0, sheet.name)], cells):
        if cell.isascii() and cell.isprintable():
            continue
        try:
            validate_plain(cell)
        except ValidationError as error:
            sentence = _(
                "Zeile %(row)s, Spalte %(column)s: Da stehen unsichtbare Zeichen. Bitte die Zelle neu schreiben."
            )
            raise FileRefused(sentence % {"row": number, "column": column_name(index)}) from error


def our_own() -> str:
    """Of the file with everything of a club in which no list stands."""
    return _(
        "Das ist unsere eigene Excel-Datei mit allem, noch ohne das Blatt „Datum × Name“. Bitte unter „Liste“ die "
        "Datei „Datum × Name“ nehmen. Einen ganzen Club bringt sein Archiv mit: Bitte „Archiv einlesen“ wählen."
    )


# --- Our own files ----------------------------------------------------------------------------------------------------


# What each of our tables is called, and the headings by which it is known.
NO_LISTS: Final = (
    ("Ewige Liste", "Platz", "Name", "Siegquote", "Soli gespielt"),
    ("Spiele", "Datum", "Zeile", "Regelwerk", "Partei"),
    ("Personen", "Name", "dabei seit", "erster Abend", "letzter Abend"),
    ("Hausregeln", "Regelwerk", "Fassung", "Abschnitt", "Regel"),
    ("Liga", "Platz", "Vormonat", "Name", "Ergebnis"),
    ("Liga", "Name", "Rechnung", "Wert"),
    ("Kassenbericht", "Jahr", "Seite", "Was", "Betrag"),
)
# The table of a season: places, names, and months where a list has evenings.
SEASON: Final = ("Platz", "Name")
TOTAL: Final = ("Gesamt", "Schnitt")
_MONTH: Final = re.compile(r"[a-z]+ [0-9]{4}")
# So far down a heading can stand, below titles.
TITLES: Final = 12


def lists_among(sheets: Sequence[FileSheet]) -> list[FileSheet]:
    """The sheets that can be lists. Raises FileRefused where all are ours and none of them is one."""
    if any(ours <= {sheet.name for sheet in sheets} for ours in OUR_WORKBOOK):
        # It was read by a former version.
        raise FileRefused(our_own())
    titles = [_title(sheet) for sheet in sheets]
    if sheets and all(title for sheet, title in zip(sheets, titles, strict=True) if not sheet.hidden):
        raise FileRefused(
            _(
                "Das ist unsere eigene Tabelle „%(name)s“, die keine Abende nennt. Bitte unter „Liste“ die Datei „Datum × Name“ "
                "nehmen. Einen ganzen Club bringt sein Archiv mit: Bitte „Archiv einlesen“ wählen."
            )
            % {"name": _(titles[0] or "")}
        )
    return [sheet for sheet, title in zip(sheets, titles, strict=True) if not title]


def _title(sheet: FileSheet) -> str | None:
    """Which of our tables this is that are no lists; None where it is none of them."""
    for row in sheet.rows[:TITLES]:
        heading = {text_key(cell) for cell in row if cell}
        for language in _languages():
            for title, *words in NO_LISTS:
                if {text_key(said(word, language)) for word in words} <= heading:
                    return title
            if _is_season(row, language):
                return "Liga"
    return None


def _is_season(row: Sequence[str], language: str) -> bool:
    cells = [text_key(cell) for cell in row if cell]
    totals = {text_key(said(word, language)) for word in TOTAL}
    if len(cells) < 4 or cells[:2] != [text_key(said(word, language)) for word in SEASON] or cells[2] not in totals:
        return False
    return any(map(_MONTH.fullmatch, cells[3:]))


def _languages() -> Iterator[str]:
    return (code for code, _name in settings.LANGUAGES)


@lru_cache
def said(word: str, language: str) -> str:
    """A word of ours in a language."""
    with override(language):
        return _(word)

