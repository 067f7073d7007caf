"""Layouts: the arrangements in which clubs keep a sheet, each converted to a grid with a row for each evening or game and a column
for each person. A new layout is added here; what is left out is listed with its points."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations, pairwise
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from scoring.core.names import name_key
from scoring.core.text import text_key

from .cells import (
    DAY_HEADINGS,
    DAYS,
    HEADING_ROWS,
    NAME_HEADINGS,
    OTHER_HEADINGS,
    POINT_HEADINGS,
    POINTS_IN_LONG_TABLE,
    STANDING_HEADINGS,
    START_LABEL,
    TOTAL_LABELS,
    format_column,
    get_cell,
    is_amount,
    is_day,
    is_number,
    is_word,
)
from .columns import is_no_name
from .days import MONTH, find_span, find_year, is_when, parse_evening_number
from .file_formats import Rows
from .outline import Phrase, Remark, format_points, format_row
from .uploads import FileRefused, FileSheet

AS_IS, TURNED, LONG = "rows", "turned", "long"
GAMES: Final = frozenset({"spiel", "runde", "partie", "spiel nr.", "spielnr.", "nr.", "nr"})
DATES: Final = frozenset({"datum", "date", "tag", "abend", "spieltag", "spielabend", "termin"})
# How many rows are searched for days.
SAMPLE: Final = 200
# If more than one in five rows repeats a person on a day, the rows are games.
FEW_REPEATED: Final = 5
OF_NO_EVENING: Final = gettext_noop("gehört zu keinem Abend (%(points)s)")
NAMELESS: Final = gettext_noop("hat keinen Namen (%(points)s)")
AGAIN: Final = gettext_noop("sagt noch einmal dasselbe wie %(where)s (%(name)s %(points)s)")
_YEAR: Final = re.compile(r"(?:19[5-9]|20[0-9])[0-9]")
_BOTH_IN_TWO: Final = re.compile(r"[0-3][0-9]\.[01][0-9]")


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
    return _stack_lists(rows) or Grid(AS_IS, rows)


# --- People in rows, days in columns ----------------------------------------------------------------------------------

def _find_days_across(rows: Rows) -> int | None:
    """Return the index of the row with the days, None if the days are in a column or missing."""
    labels = [_list_labels(row) for row in rows[:HEADING_ROWS]]
    below = max(sum(_is_label(get_cell(row, index)) for row in rows[:SAMPLE]) for index in range(3))
    for index, columns in enumerate(labels):
        has_names = any(text_key(cell) in NAME_HEADINGS for cell in rows[index])
        enough = len(columns) > max(1, 0 if has_names else below) or (columns and has_names and below <= 1)
        if enough and _find_names_column(rows, index, columns[0]) is not None:
            return index
    return None


def _list_labels(row: Sequence[str]) -> list[int]:
    return [index for index, cell in enumerate(row) if _is_label(cell)]


def _is_label(cell: str) -> bool:
    """Return whether this is a day or the number of an evening, and no points."""
    return bool(cell) and (is_when(cell) or (is_day(cell) and bool(_BOTH_IN_TWO.fullmatch(cell))))


def _find_names_column(rows: Rows, head: int, before: int) -> int | None:
    """Return the column headed as names, otherwise the first one before the days with mostly words."""
    for index in range(before):
        if text_key(get_cell(rows[head], index)) in NAME_HEADINGS:
            return index
    below = [row for row in rows[head + 1 :] if any(row)]
    for index in range(before):
        words = sum(is_word(get_cell(row, index)) for row in below)
        if words and 2 * words > len(below):
            return index
    return None


def _turn(rows: Rows) -> Grid:
    head = _find_days_across(rows)
    labels = [] if head is None else _list_labels(rows[head])
    names = None if head is None else _find_names_column(rows, head, labels[0])
    if head is None or names is None:
        raise FileRefused(_("Auf diesem Blatt stehen keine Tage nebeneinander über den Punkten."))
    heading = text_key(get_cell(rows[head], names))
    again = (at for at in range(head + 1, len(rows)) if text_key(get_cell(rows[at], names)) == heading)
    heads = [head, *(at for at in again if len(_list_labels(rows[at])) > 1)]
    grids = [_turn_part(rows, at, end, names) for at, end in pairwise([*heads, len(rows)])]
    if len(grids) == 1:
        return grids[0]
    for at, grid in zip(heads, grids, strict=True):
        grid.places = [
            place and Phrase(gettext_noop("%(column)s ab %(row)s"), {"column": place, "row": format_row(at + 1)})
            for place in grid.places
        ]
    return _join_parts(grids)


def _join_parts(grids: Sequence[Grid]) -> Grid:
    """Join several parts, each person in one column. Raise FileRefused if a name is twice in one part."""
    for grid in grids:
        times = Counter(name_key(name) for name in grid.rows[0][1:])
        if twice := next((name for name in grid.rows[0][1:] if times[name_key(name)] > 1), ""):
            sentence = _("„%(name)s“ steht zweimal unter denselben Tagen. Bitte jeder Person dort eine Zeile geben.")
            raise FileRefused(sentence % {"name": twice})
    names = {name_key(name): name for grid in grids for name in grid.rows[0][1:]}
    joined = Grid(TURNED, [[grids[0].rows[0][0], *names.values()]], [""])
    for grid in grids:
        at = {name_key(name): index for index, name in reversed(list(enumerate(grid.rows[0])))}
        joined.rows += [[row[0], *(row[at[key]] if key in at else "" for key in names)] for row in grid.rows[1:]]
        joined.places += grid.places[1:]
        joined.left_out += grid.left_out
    return joined


def _turn_part(rows: Rows, head: int, end: int, names: int) -> Grid:
    labels = _list_labels(rows[head])
    years = _list_years_above(rows[head - 1]) if head else {}
    people = [(number, row) for number, row in enumerate(rows[head + 1 : end], head + 2) if any(row)]
    with_name = [(number, row) for number, row in people if get_cell(row, names)]
    heading = _("Abend") if all(parse_evening_number(rows[head][index]) is not None for index in labels) else _("Datum")
    grid = Grid(TURNED, [[heading, *(get_cell(row, names) for _number, row in with_name)]], [""])
    # The totals at the start become a row, as in lists with days in rows.
    starts = [index for index, cell in enumerate(rows[head]) if index != names and START_LABEL.match(text_key(cell))]
    for index in sorted({*labels, *starts}):
        label = _add_year(rows[head][index], years.get(index, ""))
        grid.rows.append([label, *(get_cell(row, index) for _number, row in with_name)])
        grid.places.append(_label_column(index))
    for index in range(max(map(len, rows[head:end]))):
        if index not in labels and index not in starts and index != names:
            cells = [(get_cell(row, names), get_cell(row, index)) for _number, row in with_name]
            grid.left_out += _build_column_remarks(index, get_cell(rows[head], index), cells)
    for number, row in people:
        if not get_cell(row, names) and (
            would := format_points((get_cell(rows[head], index), get_cell(row, index)) for index in labels)
        ):
            grid.left_out.append(Remark(number, Phrase(NAMELESS, {"points": would})))
    return grid


def _list_years_above(row: Sequence[str]) -> dict[int, str]:
    """Return the year above each column; a year also applies to the columns after it."""
    years, last = {}, ""
    for index in range(max(len(row), 60)):
        cell = get_cell(row, index)
        last = cell if _YEAR.fullmatch(cell) else last
        years[index] = last
    return years


def _add_year(day: str, year: str) -> str:
    if _BOTH_IN_TWO.fullmatch(day):
        day += "."
    if _YEAR.search(day) or parse_evening_number(day) is not None or not day.endswith("."):
        return day
    return day + year


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
    """The headings of a long table: their row, and the columns of day, game, and one or more pairs of name and points."""

    row: int
    day: int
    pairs: Sequence[tuple[int, int]]
    game: int | None

    def iter_entries(self, rows: Rows, names_once: bool = False) -> Iterator[tuple[int, tuple[str, str], str, str]]:
        """Yield the number of each row, its evening and game, a name and points."""
        day = name = ""
        for number, row in enumerate(rows[self.row + 1 :], self.row + 2):
            if row == rows[self.row]:
                continue  # repeated headings
            day = get_cell(row, self.day) or day
            game = "" if self.game is None else get_cell(row, self.game)
            for name_at, points_at in self.pairs:
                name = get_cell(row, name_at) or (name if names_once else "")
                yield number, (day, game), name, get_cell(row, points_at)


def _find_long_head(rows: Rows) -> _LongHead | None:
    for index, row in enumerate(rows[:HEADING_ROWS]):
        keys = [text_key(cell).rstrip(" .:0123456789") for cell in row]
        body = [entry for entry in rows[index + 1 :] if any(entry)]
        day = next((at for at, key in enumerate(keys) if key in DATES or "datum" in key), None)
        names = [at for at, key in enumerate(keys) if key in NAME_HEADINGS]
        # Prefer points to totals.
        points = [at for at, key in enumerate(keys) if POINTS_IN_LONG_TABLE.match(key) or key in POINT_HEADINGS]
        points.sort(key=lambda at: bool(TOTAL_LABELS.match(keys[at])))
        if day is None and names:
            day = next((at for at in range(len(row)) if at not in names and _are_days(_list_column(body, at))), None)
        if day is None or not points:
            continue
        if not names and (words := _find_words_column(body, {day, *points})) is not None:
            names = [words]
        if not names and len(points) > 1 and all(at and _are_words(_list_column(body, at - 1)) for at in points):
            names = [at - 1 for at in sorted(points)]
        pairs = [(names[0], points[0])] if len(names) == 1 else _pair_columns(names, points)
        if pairs and all(_is_long(body, *pair) for pair in pairs):
            game = next((at for at, cell in enumerate(row) if text_key(cell) in GAMES), None)
            return _LongHead(index, day, pairs, game)
    return None


def _pair_columns(names: Sequence[int], points: Sequence[int]) -> list[tuple[int, int]]:
    """Pair each name with the points after it; empty if a name has none."""
    spans = pairwise([*names, max([*names, *points]) + 1])
    after = [(name, sorted(at for at in points if name < at < until)) for name, until in spans]
    return [(name, columns[0]) for name, columns in after] if all(columns for _name, columns in after) else []


def _list_column(rows: Rows, index: int) -> list[str]:
    """Return the filled cells of a column."""
    return [cell for row in rows if (cell := get_cell(row, index))]


def _are_words(cells: Sequence[str]) -> bool:
    return bool(cells) and all(map(is_word, cells))


def _are_days(cells: Sequence[str]) -> bool:
    return 2 * sum(is_day(cell) and not is_number(cell) for cell in cells) > len(cells)


def _find_words_column(body: Rows, but: set[int]) -> int | None:
    """Return the only column with repeated words."""
    columns = []
    for index in range(max(map(len, body), default=0)):
        cells = [get_cell(row, index) for row in body]
        words = list(filter(is_word, cells))
        if index not in but and len(words) == len(cells) and len(set(words)) < len(words):
            columns.append(index)
    return columns[0] if len(columns) == 1 else None


def _is_long(body: Rows, name: int, points: int) -> bool:
    rows = [row for row in body if is_word(get_cell(row, name))]
    numbers = sum(is_number(get_cell(row, points)) for row in rows)
    return 2 * len(rows) > len(_list_column(body, name)) and 2 * numbers > len(rows)


def _gather(rows: Rows) -> Grid:
    head = _find_long_head(rows)
    if head is None:
        raise FileRefused(_("Auf diesem Blatt fehlen Spalten „Datum“, „Name“ und „Punkte“."))
    names: dict[str, str] = {}
    evenings: dict[tuple[tuple[str, str], int], dict[str, tuple[str, int]]] = {}
    left: list[Remark] = []
    repeated = _find_repeated(rows, head)
    times: Counter[tuple[tuple[str, str], str]] = Counter()
    for number, evening, name, points in head.iter_entries(rows, names_once=_has_names_once(rows, head)):
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
        again = times[evening, key]
        times[evening, key] += 1
        evenings.setdefault((evening, again), {})[key] = (points, number)
    grid = Grid(LONG, [[get_cell(rows[head.row], head.day), *names.values()]], [""], left)
    for ((day, _game), _again), cells in evenings.items():
        grid.rows.append([day, *(cells[key][0] if key in cells else "" for key in names)])
        grid.places.append(_label_rows([number for _points, number in cells.values()]))
    others = set(range(max(map(len, rows[head.row :])))) - {head.day, head.game, *chain(*head.pairs)}
    for index in sorted(others):
        column = [("", get_cell(row, index)) for row in rows[head.row + 1 :]]
        grid.left_out += _build_column_remarks(index, get_cell(rows[head.row], index), column)
    return grid


def _find_repeated(rows: Rows, head: _LongHead) -> dict[int, int]:
    """Return the rows that repeat another one above, each with that one; none if there are so many that the rows are games."""
    seen: dict[tuple[tuple[str, str], str, str], int] = {}
    repeats: dict[int, int] = {}
    people: Counter[tuple[tuple[str, str], str]] = Counter()
    for number, evening, name, points in head.iter_entries(rows):
        if not (name and points):
            continue
        people[evening, name_key(name)] += 1
        if (first := seen.setdefault((evening, name_key(name), points), number)) != number:
            repeats[number] = first
    few = FEW_REPEATED * (people.total() - len(people)) <= people.total()
    return repeats if few and len(head.pairs) == 1 else {}


def _has_names_once(rows: Rows, head: _LongHead) -> bool:
    """Return whether each name is only above the evenings of that person, all of which have a day."""
    name_at, points_at = head.pairs[0]
    body = [row for row in rows[head.row + 1 :] if get_cell(row, points_at)]
    name, entries = "", []
    for row in body:
        name = get_cell(row, name_at) or name
        entries.append((name, get_cell(row, head.day)))
    once = sum(bool(get_cell(row, name_at)) for row in body)
    return 2 * once <= len(body) and all(map(all, entries)) and len(set(entries)) == len(entries)


def _label_rows(numbers: Sequence[int]) -> Phrase:
    first, last = min(numbers), max(numbers)
    if first == last:
        return format_row(first)
    return Phrase(gettext_noop("Zeilen %(first)s bis %(last)s"), {"first": first, "last": last})


# --- Several tables on one sheet --------------------------------------------------------------------------------------

# Headings of days. Other words than "Datum" may be once before and once after the days.
_OF_DAYS: Final = ({"datum", "date"}, *({word} for word in sorted(DAYS)))
_YEAR_ALONE: Final = re.compile(r"(?:19|20)[0-9]{2}$")
# How many days, and rows with points, make a list.
MIN_IN_A_LIST: Final = 2


def remove_totals_tables(rows: Rows) -> tuple[Rows, list[Remark]]:
    """Remove tables of totals from a sheet, unless it has nothing else; return also a remark about each."""
    rest, left_out = [list(row) for row in rows], []
    for at, row in enumerate(rows):
        for start, end in _iter_runs(row):
            keys = [text_key(cell) for cell in row[start:end]]
            name = next((start + nth for nth, key in enumerate(keys) if key in NAME_HEADINGS), None)
            if name is None or not _is_totals_head(keys):
                continue
            last = at + 1
            while last < len(rows) and is_word(get_cell(rows[last], name)):
                last += 1
            points = next(start + nth for nth, key in enumerate(keys) if _is_points_heading(key))
            would = format_points((get_cell(below, name), get_cell(below, points)) for below in rows[at + 1 : last])
            if not would:
                continue
            for cells in rest[at:last]:
                cells[start:end] = [""] * len(cells[start:end])
            values = {"row": format_row(at + 1), "column": format_column(start)}
            where = Phrase(gettext_noop("Tabelle ab %(row)s, Spalte %(column)s"), values)
            left_out.append(Remark(0, Phrase(OF_NO_EVENING, {"points": would}), where))
    return (rest, left_out) if left_out and _is_list(rest) else (rows, [])


def _iter_runs(row: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the start and the end of each run of filled cells."""
    starts = [index for index, cell in enumerate(row) if cell and not (index and row[index - 1])]
    ends = [index for index in range(1, len(row) + 1) if row[index - 1] and not get_cell(row, index)]
    return zip(starts, ends, strict=True)


