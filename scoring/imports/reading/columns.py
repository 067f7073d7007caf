"""Columns: their headings, and which of them hold the points of a person."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import combinations, pairwise
from typing import Final

from django.db.models import TextChoices
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.core.names import name_key
from scoring.core.text import text_key

from .cells import (
    DAY_HEADINGS,
    DAYS,
    GUEST_MARK,
    HEADING_ROWS,
    NAME_HEADINGS,
    OTHER_HEADING_OF_PERSON,
    OTHER_HEADINGS,
    POINT_HEADINGS,
    POINTS_BESIDE_NAME,
    RANK_BESIDE_NAME,
    SUM_HEADING,
    TOTAL_LABELS,
    CellRefused,
    begins_with_number,
    find_headings,
    get_cell,
    is_absent,
    is_day,
    is_number,
    read_points,
)
from .file_formats import Rows
from .uploads import FileRefused

# How many different words may stand below the names if each person has several columns.
MAX_BELOW_A_NAME: Final = 4
# With fewer people a word above each of them proves nothing.
MIN_ABOVE: Final = 3
_SIGNS_AFTER: Final = re.compile(r"[ *:°¹²³]+$")


def name_columns(rows: Rows, head: int, names: dict[int, str], known: Collection[str]) -> set[int]:
    """Update `names` (by column) if people have several columns below their names, or names in two rows.
    Return the columns of people that are not their points. `known` are name keys of players, who are people whatever their names
    mean. Raise FileRefused if people have several columns and none is headed as points."""
    below = [text_key(name) for name in names.values() if name and text_key(name) not in DAY_HEADINGS]
    above = rows[head - 1] if head else []
    if len(set(below)) > MAX_BELOW_A_NAME or len(below) < 2 * len(set(below)) or len(list(filter(None, above))) < 2:
        _add_first_names(above, names, known)
        return set()
    points = next((word for word in below if word in POINT_HEADINGS), below[0])
    over = [get_cell(above, index) for index, name in names.items() if name]
    if points not in POINT_HEADINGS and all(over[1:]) and all(one != other for one, other in pairwise(over)):
        _add_first_names(above, names, known)
        return set()
    if len(set(below)) > 1 and points not in POINT_HEADINGS:
        sentence = _(
            "Unter jedem Namen stehen mehrere Spalten (%(words)s), und keine heißt „Punkte“. Bitte in der Datei die mit den "
            "Punkten so nennen."
        )
        raise FileRefused(sentence % {"words": ", ".join(dict.fromkeys(below))})
    beside, last = set(), ""
    for index, name in names.items():
        last = get_cell(above, index) or last
        if not name:
            names[index] = get_cell(above, index)
        elif text_key(name) == points:
            names[index] = last
        elif text_key(name) in below:
            names[index] = f"{last} · {name}"
            beside.add(index)
    return beside


def _add_first_names(above: Sequence[str], names: dict[int, str], known: Collection[str]) -> None:
    """Put the words above the names before them, if names repeat without these words or if all have one."""
    people = {index: name for index, name in names.items() if name and not is_no_name(name, known)}
    times = Counter(name_key(name) for name in people.values())
    again = [index for index, name in people.items() if times[name_key(name)] > 1]
    has_above = [index for index in people if is_name(get_cell(above, index))]
    above_each = {name_key(get_cell(above, index)) for index in has_above}
    heading = next((text_key(cell) for index, cell in enumerate(above) if cell and index not in people), "")
    is_of_names = not heading or heading in NAME_HEADINGS | {"vorname", "datum", "date"}
    all_have = is_of_names and len(people) == len(has_above) >= MIN_ABOVE and len(above_each) >= len(people) - 1
    if not set(again) <= set(has_above) or not (again or all_have):
        return
    whole = {index: f"{get_cell(above, index)} {name}".strip() for index, name in people.items()}
    if len({name_key(name) for name in whole.values()}) == len(people):
        names |= whole


def strip_names(names: dict[int, str], known: Collection[str]) -> set[int]:
    """Strip ranks and words for points (if all names have one), signs and marks of guests from `names`; return the guests."""
    people = {index: name for index, name in names.items() if name and not is_no_name(name, known)}
    for pattern in (RANK_BESIDE_NAME, POINTS_BESIDE_NAME):
        headings = dict(people)
        if pattern is POINTS_BESIDE_NAME:
            # "Anton Siege" beside "Anton Punkte" is another column of the same person.
            beside = (SUM_HEADING, OTHER_HEADING_OF_PERSON)
            headings = {at: name for at, name in people.items() if not any(word.search(text_key(name)) for word in beside)}
        without = {index: pattern.sub("", name) for index, name in headings.items()}
        if all(without[index] not in ("", name) for index, name in headings.items()) and _are_different(people | without):
            people |= without
    guests = {index for index, name in people.items() if GUEST_MARK.search(text_key(name))}
    without = {index: _strip_name(name) for index, name in people.items()}
    names |= without if _are_different(without) else people
    return guests


def _strip_name(name: str) -> str:
    match = GUEST_MARK.search(name) or GUEST_MARK.search(name.casefold())
    plain = name if match is None else match["name"] or match["of"] or name[: match.start()]
    return _SIGNS_AFTER.sub("", plain).strip() or name


def _are_different(names: dict[int, str]) -> bool:
    return len({name_key(name) for name in names.values()}) == len(names)


def is_no_name(name: str, known: Collection[str] = ()) -> bool:
    """Return whether this is a word for something else, and not one of the `known` name keys."""
    if name_key(name) in known:
        return False
    key = text_key(name).rstrip(":")
    return key in DAY_HEADINGS or bool(TOTAL_LABELS.match(key) or OTHER_HEADINGS.match(key)) or not is_name(name)


def is_name(cell: str) -> bool:
    """Return whether this has letters and is neither a day nor a number."""
    return any(map(str.isalpha, cell)) and not is_day(cell) and not (is_number(cell) and any(map(str.isdigit, cell)))


# --- Columns of people ------------------------------------------------------------------------------------------------

# With fewer rows or people the sums without a column prove nothing.
MIN_ROWS: Final = 3
MIN_PEOPLE: Final = 4
MIN_COMPLETED: Final = 2
# How many columns may hold money or counts, and among how many columns they are searched.
MAX_BESIDE: Final = 3
MAX_TRIED: Final = 8


class Exclusion(TextChoices):
    """The reason why a column is not a person's points."""

    SUM = "sum", gettext_lazy("eine Summe")
    OTHER = "other", gettext_lazy("keine Person")
    NO_HEADING = "no_heading", gettext_lazy("ohne Überschrift")
    NO_NAME = "no_name", gettext_lazy("kein Name")
    EMPTY = "empty", gettext_lazy("ohne Punkte")
    WORDS = "words", gettext_lazy("keine Zahlen")
    ZEROS = "zeros", gettext_lazy("nur Nullen")
    CALLED_BEFORE = "called_before", gettext_lazy("dieser Name steht schon in einer Spalte davor")
    BESIDE_POINTS = "beside_points", gettext_lazy("keine Punkte")
    SPOILS_SUMS = "spoils_sums", gettext_lazy("ohne diese Spalte ergeben die Zeilen null")


