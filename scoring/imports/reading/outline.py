"""What a sheet is, before anybody is asked: the row of headings, the column of the days, the columns of people's points,
and whether a row is an evening or a game. All of it is a proposal that people see and can change."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from re import Pattern
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from scoring.core.names import name_key
from scoring.core.text import text_key
from scoring.imports.models import Import

from .cells import (
    ALSO_NAMES,
    ASIDE,
    BESIDE_OF,
    DAY_HEADINGS,
    DAYS,
    NAMES,
    OF_A_DAY,
    OTHERS,
    PLACE_OF,
    PRESENT,
    STANDING,
    SUM_OF,
    TOTALS,
    begins_with_month,
    below,
    cell_of,
    column_name,
    is_absent,
    is_day,
    is_number,
    is_points,
    is_word,
)
from .columns import WHY_NOT, WhyNot, adds_up, bare, beside_points, completing, is_name, named, only_places, why_not
from .days import counts_evenings, refuse_months_for_names
from .file_formats import Rows
from .uploads import FileRefused, opening_refused

# The headings stand among the first rows.
MOST_ABOVE: Final = 60
# More columns of people than this are none.
MOST_PEOPLE: Final = 60
# More rows than this on one day are games, and so are rows most of which leave the day to the one above.
EVENINGS_A_DAY: Final = 3


class Said(NamedTuple):
    """A sentence or a place, said in the language of the reader: a German template in the manner of `%`, and its values. It is
    kept as JSON as it is."""

    text: str
    values: Mapping[str, Any] = {}

    def __str__(self) -> str:
        return _(self.text) % self.values if self.values else _(self.text)

    @classmethod
    def read(cls, kept: Any) -> Any:
        """Read what was kept: a list is one of these; former versions kept a sentence as text, in the language of their reader."""
        if not isinstance(kept, list):
            return kept
        text, values = kept
        return cls(text, {name: cls.read(value) for name, value in values.items()})


@dataclass(frozen=True)
class Remark:
    """Something about one row of the file, counted from 1, or about a `place` that is called otherwise."""

    row: int
    said: Said | str
    place: Said | str = ""

    @property
    def sentence(self) -> str:
        return str(self.said)

    @property
    def where(self) -> str:
        return str(self.place or row_called(self.row))


def row_called(number: int) -> Said:
    return Said(gettext_noop("Zeile %(row)s"), {"row": number})


@dataclass(frozen=True)
class PersonColumn:
    """One column that could be somebody's; `why_not` says why it is proposed to leave it out, None where it is not. Its heading
    may say that somebody is a `guest`."""

    index: int
    name: str
    why_not: WhyNot | None
    guest: bool = False

    @property
    def says_why_not(self) -> str:
        return str(WHY_NOT[self.why_not]) if self.why_not else ""

    @property
    def title(self) -> str:
        return self.name or _("Spalte %(column)s") % {"column": column_name(self.index)}


@dataclass(frozen=True)
class Outline:
    """A sheet understood: `head` is the index of the row of headings, `day` that of the column of days, `number` that of a
    column with the number of each evening instead. Rows are numbered from 1; where each stands in the file is in `places`
    where that is something else, and its sheet in `parts` where several are read together. `left_out` is what was left out before
    any row was read, `shape` is how the sheet is kept, `years` stand above its headings, `notes` say what
    was turned or put together."""

    rows: Rows
    head: int
    day: int | None
    columns: Sequence[PersonColumn]
    number: int | None = None
    places: Sequence[Said | str] = ()
    parts: Sequence[str] = ()
    left_out: Sequence[Remark] = ()
    shape: str = "rows"
    years: Sequence[int] = ()
    notes: Sequence[str] = ()

    def place(self, row: int) -> Said | str:
        """What a row is called in the file, empty where its number says it."""
        return self.places[row - 1] if row <= len(self.places) else ""

    def remark(self, row: int, said: Said | str) -> Remark:
        return Remark(row, said, self.place(row))

    @property
    def people(self) -> list[int]:
        """The columns that may be people."""
        return [column.index for column in self.columns if not column.why_not]

    @property
    def label(self) -> int | None:
        """The column that says which evening a row is of."""
        return self.number if self.day is None else self.day

    def data(self) -> Iterator[tuple[int, list[str]]]:
        """Every row below the headings that holds anything, with its number."""
        return below(self.rows, self.head)

    def part(self, row: int) -> str:
        """The sheet that a row is of, where several are read together."""
        return self.parts[row - 1] if row <= len(self.parts) else ""

    def is_total(self, cells: Sequence[str], people: Sequence[int], words: Pattern[str] = TOTALS) -> bool:
        """Whether the first cell outside the columns of people names a sum."""
        label = next((cell for index, cell in enumerate(cells) if cell and index not in people), "")
        return bool(words.match(text_key(label).lstrip(OF_A_DAY)))

    def called(self, cells: Sequence[str]) -> str:
        """What a row says of the evening it is of."""
        return "" if self.label is None else cell_of(cells, self.label)

    def says_when(self, cells: Sequence[str]) -> bool:
        """Could this row be of some evening: is there nothing that says so, or a figure where it would?"""
        return self.label is None or any(char.isdigit() for char in self.called(cells))

    def aside(self, cells: Sequence[str], people: Sequence[int]) -> Said | None:
        """Why this row is of no evening, whatever stands in it; None where it could be of one."""
        if self.is_total(cells, people):
            return Said(gettext_noop("ist eine Summe"))
        # Where the evening stands in the row above, this one may say what it is about in front of the people.
        said = self.called(cells) or next(filter(None, cells[: min(people, default=0)]), "")
        if ASIDE.match(text_key(said)) or name_key(PLACE_OF.sub("", said)) in self._named:
            return Said(gettext_noop("„%(text)s“ ist kein Abend"), {"text": said})
        return None

    @cached_property
    def _named(self) -> set[str]:
        """Everybody who has a column: a row that is called like one of them says how they stand."""
        return {name_key(column.name) for column in self.columns if column.name and not column.why_not}

    def both_in_a_row(self, one: int, other: int) -> bool:
        """Do numbers stand in both of these columns in any row?"""
        return any(len(_points_in(row, [one, other])) > 1 for _number, row in self.data())

    def days(self) -> set[str]:
        """What the column of days says; nothing where there is none."""
        return {row[self.day] for _number, row in self.data() if self.day is not None and self.day < len(row)} - {""}

    def kind(self) -> str:
        """What this looks like: a row for each evening, or for each game."""
        if self.label is None:
            return Import.Kind.GAMES
        people = self.people
        played = [row for _number, row in self.data() if _points_in(row, people) and not self.aside(row, people)]
        days = Counter(cell_of(row, self.label) for row in played)
        blank = days.pop("", 0)
        busiest = max(days.values(), default=0)
        return Import.Kind.GAMES if busiest > EVENINGS_A_DAY or 2 * blank >= len(played) else Import.Kind.EVENINGS


def understand(rows: Rows, known: Collection[str] = (), all_names: bool = False) -> Outline:
    """Raises FileRefused where there are no headings with names above the points. `known` are the keys of people, whatever their
    names mean; with `all_names` every heading behind the first is a name, but for sums."""
    head = _head(rows)
    rows = _one_below_the_other(rows, head)
    body = [row for row in rows[head + 1 :] if any(row) and not TOTALS.match(text_key(next(filter(None, row))))]
    width = max(len(row) for row in rows[head:])
    cells = {index: [cell for row in body if (cell := cell_of(row, index))] for index in range(width)}
    names = {index: cell_of(rows[head], index) for index in range(width)}
    if all_names:
        headings = {name_key(name) for index, name in names.items() if index}
        known = {*known, *(heading for heading in headings if not TOTALS.match(heading))}
    beside = named(rows, head, names, known)
    guests = bare(names, known)
    day = _day_column(names, cells)
    number = next(
        (index for index in range(width) if day is None and counts_evenings(names[index], cells[index])), None
    )
    columns: list[PersonColumn] = []
    everybody = {text_key(name) for name in names.values()}
    for index in range(width):
        if index not in (day, number) and (names[index] or cells[index]):
            seen = {name_key(column.name) for column in columns if not column.why_not}
            why = WhyNot.BESIDE_POINTS if index in beside else why_not(names[index], cells[index], seen, known)
            others = everybody - {text_key(names[index])}
            if not why and name_key(names[index]) not in known:
                if text_key(SUM_OF.sub("", text_key(names[index]))) in others:
                    why = WhyNot.SUM
                elif text_key(BESIDE_OF.sub("", text_key(names[index]))) in others:
                    why = WhyNot.BESIDE_POINTS
            first = (column.index for column in columns if name_key(column.name) == name_key(names[index]))
            if why is WhyNot.CALLED_BEFORE and any(adds_up(points, index, body) for points in first):
                why = WhyNot.SUM
            columns.append(PersonColumn(index, names[index], why, index in guests))
    also = [column.index for column in columns if column.why_not and text_key(column.name) in ALSO_NAMES]
    people = [column.index for column in columns if not column.why_not]
    whole = completing(people, also, body)
    columns = [replace(column, why_not=None) if column.index in whole else column for column in columns]
    if day is None or 2 * sum(map(is_day, cells[day])) <= len(cells[day]):
        refuse_months_for_names([column.name for column in columns if not column.why_not])
    _refuse_names_in_rows(columns)
    spoiling = beside_points([column.index for column in columns if not column.why_not], body)
    columns = [replace(column, why_not=WhyNot.SPOILS_SUMS) if column.index in spoiling else column for column in columns]
    if sum(not column.why_not for column in columns) > MOST_PEOPLE:
        raise FileRefused(
            _(
                "Mehr als %(most)s Spalten könnten Personen sein. Bitte nur das Blatt mit der Liste speichern, oder ein Jahr."
            )
            % {"most": MOST_PEOPLE}
        )
    if _is_standing(names, cells, day is None and number is None):
        raise opening_refused()
    return Outline(rows, head, day, columns, number)


def understand_ours(rows: Rows) -> Outline:
    """Understand our own "Datum × Name": days in front, and every heading behind them is a name. Raises FileRefused."""
    head = _head(rows)
    columns = [
        PersonColumn(index, name, None if any(cell_of(row, index) for row in rows[head + 1 :]) else WhyNot.EMPTY)
        for index, name in enumerate(rows[head])
        if index and name
    ]
    return Outline(rows, head, 0, columns)


def _refuse_names_in_rows(columns: Sequence[PersonColumn]) -> None:
    """Raises FileRefused where words stand in front of all points: the names are in the rows."""
    people = [nth for nth, column in enumerate(columns) if not column.why_not]
    if len(people) > 1 and all(nth and columns[nth - 1].why_not is WhyNot.WORDS for nth in people):
        raise FileRefused(
            _(
                "Die Namen stehen in den Zeilen vor ihren Punkten. Bitte in der Datei jeder Person eine Spalte geben, oder jeder "
                "Person an jedem Abend eine Zeile mit „Datum“, „Name“ und „Punkte“."
            )
        )


def _one_below_the_other(rows: Rows, head: int) -> Rows:
    """Where headings come again further down, everything below them under the first ones, each where its own heading says."""
    width = max(map(len, rows[head:]))
    top = [*rows[head], *[""] * (width - len(rows[head]))]
    to: dict[int, int] = {}
    found = [*rows[:head], top]
    for row in rows[head + 1 :]:
        if _is_headings(row, top):
            to = {index: _under(top, index, cell_of(row, index)) for index in range(width)}
            row = []
        elif to:
            row = _moved(row, to)
        found.append(row)
    return found


def _under(top: list[str], index: int, heading: str) -> int:
    """Below which of the first headings a column with this one belongs; below a new one where there is none."""
    if text_key(heading) == text_key(top[index]):
        return index
    same = (place for place, cell in enumerate(top) if heading and text_key(cell) == text_key(heading))
    place = next(same, len(top))
    if place == len(top):
        top.append(heading)
    return place


def _moved(row: Sequence[str], to: dict[int, int]) -> list[str]:
    cells = [""] * (max(to.values()) + 1)
    for index, cell in enumerate(row):
        if index in to:
            cells[to[index]] = cell
    return cells


def _is_headings(row: Sequence[str], top: Sequence[str]) -> bool:
    """Are these headings once more: all of them words, and most of them those above, or the first one, above the days?"""
    words = [cell for cell in row if cell]
    above = {text_key(cell) for cell in top if cell}
    known = sum(text_key(word) in above for word in words)
    first = next(iter(words), "")
    begins_so = (
        len(words) > 2
        and text_key(first).rstrip(":") in DAY_HEADINGS
        and text_key(first) == text_key(next(filter(None, top), ""))
    )
    return (begins_so or 2 * known > max(len(words), 2)) and not any(map(_is_entry, words))


def _is_entry(cell: str) -> bool:
    """A day or an amount."""
    return is_day(cell) or (is_number(cell) and not is_word(cell))


def _is_standing(names: dict[int, str], cells: dict[int, list[str]], without_days: bool) -> bool:
    """Is this how everybody stands, and of no day: does a column name each of them once, or are all columns of numbers called
    by what stands there?"""
    for index, name in names.items():
        if text_key(name) in NAMES and cells[index] and len(set(cells[index])) == len(cells[index]):
            return not any(is_number(cell) or is_day(cell) for cell in cells[index])
    numbers = [index for index, found in cells.items() if found and 2 * sum(map(is_number, found)) > len(found)]
    called = [
        index for index in numbers if not OTHERS.match(text_key(names[index])) or STANDING.match(text_key(names[index]))
    ]
    return without_days and bool(called) and all(STANDING.match(text_key(names[index])) for index in called)


def _head(rows: Rows) -> int:
    """The last row with names above the first with points that has one."""
    for first, row in enumerate(rows):
        if len(_points_in(row, range(len(row)))) < 2:
            continue
        for index in range(first - 1, -1, -1):
            if sum(map(is_word, rows[index])) > 1:
                return index
        if first > MOST_ABOVE:
            break
    if all(sum(map(bool, row)) < 2 for row in rows):
        raise FileRefused(
            _(
                "In jeder Zeile steht nur eine Zelle. Bitte den Text in Excel oder LibreOffice auf Spalten verteilen und als "
                ".xlsx oder CSV speichern."
            )
        )
    if any(sum(text_key(cell) in PRESENT or (is_absent(cell) and is_name(cell)) for cell in row) > 1 for row in rows):
        raise only_places()
    points = any(len(_points_in(row, range(len(row)))) > 1 for row in rows)
    if points and any(NAMES & set(map(text_key, row)) for row in rows[:MOST_ABOVE]):
        raise opening_refused()
    mixed = [found for row in rows if len(found := list(filter(_is_mixed, row))) > 1]
    if mixed:
        said = _(
            "In den Zellen steht mehr als eine Zahl („%(text)s“). Bitte in der Datei die Punkte in eigene Spalten schreiben."
        )
        raise FileRefused(said % {"text": mixed[0][0]})
    raise FileRefused(_("Es fehlt eine Kopfzeile mit den Namen über den Punkten."))


def _is_mixed(cell: str) -> bool:
    """Two numbers in one cell, and no day."""
    return len(re.findall("[0-9]+", cell)) > 1 and not is_number(cell) and not is_day(cell)


def _points_in(row: Sequence[str], columns: Sequence[int] | range) -> list[str]:
    cells = (cell_of(row, index) for index in columns)
    return [cell for cell in cells if not is_absent(cell) and is_number(cell)]


def _day_column(names: dict[int, str], cells: dict[int, list[str]]) -> int | None:
    """The first column called so, else the first in which days stand that are no points."""
    for index, name in names.items():
        said = text_key(name).rstrip(":")
        counts = bool(cells[index]) and not any(map(is_day, cells[index])) and counts_evenings(name, cells[index])
        if (said in ("datum", "date") and not counts) or (
            said in DAYS and any(is_day(cell) or begins_with_month(cell) for cell in cells[index])
        ):
            return index
    for index, found in cells.items():
        if 2 * sum(is_day(cell) and not is_points(cell) for cell in found) > len(found):
            return index
    return None