def _is_totals_head(keys: Sequence[str]) -> bool:
    """Return whether these are headings of a table of totals, without days."""
    known = all(key in NAME_HEADINGS or OTHER_HEADINGS.match(key) or _is_points_heading(key) for key in keys)
    return known and any(map(_is_points_heading, keys)) and not DAYS & set(keys)


def _is_points_heading(key: str) -> bool:
    return key in POINT_HEADINGS or any(pattern.match(key) for pattern in (TOTAL_LABELS, STANDING_HEADINGS, _YEAR_ALONE))


def _is_list(rows: Rows) -> bool:
    days = sum(is_when(cell) for row in rows for cell in row)
    points = sum(sum(is_amount(cell) for cell in row) > 1 for row in rows)
    return min(days, points) >= MIN_IN_A_LIST


def _stack_lists(rows: Rows) -> Grid | None:
    """Stack lists that are side by side, each with days and names; return None for a single list."""
    for head, row in enumerate(rows[:HEADING_ROWS]):
        for headings in _OF_DAYS:
            starts = [index for index, cell in enumerate(row) if text_key(cell) in headings]
            spans = list(pairwise([*starts, len(row)]))
            enough = len(spans) > 1 and all(sum(map(bool, row[start:end])) > 2 for start, end in spans)
            if enough and (headings == _OF_DAYS[0] or all(_has_days_below(rows, head, start) for start in starts)):
                return _stack(rows, head, spans)
    return None


