"""The layouts in which clubs keep a sheet, each turned into one grid: a row for each evening or game, a column for each person.
A new layout is added here."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
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
    HEADINGS,
    NAMES,
    OF_EACH,
    OTHERS,
    POINT_HEADINGS,
    STANDING,
    START,
    TOTALS,
    cell_of,
    column_name,
    is_absent,
    is_amount,
    is_day,
    is_number,
    is_word,
)
from .columns import is_no_name
from .days import MONTH, is_when, numbered, span_in, year_in
from .file_formats import UNCALCULATED, Rows
from .outline import Remark, Said, row_called
from .uploads import FileRefused, FileSheet

AS_IS, TURNED, LONG = "rows", "turned", "long"
GAMES: Final = frozenset({"spiel", "runde", "partie", "spiel nr.", "spielnr.", "nr.", "nr"})
DATES: Final = frozenset({"datum", "date", "tag", "abend", "spieltag", "spielabend", "termin"})
# So many rows tell enough.
SAMPLE: Final = 200
# Where more than one row of so many is of somebody who has one on that day, these are games.
FEW_REPEATED: Final = 5
# So many people are named with what would have come of a column or row.
NAMED: Final = 4
OF_NO_EVENING: Final = gettext_noop("gehört zu keinem Abend (%(points)s)")
NAMELESS: Final = gettext_noop("hat keinen Namen (%(points)s)")
AGAIN: Final = gettext_noop("sagt noch einmal dasselbe wie %(where)s (%(name)s %(points)s)")
_YEAR: Final = re.compile(r"(?:19[5-9]|20[0-9])[0-9]")
_BOTH_IN_TWO: Final = re.compile(r"[0-3][0-9]\.[01][0-9]")


@dataclass
class Grid:
    """A sheet with a column for each person. `places` says of each row where it stands in the file, empty where that is its
    number alone."""

    shape: str
    rows: Rows
    places: list[Said | str] = field(default_factory=list)
    left_out: list[Remark] = field(default_factory=list)


def shape_of(rows: Rows) -> str:
    """What this looks like."""
    if _days_across(rows) is not None:
        return TURNED
    return LONG if _long_head(rows) is not None else AS_IS


def reshaped(rows: Rows, shape: str) -> Grid:
    """The sheet with a column for each person. Raises FileRefused where it has no such shape."""
    if shape == TURNED:
        return _turned(rows)
    if shape == LONG:
        return _gathered(rows)
    return Grid(AS_IS, rows)


def brings(points: Iterable[tuple[str, str]]) -> str:
    """What a part that is left out would have brought, as names with amounts; empty if nothing."""
    said = [
        f"{name} {cell}".strip()
        for name, cell in points
        if not is_absent(cell) and cell != UNCALCULATED and is_number(cell)
    ]
    if len(said) > NAMED:
        return ", ".join(said[:NAMED]) + " …"
    return ", ".join(said)


# --- Names down, days across ------------------------------------------------------------------------------------------


def _days_across(rows: Rows) -> int | None:
    """The index of the row in which days stand side by side, None where they stand below each other or nowhere."""
    labels = [[index for index, cell in enumerate(row) if _is_label(cell)] for row in rows[:HEADINGS]]
    below = max(sum(_is_label(cell_of(row, index)) for row in rows[:SAMPLE]) for index in range(3))
    for index, found in enumerate(labels):
        named = any(text_key(cell) in NAMES for cell in rows[index])
        enough = len(found) > max(1, 0 if named else below) or (found and named and below <= 1)
        if enough and _names_column(rows, index, found[0]) is not None:
            return index
    return None


def _is_label(cell: str) -> bool:
    """A day, or the number of an evening, and no points."""
    if not cell:
        return False
    return numbered(cell) is not None or (is_day(cell) and (not is_number(cell) or bool(_BOTH_IN_TWO.fullmatch(cell))))


def _names_column(rows: Rows, head: int, before: int) -> int | None:
    """The column called so, else the first one before the days with words in most of its cells."""
    for index in range(before):
        if text_key(cell_of(rows[head], index)) in NAMES:
            return index
    below = [row for row in rows[head + 1 :] if any(row)]
    for index in range(before):
        words = sum(is_word(cell_of(row, index)) for row in below)
        if words and 2 * words > len(below):
            return index
    return None


def _turned(rows: Rows) -> Grid:
    head = _days_across(rows)
    labels = [] if head is None else _labels(rows[head])
    names = None if head is None else _names_column(rows, head, labels[0])
    if head is None or names is None:
        raise FileRefused(_("Auf diesem Blatt stehen keine Tage nebeneinander über den Punkten."))
    heads = [head, *(at for at in range(head + 1, len(rows)) if _is_head_again(rows, head, at, names))]
    grids = [_turned_part(rows, at, end, names) for at, end in pairwise([*heads, len(rows)])]
    if len(grids) == 1:
        return grids[0]
    for at, grid in zip(heads, grids, strict=True):
        grid.places = [
            place and Said(gettext_noop("%(column)s ab %(row)s"), {"column": place, "row": row_called(at + 1)})
            for place in grid.places
        ]
    return _of_all(grids)


def _labels(row: Sequence[str]) -> list[int]:
    return [index for index, cell in enumerate(row) if _is_label(cell)]


def _is_head_again(rows: Rows, head: int, at: int, names: int) -> bool:
    """Do days stand side by side here once more, under the same heading of the names?"""
    same = text_key(cell_of(rows[at], names)) == text_key(cell_of(rows[head], names))
    return same and len(_labels(rows[at])) > 1


def _of_all(grids: Sequence[Grid]) -> Grid:
    """Several parts as one, each person in one column. Raises FileRefused where somebody is twice in one of them."""
    for grid in grids:
        times = Counter(name_key(name) for name in grid.rows[0][1:])
        if twice := next((name for name in grid.rows[0][1:] if times[name_key(name)] > 1), ""):
            said = _("„%(name)s“ steht zweimal unter denselben Tagen. Bitte jeder Person dort eine Zeile geben.")
            raise FileRefused(said % {"name": twice})
    names = {name_key(name): name for grid in grids for name in grid.rows[0][1:]}
    found = Grid(TURNED, [[grids[0].rows[0][0], *names.values()]], [""])
    for grid in grids:
        at = {name_key(name): index for index, name in reversed(list(enumerate(grid.rows[0])))}
        found.rows += [[row[0], *(row[at[who]] if who in at else "" for who in names)] for row in grid.rows[1:]]
        found.places += grid.places[1:]
        found.left_out += grid.left_out
    return found


def _turned_part(rows: Rows, head: int, end: int, names: int) -> Grid:
    labels = _labels(rows[head])
    years = _years_above(rows[head - 1]) if head else {}
    people = [(number, row) for number, row in enumerate(rows[head + 1 : end], head + 2) if any(row)]
    named = [(number, row) for number, row in people if cell_of(row, names)]
    heading = _("Abend") if all(numbered(rows[head][index]) is not None for index in labels) else _("Datum")
    grid = Grid(TURNED, [[heading, *(cell_of(row, names) for _number, row in named)]], [""])
    # What everybody began with is a row of its own, as it is where days stand below each other.
    begun = [index for index, cell in enumerate(rows[head]) if index != names and START.match(text_key(cell))]
    for index in sorted({*labels, *begun}):
        said = _with_year(rows[head][index], years.get(index))
        grid.rows.append([said, *(cell_of(row, index) for _number, row in named)])
        grid.places.append(_column_called(index))
    for index in range(max(map(len, rows[head:end]))):
        if index not in labels and index not in begun and index != names:
            grid.left_out += _left_column(
                index, cell_of(rows[head], index), [(cell_of(r, names), cell_of(r, index)) for _n, r in named]
            )
    for number, row in people:
        if not cell_of(row, names) and (
            would := brings((cell_of(rows[head], index), cell_of(row, index)) for index in labels)
        ):
            grid.left_out.append(Remark(number, Said(NAMELESS, {"points": would})))
    return grid


def _years_above(row: Sequence[str]) -> dict[int, str]:
    """The year that stands above each column, in the first of those it belongs to."""
    years, last = {}, ""
    for index in range(max(len(row), 60)):
        cell = cell_of(row, index)
        last = cell if _YEAR.fullmatch(cell) else last
        if last:
            years[index] = last
    return years


def _with_year(said: str, year: str | None) -> str:
    if _BOTH_IN_TWO.fullmatch(said):
        said += "."
    if year is None or _YEAR.search(said) or numbered(said) is not None or not said.endswith("."):
        return said
    return said + year


def _left_column(index: int, heading: str, cells: Sequence[tuple[str, str]]) -> Iterator[Remark]:
    if not (would := brings(cells)):
        return
    place = _column_called(index)
    if heading:
        place = Said(gettext_noop("Spalte %(column)s („%(name)s“)"), {"column": column_name(index), "name": heading})
    yield Remark(0, Said(OF_NO_EVENING, {"points": would}), place)


def _column_called(index: int) -> Said:
    return Said(gettext_noop("Spalte %(column)s"), {"column": column_name(index)})


# --- A row for each person and evening --------------------------------------------------------------------------------


@dataclass(frozen=True)
class _LongHead:
    """Where a long table has its headings, and in which columns what it says stands: names with their points once in each row, or
    several times beside each other."""

    row: int
    day: int
    pairs: Sequence[tuple[int, int]]
    game: int | None

    def entries(self, rows: Rows, names_once: bool = False) -> Iterator[tuple[int, tuple[str, str], str, str]]:
        """The number of each row, its evening with its game, a name and points."""
        day = name = ""
        for number, row in enumerate(rows[self.row + 1 :], self.row + 2):
            if row == rows[self.row]:
                continue  # the headings once more
            day = cell_of(row, self.day) or day
            game = "" if self.game is None else cell_of(row, self.game)
            for name_at, points_at in self.pairs:
                name = cell_of(row, name_at) or (name if names_once else "")
                yield number, (day, game), name, cell_of(row, points_at)


def _long_head(rows: Rows) -> _LongHead | None:
    for index, row in enumerate(rows[:HEADINGS]):
        keys = [text_key(cell).rstrip(" .:0123456789") for cell in row]
        body = [entry for entry in rows[index + 1 :] if any(entry)]
        day = next((at for at, key in enumerate(keys) if key in DATES or "datum" in key), None)
        names = [at for at, key in enumerate(keys) if key in NAMES]
        # Points before sums of points.
        points = [at for at, key in enumerate(keys) if OF_EACH.match(key) or key in POINT_HEADINGS]
        points.sort(key=lambda at: bool(TOTALS.match(keys[at])))
        if day is None and names:
            day = next((at for at in range(len(row)) if at not in names and _are_days(body, at)), None)
        if day is None or not points:
            continue
        if not names and (words := _words(body, {day, *points})) is not None:
            names = [words]
        if not names and len(points) > 1 and all(at and _are_words(body, at - 1) for at in points):
            names = [at - 1 for at in sorted(points)]
        pairs = [(names[0], points[0])] if len(names) == 1 else _beside_each_other(names, points)
        if pairs and all(_is_long(body, *pair) for pair in pairs):
            game = next((at for at, cell in enumerate(row) if text_key(cell) in GAMES), None)
            return _LongHead(index, day, pairs, game)
    return None


def _beside_each_other(names: Sequence[int], points: Sequence[int]) -> list[tuple[int, int]]:
    """Each name with the points behind it; empty where anybody has none."""
    spans = pairwise([*names, max([*names, *points]) + 1])
    behind = [(name, sorted(at for at in points if name < at < until)) for name, until in spans]
    return [(name, found[0]) for name, found in behind if found] if all(found for _name, found in behind) else []


def _are_days(body: Rows, index: int) -> bool:
    cells = [cell for row in body if (cell := cell_of(row, index))]
    return 2 * sum(is_day(cell) and not is_number(cell) for cell in cells) > len(cells)


def _are_words(body: Rows, index: int) -> bool:
    cells = [cell for row in body if (cell := cell_of(row, index))]
    return bool(cells) and all(map(is_word, cells))


def _words(body: Rows, but: set[int]) -> int | None:
    """The one column of words that come again and again."""
    found = []
    for index in range(max(map(len, body), default=0)):
        cells = [cell_of(row, index) for row in body]
        words = list(filter(is_word, cells))
        if index not in but and len(words) == len(cells) and len(set(words)) < len(words):
            found.append(index)
    return found[0] if len(found) == 1 else None


def _is_long(body: Rows, name: int, points: int) -> bool:
    rows = [row for row in body if is_word(cell_of(row, name))]
    return 2 * len(rows) > len([row for row in body if cell_of(row, name)]) and 2 * sum(
        is_number(cell_of(row, points)) for row in rows
    ) > len(rows)


def _gathered(rows: Rows) -> Grid:
    head = _long_head(rows)
    if head is None:
        raise FileRefused(_("Auf diesem Blatt fehlen Spalten „Datum“, „Name“ und „Punkte“."))
    names: dict[str, str] = {}
    evenings: dict[tuple[tuple[str, str], int], dict[str, tuple[str, int]]] = {}
    left: list[Remark] = []
    repeated = _repeated(rows, head)
    times: Counter[tuple[tuple[str, str], str]] = Counter()
    for number, evening, name, points in head.entries(rows, names_once=_says_names_once(rows, head)):
        if not name:
            if would := brings([("", points)]):
                left.append(Remark(number, Said(NAMELESS, {"points": would})))
            continue
        if number in repeated:
            same = {"where": row_called(repeated[number]), "name": name, "points": points}
            left.append(Remark(number, Said(AGAIN, same)))
            continue
        who = name_key(name)
        names.setdefault(who, name)
        again = times[evening, who]
        times[evening, who] += 1
        evenings.setdefault((evening, again), {})[who] = (points, number)
    grid = Grid(LONG, [[cell_of(rows[head.row], head.day), *names.values()]], [""], left)
    for ((said, _game), _again), found in evenings.items():
        grid.rows.append([said, *(found[who][0] if who in found else "" for who in names)])
        grid.places.append(_rows_of([number for _points, number in found.values()]))
    others = set(range(max(map(len, rows[head.row :])))) - {head.day, head.game, *chain(*head.pairs)}
    for index in sorted(others):
        cells = [("", cell_of(row, index)) for row in rows[head.row + 1 :]]
        grid.left_out += _left_column(index, cell_of(rows[head.row], index), cells)
    return grid


def _repeated(rows: Rows, head: _LongHead) -> dict[int, int]:
    """The rows that say of an evening what another one above has said, each with that one; none where people have so many rows on a
    day that these are games."""
    seen: dict[tuple[tuple[str, str], str, str], int] = {}
    found: dict[int, int] = {}
    people: Counter[tuple[tuple[str, str], str]] = Counter()
    for number, evening, name, points in head.entries(rows):
        if not (name and points):
            continue
        people[evening, name_key(name)] += 1
        if (first := seen.setdefault((evening, name_key(name), points), number)) != number:
            found[number] = first
    few = FEW_REPEATED * (people.total() - len(people)) <= people.total()
    return found if few and len(head.pairs) == 1 else {}


def _says_names_once(rows: Rows, head: _LongHead) -> bool:
    """Does each name stand above the evenings of that person, all of which say their day?"""
    name_at, points_at = head.pairs[0]
    body = [row for row in rows[head.row + 1 :] if cell_of(row, points_at)]
    name, found = "", []
    for row in body:
        name = cell_of(row, name_at) or name
        found.append((name, cell_of(row, head.day)))
    once = sum(bool(cell_of(row, name_at)) for row in body)
    return 2 * once <= len(body) and all(map(all, found)) and len(set(found)) == len(found)


def _rows_of(numbers: Sequence[int]) -> Said:
    first, last = min(numbers), max(numbers)
    if first == last:
        return row_called(first)
    return Said(gettext_noop("Zeilen %(first)s bis %(last)s"), {"first": first, "last": last})


# --- Several tables on one sheet --------------------------------------------------------------------------------------


# Other words may stand once in front of a day and once behind it.
_OF_DAYS: Final = ({"datum", "date"}, *({word} for word in sorted(DAYS)))
_YEAR_ALONE: Final = re.compile(r"(?:19|20)[0-9]{2}$")
# A list has so many days, and rows with so many numbers.
FEWEST_IN_A_LIST: Final = 2


def without_standings(rows: Rows) -> tuple[Rows, list[Remark]]:
    """The sheet without its tables of how everybody stands, each with what it says; all of it where nothing else is there."""
    rest, left_out = [list(row) for row in rows], []
    for at, row in enumerate(rows):
        for start, end in _runs(row):
            keys = [text_key(cell) for cell in row[start:end]]
            name = next((start + nth for nth, key in enumerate(keys) if key in NAMES), None)
            if name is None or not _is_of_standings(keys):
                continue
            last = at + 1
            while last < len(rows) and is_word(cell_of(rows[last], name)):
                last += 1
            points = next(start + nth for nth, key in enumerate(keys) if _is_of_points(key))
            would = brings((cell_of(found, name), cell_of(found, points)) for found in rows[at + 1 : last])
            if not would:
                continue
            for found in rest[at:last]:
                found[start:end] = [""] * len(found[start:end])
            at_column = {"row": row_called(at + 1), "column": column_name(start)}
            where = Said(gettext_noop("Tabelle ab %(row)s, Spalte %(column)s"), at_column)
            left_out.append(Remark(0, Said(OF_NO_EVENING, {"points": would}), where))
    return (rest, left_out) if left_out and _is_list(rest) else (rows, [])


def _runs(row: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The cells of a row that stand next to each other, by where they begin and end."""
    starts = [index for index, cell in enumerate(row) if cell and not (index and row[index - 1])]
    ends = [index for index in range(1, len(row) + 1) if row[index - 1] and not cell_of(row, index)]
    return zip(starts, ends, strict=True)


