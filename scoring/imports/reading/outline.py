"""What a sheet is, before anybody is asked: the row of headings, the column of the days, the columns of people's points,
and whether a row is an evening or a game. All of it is a proposal that people see and can change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from re import Pattern
from typing import Final

from django.utils.translation import gettext as _

from scoring.core.text import text_key
from scoring.imports.models import Import

from .cells import (
    NOT_THERE,
    CellRefused,
    begins_with_month,
    begins_with_number,
    is_day,
    is_number,
    is_points,
    read_points,
)
from .days.series import counts_evenings
from .files import FileRefused, column_name, opening_refused
from .guessing.words import ASIDE, DAYS, NAMES, OF_A_DAY, OTHERS, PLACE_OF, POINTS, STANDING, SUM_OF, TOTALS
from .rows import Rows

# The headings stand among the first rows.
MOST_ABOVE: Final = 60
# So many different words stand below the names where each has a few columns.
MOST_BELOW_A_NAME: Final = 4
# With fewer rows or people it says nothing which column their sums would be without.
FEWEST_ROWS: Final = 3
FEWEST_PEOPLE: Final = 4
# More columns of people than this are none.
MOST_PEOPLE: Final = 60
# More rows than this on one day are games, and so are rows most of which leave the day to the one above.
EVENINGS_A_DAY: Final = 3


@dataclass(frozen=True)
class Remark:
    """Something about one row of the file, counted from 1, or about a `place` that is called otherwise."""

    row: int
    sentence: str
    place: str = ""

    @property
    def where(self) -> str:
        return self.place or row_called(self.row)


def row_called(number: int) -> str:
    return _("Zeile %(row)s") % {"row": number}


@dataclass(frozen=True)
class PersonColumn:
    """One column that could be somebody's; `why_not` says why it is proposed to leave it out, empty where it is not."""

    index: int
    name: str
    why_not: str

    @property
    def title(self) -> str:
        return self.name or _("Spalte %(column)s") % {"column": column_name(self.index)}


@dataclass(frozen=True)
class Outline:
    """A sheet understood: `head` is the index of the row of headings, `day` that of the column of days, `number` that of a
    column with the number of each evening instead. Rows are numbered from 1; where each stands in the file is in `places`
    where that is something else, and its sheet in `parts` where several are read together. `left_out` is what was left out before
    any row was read, `shape` is how the sheet is kept, `years` stand above its headings, `months_first` says that its days had the
    month in front."""

    rows: Rows
    head: int
    day: int | None
    columns: Sequence[PersonColumn]
    number: int | None = None
    places: Sequence[str] = ()
    parts: Sequence[str] = ()
    left_out: Sequence[Remark] = ()
    shape: str = "rows"
    years: Sequence[int] = ()
    months_first: bool = False

    def place(self, row: int) -> str:
        """What a row is called in the file, empty where its number says it."""
        return self.places[row - 1] if row <= len(self.places) else ""

    def remark(self, row: int, sentence: str) -> Remark:
        return Remark(row, sentence, self.place(row))

    @property
    def label(self) -> int | None:
        """The column that says which evening a row is of."""
        return self.number if self.day is None else self.day

    def data(self) -> Iterator[tuple[int, list[str]]]:
        """Every row below the headings that holds anything, with its number."""
        for index in range(self.head + 1, len(self.rows)):
            if any(self.rows[index]):
                yield index + 1, self.rows[index]

    def part(self, row: int) -> str:
        """The sheet that a row is of, where several are read together."""
        return self.parts[row - 1] if row <= len(self.parts) else ""

    def is_total(self, cells: Sequence[str], people: Sequence[int], words: Pattern[str] = TOTALS) -> bool:
        """Whether the first cell outside the columns of people names a sum."""
        label = next((cell for index, cell in enumerate(cells) if cell and index not in people), "")
        return bool(words.match(text_key(label).lstrip(OF_A_DAY)))

    def called(self, cells: Sequence[str]) -> str:
        """What a row says of the evening it is of."""
        return "" if self.label is None else _cell(cells, self.label)

    def says_when(self, cells: Sequence[str]) -> bool:
        """Could this row be of some evening: is there nothing that says so, or a figure where it would?"""
        return self.label is None or any(char.isdigit() for char in self.called(cells))

    def aside(self, cells: Sequence[str], people: Sequence[int]) -> str:
        """Why this row is of no evening, whatever stands in it; empty where it could be of one."""
        if self.is_total(cells, people):
            return _("ist eine Summe")
        if ASIDE.match(text_key(self.called(cells))):
            return _("„%(text)s“ ist kein Abend") % {"text": self.called(cells)}
        return ""

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
        people = [column.index for column in self.columns if not column.why_not]
        played = [row for _number, row in self.data() if _points_in(row, people) and not self.aside(row, people)]
        days = Counter(_cell(row, self.label) for row in played)
        blank = days.pop("", 0)
        busiest = max(days.values(), default=0)
        return Import.Kind.GAMES if busiest > EVENINGS_A_DAY or 2 * blank >= len(played) else Import.Kind.EVENINGS