def _has_days_below(rows: Rows, head: int, index: int) -> bool:
    """Return whether most cells below this heading are days with a month."""
    cells = _list_column(rows[head + 1 :], index)
    return 2 * sum(map(is_day, cells)) > len(cells)


def _stack(rows: Rows, head: int, spans: Sequence[tuple[int, int]]) -> Grid:
    """Stack the lists, each person in one column, with the year above a list above its days."""
    row = rows[head]
    names = {name_key(cell): cell for start, end in spans for cell in row[start:end] if cell}
    for start, end in spans:
        _refuse_name_twice(rows, head, range(start, end))
    grid = Grid(AS_IS, [*map(list, rows[: max(head - 1, 0)]), [], list(names.values())], [""] * (max(head - 1, 0) + 2))
    where = gettext_noop("%(row)s ab Spalte %(column)s")
    for start, end in spans:
        at = {name_key(row[index]): index for index in range(end - 1, start - 1, -1) if row[index]}
        above = next((cell for cells in rows[:head] for cell in cells[start:end] if find_year(cell)), "")
        if above:
            grid.rows.append([above])
            grid.places.append("")
        for number, cells in enumerate(rows[head + 1 :], head + 2):
            if any(cells[start:end]):
                grid.rows.append([get_cell(cells, at[name]) if name in at else "" for name in names])
                grid.places.append(Phrase(where, {"row": format_row(number), "column": format_column(start)}))
    return grid