def _is_of_standings(keys: Sequence[str]) -> bool:
    """Are these headings of how everybody stands, and of no day?"""
    known = all(key in NAMES or OTHERS.match(key) or _is_of_points(key) for key in keys)
    return known and any(map(_is_of_points, keys)) and not DAYS & set(keys)


def _is_of_points(key: str) -> bool:
    return key in POINT_HEADINGS or any(pattern.match(key) for pattern in (TOTALS, STANDING, _YEAR_ALONE))


def _is_list(rows: Rows) -> bool:
    """Are there days, and rows with points?"""
    days = sum(is_when(cell) for row in rows for cell in row)
    points = sum(sum(is_amount(cell) for cell in row) > 1 for row in rows)
    return min(days, points) >= FEWEST_IN_A_LIST


def side_by_side(rows: Rows) -> Grid | None:
    """Lists that stand side by side, each with its days and names, one below the other; None where there is one alone."""
    for head, row in enumerate(rows[:HEADINGS]):
        for headings in _OF_DAYS:
            starts = [index for index, cell in enumerate(row) if text_key(cell) in headings]
            spans = list(pairwise([*starts, len(row)]))
            enough = len(spans) > 1 and all(sum(map(bool, row[start:end])) > 2 for start, end in spans)
            if enough and (headings == _OF_DAYS[0] or all(says_days(rows, head, start) for start in starts)):
                return _stacked(rows, head, spans)
    return None


