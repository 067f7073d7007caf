"""Evenings and games from the rows of an outline, with the rows that are odd, left out or cannot be read."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from typing import Any, Final

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from scoring.core.dates import FIRST_DAY, FIRST_YEAR
from scoring.imports.actions import ListLine, Sitting
from scoring.imports.models import Import
from scoring.play.models import SEATS, Game
from scoring.rules.outcome import score
from scoring.rules.parsing import parse_line
from scoring.rules.settings import RuleSettings
from scoring.rules.validation import Refused

from .cells import START, Amounts, CellRefused, amount_in, has_year, is_day, is_word, read_points
from .days import Days, Numbers, meant_by, no_evening
from .file_formats import UNCALCULATED
from .layouts import brings
from .outline import Outline, Remark, Said, row_called

# What stands in a cell: what an evening or game brought, or the same where 0 is who was not there; the total after it, of all
# evenings or of those of a sheet or a year; of games the total of an evening, or of all of them.
POINTS, NO_ZEROS, TOTALS, THROUGH = "points", "no_zeros", "totals", "through"
BY_SHEET, BY_YEAR = "by_sheet", "by_year"


@dataclass(frozen=True)
class ReadingWay:
    """How a sheet is to be read, by what its `cells` are. `day` is that of a sheet without days, `first` and `rhythm` are those of
    evenings that have a number instead, `year` is that of days without one, `weekday` the one of weeks of the calendar. `joined`
    says of columns whose first one they belong to, `leave` are the rows that somebody left out."""

    amounts: Amounts = read_points
    cells: str = POINTS
    day: datetime.date | None = None
    first: datetime.date | None = None
    rhythm: str = "week"
    year: int | None = None
    weekday: int = 0
    joined: Mapping[int, int] = field(default_factory=dict)
    leave: frozenset[int] = frozenset()

    @property
    def running(self) -> bool:
        """Are these totals, of whatever?"""
        return self.cells not in (POINTS, NO_ZEROS)


# So many nothings, and one in so many cells, are more than chance.
FEWEST_ZEROS: Final = 3
ZEROS_OF: Final = 10
Points = dict[int, int]


@dataclass(frozen=True)
class ListRow:
    """One row that holds points: None for who was not there."""

    row: int
    day: datetime.date
    cells: dict[int, int | None]

    @property
    def points(self) -> Points:
        return {column: points for column, points in self.cells.items() if points is not None}


def without_zeros(entry: ListRow) -> ListRow:
    """With nobody there who has nothing."""
    return ListRow(entry.row, entry.day, {column: points or None for column, points in entry.cells.items()})


@dataclass(frozen=True)
class Odd:
    """A row that is taken in though its points do not sum to zero."""

    row: int
    day: datetime.date
    sum: int
    place: Said | str = ""

    @property
    def where(self) -> str:
        return str(self.place or self.row)


@dataclass
class Reading:
    """What the sheet comes to. `by_hand` are the rows that no game of the rules explains: they stand as corrections.
    `together` is how many evenings come with sums only. `asks` is what is not in the file and waits for somebody to say it: the
    "day", the "first" of a series, or the "year"."""

    sittings: list[Sitting] = field(default_factory=list)
    odd: list[Odd] = field(default_factory=list)
    left_out: list[Remark] = field(default_factory=list)
    faults: list[Remark] = field(default_factory=list)
    by_hand: list[int | Said | str] = field(default_factory=list)
    asks: str = ""
    # The rows that say how everybody stands, and what may have been before the first evening.
    standing: list[ListRow] = field(default_factory=list)
    # What is taken in as it stands, and better looked at first.
    doubts: list[Remark] = field(default_factory=list)
    # Was somebody there who keeps a total?
    keeps_there: bool = False

    @property
    def evenings(self) -> int:
        return len(self.sittings)

    @property
    def games(self) -> int:
        return sum(line.is_game for sitting in self.sittings for line in sitting.lines)

    @property
    def is_mostly_odd(self) -> bool:
        """Do so many rows not sum to zero that it is no slip of the pen?"""
        return len(self.odd) > max(3, sum(len(sitting.lines) or 1 for sitting in self.sittings) // 2)

    @property
    def together(self) -> int:
        return sum(not sitting.lines for sitting in self.sittings)

    @property
    def zeros(self) -> int:
        """How often somebody has nothing, where nobody is ever away: it may be that they were not there."""
        rows = [sitting.points for sitting in self.sittings if not sitting.lines]
        found = sum(not points for row in rows for points in row.values())
        everybody = {column for row in rows for column in row}
        often = found >= FEWEST_ZEROS and ZEROS_OF * found >= sum(map(len, rows))
        return found if often and all(len(row) == len(everybody) for row in rows) else 0

    def totals(self, column: int) -> tuple[int, int]:
        """The points of a column and how many evenings it was there."""
        there = [sitting.points[column] for sitting in self.sittings if column in sitting.points]
        return sum(there), len(there)

    def report(self) -> dict[str, Any]:
        """What is kept of it: rows, days and numbers, no names."""
        return {
            "evenings": self.evenings,
            "together": self.together,
            "games": self.games,
            "odd": [[odd.place or odd.row, odd.day.isoformat(), odd.sum] for odd in self.odd],
            "by_hand": self.by_hand,
            "left_out": [[remark.place or remark.row, remark.said] for remark in self.left_out],
        }


# --- Days -------------------------------------------------------------------------------------------------------------


# Stands for a day of a sheet without one, until somebody says it.
NO_DAY: Final = FIRST_DAY


def what_is_missing(outline: Outline, kind: str, way: ReadingWay) -> str:
    """What has to be said of the days of this sheet."""
    if outline.day is not None:
        return "year" if way.year is None and lacks_year(outline) else ""
    if outline.number is not None:
        return "" if way.first else "first"
    return "" if way.day or kind == Import.Kind.EVENINGS else "day"


def lacks_year(outline: Outline) -> bool:
    """Does the first day of the sheet say no year?"""
    for _number, row in outline.data():
        said = row[outline.day] if outline.day is not None and outline.day < len(row) else ""
        if is_day(said):
            return not has_year(said)
    return False


def days_of(outline: Outline, way: ReadingWay, carry: bool) -> Callable[[Sequence[str]], datetime.date]:
    """What says the day of each row."""
    if outline.label is None:
        return lambda _row: way.day or NO_DAY
    said = [outline.called(row) for _number, row in outline.data()]
    if outline.day is None:
        numbers = Numbers(said, way.first or NO_DAY, way.rhythm, carry)
        return lambda row: numbers.of(outline.called(row))
    near = datetime.date(way.year or FIRST_YEAR, 7, 2) if lacks_year(outline) else None
    days = Days(said, near, carry)
    return lambda row: _day_of(days, outline.called(row), way.weekday)


def _day_of(days: Days, said: str, weekday: int) -> datetime.date:
    """Of a week it is the day on which the round meets."""
    try:
        day = days.of(said)
    except CellRefused as refused:
        raise CellRefused(no_evening(said) or _as_meant(said) or str(refused)) from refused
    return day + datetime.timedelta(days=weekday) if days.is_week else day


def _as_meant(said: str) -> str:
    day = meant_by(said)
    sentence = _("„%(text)s“ ist kein Datum; ist der %(day)s gemeint, bitte so schreiben")
    return sentence % {"text": said, "day": day} if day else ""


# --- Rows with points -------------------------------------------------------------------------------------------------


# From so many people on a row that is the sum of those above is none of an evening, whatever day it says.
FEWEST_IN_A_SUM: Final = 3


def rows_of(
    outline: Outline, people: Sequence[int], reading: Reading, way: ReadingWay, carry: bool = False
) -> Iterator[ListRow]:
    """The rows with points, in the order of the file; what is wrong with the others goes into the reading. `carry`: a row
    that says no day is of the day above."""
    day_of, today = days_of(outline, way, carry), timezone.localdate()
    names = {column.index: column.title for column in outline.columns}
    called = names if outline.places else {}
    above: list[dict[int, int | None]] = []
    so_far: list[dict[int, int | None]] = []
    last: ListRow | None = None
    for number, row in outline.data():
        if aside := outline.aside(row, people):
            would = brings((names[column], row[column]) for column in people if column < len(row))
            if would:
                aside = Said("%(aside)s (%(points)s)", {"aside": aside, "points": would})
            reading.left_out.append(outline.remark(number, aside))
            if way.running and outline.is_total(row, people, START):
                reading.standing += _standing(number, row, people, way)
            above = []
            continue
        if number in way.leave:
            continue
        if (words := _only_words(row, people)) is not None:
            said = Said(gettext_noop("ist ohne Punkte"))
            if words:
                said = Said(gettext_noop("ist ohne Punkte („%(text)s“)"), {"text": words})
            reading.left_out.append(outline.remark(number, said))
            continue
        try:
            cells = {column: amount_in(row, column, way.amounts, called.get(column, "")) for column in people}
            could_be = not carry and (not outline.says_when(row) or _is_of_many(cells))
            if could_be and (is_sum_of(cells, above) or is_sum_of(cells, so_far)):
                would = brings((names[column], row[column]) for column in people if column < len(row))
                said = Said(gettext_noop("ist die Summe der Zeilen darüber (%(points)s)"), {"points": would})
                reading.left_out.append(outline.remark(number, said))
                above = []
                continue
            again = last is not None and not carry and not outline.called(row) and _is_another_table(last, cells)
            day = last.day if last is not None and again else day_of(row)
            if day > today:
                raise CellRefused(_("Der Tag liegt in der Zukunft"))
        except CellRefused as refused:
            reading.faults.append(outline.remark(number, f"{refused}."))
            continue
        above.append(cells)
        so_far.append(cells)
        yield (last := ListRow(number, day, cells))


def _only_words(row: Sequence[str], people: Sequence[int]) -> str | None:
    """The one thing that is said in the place of all points; None where there is a number, or there are several words, which may
    be names."""
    cells = [row[column] for column in people if column < len(row)]
    words = list(dict.fromkeys(filter(is_word, cells)))
    is_number_in = any(cell == UNCALCULATED or "?" in cell or any(map(str.isdigit, cell)) for cell in cells)
    return None if is_number_in or len(words) > 1 else "".join(words)


def _is_of_many(cells: Mapping[int, int | None]) -> bool:
    """Have so many people points here that it is no accident when each has the sum of the evenings above?"""
    return sum(bool(points) for points in cells.values()) >= FEWEST_IN_A_SUM


def _standing(number: int, row: Sequence[str], people: Sequence[int], way: ReadingWay) -> Iterator[ListRow]:
    """How everybody stands by this row, if all of it can be read."""
    with suppress(CellRefused):
        yield ListRow(number, NO_DAY, {column: amount_in(row, column, way.amounts) for column in people})


def _is_another_table(last: ListRow, cells: Mapping[int, int | None]) -> bool:
    """Is nobody of the row above here? Then a row without a day is of the same evening."""
    return all(cells[column] is None for column in last.points)


def by_day(entries: Iterator[ListRow]) -> Iterator[list[ListRow]]:
    """Rows of one day that follow each other are one evening."""
    return (list(rows) for _day, rows in groupby(entries, key=lambda entry: entry.day))


# --- From totals to points --------------------------------------------------------------------------------------------


Cells = Mapping[int, int | None]


def is_sum_of(cells: Cells, rows: Sequence[Cells]) -> bool:
    """Is this what several rows come to, for everybody?"""
    return len(rows) > 1 and all((cells[column] or 0) == add_up(row[column] for row in rows) for column in cells)


def changes_of(rows: Iterable[Cells], before: Mapping[int, int] | None = None) -> list[dict[int, int | None]]:
    """What each row brought, from the totals after each and those `before`; who has no total in a row was not there."""
    last = dict(before or {})
    found = []
    for row in rows:
        found.append({column: None if said is None else said - last.get(column, 0) for column, said in row.items()})
        last |= {column: said for column, said in row.items() if said is not None}
    return found


def add_up(cells: Iterable[int | None]) -> int:
    return sum(points for points in cells if points is not None)


def in_order(outline: Outline, rows: Sequence[ListRow]) -> list[ListRow]:
    """The oldest first, sheet by sheet: within each the order is that of its rows or the other way."""
    sheets = [list(found) for _part, found in groupby(rows, key=lambda entry: outline.part(entry.row))]
    turned = [found[::-1] if found[0].day > found[-1].day else found for found in sheets]
    return [entry for found in sorted(turned, key=lambda found: found[0].day) for entry in found]


def stretch_of(outline: Outline, cells: str, entry: ListRow) -> str:
    """To which stretch of the list this row belongs, in each of which totals begin from nothing."""
    return {BY_SHEET: outline.part(entry.row), BY_YEAR: str(entry.day.year)}.get(cells, "")


def brought_by(outline: Outline, reading: Reading, entries: Sequence[ListRow], way: ReadingWay) -> list[ListRow]:
    """What each evening brought, from the totals after each."""
    rows = in_order(outline, entries)
    if way.cells == TOTALS and rows:
        return differences(rows, start_of(outline, reading, rows))
    stretches = groupby(rows, key=lambda entry: stretch_of(outline, way.cells, entry))
    return [entry for _name, found in stretches for entry in differences(list(found))]


def start_of(outline: Outline, reading: Reading, rows: Sequence[ListRow]) -> Points:
    """How everybody stood before the first of these evenings, by a row beside it that says so; one that says the same as the last
    is how everybody stands now."""
    first, last = rows[0], rows[-1]
    step = -1 if first.row <= last.row else 1
    near = [found for found in reading.standing if (found.row - first.row) * step > 0]
    found = min(near, key=lambda found: abs(found.row - first.row), default=None)
    if found is None or found.points == last.points:
        return {}
    would = brings((column.title, str(found.cells.get(column.index, ""))) for column in outline.columns)
    said = Said(gettext_noop("gilt als Punktestand davor und zählt zu keinem Abend (%(points)s)"), {"points": would})
    place = outline.remark(found.row, "").where
    reading.left_out[:] = [
        outline.remark(found.row, said) if remark.where == place else remark for remark in reading.left_out
    ]
    return found.points


def has_gaps(rows: Sequence[ListRow]) -> bool:
    """Do more people go without a total between two of theirs than keep one? Then it says who was away."""
    gaps, kept = 0, 0
    for column in rows[0].cells if rows else ():
        said = [entry.cells[column] for entry in rows]
        there = [at for at, points in enumerate(said) if points is not None]
        gaps += sum(later - at - 1 for at, later in pairwise(there))
        kept += sum(said[at] == said[later] for at, later in pairwise(there))
    return gaps > kept


def differences(rows: Sequence[ListRow], before: Points | None = None) -> list[ListRow]:
    """What each row brought, from the totals after each."""
    changes = changes_of([entry.cells for entry in rows], before)
    return [ListRow(entry.row, entry.day, brought) for entry, brought in zip(rows, changes, strict=True)]


def changed(outline: Outline, reading: Reading, rows: Sequence[ListRow], there: bool = True) -> list[ListRow]:
    """The rows that change a total. Who keeps theirs was not `there`, or is with nothing."""
    found = []
    for entry in rows:
        if not any(entry.points.values()):
            reading.left_out.append(outline.remark(entry.row, Said(gettext_noop("ändert keinen Punktestand"))))
        elif there:
            found.append(entry)
        else:
            found.append(without_zeros(entry))
    return found


# --- Odd days ---------------------------------------------------------------------------------------------------------


# A list whose days follow each other but for so few of them is kept in order.
FEWEST_IN_ORDER: Final = 0.6
# So far from both its neighbours a day is no evening that was written down late.
FAR: Final = datetime.timedelta(days=180)
# Of fewer days one after the other nobody knows in which order they are kept.
FEWEST_STEPS: Final = 3


def doubts(outline: Outline, rows: Sequence[ListRow]) -> list[Remark]:
    """Of the rows of a list by evenings: those of a day that was there before, those that stand out of order by far, and those
    that jump back within a year."""
    return [*_again(outline, rows), *_far_away(outline, rows), *_back(outline, rows)]


def _again(outline: Outline, rows: Sequence[ListRow]) -> Iterator[Remark]:
    days: dict[datetime.date, ListRow] = {}
    for entry in rows:
        before = days.setdefault(entry.day, entry)
        # Others on the same day sit at another table.
        if before is entry or not before.points.keys() & entry.points.keys():
            continue
        said = {"day": _day(entry), "where": outline.place(before.row) or row_called(before.row)}
        if before.points == entry.points:
            yield outline.remark(entry.row, _("noch einmal der %(day)s mit denselben Punkten, wie %(where)s") % said)
        else:
            yield outline.remark(entry.row, _("noch einmal der %(day)s, wie %(where)s") % said)


def _far_away(outline: Outline, rows: Sequence[ListRow]) -> Iterator[Remark]:
    steps = [(later.day - entry.day).days for entry, later in pairwise(rows)]
    onward = 1 if sum(step >= 0 for step in steps) >= sum(step <= 0 for step in steps) else -1
    in_order = sum(step * onward >= 0 for step in steps)
    if in_order < FEWEST_IN_ORDER * len(steps):
        return
    ends = [None, *(entry.day for entry in rows), None]
    for before, entry, after in zip(ends, rows, ends[2:], strict=False):
        if _is_far(entry.day, before, after, onward):
            yield outline.remark(
                entry.row, _("der %(day)s liegt weit vor oder hinter den Tagen daneben") % {"day": _day(entry)}
            )


def _back(outline: Outline, rows: Sequence[ListRow]) -> Iterator[Remark]:
    """Where a list jumps back to the beginning of its year, once at most: it may be that of the next one."""
    steps = list(pairwise(rows))
    back = [(entry, later) for entry, later in steps if later.day < entry.day]
    if len(back) != 1 or len(steps) < FEWEST_STEPS:
        return
    [(before, entry)] = back
    same_part = outline.part(before.row) == outline.part(entry.row)
    if same_part and before.day.year == entry.day.year and before.day - entry.day > FAR:
        said = _(
            "der %(day)s liegt lange vor dem %(before)s darüber; ist das Jahr danach gemeint, bitte in der Datei dazuschreiben"
        )
        yield outline.remark(entry.row, said % {"day": _day(entry), "before": _day(before)})


def _is_far(day: datetime.date, before: datetime.date | None, after: datetime.date | None, onward: int) -> bool:
    """Is this day far from both beside it? At an end of the list, is it far on the wrong side of the one that is there?"""
    if before is not None and after is not None:
        return not min(before, after) - FAR <= day <= max(before, after) + FAR
    if before is not None:
        return onward * (before - day) > FAR
    return after is not None and onward * (day - after) > FAR


def _day(entry: ListRow) -> str:
    return date_format(entry.day, "SHORT_DATE_FORMAT")


# --- Lines of games ---------------------------------------------------------------------------------------------------


def line_of(points: Sequence[int | None], rules: RuleSettings) -> ListLine:
    """What one row brought the people of the table, None to who has no points in it. `rules` are those of a table of so
    many, without Bock."""
    game = _short(points, rules)
    if game is not None:
        return ListLine(Game.Form.SHORT, game)
    reason = _("übernommen")
    return ListLine(Game.Form.CORRECTION, {"points": [brought or 0 for brought in points], "reason": reason})


def looks_dealt(points: Iterable[int]) -> bool:
    """Could a game between two and two, or one against three, have brought these points under any usual rules?"""
    brought = sorted(abs(entry) for entry in points if entry)
    return len(brought) in (2, 4) and brought[0] == brought[-2] and brought[-1] in (brought[0], 3 * brought[0])


def _short(points: Sequence[int | None], rules: RuleSettings) -> dict[str, Any] | None:
    """The game in the short form that brings exactly this, None where there is none."""
    out = _sitting_out(points, rules)
    won = [seat for seat, brought in enumerate(points) if brought and brought > 0]
    lost = [seat for seat, brought in enumerate(points) if brought and brought < 0]
    if out is None or not (won or lost):
        return None
    playing = [seat for seat in range(rules.table) if seat not in out]
    for winners in (won, [seat for seat in playing if seat not in lost]):
        solo = 1 in (len(winners), len(playing) - len(winners))
        for base in sorted({abs(brought) for brought in points if brought}):
            facts = _facts(winners, base, solo, out)
            if _brings(facts, points, rules):
                return facts
    return None


def _facts(winners: Sequence[int], base: int, solo: bool, out: Sequence[int]) -> dict[str, Any]:
    return {
        "winners": list(winners),
        "base": base,
        **({"solo": True} if solo else {}),
        **({"out": list(out)} if out else {}),
    }


def _sitting_out(points: Sequence[int | None], rules: RuleSettings) -> list[int] | None:
    """Who sits out: those without points, else those with 0; None where that is not as many as these rules have."""
    for nothing in (None, 0):
        out = [seat for seat, brought in enumerate(points) if brought == nothing and type(brought) is type(nothing)]
        if len(out) == rules.sitters:
            return out
        if out:
            return None
    return None if rules.sitters else []


def _brings(facts: dict[str, Any], points: Sequence[int | None], rules: RuleSettings) -> bool:
    try:
        read = parse_line(Game.Form.SHORT, facts, rules)
    except Refused:
        return False
    return list(score(read, rules).points) == [brought or 0 for brought in points]  # type: ignore[arg-type]  # the short form is read as such


# --- Evenings and games -----------------------------------------------------------------------------------------------


def read_evenings(outline: Outline, people: Sequence[int], way: ReadingWay) -> Reading:
    """Every row is an evening; `people` are the columns of those taken in."""
    reading = Reading(left_out=list(outline.left_out), asks=what_is_missing(outline, Import.Kind.EVENINGS, way))
    entries: Sequence[ListRow] = list(rows_of(outline, people, reading, way))
    if way.running:
        reading.keeps_there = has_gaps(entries)
        brought = brought_by(outline, reading, entries, way)
        entries = changed(outline, reading, brought, there=reading.keeps_there)
    if way.cells == NO_ZEROS:
        entries = list(map(without_zeros, entries))
    entries = _with_points(outline, reading, _together(outline, reading, entries, way))
    reading.doubts = doubts(outline, entries)
    for entry in entries:
        last = reading.sittings[-1] if reading.sittings else None
        if last and last.held_on == entry.day and not last.points.keys() & entry.points.keys():
            # Another table of this evening.
            reading.sittings[-1] = Sitting(entry.day, {**last.points, **entry.points})
        else:
            reading.sittings.append(Sitting(entry.day, entry.points))
        _judge_sum(outline, reading, entry)
    return reading


def _with_points(outline: Outline, reading: Reading, entries: Sequence[ListRow]) -> list[ListRow]:
    """Without evenings of nothing but zeros, as planned ones have them."""
    nothing = [entry for entry in entries if not any(entry.points.values())]
    reading.left_out += [outline.remark(entry.row, Said(gettext_noop("bringt niemandem Punkte"))) for entry in nothing]
    return [entry for entry in entries if entry not in nothing]


def read_games(outline: Outline, people: Sequence[int], way: ReadingWay, rules: RuleSettings) -> Reading:
    """Every row is a game, of the evening of its day or of the last one above it, else of that of the way. `rules` are without
    Bock: what the file says is what a game brought."""
    reading = Reading(left_out=list(outline.left_out), asks=what_is_missing(outline, Import.Kind.GAMES, way))
    before: Points = {}
    for evening in by_day(rows_of(outline, people, reading, way, carry=True)):
        rows = evening
        if way.cells == THROUGH and not before:
            before = start_of(outline, reading, evening)
        if way.running:
            rows = changed(outline, reading, differences(evening, before if way.cells == THROUGH else {}))
            before |= {column: points for entry in evening for column, points in entry.points.items()}
        elif _ends_with_sum(rows):
            reading.left_out.append(outline.remark(rows[-1].row, Said(gettext_noop("ist die Summe der Zeilen darüber"))))
            rows = rows[:-1]
        rows = _together(outline, reading, rows, way)
        if rows:
            reading.sittings.append(_sitting(outline, reading, rows, rules))
        for entry in rows:
            _judge_sum(outline, reading, entry)
    return reading


def _together(outline: Outline, reading: Reading, rows: Sequence[ListRow], way: ReadingWay) -> list[ListRow]:
    """The rows with one cell for each person, however many columns are theirs."""
    found = []
    for entry in rows:
        cells: dict[int, int | None] = {}
        for column, points in entry.cells.items():
            first = way.joined.get(column, column)
            if points is not None and cells.get(first) is not None:
                sentence = _(
                    "In zwei Spalten einer Person stehen Punkte: bitte in der Datei zusammenzählen, oder eine der Spalten "
                    "auslassen."
                )
                reading.faults.append(outline.remark(entry.row, sentence))
                break
            cells[first] = points if points is not None else cells.get(first)
        else:
            found.append(ListRow(entry.row, entry.day, cells))
    return found


def _judge_sum(outline: Outline, reading: Reading, entry: ListRow) -> None:
    if total := sum(entry.points.values()):
        reading.odd.append(Odd(entry.row, entry.day, total, outline.place(entry.row)))


# --- Games ------------------------------------------------------------------------------------------------------------


def _ends_with_sum(rows: Sequence[ListRow]) -> bool:
    """Is the last of these rows the sum of those above, though nothing says so?"""
    *games, last = rows
    sums = {column: sum(entry.points.get(column, 0) for entry in games) for column in last.cells}
    return len(games) > 1 and any(sums.values()) and all(last.points.get(column, 0) == sums[column] for column in sums)


def _sitting(outline: Outline, reading: Reading, rows: Sequence[ListRow], rules: RuleSettings) -> Sitting:
    """An evening line by line, for those who have points in any of them, in the order of the columns; with the sums alone
    where that is no table."""
    seats = [column for column in rows[0].cells if any(entry.cells[column] is not None for entry in rows)]
    totals = {column: sum(entry.points.get(column, 0) for entry in rows) for column in seats}
    if len(seats) not in SEATS:
        return Sitting(rows[0].day, totals)
    at_table = rules.at(len(seats))
    lines = [line_of([entry.cells[column] for column in seats], at_table) for entry in rows]
    reading.by_hand += [
        outline.place(entry.row) or entry.row for entry, line in zip(rows, lines, strict=True) if not line.is_game
    ]
    return Sitting(rows[0].day, totals, lines)