def _refuse_name_twice(rows: Rows, head: int, columns: range) -> None:
    """Raise FileRefused if two of these columns have one name, and some row has numbers in both."""
    for one, other in combinations(columns, 2):
        name = get_cell(rows[head], other)
        same = is_word(name) and text_key(name) == text_key(get_cell(rows[head], one))
        if same and any(is_amount(get_cell(row, one)) and is_amount(get_cell(row, other)) for row in rows[head + 1 :]):
            sentence = _(
                "„%(name)s“ steht zweimal in einer Kopfzeile. Bitte in der Datei eine der Spalten umbenennen oder beide "
                "zusammenzählen."
            )
            raise FileRefused(sentence % {"name": name})


# --- Days above their tables or rows ----------------------------------------------------------------------------------

MIN_BLOCKS: Final = 2


def join_tables(rows: Rows, name: str) -> Rows:
    """Convert tables below their days to one long table, keeping row numbers; `name` is the sheet's, which can be a day as well."""
    days = [at for at, row in enumerate(rows) if (cell := _find_single_cell(row)) and is_when(cell)]
    day, first = (name, 0) if _is_sheet_of_evening(name, rows) else ("", days[0] if len(days) >= MIN_BLOCKS else len(rows))
    if any(is_amount(cell) for row in rows[:first] for cell in row):
        return rows
    table: Rows = [[] for _row in rows]
    head, points = None, None
    for at in range(first, len(rows)):
        cells = list(filter(None, rows[at]))
        is_head = bool(cells) and all(map(_is_heading, cells))
        if at in days:
            day, points = cells[0], None
        elif is_head:
            points = next((index for index, cell in enumerate(rows[at]) if text_key(cell) in POINT_HEADINGS), None)
        elif cells:
            row = _read_name_and_points(rows[at], points)
            if row is None and any(map(is_amount, cells)):
                return rows
            table[at] = [day, *row] if row else []
        if head is None and (at in days or is_head):
            head = at
    if head is None or not any(table):
        return rows
    table[head] = ["Datum" if is_day(day) else "Abend", "Name", "Punkte"]
    return table