def says_days(rows: Rows, head: int, index: int) -> bool:
    """Do days stand below this heading that say their month?"""
    said = [cell for row in rows[head + 1 :] if (cell := cell_of(row, index))]
    return 2 * sum(map(is_day, said)) > len(said)


def _stacked(rows: Rows, head: int, spans: Sequence[tuple[int, int]]) -> Grid:
    """Each person in one column. The year above a list stands above its days."""
    row = rows[head]
    names = {name_key(cell): cell for start, end in spans for cell in row[start:end] if cell}
    for start, end in spans:
        _refuse_one_twice(rows, head, range(start, end))
    grid = Grid(AS_IS, [*map(list, rows[: max(head - 1, 0)]), [], list(names.values())], [""] * (max(head - 1, 0) + 2))
    where = gettext_noop("%(row)s ab Spalte %(column)s")
    for start, end in spans:
        at = {name_key(row[index]): index for index in range(end - 1, start - 1, -1) if row[index]}
        above = next((cell for found in rows[:head] for cell in found[start:end] if year_in(cell)), "")
        if above:
            grid.rows.append([above])
            grid.places.append("")
        for number, found in enumerate(rows[head + 1 :], head + 2):
            if any(found[start:end]):
                grid.rows.append([cell_of(found, at[name]) if name in at else "" for name in names])
                grid.places.append(Said(where, {"row": row_called(number), "column": column_name(start)}))
    return grid


