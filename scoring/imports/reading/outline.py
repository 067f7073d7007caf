"""The outline of a sheet: its row of headings, the column of the days, the columns of people, and whether a row is an evening or
a game. All of it is a proposal that users can change."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, zip_longest
from re import Pattern
from typing import Any, Final, NamedTuple

from django.db.models import TextChoices
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from scoring.core.names import name_key
from scoring.core.text import text_key
from scoring.imports.models import Import

from .cells import (
    ATTENDANCE,
    DAY_CHARACTERS,
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
    SUMMARY_LABELS,
    TOTAL_LABELS,
    WORDS_AND_NAMES,
    CellRefused,
    ParseAmount,
    begins_with_number,
    find_headings,
    format_column,
    get_cell,
    is_absent,
    is_amount,
    is_day,
    is_number,
    is_points,
    is_word,
    iter_rows_below,
    looks_like_euros,
    read_euros,
    read_points,
)
from .days import counts_evenings, find_day_of_month, is_span
from .file_formats import UNCALCULATED, Rows
from .uploads import FileRefused, build_opening_refusal

# The headings are in one of the first rows.
MAX_ABOVE: Final = 60
# With more columns of people the outline must be wrong.
MAX_PEOPLE: Final = 60
# How many people are named with the points of a row or column that is left out.
MAX_NAMED: Final = 4
# Headings of games.
_GAME: Final = re.compile(r"(?:spiel|runde|partie)(?: ?nr\.?)? ?[0-9]{1,3}\.?|[0-9]{1,3}\. ?(?:spiel|runde|partie)")
# With more rows on one day the rows are games, and so are rows of which most leave the day blank.
EVENINGS_A_DAY: Final = 3


class Phrase(NamedTuple):
    """A translatable sentence or place: a German template for `%`, and its values. It is stored as JSON."""

    text: str
    values: Mapping[str, Any] = {}

    def __str__(self) -> str:
        return _(self.text) % self.values if self.values else _(self.text)

    @classmethod
    def read(cls, stored: Any) -> Any:
        """Read a stored phrase. Earlier versions stored translated text, which is returned unchanged."""
        if not isinstance(stored, list):
            return stored
        text, values = stored
        return cls(text, {name: cls.read(value) for name, value in values.items()})


@dataclass(frozen=True)
class Remark:
    """A remark about one row of the file, counted from 1, or about another `place`; `column` is the column of its cell."""

    row: int
    phrase: Phrase | str
    place: Phrase | str = ""
    column: int | None = None

    @property
    def sentence(self) -> str:
        return str(self.phrase)

    @property
    def where(self) -> str:
        return str(self.place or format_row(self.row))


def format_row(number: int) -> Phrase:
    return Phrase(gettext_noop("Zeile %(row)s"), {"row": number})


def format_points(points: Iterable[tuple[str, str]]) -> str:
    """Format the points of a part that is left out, as names with amounts; empty if it has none."""
    texts = [f"{name} {cell}".strip() for name, cell in points if not is_absent(cell) and cell != UNCALCULATED and is_number(cell)]
    return ", ".join(texts[:MAX_NAMED]) + (" …" if len(texts) > MAX_NAMED else "")


@dataclass(frozen=True)
class PersonColumn:
    """A column that could hold the points of a person, with the reason why it is proposed to leave it out."""

    index: int
    name: str
    exclusion: Exclusion | None
    guest: bool = False

    @property
    def exclusion_text(self) -> str:
        return str(self.exclusion.label) if self.exclusion else ""

    @property
    def title(self) -> str:
        return self.name or _("Spalte %(column)s") % {"column": format_column(self.index)}


@dataclass(frozen=True)
class Outline:
    """The outline of a sheet.
    `head` is the index of the row of headings, `day` of the column of days, `number` of a column with numbers of evenings instead,
    `first` of the first row that is read, if there are others below the headings.
    Rows are numbered from 1. `places` are the places of the rows in the file if they differ from the numbers, `parts` are the
    sheets of the rows if several are read together. `left_out` was left out before reading, `shape` is the layout, `years` are
    above the headings, `notes` tell the user what was rearranged."""

    rows: Rows
    head: int
    day: int | None
    columns: Sequence[PersonColumn]
    number: int | None = None
    places: Sequence[Phrase | str] = ()
    parts: Sequence[str] = ()
    left_out: Sequence[Remark] = ()
    shape: str = "rows"
    years: Sequence[int] = ()
    notes: Sequence[str] = ()
    first: int = 0

    def place(self, row: int) -> Phrase | str:
        """Return the place of a row in the file, empty if it is the number."""
        return self.places[row - 1] if row <= len(self.places) else ""

    def remark(self, row: int, phrase: Phrase | str, column: int | None = None) -> Remark:
        return Remark(row, phrase, self.place(row), column)

    @property
    def people(self) -> list[int]:
        """The indexes of the columns that may be people."""
        return [column.index for column in self.columns if not column.exclusion]

    @property
    def label(self) -> int | None:
        """The index of the column that names the evening of a row."""
        return self.number if self.day is None else self.day

    def iter_rows(self) -> Iterator[tuple[int, list[str]]]:
        return iter_rows_below(self.rows, max(self.head, self.first - 1))

    def part(self, row: int) -> str:
        """Return the sheet of a row, if several are read together."""
        return self.parts[row - 1] if row <= len(self.parts) else ""

    def is_total(self, cells: Sequence[str], people: Sequence[int], words: Pattern[str] = TOTAL_LABELS) -> bool:
        """Return whether the first cell outside the columns of people is a word for a total."""
        label = next((cell for index, cell in enumerate(cells) if cell and index not in people), "")
        if is_span(label) and sum(map(bool, cells)) == 1:
            return False  # a heading: "1. Quartal"
        return bool(words.match(text_key(label).lstrip(DAY_CHARACTERS)))

    def get_label(self, cells: Sequence[str]) -> str:
        return "" if self.label is None else get_cell(cells, self.label)

    def explain_aside(self, cells: Sequence[str], people: Sequence[int]) -> Phrase | None:
        """Return why this row belongs to no evening, whatever its numbers are; None if it could."""
        if self.is_total(cells, people):
            return Phrase(gettext_noop("ist eine Summe"))
        # If the evening is named in the row above, this row may have its label before the columns of people.
        label = self.get_label(cells) or next(filter(None, cells[: min(people, default=0)]), "")
        if SUMMARY_LABELS.match(text_key(label)) or name_key(RANK_BESIDE_NAME.sub("", label)) in self._names:
            return Phrase(gettext_noop("„%(text)s“ ist kein Abend"), {"text": label})
        return None

    @cached_property
    def _names(self) -> set[str]:
        """The name keys of the columns of people: a row with such a label holds the totals of that person."""
        return {name_key(column.name) for column in self.columns if column.name and not column.exclusion}

    def list_cells(self, columns: Collection[int]) -> list[str]:
        """Return the cells of these columns, row by row, without the rows that belong to no evening."""
        return [row[index] for row in self._played for index in columns if index < len(row)]

    @cached_property
    def _played(self) -> list[list[str]]:
        people = self.people
        return [row for _number, row in self.iter_rows() if not self.explain_aside(row, people)]

    def looks_like_euros(self, people: Collection[int]) -> bool:
        return any(map(looks_like_euros, self.list_cells(people)))

    def guess_parser(self, people: Collection[int]) -> ParseAmount:
        return read_euros if self.looks_like_euros(people) else read_points

    def format_points(self, cells: Sequence[str], people: Collection[int]) -> str:
        """Format the points of these columns in a row."""
        named = [column for column in self.columns if column.index in people]
        return format_points((column.title, get_cell(cells, column.index)) for column in named)

    def count_amounts(self, column: int) -> int:
        return sum(map(is_amount, self.list_cells([column])))

    def both_in_a_row(self, one: int, other: int) -> bool:
        """Return whether some row has numbers in both columns."""
        return any(len(_list_amounts(row, [one, other])) > 1 for _number, row in self.iter_rows())

    def days(self) -> set[str]:
        """Return the different cells of the column of days."""
        return {get_cell(row, self.day) for _number, row in self.iter_rows() if self.day is not None} - {""}

    def guess_kind(self) -> str:
        """Return whether a row seems to be an evening or a game."""
        if self.label is None:
            return Import.Kind.GAMES
        people = self.people
        played = [row for _number, row in self.iter_rows() if _list_amounts(row, people) and not self.explain_aside(row, people)]
        days = Counter(get_cell(row, self.label) for row in played)
        blank = days.pop("", 0)
        busiest = max(days.values(), default=0)
        return Import.Kind.GAMES if busiest > EVENINGS_A_DAY or 2 * blank >= len(played) else Import.Kind.EVENINGS


# --- Headings ---------------------------------------------------------------------------------------------------------

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
    """Yield the columns to add or remove: words, also in exchange for another column, then single columns, then several that are
    never negative, as no points are for long."""
    others = [index for index in words if index not in chosen and any(index in row for row in rows)][:MAX_TRIED]
    added = [set(columns) for size in range(1, MAX_BESIDE + 1) for columns in combinations(others, size)]
    yield from added
    yield from (columns | {index} for columns in added for index in sorted(chosen))
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
    enough = MIN_ROWS if columns & chosen else MIN_COMPLETED
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
WON: Final = ("+", "plus")
LOST: Final = ("-", "–", "−", "minus")


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
        keys = list(map(text_key, row))
        pairs = [index for index, key in enumerate(keys[:-1]) if key.endswith(WON) and keys[index + 1].endswith(LOST)]
        # A long table has two columns for all people, and other lists have the sums of winners and losers.
        is_long = bool(pairs and NAME_HEADINGS & {*keys} and not POINT_HEADINGS & {*keys})
        if len(pairs) > 1 or is_long:
            heads = [*row]
            for index in pairs:
                above = "Punkte" if is_long else get_cell(rows[at - 1], index) if at else ""
                heads[index : index + 2] = [row[index].removesuffix("+").strip() if keys[index] not in WON else above, ""]
            note = _("Plus und Minus stehen in eigenen Spalten: Für die Vorschau sind sie je Person zusammengefasst.")
            return [*rows[:at], heads, *(_subtract(below, pairs) for below in rows[at + 1 :])], note
    return rows, ""


def _subtract(row: Sequence[str], pairs: Sequence[int]) -> list[str]:
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


# --- From rows to an outline -------------------------------------------------------------------------------------------

# The choice of no column of days.
NO_COLUMN: Final = -1


def build_outline(
    rows: Rows,
    known: Collection[str] = (),
    all_names: bool = False,
    *,
    head: int | None = None,
    first: int | None = None,
    day: int | None = None,
) -> Outline:
    """Build the outline of a sheet. Raise FileRefused if there are no headings with names above points.
    `known` are name keys of players, who are people whatever their names mean. With `all_names` every heading after the first is a
    name, except words for totals. `head`, `first` and `day` are the choices of the user instead of guesses: the rows of headings
    and of the first points, and the column of days or numbers of evenings."""
    if head is not None and first is None:
        # Rows of words below the chosen headings are further headings.
        below = (at for at in range(head + 1, len(rows)) if sum(map(is_word, rows[at])) < 2 or _list_amounts(rows[at], range(99)))
        first = next(below, None)
    head = _find_head(rows, known, all_names) if head is None else head
    first = max(first or 0, head + 1)
    rows = _drop_repeated_headings(rows, head)
    body = [row for row in rows[first:] if any(row) and not TOTAL_LABELS.match(text_key(next(filter(None, row))))]
    cells = {index: [cell for row in body if (cell := get_cell(row, index))] for index in range(max(map(len, rows[head:])))}
    names = {index: get_cell(rows[head], index) for index in cells}
    if all_names:
        headings = {name_key(name) for index, name in names.items() if index and any(map(is_number, cells[index]))}
        known = {*known, *(heading for heading in headings if not TOTAL_LABELS.match(heading))}
    beside = name_columns(rows[head - 1] if head else [], names)
    guests = strip_names(names, known)
    number = None
    if day is None:
        day = _find_day_column(names, cells)
        number = next((index for index in cells if day is None and counts_evenings(names[index], cells[index])), None)
    elif day not in names:
        day = None
    elif counts_evenings("Abend", cells[day]):
        day, number = None, day
    columns: list[PersonColumn] = []
    for index in cells:
        if index not in (day, number) and (names[index] or cells[index]):
            reason = Exclusion.BESIDE_POINTS if index in beside else _find_reason(index, names, cells, columns, known, body)
            columns.append(PersonColumn(index, names[index], reason, index in guests))
    _refuse_names_in_rows(columns)
    outline = Outline(rows, head, day, _weigh(columns, body), number, first=first)
    if len(outline.people) > MAX_PEOPLE:
        raise FileRefused(
            _("Mehr als %(most)s Spalten könnten Personen sein. Bitte nur das Blatt mit der Liste speichern, oder ein Jahr.")
            % {"most": MAX_PEOPLE}
        )
    if not outline.people and any(column.exclusion is Exclusion.NO_NAME for column in columns):
        raise FileRefused(_(
            "Über den Zahlen stehen keine Namen. Bitte über jede Spalte den Namen der Person schreiben; stehen die Personen "
            "untereinander, über jede Spalte den Tag, oder „1. Abend“."
        ))
    _refuse_spans(outline)
    return outline


def _find_reason(
    index: int,
    names: Mapping[int, str],
    cells: Mapping[int, Sequence[str]],
    before: Sequence[PersonColumn],
    known: Collection[str],
    body: Rows,
) -> Exclusion | None:
    """Return why a column is not the points of a person, None if it could be; `before` are the columns before it."""
    key = name_key(names[index])
    same = [column.index for column in before if not column.exclusion and name_key(column.name) == key]
    reason = find_exclusion(names[index], cells[index], {key} if same else (), known)
    if reason is Exclusion.CALLED_BEFORE and any(is_running_total(points, index, body) for points in same):
        return Exclusion.SUM
    match = OTHER_COLUMN_OF_PERSON.search(text_key(names[index]))
    if match and not reason and key not in known and match.string[: match.start()] in map(text_key, names.values()):
        return Exclusion.BESIDE_POINTS
    return reason


def _weigh(columns: Sequence[PersonColumn], body: Rows) -> list[PersonColumn]:
    """Exclude the columns that spoil the sums of the rows, and take in those without which they are not zero."""
    people = {column.index for column in columns if not column.exclusion}
    counting = {index for index in people if counts_rows([cell for row in body if (cell := get_cell(row, index))])}
    words = {column.index for column in columns if column.exclusion and text_key(column.name) in WORDS_AND_NAMES}
    chosen = weigh_columns(people - counting, words | counting, body)
    reasons = {**dict.fromkeys(people, Exclusion.SPOILS_SUMS), **dict.fromkeys(counting, Exclusion.OTHER), **dict.fromkeys(chosen)}
    return [replace(column, exclusion=reasons.get(column.index, column.exclusion)) for column in columns]


def build_own_outline(rows: Rows) -> Outline:
    """Build the outline of our own list "Datum × Name": the days first, then a name in every heading. Raise FileRefused."""
    head = _find_head(rows, all_names=True)
    columns = [
        PersonColumn(index, name, None if any(get_cell(row, index) for row in rows[head + 1 :]) else Exclusion.EMPTY)
        for index, name in enumerate(rows[head])
        if index and name
    ]
    return Outline(rows, head, 0, columns)


def _refuse_names_in_rows(columns: Sequence[PersonColumn]) -> None:
    """Raise FileRefused if words precede all points: the names are in the rows."""
    points = [nth for nth, column in enumerate(columns) if not column.exclusion or text_key(column.name) in POINT_HEADINGS]
    if len(points) > 1 and all(nth and columns[nth - 1].exclusion is Exclusion.WORDS for nth in points):
        raise FileRefused(_(
            "Die Namen stehen in den Zeilen vor ihren Punkten. Bitte in der Datei jeder Person eine Spalte geben, oder jeder "
            "Person an jedem Abend eine Zeile mit „Datum“, „Name“ und „Punkte“."
        ))


def _refuse_spans(outline: Outline) -> None:
    """Raise FileRefused if months or years, or games, are above the points, or months or years are before all of them."""
    people = outline.people
    names = [column.name for column in outline.columns if not column.exclusion]
    played = [row for _number, row in outline.iter_rows() if _list_amounts(row, people)]
    played = [row for row in played if is_span(next(filter(None, row))) or not outline.is_total(row, people)]
    has_days = outline.number is not None or 2 * sum(is_day(outline.get_label(row)) for row in played) > len(played)
    labels = [] if has_days else [next(filter(None, row)) for row in played]
    if not has_days and any(len(spans) > 1 and all(map(is_span, spans)) for spans in (names, labels)):
        raise FileRefused(_(
            "Die Punkte stehen hier je Monat, Quartal oder Jahr, und das ist kein Abend. Bitte jedem Abend eine Zeile mit seinem "
            "Tag geben; sind die Tage nicht mehr bekannt, die Punkte je Person zusammenzählen und „Anfangsstand eingeben“."
        ))
    if len(names) > 1 and all(_GAME.fullmatch(text_key(name)) for name in names):
        raise FileRefused(_(
            "Hier stehen die Spiele nebeneinander und die Personen untereinander. Bitte das Blatt in der Datei drehen "
            "(kopieren und „transponiert“ einfügen): jedes Spiel in eine Zeile, jede Person in eine Spalte."
        ))


def _drop_repeated_headings(rows: Rows, head: int) -> Rows:
    """Blank the rows that repeat the headings. Raise FileRefused if their names are in other columns there."""
    top = [text_key(cell) for cell in rows[head]]
    dropped = [*rows]
    for at, row in enumerate(rows[head + 1 :], head + 1):
        words = [text_key(cell) for cell in row if is_word(cell)]
        if len(words) < 2 or len(words) < sum(map(bool, row)):
            continue
        if all(not cell or text_key(cell) == above for cell, above in zip_longest(row, top, fillvalue="")):
            dropped[at] = []
        elif 2 * len({*words} & {*top}) > len(words) or words[0] == next(filter(None, top)):
            raise FileRefused(_(
                "In Zeile %(row)s beginnt eine Liste mit anderen Namen. Bitte jeder Person in allen Zeilen dieselbe Spalte geben, "
                "oder die Listen auf eigene Blätter schreiben."
            ) % {"row": at + 1})
    return dropped


def _find_head(rows: Rows, known: Collection[str] = (), all_names: bool = False) -> int:
    """Return the last row with names above the first row with points. Raise FileRefused."""
    for first, row in enumerate(rows[: MAX_ABOVE + 1]):
        if len(_list_amounts(row, range(len(row)))) > 1:
            above = (index for index in range(first - 1, -1, -1) if sum(map(is_word, rows[index])) > 1)
            head = next(above, None)
            names = [] if head is None else [*rows[head], *(rows[head - 1] if head else ())]
            if head is not None and (all_names or any(is_word(cell) and not is_no_name(cell, known) for cell in names)):
                return head
    if all(sum(map(bool, row)) < 2 for row in rows):
        raise FileRefused(_(
            "In jeder Zeile steht nur eine Zelle. Bitte den Text in Excel oder LibreOffice auf Spalten verteilen und als "
            ".xlsx oder CSV speichern."
        ))
    if any(sum(text_key(cell) in ATTENDANCE or (is_absent(cell) and is_name(cell)) for cell in row) > 1 for row in rows):
        raise build_ranks_refusal()
    points = any(len(_list_amounts(row, range(len(row)))) > 1 for row in rows)
    if points and any(NAME_HEADINGS & set(map(text_key, row)) for row in rows[:MAX_ABOVE]):
        raise build_opening_refusal()
    mixed = [cells for row in rows if len(cells := list(filter(_is_mixed, row))) > 1]
    if mixed:
        sentence = _(
            "In den Zellen steht mehr als eine Zahl („%(text)s“). Bitte in der Datei die Punkte in eigene Spalten schreiben."
        )
        raise FileRefused(sentence % {"text": mixed[0][0]})
    raise FileRefused(_(
        "Es fehlt eine Kopfzeile mit den Namen über den Punkten. Stehen die Namen in den Zeilen, oder hat jede Person ein eigenes "
        "Blatt, bitte alles auf ein Blatt schreiben: je Person und Abend eine Zeile mit „Datum“, „Name“ und „Punkte“."
    ))


def _is_mixed(cell: str) -> bool:
    """Return whether a cell has two numbers and is no day."""
    return len(re.findall("[0-9]+", cell)) > 1 and not is_number(cell) and not is_day(cell)


def _list_amounts(row: Sequence[str], columns: Sequence[int] | range) -> list[str]:
    return [cell for index in columns if is_amount(cell := get_cell(row, index))]


def _find_day_column(names: dict[int, str], cells: dict[int, list[str]]) -> int | None:
    """Return the first column headed as days, otherwise the first with days that are no points."""
    for index, name in names.items():
        key = text_key(name).rstrip(":")
        counts = bool(cells[index]) and not any(map(is_day, cells[index])) and counts_evenings(name, cells[index])
        if (key in ("datum", "date") and not counts) or (key in DAYS and any(map(is_day, cells[index]))):
            return index
        if key == "tag" and any(map(find_day_of_month, cells[index])):
            return index
    for index, column in cells.items():
        is_month = text_key(names[index]) in ("monat", "month")
        if not is_month and 2 * sum(is_day(cell) and not is_points(cell) for cell in column) > len(column):
            return index
    return None