def _is_sheet_of_evening(name: str, rows: Rows) -> bool:
    """Return whether the name of the sheet is its evening, and it has columns of names and points."""
    if not is_when(name) or TOTAL_LABELS.match(text_key(name)):
        return False
    return any(NAME_HEADINGS & keys and POINT_HEADINGS & keys for row in rows if (keys := set(map(text_key, row))))


def _is_heading(cell: str) -> bool:
    key = text_key(cell)
    return key in NAME_HEADINGS or key in POINT_HEADINGS or bool(OTHER_HEADINGS.match(key))


def _read_name_and_points(row: Sequence[str], points: int | None) -> list[str] | None:
    """Return the name and the points of a row: those in column `points`, otherwise the only number after the name.
    Return an empty list for a total, None for any other row."""
    name = next((index for index, cell in enumerate(row) if is_word(cell)), len(row))
    after = [cell for cell in row[name + 1 :] if cell]
    if points is not None and name < points < len(row):
        after = [row[points]]
    if len(after) != 1 or not is_number(after[0]) or TOTAL_LABELS.match(text_key(row[name])):
        return [] if name < len(row) and TOTAL_LABELS.match(text_key(row[name])) else None
    return [row[name], after[0]]


def add_days_above(rows: Rows) -> Rows:
    """Add a last column with the day that is alone in a row above each evening, unless the rows have days themselves."""
    alone = {at: cell for at, row in enumerate(rows) if (cell := _find_single_cell(row)) and is_when(cell)}
    played = [at for at, row in enumerate(rows) if sum(map(is_amount, row)) > 1]
    first = min(played, default=0)
    head = next((at for at in range(first - 1, -1, -1) if sum(map(bool, rows[at])) > 1), None)
    has_days = any(is_when(cell) for at, row in enumerate(rows) if at not in alone for cell in row)
    if head is None or has_days or not alone or min(alone) > first:
        return rows
    at_end = max(map(len, rows))
    heading = "Datum" if any(map(is_day, alone.values())) else "Abend"
    moved, day = [*rows], ""
    for at, row in enumerate(rows):
        day = alone.get(at, day)
        cells = [*row, *[""] * (at_end - len(row))]
        if at == head:
            moved[at] = [*cells, heading]
        elif at in alone:
            moved[at] = []
        elif at in played:
            moved[at], day = [*cells, day], ""
    return moved


