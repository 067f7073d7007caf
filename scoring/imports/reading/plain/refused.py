"""Sheets that are kept in a way that cannot be told from something else: games side by side, months side by side, and a sheet for
each person. Each is refused, with what to do instead."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from django.utils.translation import gettext as _

from scoring.core.text import text_key

from ..cells import is_word
from ..days.spans import MONTH, span_in
from ..files import FileRefused, FileSheet
from ..guessing.headings import is_no_name
from ..guessing.words import DAY_HEADINGS, NAMES, OTHERS, POINTS, TOTALS
from ..rows import Rows
from .beside import says_days

# The headings stand among the first rows.
HEADINGS: Final = 30
# So many games beside each other are a list of them.
FEWEST: Final = 3
_GAME: Final = re.compile(r"(?:spiel|runde|partie)(?: ?nr\.?)? ?[0-9]{1,3}\.?|[0-9]{1,3}\. ?(?:spiel|runde|partie)")


def refuse_games_across(rows: Rows) -> None:
    """Raises FileRefused where games stand side by side and people below each other."""
    for at, row in enumerate(rows[:HEADINGS]):
        keys = [text_key(cell) for cell in row]
        first = next((key for key in keys if key), "")
        is_of_names = first in NAMES or bool(_GAME.fullmatch(first))
        games = [index for index, key in enumerate(keys) if _GAME.fullmatch(key)]
        below = rows[at + 1] if at + 1 < len(rows) else []
        if (
            is_of_names
            and len(games) >= FEWEST
            and not any(is_word(below[index]) for index in games if index < len(below))
        ):
            raise FileRefused(
                _(
                    "Hier stehen die Spiele nebeneinander und die Personen untereinander. Bitte das Blatt in der Datei drehen "
                    "(kopieren und „transponiert“ einfügen): jedes Spiel in eine Zeile, jede Person in eine Spalte."
                )
            )


def refuse_months_beside(rows: Rows) -> None:
    """Raises FileRefused where the same people stand side by side more than once, below months or behind days."""
    above: Sequence[str] = ()
    for at, row in enumerate(rows[:HEADINGS]):
        for starts in _blocks(above, row):
            if starts and all(says_days(rows, at, index) for index in starts):
                continue
            parts = [_people_in(row[start:end]) for start, end in pairwise([*starts, len(row)])]
            if len(parts) > 1 and all(min(len(part), 2 * len(part & parts[0]) - len(part)) > 0 for part in parts):
                raise FileRefused(
                    _(
                        "Hier stehen mehrere Listen mit denselben Namen nebeneinander. Bitte in der Datei untereinander schreiben, "
                        "oder jede auf ein eigenes Blatt, das wie ihr Monat heißt."
                    )
                )
        above = row if any(row) else above


def _blocks(above: Sequence[str], row: Sequence[str]) -> Iterator[list[int]]:
    """Where lists could begin that stand side by side: at their days, or below their months."""
    keys = [text_key(cell).rstrip(":") for cell in row]
    for key in DAY_HEADINGS & set(keys):
        yield [index for index, said in enumerate(keys) if said == key]
    yield [index for index, cell in enumerate(above) if span_in(cell) == MONTH]


def _people_in(headings: Sequence[str]) -> set[str]:
    return {text_key(cell) for cell in headings if is_word(cell) and not is_no_name(cell)}


def refuse_sheets_of_people(sheets: Sequence[FileSheet]) -> None:
    """Raises FileRefused where each sheet has days and points and no names but its own."""
    if len(sheets) > 1 and all(any(map(_is_of_one, sheet.rows[:HEADINGS])) for sheet in sheets):
        raise FileRefused(
            _(
                "Hier hat jede Person ein eigenes Blatt. Bitte in der Datei alle auf ein Blatt schreiben: je Person und Abend eine "
                "Zeile mit „Datum“, „Name“ und „Punkte“."
            )
        )


def _is_of_one(row: Sequence[str]) -> bool:
    """Are these headings of days and points, and of nobody?"""
    keys = [key for cell in row if (key := text_key(cell).rstrip(" .:"))]
    others = [key for key in keys if key not in POINTS | {"datum", "date"} and not TOTALS.match(key)]
    has_both = bool({"datum", "date"} & set(keys)) and bool(POINTS & set(keys))
    return has_both and all(OTHERS.match(key) and key not in NAMES for key in others)