def _refuse_one_twice(rows: Rows, head: int, columns: range) -> None:
    """Raises FileRefused where two of these columns have one name, and both of them numbers in some row."""
    for one, other in combinations(columns, 2):
        name = cell_of(rows[head], other)
        both = ((cell_of(row, one), cell_of(row, other)) for row in rows[head + 1 :])
        if (
            is_word(name)
            and text_key(name) == text_key(cell_of(rows[head], one))
            and any(all(is_amount(cell) for cell in cells) for cells in both)
        ):
            said = _(
                "„%(name)s“ steht zweimal in einer Kopfzeile. Bitte in der Datei eine der Spalten umbenennen oder beide "
                "zusammenzählen."
            )
            raise FileRefused(said % {"name": name})


# --- A table below each day -------------------------------------------------------------------------------------------


FEWEST_BLOCKS: Final = 2


def in_one_table(rows: Rows, name: str) -> Rows:
    """A day, a name and points in each row, where days stand alone above names with points, or the `name` of the sheet is one;
    else the rows as they are."""
    days = [at for at, row in enumerate(rows) if len(_filled(row)) == 1 and is_when(_filled(row)[0])]
    day, first = (name, 0) if _is_evening(name, rows) else ("", days[0] if len(days) >= FEWEST_BLOCKS else len(rows))
    if any(is_amount(cell) for row in rows[:first] for cell in row):
        return rows
    found: Rows = [[] for _row in rows]
    head, points = None, None
    for at in range(first, len(rows)):
        said = _filled(rows[at])
        is_head = bool(said) and all(map(_is_heading, said))
        if at in days:
            day, points = said[0], None
        elif is_head:
            points = next((index for index, cell in enumerate(rows[at]) if text_key(cell) in POINT_HEADINGS), None)
        elif said:
            row = _of_somebody(rows[at], points)
            if row is None and any(map(is_amount, said)):
                return rows
            found[at] = [day, *row] if row else []
        if head is None and (at in days or is_head):
            head = at
    if head is None or not any(found):
        return rows
    found[head] = ["Datum" if is_day(day) else "Abend", "Name", "Punkte"]
    return found