def understand(rows: Rows) -> Outline:
    """Raises FileRefused where there are no headings with names above the points."""
    head = _head(rows)
    rows = _one_below_the_other(rows, head)
    body = [row for row in rows[head + 1 :] if any(row) and not TOTALS.match(text_key(next(filter(None, row))))]
    width = max(len(row) for row in rows[head:])
    cells = {index: [cell for row in body if (cell := _cell(row, index))] for index in range(width)}
    names = {index: _cell(rows[head], index) for index in range(width)}
    beside = _names_above(rows, head, names)
    _with_first_names(rows[head - 1] if head else [], names)
    _without_places(names)
    day = _day_column(names, cells)
    number = next(
        (index for index in range(width) if day is None and counts_evenings(names[index], cells[index])), None
    )
    columns: list[PersonColumn] = []
    for index in range(width):
        if index not in (day, number) and (names[index] or cells[index]):
            seen = {text_key(column.name) for column in columns if not column.why_not}
            why_not = _("keine Punkte") if index in beside else _why_not(names[index], cells[index], seen)
            if not why_not and text_key(SUM_OF.sub("", text_key(names[index]))) in seen - {text_key(names[index])}:
                why_not = _("eine Summe")
            columns.append(PersonColumn(index, names[index], why_not))
    _refuse_signs_apart(columns)
    _refuse_names_in_rows(columns)
    columns = _without_what_spoils_sums(columns, body)
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


def _names_above(rows: Rows, head: int, names: dict[int, str]) -> set[int]:
    """Where the headings say the same of everybody and the names stand above them: gives each column its name, and answers
    which of them are no points."""
    below = [text_key(name) for name in names.values() if name]
    above = rows[head - 1] if head else []
    if len(set(below)) > MOST_BELOW_A_NAME or len(below) < 2 * len(set(below)) or len(list(filter(None, above))) < 2:
        return set()
    points = next((word for word in below if word in POINTS), below[0])
    beside, last = set(), ""
    for index, name in names.items():
        last = _cell(above, index) or last
        if not name:
            names[index] = _cell(above, index)
            continue
        names[index] = last if text_key(name) == points else f"{last} · {name}"
        if text_key(name) != points:
            beside.add(index)
    return beside


def _with_first_names(above: Sequence[str], names: dict[int, str]) -> None:
    """Names that come again, with the first names that stand above each of them."""
    times = Counter(text_key(name) for name in names.values() if name)
    again = [index for index, name in names.items() if times[text_key(name)] > 1 and not _is_no_name(name)]
    whole = {index: f"{_cell(above, index)} {names[index]}" for index in again if _has_letters(_cell(above, index))}
    if again and len({text_key(name) for name in whole.values()}) == len(again):
        named = {index: name for index, name in names.items() if name and not _is_no_name(name)}
        names |= {index: f"{_cell(above, index)} {name}".strip() for index, name in named.items()}


def _without_places(names: dict[int, str]) -> None:
    """Names without the places before or behind them, where all of them have one."""
    people = {index: name for index, name in names.items() if name and not _is_no_name(name)}
    bare = {index: PLACE_OF.sub("", name) for index, name in people.items()}
    if all(bare[index] != name for index, name in people.items()) and len(set(bare.values())) == len(bare):
        names |= bare


def _refuse_signs_apart(columns: Sequence[PersonColumn]) -> None:
    """Raises FileRefused where each person has two columns, one for what they won and one for what they lost."""
    ends = Counter(column.name[-1:] for column in columns)
    if min(ends["+"], ends["-"] + ends["–"]) > 1:
        said = _("Plus und Minus stehen in eigenen Spalten. Bitte in der Datei jeder Person eine Spalte geben, mit Vorzeichen.")
        raise FileRefused(said)


def _refuse_names_in_rows(columns: Sequence[PersonColumn]) -> None:
    """Raises FileRefused where words stand in front of all points: the names are in the rows."""
    people = [nth for nth, column in enumerate(columns) if not column.why_not]
    if len(people) > 1 and all(nth and columns[nth - 1].why_not == _("keine Zahlen") for nth in people):
        raise FileRefused(
            _(
                "Die Namen stehen in den Zeilen vor ihren Punkten. Bitte in der Datei jeder Person eine Spalte geben, oder jeder "
                "Person an jedem Abend eine Zeile mit „Datum“, „Name“ und „Punkte“."
            )
        )