def find_exclusion(name: str, cells: Sequence[str], seen: Collection[str], known: Collection[str] = ()) -> Exclusion | None:
    """Return why a column with this heading is not a person's; None if it could be. `seen` and `known` are name keys."""
    key = text_key(name).rstrip(":")
    is_known = name_key(name) in known
    if TOTAL_LABELS.match(key) and not is_known:
        return Exclusion.SUM
    if (OTHER_HEADINGS.match(key) or key in DAYS) and not is_known:
        return Exclusion.OTHER
    if not name:
        return Exclusion.NO_HEADING
    if is_day(name) or (is_number(name) and any(map(str.isdigit, name))):
        return Exclusion.NO_NAME
    if all(map(is_absent, cells)):
        return Exclusion.EMPTY
    if 2 * sum(is_number(cell) or begins_with_number(cell) for cell in cells) <= len(cells):
        return Exclusion.WORDS
    if len(cells) >= MIN_ROWS and not any(cell.strip("0,.") for cell in cells):
        return Exclusion.ZEROS
    if name_key(name) in seen:
        return Exclusion.CALLED_BEFORE
    return None


def is_running_total(points: int, sums: int, body: Sequence[Sequence[str]]) -> bool:
    """Return whether the column `sums` is the running total of the column `points`."""
    total, count = 0, 0
    for row in body:
        total += _read_points(row, points)
        if _is_filled(row, sums):
            count += 1
            if _read_points(row, sums) != total:
                return False
    return count >= MIN_ROWS