def _is_evening(name: str, rows: Rows) -> bool:
    """Is this sheet called by its evening, and says what everybody has in it?"""
    heads = (set(map(text_key, row)) for row in rows)
    return is_when(name) and not TOTALS.match(text_key(name)) and any(NAMES & keys and POINT_HEADINGS & keys for keys in heads)


def _filled(row: Sequence[str]) -> list[str]:
    return [cell for cell in row if cell]


def _is_heading(cell: str) -> bool:
    key = text_key(cell)
    return key in NAMES or key in POINT_HEADINGS or bool(OTHERS.match(key))


def _of_somebody(row: Sequence[str], points: int | None) -> list[str] | None:
    """A name and points: those in their column, else the one number behind the name."""
    name = next((index for index, cell in enumerate(row) if is_word(cell)), len(row))
    behind = [cell for cell in row[name + 1 :] if cell]
    if points is not None and name < points < len(row):
        behind = [row[points]]
    if len(behind) != 1 or not is_number(behind[0]) or TOTALS.match(text_key(row[name])):
        return [] if name < len(row) and TOTALS.match(text_key(row[name])) else None
    return [row[name], behind[0]]


# --- Days above their rows --------------------------------------------------------------------------------------------


def with_days_above(rows: Rows) -> Rows:
    """The rows with the day above them in the first one of each evening; as they are where they say it themselves."""
    alone = {at: cell for at, row in enumerate(rows) if (cell := _alone(row)) and is_when(cell)}
    played = [at for at, row in enumerate(rows) if sum(map(is_amount, row)) > 1]
    first = min(played, default=0)
    head = next((at for at in range(first - 1, -1, -1) if sum(map(bool, rows[at])) > 1), None)
    said = any(is_when(cell) for at, row in enumerate(rows) if at not in alone for cell in row)
    if head is None or said or not alone or min(alone) > first:
        return rows
    at_end = max(map(len, rows))
    heading = "Datum" if any(map(is_day, alone.values())) else "Abend"
    found, day = [], ""
    for at, row in enumerate(rows):
        day = alone.get(at, day)
        cells = [*row, *[""] * (at_end - len(row))]
        if at == head:
            found.append([*cells, heading])
        elif at in alone:
            found.append([])
        elif at in played:
            found.append([*cells, day])
            day = ""
        else:
            found.append(row)
    return found


def _alone(row: Sequence[str]) -> str:
    cells = [cell for cell in row if cell]
    return cells[0] if len(cells) == 1 else ""


# --- Refused layouts --------------------------------------------------------------------------------------------------


# So many games beside each other are a list of them.
FEWEST_GAMES: Final = 3
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
            and len(games) >= FEWEST_GAMES
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
    others = [key for key in keys if key not in POINT_HEADINGS | {"datum", "date"} and not TOTALS.match(key)]
    has_both = bool({"datum", "date"} & set(keys)) and bool(POINT_HEADINGS & set(keys))
    return has_both and all(OTHERS.match(key) and key not in NAMES for key in others)