def _find_single_cell(row: Sequence[str]) -> str:
    """Return the only filled cell of a row, or an empty string."""
    cells = list(filter(None, row))
    return cells[0] if len(cells) == 1 else ""


# --- Refused layouts --------------------------------------------------------------------------------------------------

# How many columns of games make a list of games.
MIN_GAMES: Final = 3
_GAME: Final = re.compile(r"(?:spiel|runde|partie)(?: ?nr\.?)? ?[0-9]{1,3}\.?|[0-9]{1,3}\. ?(?:spiel|runde|partie)")


def refuse_games_across(rows: Rows) -> None:
    """Raise FileRefused if games are in columns and people in rows."""
    for at, row in enumerate(rows[:HEADING_ROWS]):
        keys = [text_key(cell) for cell in row]
        first = next((key for key in keys if key), "")
        is_of_names = first in NAME_HEADINGS or bool(_GAME.fullmatch(first))
        games = [index for index, key in enumerate(keys) if _GAME.fullmatch(key)]
        below = rows[at + 1] if at + 1 < len(rows) else []
        if is_of_names and len(games) >= MIN_GAMES and not any(is_word(below[index]) for index in games if index < len(below)):
            raise FileRefused(_(
                "Hier stehen die Spiele nebeneinander und die Personen untereinander. Bitte das Blatt in der Datei drehen "
                "(kopieren und „transponiert“ einfügen): jedes Spiel in eine Zeile, jede Person in eine Spalte."
            ))


