"""Recognizes sheets of an uploaded file that this program wrote. "Datum × Name" is a list and comes in again. A sheet that
only adds up, ranks or explains is none; people are told which sheet to take instead. Our headings are known in every
language that they are written in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import override

from scoring.core.text import text_key

from .files import FileRefused, FileSheet, our_own
from .rows import OUR_WORKBOOK

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