def find_completing_columns(people: Sequence[int], others: Sequence[int], body: Sequence[Sequence[str]]) -> set[int]:
    """Return the columns among `others` with which the rows sum to zero, while hardly any row does without them."""
    rows = [[_read_points(row, index) for index in people] for row in body]
    completing = set()
    for index in others:
        sums = [(sum(row), _read_points(cells, index)) for row, cells in zip(rows, body, strict=True) if _is_filled(cells, index)]
        whole = sum(without + own == 0 for without, own in sums)
        if len(sums) >= MIN_COMPLETED and 5 * whole >= 4 * len(sums) and 5 * sum(not one for one, _own in sums) <= len(sums):
            completing.add(index)
    return completing


def find_spoiling_columns(people: Sequence[int], body: Sequence[Sequence[str]]) -> set[int]:
    """Return the columns without which the rows sum to zero, while hardly any row does with them: money or counts."""
    rows = [row for cells in body if len(row := {index: points for index in people if (points := _read_points(cells, index))}) > 1]
    spoiling: set[int] = set()
    while more := _find_spoiling([index for index in people if index not in spoiling], rows):
        spoiling |= more
        rows = [{index: points for index, points in row.items() if index not in more} for row in rows]
    return spoiling


def _find_spoiling(people: Sequence[int], rows: Sequence[Mapping[int, int]]) -> set[int]:
    """Return one column, or several that are never negative, as no column of points is for long."""
    never_less = [index for index in people if all(row.get(index, 0) >= 0 for row in rows)]
    for size in range(1, min(MAX_BESIDE, len(people) + 1 - MIN_PEOPLE) + 1):
        for columns in combinations(people if size == 1 else never_less[:MAX_TRIED], size):
            theirs = [row for row in rows if any(index in row for index in columns)]
            sums = [sum(row.values()) for row in theirs]
            without = sum(total == sum(row.get(index, 0) for index in columns) for total, row in zip(sums, theirs, strict=True))
            if len(theirs) >= MIN_ROWS and 5 * sums.count(0) <= len(theirs) and 5 * without >= 4 * len(theirs):
                return set(columns)
    return set()


def build_ranks_refusal() -> FileRefused:
    return FileRefused(_(
        "In den Zellen steht nur, wer da oder auf welchem Platz war, und keine Punkte: Daraus wird keine Liste. Bitte "
        "in der Datei die Punkte jedes Abends schreiben; sind nur Summen übrig, „Anfangsstand eingeben“."
    ))


def refuse_ranks(people: Sequence[int], body: Sequence[Sequence[str]]) -> None:
    """Raise FileRefused if every row has only ranks, or only marks of attendance."""
    rows = [sorted(ranks) for row in body if len(ranks := [_rank(row, index) for index in people if _is_filled(row, index)]) > 1]
    if len(rows) > 1 and (all(map(_are_ranks, rows)) or all({*ranks} <= {0, 1} for ranks in rows)):
        raise build_ranks_refusal()


def _is_filled(row: Sequence[str], index: int) -> bool:
    return index < len(row) and not is_absent(row[index])


def _rank(row: Sequence[str], index: int) -> int:
    text = row[index].removesuffix(".")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 3 else -1


def _are_ranks(ranks: Sequence[int]) -> bool:
    return ranks[0] == 1 < ranks[-1] and all(rank in (ranks[nth], ranks[nth] + 1, nth + 2) for nth, rank in enumerate(ranks[1:]))


