"""Evenings and games from the rows of an outline, with the rows that are odd, left out or cannot be read.
Nothing is taken in while one row cannot be read."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import groupby, pairwise
from typing import Any, Final

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from scoring.core.dates import FIRST_DAY, FIRST_YEAR
from scoring.core.text import tidy
from scoring.imports.actions import ListLine, Sitting
from scoring.imports.models import Import
from scoring.play.models import SEATS, Game
from scoring.rules.outcome import score
from scoring.rules.parsing import parse_line
from scoring.rules.settings import RuleSettings
from scoring.rules.validation import Refused

from .cells import (
    CENTS,
    CURRENCY,
    FRACTION,
    START_LABEL,
    CellRefused,
    ParseAmount,
    get_cell,
    has_year,
    is_absent,
    is_day,
    is_word,
    read_amount,
    read_points,
)
from .days import Days, Numbers, find_day_of_month, is_span
from .file_formats import UNCALCULATED
from .outline import Outline, Phrase, Remark, format_points, format_row

# What a cell holds: the points of an evening or game, or the same with 0 for absent players; the total after it, over all evenings
# or those of a sheet or a year; for games the total of an evening or over all evenings.
POINTS, NO_ZEROS, TOTALS, OVER_ALL_EVENINGS = "points", "no_zeros", "totals", "through"
BY_SHEET, BY_YEAR = "by_sheet", "by_year"


@dataclass(frozen=True)
class ReadingOptions:
    """The settings for reading a sheet.
    `cells` is what the cells hold. `day` is the day of a sheet without days, `first` and `rhythm` belong to numbered evenings,
    `year` to days without a year, with `month` to days without a month, `weekday` to calendar weeks. `first_columns` maps columns
    to the first column of the same person, `leave` are the rows that the user leaves out, `place` is the column with the places of
    the evenings, `notes` are those with remarks about them."""

    parse: ParseAmount = read_points
    cells: str = POINTS
    day: datetime.date | None = None
    first: datetime.date | None = None
    rhythm: str = "week"
    year: int | None = None
    month: int | None = None
    weekday: int = 0
    first_columns: Mapping[int, int] = field(default_factory=dict)
    leave: frozenset[int] = frozenset()
    place: int | None = None
    notes: Sequence[int] = ()

    def find_texts(self, outline: Outline, rows: Sequence[ListRow]) -> tuple[str, str]:
        """Return the place of an evening with these rows, which is the first text in its column, and the remarks about it."""
        places = [get_cell(outline.rows[entry.row - 1], self.place) for entry in rows if self.place is not None]
        notes = [get_cell(outline.rows[entry.row - 1], column) for entry in rows for column in self.notes]
        note = " · ".join(dict.fromkeys(filter(None, map(tidy, notes))))
        return tidy(tidy(next(filter(None, places), ""))[:PLACE_LENGTH]), tidy(note[:NOTE_LENGTH])

    @property
    def running(self) -> bool:
        return self.cells not in (POINTS, NO_ZEROS)


# The longest place of an evening, and the longest remark about it.
PLACE_LENGTH: Final = 60
NOTE_LENGTH: Final = 200
# How many zeros, and one in how many cells, are no accident.
MIN_ZEROS: Final = 3
ZEROS_OF: Final = 10
Points = dict[int, int]
Cells = Mapping[int, int | None]


@dataclass(frozen=True)
class ListRow:
    """A row with points by column, None for an absent player."""

    row: int
    day: datetime.date
    cells: Cells

    @property
    def points(self) -> Points:
        return {column: points for column, points in self.cells.items() if points is not None}

    def without_zeros(self) -> ListRow:
        return replace(self, cells={column: points or None for column, points in self.cells.items()})


@dataclass
class Reading:
    """The result of reading a sheet.
    `by_hand` are the rows that match no game of the rules and become corrections. `asks` is what the file lacks and the user has to
    give: the "day", the "first" of a series, or the "year"."""

    sittings: list[Sitting] = field(default_factory=list)
    odd: list[dict[str, Any]] = field(default_factory=list)
    left_out: list[Remark] = field(default_factory=list)
    faults: list[Remark] = field(default_factory=list)
    by_hand: list[int | Phrase | str] = field(default_factory=list)
    asks: str = ""
    # Rows of totals that may have been before the first evening.
    standing: list[ListRow] = field(default_factory=list)
    # Warnings about rows that are taken in.
    doubts: list[Remark] = field(default_factory=list)
    # Whether an unchanged total means that the player was there, with 0.
    keeps_there: bool = False

    @property
    def games(self) -> int:
        return sum(form == Game.Form.SHORT for sitting in self.sittings for form, _facts in sitting.lines)

    @property
    def is_mostly_odd(self) -> bool:
        """True if too many rows do not sum to zero for typing errors."""
        return len(self.odd) > max(3, sum(len(sitting.lines) or 1 for sitting in self.sittings) // 2)

    @property
    def together(self) -> int:
        """The number of evenings without games."""
        return sum(not sitting.lines for sitting in self.sittings)

    @property
    def zeros(self) -> int:
        """The number of zeros if no player is ever absent: then a zero may mean absent."""
        rows = [sitting.points for sitting in self.sittings if not sitting.lines]
        zeros = sum(not points for row in rows for points in row.values())
        columns = {column for row in rows for column in row}
        often = zeros >= MIN_ZEROS and ZEROS_OF * zeros >= sum(map(len, rows))
        return zeros if often and all(len(row) == len(columns) for row in rows) else 0

    def totals(self, column: int) -> tuple[int, int]:
        """Return the points of a column and its number of evenings."""
        points = [sitting.points[column] for sitting in self.sittings if column in sitting.points]
        return sum(points), len(points)

    def report(self) -> dict[str, Any]:
        """Return what is stored: rows, days and numbers, no names."""
        return {
            "evenings": len(self.sittings),
            "together": self.together,
            "games": self.games,
            "odd": [[one["where"], one["day"].isoformat(), one["sum"]] for one in self.odd],
            "by_hand": self.by_hand,
            "left_out": [[remark.place or remark.row, remark.phrase] for remark in self.left_out],
        }


# --- Days -------------------------------------------------------------------------------------------------------------

# The day of a sheet without days, until the user gives one.
NO_DAY: Final = FIRST_DAY


def find_missing(outline: Outline, kind: str, options: ReadingOptions) -> str:
    """Return what the user has to say about the days: "year", "month", "first", "day", or an empty string."""
    if lacks_month(outline):
        return "" if options.year and options.month else "month"
    if outline.day is not None:
        return "year" if options.year is None and lacks_year(outline) else ""
    if outline.number is not None:
        return "" if options.first else "first"
    return "" if options.day or kind == Import.Kind.EVENINGS else "day"


def lacks_year(outline: Outline) -> bool:
    """Return whether the first day of the sheet has no year."""
    for _number, row in outline.iter_rows():
        text = get_cell(row, outline.day) if outline.day is not None else ""
        if is_day(text):
            return not has_year(text)
    return False


def lacks_month(outline: Outline) -> bool:
    """Return whether the days of the sheet are only days of a month."""
    days = outline.days()
    return bool(days) and all(map(find_day_of_month, days))


def build_day_reader(outline: Outline, options: ReadingOptions, carry: bool) -> Callable[[Sequence[str]], datetime.date]:
    """Return a function from a row to its day, to be called for the rows in order."""
    if outline.label is None:
        return lambda _row: options.day or NO_DAY
    labels = [outline.get_label(row) for _number, row in outline.iter_rows()]
    if outline.day is None:
        numbers = Numbers(labels, options.first or NO_DAY, options.rhythm, carry)
        return lambda row: numbers.compute(outline.get_label(row))
    of_months = lacks_month(outline)
    near = datetime.date(options.year or FIRST_YEAR, 7, 2) if lacks_year(outline) else None
    if of_months:
        near = datetime.date(options.year or FIRST_YEAR, options.month or 1, 1)
    days = Days(labels, near, carry, of_months)
    return lambda row: _read_day(days, outline.get_label(row), options.weekday)


def _read_day(days: Days, label: str, weekday: int) -> datetime.date:
    """Return the day of a row, in a calendar week the usual weekday. Raise CellRefused."""
    try:
        day = days.read(label)
    except CellRefused as refused:
        if is_span(label):
            sentence = _("„%(text)s“ ist kein Abend; bitte die Zeile auslassen, ihre Summen nimmt „Anfangsstand eingeben“")
            raise CellRefused(sentence % {"text": label}) from refused
        if label.isdecimal():
            sentence = _("„%(text)s“ ist kein Datum; bitte den Tag wie 31.12.2023 schreiben")
            raise CellRefused(sentence % {"text": label}) from refused
        raise
    return day + datetime.timedelta(days=weekday) if days.is_week else day


# --- Rows with points -------------------------------------------------------------------------------------------------

# With so many people a row that is the sum of the rows above is no evening, even if it has a day.
MIN_IN_A_SUM: Final = 3


def iter_list_rows(
    outline: Outline, people: Sequence[int], reading: Reading, options: ReadingOptions, carry: bool = False
) -> Iterator[ListRow]:
    """Yield the rows with points in the order of the file; add the others to the reading.
    With `carry` a row without a day is of the day above."""
    day_of, today = build_day_reader(outline, options, carry), timezone.localdate()
    labels = {column.index: column.title for column in outline.columns if outline.places}
    above: list[Cells] = []
    so_far: list[Cells] = []
    last: ListRow | None = None
    for number, row in outline.iter_rows():
        if reason := _explain_left_out(outline, row, people):
            reading.left_out.append(outline.remark(number, reason))
            if options.running and outline.is_total(row, people, START_LABEL):
                with suppress(CellRefused):
                    cells = {column: read_amount(row, column, options.parse) for column in people}
                    reading.standing.append(ListRow(number, NO_DAY, cells))
            above = [] if outline.explain_aside(row, people) else above
            continue
        if number in options.leave:
            continue
        try:
            cells = {column: read_amount(row, column, options.parse, labels.get(column, "")) for column in people}
            if not carry and _may_be_sum(outline, row, cells) and (is_sum_of(cells, above) or is_sum_of(cells, so_far)):
                values = {"points": outline.format_points(row, people)}
                phrase = Phrase(gettext_noop("ist die Summe der Zeilen darüber (%(points)s)"), values)
                reading.left_out.append(outline.remark(number, phrase))
                above = []
                continue
            if last and not carry and not outline.get_label(row) and all(cells[column] is None for column in last.points):
                # No player of the row above is here: a row without a day is a table of the same evening.
                day = last.day
            else:
                day = day_of(row)
            if day > today:
                raise CellRefused(_("Der Tag liegt in der Zukunft"))
        except CellRefused as refused:
            column = outline.label if refused.column is None else refused.column
            reading.faults.append(outline.remark(number, f"{refused}.", column))
            continue
        above.append(cells)
        so_far.append(cells)
        yield (last := ListRow(number, day, cells))


def _explain_left_out(outline: Outline, row: Sequence[str], people: Sequence[int]) -> Phrase | None:
    """Return why this row is no evening, with its points: it has another label, or a word in the place of points."""
    if reason := outline.explain_aside(row, people):
        points = outline.format_points(row, people)
        return Phrase("%(aside)s (%(points)s)", {"aside": reason, "points": points}) if points else reason
    cells = [get_cell(row, column) for column in people]
    words = list(dict.fromkeys(filter(is_word, cells)))
    has_number = any(cell == UNCALCULATED or "?" in cell or any(map(str.isdigit, cell)) for cell in cells)
    if has_number or len(words) > 1:
        return None
    if words:
        return Phrase(gettext_noop("ist ohne Punkte („%(text)s“)"), {"text": words[0]})
    return Phrase(gettext_noop("ist ohne Punkte"))


def _may_be_sum(outline: Outline, row: Sequence[str], cells: Cells) -> bool:
    """Return whether this row has points of several people, or its label is no evening."""
    is_evening = outline.label is None or any(map(str.isdigit, outline.get_label(row)))
    return sum(map(bool, cells.values())) >= MIN_IN_A_SUM or not is_evening


def group_by_day(entries: Iterator[ListRow]) -> Iterator[list[ListRow]]:
    """Group successive rows of one day as one evening."""
    return (list(rows) for _day, rows in groupby(entries, key=lambda entry: entry.day))


# --- From totals to points --------------------------------------------------------------------------------------------

def is_sum_of(cells: Cells, rows: Sequence[Cells]) -> bool:
    """Return whether this row is the sum of several rows in every column."""
    return len(rows) > 1 and all((cells[column] or 0) == add_up(row[column] for row in rows) for column in cells)


def compute_changes(rows: Iterable[Cells], before: Points | None = None) -> list[Cells]:
    """Return the points of each row from the totals after each row and `before`; without a total the player was absent."""
    last = dict(before or {})
    changes: list[Cells] = []
    for row in rows:
        changes.append({column: None if total is None else total - last.get(column, 0) for column, total in row.items()})
        last |= {column: total for column, total in row.items() if total is not None}
    return changes


def add_up(cells: Iterable[int | None]) -> int:
    return sum(points for points in cells if points is not None)


def sort_rows(outline: Outline, rows: Sequence[ListRow]) -> list[ListRow]:
    """Sort rows by sheets, the oldest first; within a sheet the order of the rows is kept or reversed."""
    sheets = [list(entries) for _part, entries in groupby(rows, key=lambda entry: outline.part(entry.row))]
    ascending = [entries[::-1] if entries[0].day > entries[-1].day else entries for entries in sheets]
    return [entry for entries in sorted(ascending, key=lambda entries: entries[0].day) for entry in entries]


def get_stretch(outline: Outline, cells: str, entry: ListRow) -> str:
    """Return the sheet or year of a row, if totals begin anew with it."""
    return {BY_SHEET: outline.part(entry.row), BY_YEAR: str(entry.day.year)}.get(cells, "")


def compute_points(outline: Outline, reading: Reading, entries: Sequence[ListRow], options: ReadingOptions) -> list[ListRow]:
    """Return the points of each evening from the totals after it, in the order of `sort_rows`."""
    rows = sort_rows(outline, entries)
    if options.cells == TOTALS and rows:
        return compute_differences(rows, find_start(outline, reading, rows))
    stretches = groupby(rows, key=lambda entry: get_stretch(outline, options.cells, entry))
    return [entry for _name, stretch in stretches for entry in compute_differences(list(stretch))]


def find_start(outline: Outline, reading: Reading, rows: Sequence[ListRow]) -> Points:
    """Return the totals before the first evening, from a row of totals before it that is not the current total."""
    first, last = rows[0], rows[-1]
    step = -1 if first.row <= last.row else 1
    before = [entry for entry in reading.standing if (entry.row - first.row) * step > 0]
    start = min(before, key=lambda entry: abs(entry.row - first.row), default=None)
    if start is None or start.points == last.points:
        return {}
    would = format_points((column.title, str(start.cells.get(column.index, ""))) for column in outline.columns)
    phrase = Phrase(gettext_noop("gilt als Punktestand davor und zählt zu keinem Abend (%(points)s)"), {"points": would})
    place = outline.remark(start.row, "").where
    reading.left_out = [outline.remark(start.row, phrase) if remark.where == place else remark for remark in reading.left_out]
    return start.points


def has_gaps(rows: Sequence[ListRow]) -> bool:
    """Return whether totals are more often missing than unchanged: then a missing total means absent."""
    gaps, unchanged = 0, 0
    for column in rows[0].cells if rows else ():
        totals = [entry.cells[column] for entry in rows]
        filled = [at for at, points in enumerate(totals) if points is not None]
        gaps += sum(later - at - 1 for at, later in pairwise(filled))
        unchanged += sum(totals[at] == totals[later] for at, later in pairwise(filled))
    return gaps > unchanged


def compute_differences(rows: Sequence[ListRow], before: Points | None = None) -> list[ListRow]:
    """Return rows with points from rows with the totals after each, and the totals `before` them."""
    changes = compute_changes([entry.cells for entry in rows], before)
    return [replace(entry, cells=cells) for entry, cells in zip(rows, changes, strict=True)]


def keep_changes(outline: Outline, reading: Reading, rows: Sequence[ListRow], there: bool = True) -> list[ListRow]:
    """Return the rows that change a total. A player with an unchanged total was `there` with 0, or absent."""
    changing = []
    for entry in rows:
        if not any(entry.points.values()):
            reading.left_out.append(outline.remark(entry.row, Phrase(gettext_noop("ändert keinen Punktestand"))))
        elif there:
            changing.append(entry)
        else:
            changing.append(entry.without_zeros())
    return changing


# --- Odd days ---------------------------------------------------------------------------------------------------------

# The share of ascending days that makes a list sorted.
MIN_IN_ORDER: Final = 0.6
# A day so far from both neighbours was not just written down late.
FAR: Final = datetime.timedelta(days=180)


def _warn_of_repeats(outline: Outline, rows: Sequence[ListRow]) -> Iterator[Remark]:
    days: dict[datetime.date, ListRow] = {}
    for entry in rows:
        before = days.setdefault(entry.day, entry)
        # Other people on the same day are another table.
        if before is entry or not before.points.keys() & entry.points.keys():
            continue
        values = {"day": _format_day(entry), "where": outline.place(before.row) or format_row(before.row)}
        sentence = _("noch einmal der %(day)s, wie %(where)s")
        if before.points == entry.points:
            sentence = _("noch einmal der %(day)s mit denselben Punkten, wie %(where)s")
        yield outline.remark(entry.row, sentence % values, outline.label)


def _warn_of_far_days(outline: Outline, rows: Sequence[ListRow]) -> Iterator[Remark]:
    """Warn of days far from their neighbours in a sorted list, and of a list that begins its year again."""
    steps = [(later.day - entry.day).days for entry, later in pairwise(rows)]
    direction = 1 if sum(step >= 0 for step in steps) >= sum(step <= 0 for step in steps) else -1
    if sum(step * direction >= 0 for step in steps) < MIN_IN_ORDER * len(steps):
        return
    for before, entry, after in zip([None, *rows], rows, [*rows[1:], None], strict=False):
        early = before is not None and direction * (before.day - entry.day) > FAR
        late = after is not None and direction * (entry.day - after.day) > FAR
        is_far = (early and (after is None or abs(after.day - entry.day) > FAR)) or (
            late and (before is None or abs(before.day - entry.day) > FAR)
        )
        begins_again = early and before is not None and before.day.year == entry.day.year
        if is_far or (begins_again and before and outline.part(before.row) == outline.part(entry.row)):
            sentence = _("der %(day)s liegt weit vor oder hinter den Tagen daneben; ist das Jahr falsch, bitte in der Datei ändern")
            yield outline.remark(entry.row, sentence % {"day": _format_day(entry)}, outline.label)


def _format_day(entry: ListRow) -> str:
    return date_format(entry.day, "SHORT_DATE_FORMAT")


# --- Lines of games ---------------------------------------------------------------------------------------------------

def build_line(points: Sequence[int | None], rules: RuleSettings) -> ListLine:
    """Build a line from the points of a row, None for a player without points.
    It is a game in the short form if the rules give exactly these points for one, otherwise a correction, so the totals are those
    of the file. `rules` are for a table of so many people, without Bock."""
    game = _find_game(points, rules)
    if game is not None:
        return Game.Form.SHORT, game
    reason = _("übernommen")
    return Game.Form.CORRECTION, {"points": [value or 0 for value in points], "reason": reason}


def looks_like_game(points: Iterable[int]) -> bool:
    """Return whether a game of two against two or one against three could give these points by any usual rules."""
    amounts = sorted(abs(value) for value in points if value)
    return len(amounts) in (2, 4) and amounts[0] == amounts[-2] and amounts[-1] in (amounts[0], 3 * amounts[0])


def _find_game(points: Sequence[int | None], rules: RuleSettings) -> dict[str, Any] | None:
    """Return the facts of a game in the short form with exactly these points, or None."""
    out = _list_sitters(points, rules)
    won = [seat for seat, value in enumerate(points) if value and value > 0]
    lost = [seat for seat, value in enumerate(points) if value and value < 0]
    if out is None or not (won or lost):
        return None
    playing = [seat for seat in range(rules.table) if seat not in out]
    for winners in (won, [seat for seat in playing if seat not in lost]):
        solo = 1 in (len(winners), len(playing) - len(winners))
        for base in sorted({abs(value) for value in points if value}):
            facts: dict[str, Any] = {"winners": list(winners), "base": base}
            facts |= {"solo": True} if solo else {}
            facts |= {"out": list(out)} if out else {}
            if _gives(facts, points, rules):
                return facts
    return None


def _list_sitters(points: Sequence[int | None], rules: RuleSettings) -> list[int] | None:
    """Return the seats that sit out: without points, otherwise with 0; None if their number does not fit the rules."""
    for nothing in (None, 0):
        out = [seat for seat, value in enumerate(points) if value == nothing and type(value) is type(nothing)]
        if len(out) == rules.sitters:
            return out
        if out:
            return None
    return None if rules.sitters else []


def _gives(facts: dict[str, Any], points: Sequence[int | None], rules: RuleSettings) -> bool:
    try:
        read = parse_line(Game.Form.SHORT, facts, rules)
    except Refused:
        return False
    return list(score(read, rules).points) == [value or 0 for value in points]  # type: ignore[arg-type]  # the short form is read as such


# --- Evenings and games -----------------------------------------------------------------------------------------------

def read_evenings(outline: Outline, people: Sequence[int], options: ReadingOptions) -> Reading:
    """Read a list with a row for each evening; `people` are the columns that are taken in."""
    reading = Reading(left_out=list(outline.left_out), asks=find_missing(outline, Import.Kind.EVENINGS, options))
    entries: Sequence[ListRow] = list(iter_list_rows(outline, people, reading, options))
    if options.running:
        reading.keeps_there = has_gaps(entries)
        points = compute_points(outline, reading, entries, options)
        entries = keep_changes(outline, reading, points, there=reading.keeps_there)
    if options.cells == NO_ZEROS:
        entries = [entry.without_zeros() for entry in entries]
    entries = _join_columns(outline, reading, entries, options)
    nothing = [entry for entry in entries if not any(entry.points.values())]
    # An evening with zeros only was planned, for example.
    reading.left_out += [outline.remark(entry.row, Phrase(gettext_noop("bringt niemandem Punkte"))) for entry in nothing]
    entries = [entry for entry in entries if entry not in nothing]
    reading.doubts = [*_warn_of_repeats(outline, entries), *_warn_of_far_days(outline, entries)]
    if len(entries) == 1:
        sentence = _("ist die einzige Zeile mit Punkten; sind es die Summen vieler Abende, bitte „Anfangsstand eingeben“")
        reading.doubts.append(outline.remark(entries[0].row, sentence))
    tables: list[ListRow] = []
    for entry in entries:
        last = reading.sittings[-1] if reading.sittings else None
        if last and last.held_on == entry.day and not last.points.keys() & entry.points.keys():
            # This is another table of the same evening.
            tables.append(entry)
            reading.sittings.pop()
        else:
            tables = [entry]
        together = {column: amount for table in tables for column, amount in table.points.items()}
        place, note = options.find_texts(outline, tables)
        reading.sittings.append(Sitting(entry.day, together, place=place, note=note))
        _check_sum(outline, reading, entry)
    return reading


def read_games(outline: Outline, people: Sequence[int], options: ReadingOptions, rules: RuleSettings) -> Reading:
    """Read a list with a row for each game, of the evening of its day, of the day above, or of `options.day`.
    `rules` are without Bock, which is already in the points of the file."""
    reading = Reading(left_out=list(outline.left_out), asks=find_missing(outline, Import.Kind.GAMES, options))
    before: Points = {}
    for evening in group_by_day(iter_list_rows(outline, people, reading, options, carry=True)):
        rows = evening
        if options.cells == OVER_ALL_EVENINGS and not before:
            before = find_start(outline, reading, evening)
        if options.running:
            start = before if options.cells == OVER_ALL_EVENINGS else {}
            rows = keep_changes(outline, reading, compute_differences(evening, start))
            before |= {column: points for entry in evening for column, points in entry.points.items()}
        elif any(rows[-1].points.values()) and is_sum_of(rows[-1].cells, [entry.cells for entry in rows[:-1]]):
            reading.left_out.append(outline.remark(rows[-1].row, Phrase(gettext_noop("ist die Summe der Zeilen darüber"))))
            rows = rows[:-1]
        rows = _join_columns(outline, reading, rows, options)
        if rows:
            sitting = _build_sitting(outline, reading, rows, rules)
            place, note = options.find_texts(outline, rows)
            reading.sittings.append(replace(sitting, place=place, note=note))
        for entry in rows:
            _check_sum(outline, reading, entry)
    return reading


def _join_columns(outline: Outline, reading: Reading, rows: Sequence[ListRow], options: ReadingOptions) -> list[ListRow]:
    """Join the columns of each person in the first one."""
    joined = []
    for entry in rows:
        cells: dict[int, int | None] = {}
        for column, points in entry.cells.items():
            first = options.first_columns.get(column, column)
            if points is not None and cells.get(first) is not None:
                sentence = _(
                    "In zwei Spalten einer Person stehen Punkte: bitte in der Datei zusammenzählen, oder eine der Spalten "
                    "auslassen."
                )
                reading.faults.append(outline.remark(entry.row, sentence, column))
                break
            cells[first] = points if points is not None else cells.get(first)
        else:
            joined.append(replace(entry, cells=cells))
    return joined


def _check_sum(outline: Outline, reading: Reading, entry: ListRow) -> None:
    if total := sum(entry.points.values()):
        where = outline.place(entry.row) or entry.row
        reading.odd.append({"row": entry.row, "where": where, "day": entry.day, "sum": total})


def _build_sitting(outline: Outline, reading: Reading, rows: Sequence[ListRow], rules: RuleSettings) -> Sitting:
    """Build an evening with lines, for the players with points in any row, in the order of the columns.
    If their number does not fit a table, the evening has only the sums."""
    seats = [column for column in rows[0].cells if any(entry.cells[column] is not None for entry in rows)]
    totals = {column: sum(entry.points.get(column, 0) for entry in rows) for column in seats}
    if len(seats) not in SEATS:
        return Sitting(rows[0].day, totals)
    at_table = rules.at(len(seats))
    lines = [build_line([entry.cells[column] for column in seats], at_table) for entry in rows]
    reading.by_hand += [
        outline.place(entry.row) or entry.row
        for entry, (form, _facts) in zip(rows, lines, strict=True)
        if form != Game.Form.SHORT
    ]
    return Sitting(rows[0].day, totals, lines)


# --- Proposals ---------------------------------------------------------------------------------------------------------

def propose_kind(outline: Outline) -> str:
    """Guess whether a row is an evening or a game.
    Rows of games are taken for evenings if no row could be a game, or if there are no days and too few people. Rows of evenings are
    taken for games if there are several a day and all look like a game."""
    kind = outline.guess_kind()
    if len(outline.people) < min(SEATS):
        return Import.Kind.EVENINGS if outline.label is None else kind
    rows = _read_rows(outline, outline.people, carry=True)
    if kind == Import.Kind.GAMES:
        return kind if any(_count_games(rows)) else Import.Kind.EVENINGS
    several_a_day = len(rows) >= 2 * len({entry.day for entry in rows}) > 0
    are_games = outline.label is not None and several_a_day and all(looks_like_game(entry.points.values()) for entry in rows)
    return Import.Kind.GAMES if are_games else kind


def propose_cells(outline: Outline, people: Sequence[int], kind: str) -> str:
    """Guess what the cells are, empty if that is not certain."""
    rows = _read_rows(outline, people, carry=kind == Import.Kind.GAMES)
    if kind == Import.Kind.EVENINGS:
        parse = outline.guess_parser(people)
        rows = sort_rows(outline, rows)
        last, cells = _find_last_totals(outline, people, parse), [entry.cells for entry in rows]
        totals = looks_like_totals(cells, last)
        anew = [looks_like_totals(cells, last, at) for at in _find_breaks(outline, rows).values()]
        if totals is None and any(anew):
            totals = True
        elif totals is False and None in anew and (is_one_sided(cells) or repeats_often(cells)):
            # The cells rise, or stay, except where totals would begin anew.
            totals = None
        return "" if totals is None else _guess_start(outline, rows) if totals else POINTS
    dealt = _count_games(rows)
    if not any(dealt):
        totals = looks_like_totals([entry.cells for entry in rows], None)
        return "" if totals is None else TOTALS if totals else POINTS
    return (POINTS, TOTALS, OVER_ALL_EVENINGS)[dealt.index(max(dealt))]


def _find_breaks(outline: Outline, rows: Sequence[ListRow]) -> dict[str, list[int]]:
    """Return the ways in which totals could begin anew in this list, each with the rows at which they would."""
    ways = {}
    for anew in (BY_SHEET, BY_YEAR):
        stretches = [get_stretch(outline, anew, entry) for entry in rows]
        if breaks := [at for at in range(1, len(rows)) if stretches[at] != stretches[at - 1]]:
            ways[anew] = breaks
    return ways


def list_new_starts(outline: Outline, people: Sequence[int]) -> list[str]:
    """List the ways in which totals could begin anew in this list."""
    return list(_find_breaks(outline, sort_rows(outline, _read_rows(outline, people, carry=False))))


def _guess_start(outline: Outline, rows: Sequence[ListRow]) -> str:
    """Guess whether totals continue, or begin anew on each sheet or in each year; empty if that is not certain."""
    cells = [entry.cells for entry in rows]
    guesses = {anew: begins_anew(cells, breaks) for anew, breaks in _find_breaks(outline, rows).items()}
    if True in guesses.values():
        return next(anew for anew, guess in guesses.items() if guess)
    return "" if None in guesses.values() else TOTALS


# How many percent of the numbers must have cents or a currency sign.
MIN_PERCENT_WITH_CENTS: Final = 25


def is_certainly_in_euros(outline: Outline, people: Sequence[int]) -> bool:
    """Return whether these are certainly euros; numbers with ,5 alone may be half points."""
    filled = [cell for cell in outline.list_cells(people) if cell and not is_absent(cell)]
    with_cents = sum(bool(CURRENCY.search(cell) or FRACTION.search(cell)) for cell in filled)
    is_sure = any(CURRENCY.search(cell) or CENTS.search(cell) for cell in filled)
    return is_sure and 100 * with_cents >= MIN_PERCENT_WITH_CENTS * len(filled)


def preview_column(outline: Outline, people: Sequence[int], column: int, options: ReadingOptions) -> tuple[int, int]:
    """Return the points that a column would bring, and in how many rows."""
    amounts = []
    for _number, row in outline.iter_rows():
        if not outline.explain_aside(row, people):
            with suppress(CellRefused):
                amounts.append(read_amount(row, column, options.parse))
    points = [amount for amount in amounts if amount is not None]
    return (points[-1] if options.running and points else sum(points)), len(points)


def preview_total(outline: Outline, people: Sequence[int], column: int, cells: str) -> int:
    """Return the total of a column if its `cells` are points or totals of this kind."""
    parse = outline.guess_parser([column])
    options = ReadingOptions(parse, cells, day=NO_DAY, first=NO_DAY, year=NO_DAY.year)
    return read_evenings(outline, people, options).totals(column)[0]


def _count_games(rows: Sequence[ListRow]) -> list[int]:
    """Count the rows that look like games, as points, as totals of their evening, and as totals over all evenings."""
    each = [entry for evening in group_by_day(iter(rows)) for entry in compute_differences(evening)]
    return [sum(looks_like_game(entry.points.values()) for entry in entries) for entries in (rows, each, compute_differences(rows))]


def _read_rows(outline: Outline, people: Sequence[int], carry: bool) -> list[ListRow]:
    """Return the rows with points, with a day that stands for every missing one."""
    parse = outline.guess_parser(people)
    options = ReadingOptions(parse, day=NO_DAY, first=NO_DAY, year=NO_DAY.year)
    return list(iter_list_rows(outline, people, Reading(), options, carry))


def _find_last_totals(outline: Outline, people: Sequence[int], parse: ParseAmount) -> dict[int, int | None] | None:
    """Return the cells of the last row that is labelled as a total, by column."""
    last = None
    for _number, row in outline.iter_rows():
        if outline.is_total(row, people):
            with suppress(CellRefused):
                last = {column: read_amount(row, column, parse) for column in people}
    return last


# --- Points or totals -------------------------------------------------------------------------------------------------

# With fewer rows, numbers or changes nothing is certain.
MIN_ROWS: Final = 4
MIN_STEPS: Final = 4
MIN_CHANGES: Final = 3
# An equal large number so often, and once in so many steps, is a total that stays.
LARGE: Final = 10
MIN_REPEATS: Final = 4
STEPS_PER_REPEAT: Final = 8
# The changes in relation to the numbers: below the first limit these are certainly totals, above the second certainly points.
TOTALS_BELOW: Final = 0.7
POINTS_ABOVE: Final = 1.05
# If totals of absent players are blank, or rows do not sum to zero, the changes must be smaller.
DOUBTFUL_TOTALS_BELOW: Final = 0.4


def looks_like_totals(rows: Sequence[Cells], last: Cells | None, breaks: Collection[int] = ()) -> bool | None:
    """Guess whether these are totals after each evening, None if that is not certain.
    Both sum to zero in most lists, but totals stay the same for an absent player and change by less than they are worth. `last` is
    a row labelled as a total below the rows; at the `breaks` totals begin anew."""
    if last is not None and (guess := _compare_with_last(rows, last)) is not None:
        return guess
    steps = _pair_numbers(rows, breaks)
    changed = sum(before != points for before, points in steps)
    if not changed:
        return False
    size = _judge_sizes(rows, breaks)
    if len(rows) < MIN_ROWS:
        grows = changed >= MIN_CHANGES and all(before * points >= 0 and abs(points) >= abs(before) for before, points in steps)
        small = len(steps) >= MIN_STEPS and size is not False and not is_one_sided(rows)
        return None if grows or small else False
    if (guess := _compare_sums(rows)) is not None:
        return guess
    if is_one_sided(rows):
        # Totals never fall, except for typing errors, but points may not fall either.
        falls = sum(abs(points) < abs(before) for before, points in steps)
        return None if 10 * falls <= len(steps) else False
    return None if size is False and repeats_often(rows, breaks) else size


def _judge_sizes(rows: Sequence[Cells], breaks: Collection[int] = ()) -> bool | None:
    """Judge by the size of the changes in relation to the numbers: totals (True), points (False), or not certain (None)."""
    steps = _pair_numbers(rows, breaks)
    worth, changed = sum(abs(points) for _before, points in steps), sum(abs(points - before) for before, points in steps)
    has_blanks = any(row[column] is None for before, row in _iter_before(rows, breaks) for column in before)
    is_balanced = 5 * sum(not add_up(row.values()) for row in rows) >= 4 * len(rows)
    if changed < (TOTALS_BELOW if is_balanced and not has_blanks else DOUBTFUL_TOTALS_BELOW) * worth:
        return True
    return None if changed < (TOTALS_BELOW if has_blanks else POINTS_ABOVE) * worth else False


def _iter_before(rows: Sequence[Cells], breaks: Collection[int]) -> Iterator[tuple[dict[int, int], Cells]]:
    """Yield each row after the last number of each column before it."""
    last: dict[int, int] = {}
    for at, row in enumerate(rows):
        last = {} if at in breaks else last
        yield last, row
        last = last | {column: points for column, points in row.items() if points is not None}


def _pair_numbers(rows: Sequence[Cells], breaks: Collection[int] = ()) -> list[tuple[int, int]]:
    """Pair each number with the previous one of the same column."""
    return [
        (before[column], points)
        for before, row in _iter_before(rows, breaks)
        for column, points in row.items()
        if points is not None and column in before
    ]


def _compare_with_last(rows: Sequence[Cells], last: Cells) -> bool | None:
    """Return whether a row of totals repeats the last row (totals) or sums up the rows (points)."""
    count, as_total, as_sum = 0, 0, 0
    for column, total in last.items():
        known = [points for row in rows if (points := row[column]) is not None]
        if total is None or len(known) < 2 or sum(known) == known[-1]:
            continue
        count += 1
        as_total += known[-1] == total
        as_sum += sum(known) == total
    # One column may have a typing error.
    if count < 2 or max(as_total, as_sum) < max(2, count - 1):
        return None
    return as_total > as_sum


def _compare_sums(rows: Sequence[Cells]) -> bool | None:
    """Return whether the changes sum to zero and the cells do not (totals), or the other way round (points)."""
    later = [(add_up(row.values()), add_up(changes.values())) for row, changes in zip(rows, compute_changes(rows), strict=True)][1:]
    plain = sum(not cells for cells, _changes in later)
    changed = sum(not changes for _cells, changes in later)
    if 5 * plain >= 4 * len(later) and 2 * changed < len(later):
        return False
    return True if 5 * changed >= 4 * len(later) and 2 * plain < len(later) else None


def is_one_sided(rows: Sequence[Cells]) -> bool:
    """Return whether all points have one sign. By their size such points look like totals."""
    filled = [points for row in rows for points in row.values() if points]
    return bool(filled) and (min(filled) > 0 or max(filled) < 0)


def repeats_often(rows: Sequence[Cells], breaks: Collection[int] = ()) -> bool:
    """Return whether large numbers repeat too often for an accident. Totals stay the same for an absent player."""
    steps = _pair_numbers(rows, breaks)
    repeats = sum(before == points and abs(points) >= LARGE for before, points in steps)
    return repeats >= MIN_REPEATS and STEPS_PER_REPEAT * repeats >= len(steps)


def begins_anew(rows: Sequence[Cells], breaks: Sequence[int]) -> bool | None:
    """Guess whether totals begin anew at these rows: then the totals there are smaller than the changes would be.
    Return None if that is not certain."""
    changes = compute_changes(rows)
    anew, continued = (sum(abs(points or 0) for at in breaks for points in cells[at].values()) for cells in (rows, changes))
    return True if anew < TOTALS_BELOW * continued else False if continued < TOTALS_BELOW * anew else None
