"""What a sheet is, before anybody is asked: where the headings stand, which column holds the days, which the points of
people, and whether a row is an evening or a game. All of it is a proposal that the page shows and lets one change."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from scoring.core.text import fold
from scoring.imports.models import Import

from .cells import NOT_THERE, is_day, is_number, is_points
from .files import FileRefused, Sheet, column_name
from .rows import Rows

DAYS: Final = frozenset({"tag", "abend", "spieltag", "spielabend", "wann"})
TOTALS: Final = re.compile(r"^(summe|gesamt|total|quersumme|zwischensumme|endstand|probe|kontrolle|check|differenz)")
OTHERS: Final = re.compile(
    r"^(nr\.?|nummer|#|spiele?|runde|umlauf|ort|wo|geber|gibt|bock|wert|was|art|spielart|bemerkung|notiz|platz|rang"
    r"|sieger|gewinner|solo|abende|anwesend|saison|jahr|monat|wochentag)$"
)
# Sheets that stand in every workbook of a club and in no list, in German and in English.
OUR_WORKBOOK: Final = ({"Deckblatt", "Hausregeln"}, {"Cover", "House rules"})
# More rows than this on one day are games, and so are rows most of which leave the day to the one above.
EVENINGS_A_DAY: Final = 3


@dataclass(frozen=True)
class Column:
    """One column that could be somebody's; `why_not` says why it is proposed to leave it out, empty where it is not."""

    index: int
    name: str
    why_not: str

    @property
    def title(self) -> str:
        return self.name or _("Spalte %(column)s") % {"column": column_name(self.index)}


@dataclass(frozen=True)
class Outline:
    """A sheet understood: `head` is the index of the row of headings, `day` that of the column of days. Rows are numbered
    as in the file, from 1."""

    rows: Rows
    head: int
    day: int | None
    columns: Sequence[Column]

    def data(self) -> Iterator[tuple[int, list[str]]]:
        """Every row below the headings that holds anything, with its number."""
        for index in range(self.head + 1, len(self.rows)):
            if any(self.rows[index]):
                yield index + 1, self.rows[index]

    def is_total(self, cells: Sequence[str], people: Sequence[int]) -> bool:
        """Whether the first cell outside the columns of people names a sum."""
        label = next((cell for index, cell in enumerate(cells) if cell and index not in people), "")
        return bool(TOTALS.match(fold(label)))

    def kind(self) -> str:
        """What this looks like: a row for each evening, or for each game."""
        if self.day is None:
            return Import.Kind.GAMES
        people = [column.index for column in self.columns if not column.why_not]
        played = [row for _number, row in self.data() if _points_in(row, people) and not self.is_total(row, people)]
        days = Counter(_cell(row, self.day) for row in played)
        blank = days.pop("", 0)
        busiest = max(days.values(), default=0)
        return Import.Kind.GAMES if busiest > EVENINGS_A_DAY or 2 * blank >= len(played) else Import.Kind.EVENINGS


def understand(rows: Rows) -> Outline:
    """Raises FileRefused where there are no headings with names above the points."""
    head = _head(rows)
    body = [row for row in rows[head + 1 :] if any(row) and not TOTALS.match(fold(next(filter(None, row))))]
    width = max(len(row) for row in rows[head:])
    cells = {index: [cell for row in body if (cell := _cell(row, index))] for index in range(width)}
    names = {index: _cell(rows[head], index) for index in range(width)}
    day = _day_column(names, cells)
    columns: list[Column] = []
    for index in range(width):
        if index != day and (names[index] or cells[index]):
            seen = {fold(column.name) for column in columns if not column.why_not}
            columns.append(Column(index, names[index], _why_not(names[index], cells[index], seen)))
    return Outline(rows, head, day, columns)


def refuse_our_own(sheets: Sequence[Sheet]) -> None:
    """Raises FileRefused for the workbook of a whole club, which is no list."""
    if any(names <= {sheet.name for sheet in sheets} for names in OUR_WORKBOOK):
        raise FileRefused(
            _(
                "Das ist unsere eigene Excel-Datei mit allem; sie ist zum Lesen da. Einen ganzen Club bringt sein Archiv mit: "
                "Bitte „Archiv einlesen“ wählen."
            )
        )


def first_understood(sheets: Sequence[Sheet]) -> tuple[int, Outline]:
    """The first sheet with names above points, and its index. Raises FileRefused, for the first of them, where there is
    none."""
    faults = []
    for index, sheet in enumerate(sheets):
        try:
            return index, understand(sheet.rows)
        except FileRefused as refused:
            faults.append(refused)
    raise faults[0]


def _head(rows: Rows) -> int:
    """The last row with names above the first with points."""
    first = next((index for index, row in enumerate(rows) if len(_points_in(row, range(len(row)))) > 1), len(rows))
    for index in range(first - 1, -1, -1):
        if sum(bool(cell) and not is_day(cell) and not is_number(cell) for cell in rows[index]) > 1:
            return index
    raise FileRefused(_("Es fehlt eine Kopfzeile mit den Namen über den Punkten."))


def _points_in(row: Sequence[str], columns: Sequence[int] | range) -> list[str]:
    cells = (_cell(row, index) for index in columns)
    return [cell for cell in cells if cell not in NOT_THERE and is_number(cell)]


def _cell(row: Sequence[str], index: int) -> str:
    return row[index] if index < len(row) else ""


def _day_column(names: dict[int, str], cells: dict[int, list[str]]) -> int | None:
    """The first column called so, else the first in which days stand that are no points."""
    for index, name in names.items():
        if fold(name) in ("datum", "date") or (fold(name) in DAYS and any(map(is_day, cells[index]))):
            return index
    for index, found in cells.items():
        if 2 * sum(is_day(cell) and not is_points(cell) for cell in found) > len(found):
            return index
    return None


def _why_not(name: str, cells: Sequence[str], seen: set[str]) -> str:
    if TOTALS.match(fold(name)):
        return _("eine Summe")
    if OTHERS.match(fold(name)):
        return _("keine Person")
    if not name:
        return _("ohne Überschrift")
    if all(cell in NOT_THERE for cell in cells):
        return _("ohne Punkte")
    if 2 * sum(map(is_number, cells)) <= len(cells):
        return _("keine Zahlen")
    if fold(name) in seen:
        return _("dieser Name steht schon in einer Spalte davor")
    return ""