def _read_points(row: Sequence[str], index: int) -> int:
    try:
        return read_points(get_cell(row, index)) or 0
    except CellRefused:
        return 0


# --- Two columns that are one -----------------------------------------------------------------------------------------

FIRST_NAMES: Final = frozenset({"vorname", "vornamen"})
LAST_NAMES: Final = frozenset({"nachname", "nachnamen", "name", "familienname", "zuname"})
WON: Final = frozenset({"+", "plus"})
LOST: Final = frozenset({"-", "–", "−", "minus"})


def join_names(rows: Rows) -> Rows:
    """Join first and last names, which are in two columns or in two rows, each with a heading."""
    for at, first in find_headings(rows, FIRST_NAMES):
        row = rows[at]
        last = next((index for index, cell in enumerate(row) if text_key(cell) in LAST_NAMES), None)
        if last is not None:
            return [*rows[:at], *(_join_name(other, first, last) for other in rows[at:])]
        for other in (at - 1, at + 1):
            if 0 <= other < len(rows) and text_key(get_cell(rows[other], first)) in LAST_NAMES:
                width = max(len(row), len(rows[other]))
                names = [f"{get_cell(row, index)} {get_cell(rows[other], index)}".strip() for index in range(width)]
                names[first] = "Datum"
                changes = {max(at, other): names, min(at, other): []}
                return [changes.get(number, cells) for number, cells in enumerate(rows)]
    return rows


def _join_name(row: Sequence[str], first: int, last: int) -> list[str]:
    cells = [*row, *[""] * (max(first, last) + 1 - len(row))]
    whole = f"{cells[first]} {cells[last]}".strip()
    cells[first] = "Name" if text_key(cells[first]) in FIRST_NAMES else whole
    cells[last] = ""
    return cells


def join_signs(rows: Rows) -> tuple[Rows, str]:
    """Join the columns of won and lost points of each person; return also a note for the user, empty if there are none."""
    for at, row in enumerate(rows[:HEADING_ROWS]):
        above = rows[at - 1] if at else []
        pairs = {index: name for index in range(len(row) - 1) if (name := _find_owner(above, row, index))}
        keys = set(map(text_key, row))
        if not pairs and NAME_HEADINGS & keys and not POINT_HEADINGS & keys:
            # A long table has two columns for all people.
            pairs = {index: "Punkte" for index in range(len(row) - 1) if _are_signs(row, index)}
        if len(pairs) > 1 or "Punkte" in pairs.values():
            note = _("Plus und Minus stehen in eigenen Spalten: Für die Vorschau sind sie je Person zusammengefasst.")
            # The rows with only these names would be headings as well.
            titles = [[] if all(get_cell(cells, i) == name for i, name in pairs.items()) else cells for cells in rows[:at]]
            heads = [pairs.get(index, "" if index - 1 in pairs else cell) for index, cell in enumerate(row)]
            return [*titles, heads, *(_subtract(below, pairs) for below in rows[at + 1 :])], note
    return rows, ""


def _find_owner(above: Sequence[str], row: Sequence[str], index: int) -> str:
    """Return the name of the person whose two columns begin here, or an empty string."""
    won, lost = text_key(row[index]), text_key(row[index + 1])
    if _are_signs(row, index):
        return get_cell(above, index)
    name = row[index][:-1].strip() if won.endswith("+") else ""
    return name if name and text_key(row[index + 1][:-1]) == text_key(name) and lost[-1:] in LOST else ""


def _are_signs(row: Sequence[str], index: int) -> bool:
    return text_key(row[index]) in WON and text_key(row[index + 1]) in LOST


def _subtract(row: Sequence[str], pairs: Mapping[int, str]) -> list[str]:
    """Put won minus lost points in one cell; leave cells that are no numbers."""
    cells = list(row)
    for index in pairs:
        try:
            won, lost = read_points(get_cell(row, index)), read_points(get_cell(row, index + 1))
        except CellRefused:
            continue
        if index + 1 < len(cells):
            cells[index] = "" if won is None and lost is None else str((won or 0) - abs(lost or 0))
            cells[index + 1] = ""
    return cells

