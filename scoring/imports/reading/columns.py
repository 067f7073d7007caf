"""Columns: their headings, and which of them hold the points of a person."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations
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
    OTHER_COLUMN_OF_PERSON,
    OTHER_HEADINGS,
    POINT_HEADINGS,
    POINTS_BESIDE_NAME,
    RANK_BESIDE_NAME,
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
_SIGNS_AFTER: Final = re.compile(r"[ *:°¹²³]+$")


def name_columns(above: Sequence[str], names: dict[int, str]) -> set[int]:
    """Give the columns of points the names `above` them if people have several columns each, and return the other columns.
    `names` are the headings by column. Raise FileRefused if none of the columns is headed as points."""
    below = [key for name in names.values() if (key := text_key(name)) and key not in DAY_HEADINGS]
    words = list(dict.fromkeys(below))
    if len(words) > MAX_BELOW_A_NAME or len(below) < 2 * len(words) or sum(map(bool, above)) < 2:
        return set()
    points = next((word for word in words if word in POINT_HEADINGS), words[0])
    if len(words) > 1 and points not in POINT_HEADINGS:
        sentence = _(
            "Unter jedem Namen stehen mehrere Spalten (%(words)s), und keine heißt „Punkte“. Bitte in der Datei die mit den "
            "Punkten so nennen."
        )
        raise FileRefused(sentence % {"words": ", ".join(words)})
    beside, last = set(), ""
    for index, name in names.items():
        last = get_cell(above, index) or last
        if not name:
            names[index] = get_cell(above, index)
        elif text_key(name) == points:
            names[index] = last
        elif text_key(name) in words:
            names[index] = f"{last} · {name}"
            beside.add(index)
    return beside


def strip_names(names: dict[int, str], known: Collection[str]) -> set[int]:
    """Strip ranks and words for points (if all names have one), signs and marks of guests from `names`; return the guests."""
    people = {index: name for index, name in names.items() if name and not is_no_name(name, known)}
    # "Anton Siege" beside "Anton Punkte" is another column of the same person.
    own = {index: name for index, name in people.items() if not OTHER_COLUMN_OF_PERSON.search(text_key(name))}
    for pattern, headings in ((RANK_BESIDE_NAME, people), (POINTS_BESIDE_NAME, own)):
        without = {index: pattern.sub("", people[index]) for index in headings}
        if all(without[index] not in ("", people[index]) for index in headings) and _are_different(people | without):
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
    return key in DAY_HEADINGS | NAME_HEADINGS or bool(TOTAL_LABELS.match(key) or OTHER_HEADINGS.match(key)) or not is_name(name)


def is_name(cell: str) -> bool:
    """Return whether this has letters and is neither a day nor a number."""
    return any(map(str.isalpha, cell)) and not is_day(cell) and not (is_number(cell) and any(map(str.isdigit, cell)))


# --- Columns of people ------------------------------------------------------------------------------------------------

# With fewer rows or people the sums without a column prove nothing.
MIN_ROWS: Final = 3
MIN_PEOPLE: Final = 3
MIN_COMPLETED: Final = 2
MIN_COUNTED: Final = 4
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
    key, is_known = text_key(name).rstrip(":"), name_key(name) in known
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
    if len(cells) >= MIN_ROWS and not any(re.search("[1-9]", cell) for cell in cells):
        return Exclusion.ZEROS
    if name_key(name) in seen:
        return Exclusion.CALLED_BEFORE
    return None


def counts_rows(cells: Sequence[str]) -> bool:
    """Return whether these are the numbers 1, 2, 3 … in their order."""
    return len(cells) >= MIN_COUNTED and [cell.rstrip(".") for cell in cells] == [str(nth) for nth in range(1, len(cells) + 1)]


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


def weigh_columns(people: Collection[int], words: Collection[int], body: Sequence[Sequence[str]]) -> set[int]:
    """Return the columns of people by the sums of the rows, which hardly ever are zero with the columns `people`.
    Columns of `words` with which the rows sum to zero are people; columns without which they do are money or counts."""
    rows = [{index: points for index in (*people, *words) if (points := _read_points(cells, index))} for cells in body]
    chosen = set(people)
    for _step in range(MAX_TRIED):
        changed = next((columns for columns in _list_changes(chosen, words, rows) if _makes_zero(chosen, columns, rows)), set())
        chosen ^= changed
        if not changed:
            break
    return chosen


def _list_changes(chosen: set[int], words: Collection[int], rows: Sequence[Mapping[int, int]]) -> Iterator[set[int]]:
    """Yield the columns to add or remove: single ones, then several that are never negative, as no points are for long."""
    yield from ({index} for index in words if index not in chosen)
    never_less = [index for index in sorted(chosen) if all(row.get(index, 0) >= 0 for row in rows)]
    for size in range(1, min(MAX_BESIDE, len(chosen) - MIN_PEOPLE) + 1):
        yield from map(set, combinations(sorted(chosen) if size == 1 else never_less[:MAX_TRIED], size))


def _makes_zero(chosen: set[int], columns: set[int], rows: Sequence[Mapping[int, int]]) -> bool:
    """Return whether most rows with points in these columns sum to zero after the change, and hardly any before."""
    theirs = [row for row in rows if columns & row.keys() and len((chosen | columns) & row.keys()) > 1]
    before, after = (
        sum(not sum(points for index, points in row.items() if index in people) for row in theirs)
        for people in (chosen, chosen ^ columns)
    )
    enough = MIN_ROWS if columns <= chosen else MIN_COMPLETED
    return len(theirs) >= enough and 5 * before <= len(theirs) and 5 * after >= 4 * len(theirs)


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
    """Join first and last names that are in two columns."""
    for at, first in find_headings(rows, FIRST_NAMES):
        last = next((index for index, cell in enumerate(rows[at]) if text_key(cell) in LAST_NAMES), None)
        if last is not None:
            return [*rows[:at], *(_join_name(row, first, last) for row in rows[at:])]
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