def refuse_months_beside(rows: Rows) -> None:
    """Raise FileRefused if several lists with the same people are side by side, below months or after days."""
    above: Sequence[str] = ()
    for at, row in enumerate(rows[:HEADING_ROWS]):
        for starts in _iter_starts(above, row):
            if starts and all(_has_days_below(rows, at, index) for index in starts):
                continue
            names = [text_key(cell) if is_word(cell) and not is_no_name(cell) else "" for cell in row]
            parts = [set(filter(None, names[start:end])) for start, end in pairwise([*starts, len(row)])]
            if len(parts) > 1 and all(min(len(part), 2 * len(part & parts[0]) - len(part)) > 0 for part in parts):
                raise FileRefused(_(
                    "Hier stehen mehrere Listen mit denselben Namen nebeneinander. Bitte in der Datei untereinander schreiben, "
                    "oder jede auf ein eigenes Blatt, das wie ihr Monat heißt."
                ))
        above = row if any(row) else above


def _iter_starts(above: Sequence[str], row: Sequence[str]) -> Iterator[list[int]]:
    """Yield the columns at which lists side by side could begin: at their days, or below their months."""
    keys = [text_key(cell).rstrip(":") for cell in row]
    for key in DAY_HEADINGS & set(keys):
        yield [index for index, other in enumerate(keys) if other == key]
    yield [index for index, cell in enumerate(above) if find_span(cell) == MONTH]


def refuse_sheet_per_person(sheets: Sequence[FileSheet]) -> None:
    """Raise FileRefused if each sheet has days and points, and no name but its own."""
    if len(sheets) > 1 and all(any(map(_is_head_of_one_person, sheet.rows[:HEADING_ROWS])) for sheet in sheets):
        raise FileRefused(_(
            "Hier hat jede Person ein eigenes Blatt. Bitte in der Datei alle auf ein Blatt schreiben: je Person und Abend eine "
            "Zeile mit „Datum“, „Name“ und „Punkte“."
        ))


def _is_head_of_one_person(row: Sequence[str]) -> bool:
    """Return whether these are headings of days and points, and of no person."""
    keys = [key for cell in row if (key := text_key(cell).rstrip(" .:"))]
    others = [key for key in keys if key not in POINT_HEADINGS | {"datum", "date"} and not TOTAL_LABELS.match(key)]
    has_both = bool({"datum", "date"} & set(keys)) and bool(POINT_HEADINGS & set(keys))
    return has_both and all(OTHER_HEADINGS.match(key) and key not in NAME_HEADINGS for key in others)