def _without_what_spoils_sums(columns: list[PersonColumn], body: Rows) -> list[PersonColumn]:
    """Without the one column but for which rows sum to zero, where hardly any does with it: a number of something."""
    people = [column.index for column in columns if not column.why_not]
    rows = [row for row in body if len(_points_in(row, people)) > 1]
    sums = [sum(_worth(row, index) for index in people) for row in rows]
    if len(rows) < FEWEST_ROWS or len(people) < FEWEST_PEOPLE or 5 * sums.count(0) > len(rows):
        return columns
    for nth, column in enumerate(columns):
        if column.index in people:
            without = sum(total == _worth(row, column.index) for total, row in zip(sums, rows, strict=True))
            if 5 * without >= 4 * len(rows):
                found = replace(column, why_not=_("ohne diese Spalte ergeben die Zeilen null"))
                return [*columns[:nth], found, *columns[nth + 1 :]]
    return columns


def _worth(row: Sequence[str], index: int) -> int:
    try:
        return read_points(_cell(row, index)) or 0
    except CellRefused:
        return 0


def _is_no_name(name: str) -> bool:
    said = text_key(name)
    return said in DAYS | {"datum", "date"} or bool(TOTALS.match(said) or OTHERS.match(said)) or not _has_letters(name)


def _has_letters(cell: str) -> bool:
    return any(map(str.isalpha, cell))


def _one_below_the_other(rows: Rows, head: int) -> Rows:
    """Where headings come again further down, everything below them under the first ones, each where its own heading says."""
    width = max(map(len, rows[head:]))
    top = [*rows[head], *[""] * (width - len(rows[head]))]
    to: dict[int, int] = {}
    found = [*rows[:head], top]
    for row in rows[head + 1 :]:
        if _is_headings(row, top):
            to = {index: _under(top, index, _cell(row, index)) for index in range(width)}
            row = []
        elif to:
            row = _moved(row, to)
        found.append(row)
    return found


def _under(top: list[str], index: int, heading: str) -> int:
    """Below which of the first headings a column with this one belongs; below a new one where there is none."""
    if not heading and not top[index]:
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
    """Are these headings once more: all of them words, and most of them those above?"""
    words = [cell for cell in row if cell]
    above = {text_key(cell) for cell in top if cell}
    known = sum(text_key(word) in above for word in words)
    return known > 1 and 2 * known > len(words) and not any(is_number(word) or is_day(word) for word in words)


def _is_standing(names: dict[int, str], cells: dict[int, list[str]], without_days: bool) -> bool:
    """Is this how everybody stands, and of no day: does a column name each of them once, or are all columns of numbers called
    by what stands there?"""
    for index, name in names.items():
        if text_key(name) in NAMES and cells[index] and len(set(cells[index])) == len(cells[index]):
            return not any(map(is_number, cells[index]))
    numbers = [index for index, found in cells.items() if found and 2 * sum(map(is_number, found)) > len(found)]
    called = [index for index in numbers if not OTHERS.match(text_key(names[index])) or STANDING.match(text_key(names[index]))]
    return without_days and bool(called) and all(STANDING.match(text_key(names[index])) for index in called)


def _head(rows: Rows) -> int:
    """The last row with names above the first with points that has one."""
    for first, row in enumerate(rows):
        if len(_points_in(row, range(len(row)))) < 2:
            continue
        for index in range(first - 1, -1, -1):
            if sum(_has_letters(cell) and not is_day(cell) and not is_number(cell) for cell in rows[index]) > 1:
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
    raise FileRefused(_("Es fehlt eine Kopfzeile mit den Namen über den Punkten."))


def _points_in(row: Sequence[str], columns: Sequence[int] | range) -> list[str]:
    cells = (_cell(row, index) for index in columns)
    return [cell for cell in cells if cell not in NOT_THERE and is_number(cell)]


def _cell(row: Sequence[str], index: int) -> str:
    return row[index] if index < len(row) else ""


def _day_column(names: dict[int, str], cells: dict[int, list[str]]) -> int | None:
    """The first column called so, else the first in which days stand that are no points."""
    for index, name in names.items():
        said = text_key(name)
        if said in ("datum", "date") or (
            said in DAYS and any(is_day(cell) or begins_with_month(cell) for cell in cells[index])
        ):
            return index
    for index, found in cells.items():
        if 2 * sum(is_day(cell) and not is_points(cell) for cell in found) > len(found):
            return index
    return None


def _why_not(name: str, cells: Sequence[str], seen: set[str]) -> str:
    if TOTALS.match(text_key(name)):
        return _("eine Summe")
    if OTHERS.match(text_key(name)):
        return _("keine Person")
    if not name:
        return _("ohne Überschrift")
    if is_day(name) or is_number(name):
        return _("kein Name")
    if all(cell in NOT_THERE for cell in cells):
        return _("ohne Punkte")
    if 2 * sum(is_number(cell) or begins_with_number(cell) for cell in cells) <= len(cells):
        return _("keine Zahlen")
    if text_key(name) in seen:
        return _("dieser Name steht schon in einer Spalte davor")
    return ""
