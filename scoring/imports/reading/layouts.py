"""Layouts: the arrangements in which clubs keep a sheet, each converted to a grid with a row for each evening or game and a column
for each person. What is left out is listed with its points."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from scoring.core.names import name_key
from scoring.core.text import text_key

from .cells import (
    DAY_HEADINGS,
    EVENING_WORD,
    HEADING_ROWS,
    NAME_HEADINGS,
    POINT_HEADINGS,
    POINTS_IN_LONG_TABLE,
    START_LABEL,
    TOTAL_LABELS,
    format_column,
    get_cell,
    is_amount,
    is_day,
    is_number,
    is_word,
)
from .days import find_month, is_span, is_when, parse_number
from .file_formats import Rows
from .outline import MIN_COUNTED, Phrase, Remark, format_points, format_row, is_no_name
from .uploads import FileRefused

AS_IS, TURNED, LONG = "rows", "turned", "long"
GAMES: Final = frozenset({"spiel", "runde", "partie", "spiel nr.", "spielnr.", "nr.", "nr"})
# How many rows are searched for days.
SAMPLE: Final = 200
# If more than one in five rows repeats a person on a day, the rows are games.
FEW_REPEATED: Final = 5
OF_NO_EVENING: Final = gettext_noop("gehört zu keinem Abend (%(points)s)")
NAMELESS: Final = gettext_noop("hat keinen Namen (%(points)s)")
AGAIN: Final = gettext_noop("sagt noch einmal dasselbe wie %(where)s (%(name)s %(points)s)")
# A day that spreadsheets take for a number, and a day whose month is the name of the sheet.
_BOTH_IN_TWO: Final = re.compile(r"[0-3][0-9]\.[01][0-9]")
_DAY_OF_MONTH: Final = re.compile(r"[0-9]{1,2}\.")


@dataclass
class Grid:
    """A sheet with a column for each person; `places` are the places of the rows in the file, empty where it is the row number."""

    shape: str
    rows: Rows
    places: list[Phrase | str] = field(default_factory=list)
    left_out: list[Remark] = field(default_factory=list)


def build_grid(rows: Rows, shape: str) -> Grid:
    """Convert a sheet to a grid, from this shape or the one it seems to have. Raise FileRefused if it does not have the shape."""
    if shape == TURNED or (not shape and _find_days_across(rows) is not None):
        return _turn(rows)
    if shape == LONG or (not shape and _find_long_head(rows) is not None):
        return _gather(rows)
    _refuse_lists_beside(rows)
    return Grid(AS_IS, rows)


def _refuse_lists_beside(rows: Rows) -> None:
    """Raise FileRefused if several lists are side by side, each with its days."""
    for row in rows[:HEADING_ROWS]:
        times = Counter(text_key(cell) for cell in row)
        if max(times["datum"], times["date"], times["tag"]) > 1:
            raise FileRefused(_(
                "Hier stehen mehrere Listen nebeneinander. Bitte in der Datei untereinander schreiben, oder jede auf ein eigenes "
                "Blatt, das wie ihr Monat oder Jahr heißt."
            ))


# --- People in rows, days in columns ----------------------------------------------------------------------------------

def _find_days_across(rows: Rows) -> int | None:
    """Return the index of the row with the days, None if the days are in a column or missing."""
    below = max(sum(_is_label(get_cell(row, index)) for row in rows[:SAMPLE]) for index in range(3))
    for index, row in enumerate(rows[:HEADING_ROWS]):
        columns = _list_labels(row)
        has_names = any(text_key(cell) in NAME_HEADINGS for cell in row)
        enough = len(columns) > max(1, 0 if has_names else below) or (columns and has_names and below <= 1)
        if enough and _find_names_column(rows, index, columns[0]) is not None:
            return index
    return None


def _list_labels(row: Sequence[str]) -> list[int]:
    """Return the columns below days or numbers of evenings, which are 1, 2, 3 … after a heading of names."""
    numbers = [index for index, cell in enumerate(row) if cell.isdecimal()]
    counted = len(numbers) >= MIN_COUNTED and [row[index] for index in numbers] == [str(nth) for nth in range(1, len(numbers) + 1)]
    if counted and NAME_HEADINGS & set(map(text_key, row)):
        return numbers
    return [index for index, cell in enumerate(row) if _is_label(cell)]


def _is_label(cell: str) -> bool:
    """Return whether this is a day or the number of an evening, and no points."""
    return bool(cell) and (is_when(cell) or bool(_DAY_OF_MONTH.fullmatch(cell) or (_BOTH_IN_TWO.fullmatch(cell) and is_day(cell))))


def _find_names_column(rows: Rows, head: int, before: int) -> int | None:
    """Return the column headed as names, otherwise the first one before the days with mostly words."""
    below = [row for row in rows[head + 1 :] if any(row)]
    headed = (index for index in range(before) if text_key(get_cell(rows[head], index)) in NAME_HEADINGS)
    words = (index for index in range(before) if 2 * sum(is_word(get_cell(row, index)) for row in below) > len(below) > 0)
    return next(headed, next(words, None))


def _turn(rows: Rows) -> Grid:
    head = _find_days_across(rows)
    labels = [] if head is None else _list_labels(rows[head])
    names = None if head is None else _find_names_column(rows, head, labels[0])
    if head is None or names is None:
        raise FileRefused(_("Auf diesem Blatt stehen keine Tage nebeneinander über den Punkten."))
    below = [(number, row) for number, row in enumerate(rows[head + 1 :], head + 2) if any(row)]
    people = [row for _number, row in below if get_cell(row, names)]
    if again := next((number for number, row in below if sum(map(is_when, row)) > 1), None):
        raise FileRefused(
            _("In Zeile %(row)s stehen noch einmal Tage. Bitte alle Tage nebeneinander in eine Zeile schreiben.") % {"row": again}
        )
    heading = _("Abend") if all(parse_number(rows[head][index]) is not None for index in labels) else _("Datum")
    grid = Grid(TURNED, [*rows[:head], [heading, *(get_cell(row, names) for row in people)]], [""] * (head + 1))
    # The totals at the start become a row, as in lists with days in rows.
    starts = [index for index, cell in enumerate(rows[head]) if index != names and START_LABEL.match(text_key(cell))]
    month = ""
    for index in range(max(map(len, rows[head:]))):
        cells = [get_cell(row, index) for row in people]
        label = get_cell(rows[head], index)
        # A month stands once above its days, in merged cells.
        month = get_cell(rows[head - 1], index) if head and get_cell(rows[head - 1], index) else month
        if _DAY_OF_MONTH.fullmatch(label) and find_month(month) and is_span(month):
            label = f"{label} {month}"
        if index in {*labels, *starts}:
            grid.rows.append([f"{label}." if _BOTH_IN_TWO.fullmatch(label) else label, *cells])
            grid.places.append(_label_column(index))
        elif index != names:
            grid.left_out += _build_column_remarks(index, label, [*zip(grid.rows[head][1:], cells, strict=True)])
    for number, row in below:
        would = format_points((get_cell(rows[head], index), get_cell(row, index)) for index in labels)
        if would and not get_cell(row, names):
            grid.left_out.append(Remark(number, Phrase(NAMELESS, {"points": would})))
    return grid


def _build_column_remarks(index: int, heading: str, cells: Sequence[tuple[str, str]]) -> list[Remark]:
    would = format_points(cells)
    return [Remark(0, Phrase(OF_NO_EVENING, {"points": would}), _label_column(index, heading))] if would else []


def _label_column(index: int, heading: str = "") -> Phrase:
    if heading:
        return Phrase(gettext_noop("Spalte %(column)s („%(name)s“)"), {"column": format_column(index), "name": heading})
    return Phrase(gettext_noop("Spalte %(column)s"), {"column": format_column(index)})


# --- A row for each person and evening --------------------------------------------------------------------------------

@dataclass(frozen=True)
class _LongHead:
    """The headings of a long table: their row, and the columns of day, name, points and game."""

    row: int
    day: int
    name: int
    points: int
    game: int | None

    def iter_entries(self, rows: Rows) -> Iterator[tuple[int, tuple[str, str], str, str]]:
        """Yield the number of each row, its evening and game, its name and its points."""
        day = ""
        for number, row in enumerate(rows[self.row + 1 :], self.row + 2):
            if row == rows[self.row]:
                continue  # repeated headings
            day = get_cell(row, self.day) or day
            game = "" if self.game is None else get_cell(row, self.game)
            yield number, (day, game), get_cell(row, self.name), get_cell(row, self.points)


def _find_long_head(rows: Rows) -> _LongHead | None:
    for index, row in enumerate(rows[:HEADING_ROWS]):
        keys = [text_key(cell).rstrip(" .:") for cell in row]
        body = [entry for entry in rows[index + 1 :] if any(entry)]
        columns = {at: [cell for entry in body if (cell := get_cell(entry, at))] for at in range(len(row))}
        days = [at for at, key in enumerate(keys) if key in DAY_HEADINGS or "datum" in key]
        days += [at for at, cells in columns.items() if _are_days(cells)]
        points = [at for at, key in enumerate(keys) if POINTS_IN_LONG_TABLE.match(key) or key in POINT_HEADINGS]
        # Prefer points to totals.
        points.sort(key=lambda at: bool(TOTAL_LABELS.match(keys[at])))
        words = [at for at, cells in columns.items() if at not in {*days, *points} and _are_repeated_words(cells, len(body))]
        names = [at for at, key in enumerate(keys) if key in NAME_HEADINGS] or (words if len(words) == 1 else [])
        numbers = [at for at, cells in columns.items() if at not in {*names, *points} and any(map(is_amount, cells))]
        people = [at for at in numbers if not is_no_name(row[at])]
        if days and points and names and _is_long(body, days[0], names[0], points[0], beside=len(people) > 1):
            game = next((at for at, cell in enumerate(row) if text_key(cell) in GAMES), None)
            return _LongHead(index, days[0], names[0], points[0], game)
    return None


def _are_days(cells: Sequence[str]) -> bool:
    return 2 * sum(is_day(cell) and not is_number(cell) for cell in cells) > len(cells)


def _are_words(cells: Sequence[str]) -> bool:
    """Return whether these cells, as far as filled, are words."""
    return any(cells) and all(is_word(cell) for cell in cells if cell)


def _are_repeated_words(cells: Sequence[str], rows: int) -> bool:
    return len(cells) == rows > len(set(cells)) and all(map(is_word, cells))


def _is_long(body: Rows, day: int, name: int, points: int, beside: bool) -> bool:
    """Return whether names and points stand below each other, each name for several days or several names for one day.
    `beside` says that there are points of people in other columns, so this could be a table of totals."""
    rows = [row for row in body if is_word(get_cell(row, name))]
    numbers = sum(is_number(get_cell(row, points)) for row in rows)
    days, names = ({get_cell(row, index) for row in rows} for index in (day, name))
    repeats = (len(names) < len(rows) or len(days - {""}) == 1) and (len(days) < len(rows) or not beside)
    return repeats and 2 * len(rows) > sum(bool(get_cell(row, name)) for row in body) and 2 * numbers > len(rows)


def _gather(rows: Rows) -> Grid:
    """Gather the rows of each evening or game in one row; a person who is there again begins another one."""
    head = _find_long_head(rows)
    if head is None:
        raise FileRefused(_("Auf diesem Blatt fehlen Spalten „Datum“, „Name“ und „Punkte“."))
    names: dict[str, str] = {}
    evenings: dict[tuple[tuple[str, str], int], dict[str, tuple[str, int]]] = {}
    left: list[Remark] = []
    if _has_names_once(rows, head):
        raise FileRefused(_(
            "Der Name steht nur einmal über den Abenden jeder Person. Bitte in der Datei in jede Zeile den Namen schreiben."
        ))
    repeated = _find_repeated(rows, head)
    times: Counter[tuple[tuple[str, str], str]] = Counter()
    for number, evening, name, points in head.iter_entries(rows):
        if not name:
            if would := format_points([("", points)]):
                left.append(Remark(number, Phrase(NAMELESS, {"points": would})))
            continue
        if number in repeated:
            same = {"where": format_row(repeated[number]), "name": name, "points": points}
            left.append(Remark(number, Phrase(AGAIN, same)))
            continue
        key = name_key(name)
        names.setdefault(key, name)
        evenings.setdefault((evening, times[evening, key]), {})[key] = (points, number)
        times[evening, key] += 1
    others = [index for index in range(len(rows[head.row])) if index not in (head.day, head.name, head.points, head.game)]
    body = rows[head.row + 1 :]
    texts = [index for index in others if rows[head.row][index] and _are_words([get_cell(row, index) for row in body])]
    headings = [get_cell(rows[head.row], index) for index in (head.day, *texts)]
    grid = Grid(LONG, [*rows[: head.row], [headings[0], *names.values(), *headings[1:]]], [""] * (head.row + 1), left)
    for ((day, _game), _again), cells in evenings.items():
        numbers = [number for _points, number in cells.values()]
        remarks = [dict.fromkeys(filter(None, (get_cell(rows[number - 1], index) for number in numbers))) for index in texts]
        grid.rows.append([day, *(cells[key][0] if key in cells else "" for key in names), *map(" · ".join, remarks)])
        grid.places.append(_label_rows(numbers))
    for index in range(max(map(len, rows[head.row :]))):
        if index not in (head.day, head.name, head.points, head.game):
            column = [("", get_cell(row, index)) for row in rows[head.row + 1 :]]
            grid.left_out += _build_column_remarks(index, get_cell(rows[head.row], index), column)
    return grid


def _has_names_once(rows: Rows, head: _LongHead) -> bool:
    played = [name for _number, _evening, name, points in head.iter_entries(rows) if is_amount(points)]
    return 2 * sum(map(bool, played)) <= len(played)


def _find_repeated(rows: Rows, head: _LongHead) -> dict[int, int]:
    """Return the rows that repeat another one above, each with that one; none if there are so many that the rows are games."""
    seen: dict[tuple[tuple[str, str], str, str], int] = {}
    repeats: dict[int, int] = {}
    people: Counter[tuple[tuple[str, str], str]] = Counter()
    for number, evening, name, points in head.iter_entries(rows):
        if name and points:
            people[evening, name_key(name)] += 1
            if (first := seen.setdefault((evening, name_key(name), points), number)) != number:
                repeats[number] = first
    return repeats if FEW_REPEATED * (people.total() - len(people)) <= people.total() else {}


def _label_rows(numbers: Sequence[int]) -> Phrase:
    first, last = min(numbers), max(numbers)
    if first == last:
        return format_row(first)
    return Phrase(gettext_noop("Zeilen %(first)s bis %(last)s"), {"first": first, "last": last})


# --- A small table below each day -------------------------------------------------------------------------------------

# How many days make tables below their days.
MIN_TABLES: Final = 2
# Headings of the points of an evening beside those of its parts.
EVENING_TOTALS: Final = ("gesamt", "summe", "total")


def _is_head_of_table(keys: Sequence[str]) -> bool:
    """Return whether these are headings of names and points, and of no days."""
    has_points = any(key in POINT_HEADINGS or key in EVENING_TOTALS for key in keys)
    return has_points and any(key in NAME_HEADINGS for key in keys) and not any(key in DAY_HEADINGS or is_when(key) for key in keys)


def join_tables(rows: Rows, name: str) -> Rows:
    """Convert tables of names and points below their days to one long table, keeping row numbers; `name` is the sheet's, which can
    be the day as well."""
    days = {at: cells[0] for at, row in enumerate(rows) if len(cells := [cell for cell in row if cell]) == 1 and is_when(cells[0])}
    heads = [at for at, row in enumerate(rows) if _is_head_of_table([*map(text_key, row)])]
    day = name if is_when(name) else ""
    is_evening = bool(day) or len(days) >= MIN_TABLES or any(re.search(EVENING_WORD, text_key(cell)) for cell in days.values())
    if not heads or not is_evening or (not day and min(days) > heads[0]):
        return rows
    keys = [text_key(cell) for cell in rows[heads[0]]]
    name_at = next(at for at, key in enumerate(keys) if key in NAME_HEADINGS)
    points = [at for at, key in enumerate(keys) if key in POINT_HEADINGS]
    points += [keys.index(key) for key in EVENING_TOTALS if key in keys]
    table: Rows = [[] for _row in rows]
    for at, row in enumerate(rows):
        day = days.get(at, day)
        who, amount = get_cell(row, name_at), get_cell(row, points[0])
        if at not in days and at not in heads and is_word(who):
            table[at] = [] if TOTAL_LABELS.match(text_key(who)) else [day, who, amount]
        elif any(map(is_amount, row)):
            return rows
    table[heads[0]] = ["Datum" if is_day(day) else "Abend", "Name", "Punkte"]
    return table
