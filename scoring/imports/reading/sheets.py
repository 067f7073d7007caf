"""The sheets of a file that are read together: which of them are lists, and all of them as one outline."""

from __future__ import annotations

import datetime
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from scoring.core.names import name_key
from scoring.core.text import text_key

from .cells import (
    MONTHS,
    TOTALS,
    CellRefused,
    has_year,
    is_day,
    is_week,
    looks_like_euros,
    mark_in,
    read_day,
    read_euros,
    read_points,
)
from .columns import WhyNot, names_in_one, refuse_places, signs_in_one
from .days import (
    Days,
    SpansRefused,
    day_alone,
    days_first,
    days_said,
    evenings_said,
    has_months_first,
    in_one_column,
    in_one_row,
    months_across,
    refuse_spans,
    season_in,
    weeks_said,
    with_month,
    words_first,
    year_in,
    years_in,
)
from .file_formats import OUR_LISTS, Rows
from .layouts import (
    AS_IS,
    LONG,
    brings,
    in_one_table,
    refuse_games_across,
    refuse_months_beside,
    refuse_sheets_of_people,
    reshaped,
    shape_of,
    side_by_side,
    with_days_above,
    without_standings,
)
from .opening_standings import looks_like_sums
from .outline import Outline, PersonColumn, Remark, Said, row_called, understand, understand_ours
from .uploads import FileRefused, FileSheet, opening_refused

# So many different marks are named.
MARKS: Final = 5
# From so many days on it is no accident that all are the first of a month.
FIRSTS: Final = 3


def outline_of(sheet: FileSheet, shape: str = "", known: Collection[str] = ()) -> Outline:
    """One sheet, in the shape that was said, else the one it looks like; `known` are the keys of the names of the club, which are
    people whatever their names mean. Raises FileRefused."""
    if sheet.name.startswith(OUR_LISTS) and not shape:
        return understand_ours(sheet.rows)
    refuse_games_across(sheet.rows)
    refuse_months_beside(sheet.rows)
    rows = months_across(evenings_said(sheet.rows), sheet.name)
    rows, left_out = without_standings(in_one_table(rows, sheet.name))
    plain, notes = _plain(rows, sheet.name)
    refuse_spans(plain)
    if looks_like_sums([sheet._replace(rows=rows)]):
        raise opening_refused()
    rows = plain
    shape = shape or shape_of(rows)
    grid = (side_by_side(rows) if shape == AS_IS else None) or reshaped(rows, shape)
    outline = understand(grid.rows, known, grid.shape == LONG)
    people = outline.people
    refuse_places(people, [row for _number, row in outline.data() if not outline.aside(row, people)])
    notes += filter(None, [_marks_said(outline, people), _firsts_said(outline)])
    above = " ".join(cell for row in rows[: max(outline.head, 1)] for cell in row)
    outline = replace(outline, shape=grid.shape, places=grid.places, left_out=[*left_out, *grid.left_out], notes=notes)
    return without_totals_between(below_headings(replace(outline, years=years_in(above))))


def _plain(rows: Rows, name: str) -> tuple[Rows, list[str]]:
    """The rows with each day and each number of somebody in one cell, and what is to be said of that."""
    notes = []
    if has_months_first(rows):
        rows = days_first(rows)
        notes.append(
            _("In den Tagen steht der Monat vorn, wie 12/31/2023: Für die Vorschau ist er hinter den Tag gestellt.")
        )
    rows, days = days_said(words_first(rows))
    rows, said = signs_in_one(names_in_one(rows))
    rows = with_days_above(with_month(weeks_said(in_one_row(in_one_column(rows))), name))
    return rows, [*notes, *filter(None, [days, said])]


def _firsts_said(outline: Outline) -> str:
    """The sentence where all days are the first of some month, as a spreadsheet keeps months."""
    said = outline.days()
    if len(said) < FIRSTS or not all(map(has_year, said)) or any(read_day(cell).day != 1 for cell in said):
        return ""
    return _(
        "Alle Tage sind der Erste eines Monats: Sind es Summen von Monaten, bitte nicht übernehmen, sondern je Person "
        "zusammenzählen und „Anfangsstand eingeben“."
    )


def _marks_said(outline: Outline, people: Sequence[int]) -> str:
    """The sentence that says which marks behind points were not read; empty where there are none."""
    cells = (row[index] for _number, row in outline.data() for index in people if index < len(row))
    marked = dict.fromkeys(filter(None, map(mark_in, cells)))
    if not marked:
        return ""
    said = _("Hinter manchen Punkten steht etwas (%(marks)s): Gelesen ist die Zahl davor.")
    return said % {"marks": ", ".join(f"„{mark}“" for mark in list(marked)[:MARKS])}


def understood(sheets: Sequence[FileSheet], shape: str = "", known: Collection[str] = ()) -> dict[int, Outline]:
    """The sheets that are lists, by their index. Raises FileRefused, for the first of them, where none that is visible is one."""
    visible = [sheet for sheet in sheets if not sheet.hidden]
    refuse_sheets_of_people(visible)
    found: dict[int, Outline] = {}
    faults = []
    for index, sheet in enumerate(sheets):
        if sheet.hidden and (not found or not sheet.rows):
            continue
        try:
            found[index] = outline_of(sheet, shape, known)
        except FileRefused as refused:
            faults.append(refused)
    if not found:
        of_sums = looks_like_sums(visible) and not isinstance(faults[0], SpansRefused)
        raise opening_refused() if of_sums else faults[0]
    return found


def alike(sheets: Sequence[FileSheet], outlines: dict[int, Outline]) -> list[int]:
    """The sheets that are read together with the first: lists of the same kind, about much the same people or with the same
    name but for the year or month, and of other days. A sheet with the same days is about money or something else."""
    first = next(iter(outlines.values()))
    called = _but_for_its_time(sheets[next(iter(outlines))].name)
    names: set[str] = set()
    days: set[str] = set()
    found: list[int] = []
    for index, outline in outlines.items():
        if sheets[index].hidden:
            continue
        own = {name_key(column.name) for column in outline.columns if not column.why_not}
        name = sheets[index].name
        on = set(filter(is_day, _dated(name, outline).days()))
        same_kind = (outline.label is None, outline.kind()) == (first.label is None, first.kind())
        same_days = outline.number is None and 2 * len(on & days) > min(len(on), len(days))
        same_people = 2 * len(own & names) > len(own) or (called is not None and called == _but_for_its_time(name))
        if not found or (same_kind and not same_days and same_people):
            found.append(index)
            names |= own
            days |= on
    return found


def _but_for_its_time(name: str) -> str | None:
    """What a sheet is called without its year and month; None where it says none."""
    words = [word for word in re.findall(r"\w+", text_key(name)) if word not in MONTHS]
    rest = " ".join(word for word in words if not word.isdecimal())
    return None if year_in(name) is None and not {*MONTHS} & set(re.findall("[a-z]+", text_key(name))) else rest


def why_none(sheet: FileSheet, shape: str = "", known: Collection[str] = ()) -> str:
    """Why this sheet is no list; empty where it is one."""
    try:
        outline_of(sheet, shape, known)
    except FileRefused as refused:
        return str(refused)
    return ""


def joined(sheets: Sequence[FileSheet], outlines: dict[int, Outline]) -> Outline:
    """All of these as one, those of one name in one column. One alone stays as it is but for what its name says."""
    dated = {index: _dated(sheets[index].name, outline) for index, outline in outlines.items()}
    if len(dated) == 1:
        return next(iter(dated.values()))
    first = next(iter(dated.values()))
    has_day = any(outline.day is not None for outline in dated.values())
    has_number = not has_day and any(outline.number is not None for outline in dated.values())
    start = int(has_day or has_number)
    columns: dict[tuple[str, WhyNot | None], PersonColumn] = {}
    rows: Rows = [[first.rows[first.head][first.label] if start and first.label is not None else ""]]
    places: list[Said | str] = [""]
    parts, left_out = [""], []
    named = {name_key(column.name) for outline in dated.values() for column in outline.columns if not column.why_not}
    for index, outline in dated.items():
        name = sheets[index].name
        at: dict[int, int] = {}
        people = outline.people
        for column in outline.columns:
            # Whoever has no points on one sheet may have some on another.
            is_nobody = name_key(column.name) not in named or column.why_not not in (WhyNot.EMPTY, WhyNot.ZEROS)
            key = (name_key(column.name), column.why_not if is_nobody else None)
            if columns.get(key) and columns[key].index in at.values():
                key = (key[0], column.why_not)
            columns.setdefault(key, replace(column, index=start + len(columns), why_not=key[1]))
            at[column.index] = columns[key].index
        if start and outline.label is not None:
            at[outline.label] = 0
        left_out += [replace(remark, place=_on_sheet(name, remark.place or row_called(remark.row))) for remark in outline.left_out]
        for number, row in outline.data():
            moved = [""] * (start + len(columns))
            for column_index, cell in enumerate(row):
                if column_index in at:
                    moved[at[column_index]] = cell
            if start and (not moved[0] or outline.is_total(row, people)):
                # What names a sum may stand in a column of its own.
                moved[0] = next((cell for cell in row if TOTALS.match(text_key(cell))), moved[0])
            rows.append(moved)
            parts.append(name)
            places.append(_on_sheet(name, outline.place(number) or row_called(number)))
    rows[0] += [column.name for column in columns.values()]
    years = list(dict.fromkeys(year for outline in dated.values() for year in outline.years))
    return Outline(
        rows=rows,
        head=0,
        day=0 if has_day else None,
        columns=list(columns.values()),
        number=0 if has_number else None,
        places=places,
        parts=parts,
        left_out=left_out,
        shape=first.shape,
        years=years,
        notes=list(dict.fromkeys(note for outline in dated.values() for note in outline.notes)),
    )


def _on_sheet(name: str, place: Said | str) -> Said:
    return Said("%(sheet)s, %(place)s", {"sheet": name, "place": place})


def _dated(name: str, outline: Outline) -> Outline:
    """With the days of a sheet whose name says its year, or the one day of it."""
    if outline.label is None:
        try:
            day = read_day(name).isoformat()
        except CellRefused:
            return outline
        at = max(map(len, outline.rows[outline.head :]))
        rows = [[*row, *[""] * (at - len(row))] for row in outline.rows]
        rows[outline.head].append(_("Datum"))
        people = outline.people
        first = next((number for number, row in outline.data() if not outline.is_total(row, people)), 0)
        for number, _row in outline.data():
            # Several rows of one day are its games, which leave the day to the first of them.
            rows[number - 1].append(day if number == first else "")
        return replace(outline, rows=rows, day=at)
    year = year_in(name)
    return outline if year is None else with_years(outline, name, year)


# --- Years and months above days --------------------------------------------------------------------------------------


def with_years(outline: Outline, name: str, year: int) -> Outline:
    """With the days of a sheet whose name says a year."""
    return _with_year_of_heading(outline, [number for number, _row in outline.data()], _said_by(name, year, None))


@dataclass(frozen=True)
class _Heading:
    """What stands above days: their year, their month where it says one, and whether they may go on into the next year, as a season
    does."""

    year: int
    month: int | None
    goes_on: bool
    is_season: bool = False

    @property
    def near(self) -> datetime.date:
        """The middle of the days below."""
        return datetime.date(self.year + 1, 1, 1) if self.is_season else datetime.date(self.year, 7, 2)


def _said_by(heading: str, year: int, month: int | None) -> _Heading:
    is_season = season_in(heading) is not None
    return _Heading(year, month, is_season or _may_go_on(heading), is_season)


def below_headings(outline: Outline) -> Outline:
    """With the days of each part of a sheet that has a year, or a month, alone in a row above it."""
    found, last, numbers = outline, None, list[int]()
    above = outline.years[0] if len(outline.years) == 1 else None
    for number, row in outline.data():
        alone = [cell for cell in row if cell]
        heading = _heading(alone[0], last.year if last else above) if len(alone) == 1 else None
        if heading is None:
            numbers.append(number)
            continue
        found = _with_year_of_heading(found, numbers, last) if last else found
        last, numbers = heading, []
    return _with_year_of_heading(found, numbers, last) if last else found


def _heading(cell: str, above: int | None) -> _Heading | None:
    """What stands alone in a row; the year of a month can be the one above."""
    if has_year(cell):
        return None
    month = next((MONTHS[word] for word in re.findall("[a-z]+", text_key(cell)) if word in MONTHS), None)
    year = year_in(cell) or (above if month and not re.search("[0-9]", cell) else None)
    return None if year is None else _said_by(cell, year, month)


def _may_go_on(heading: str) -> bool:
    """Is this more than a year or a month?"""
    return any(word not in MONTHS and word != "jahr" for word in re.findall("[a-z]+", text_key(heading)))


def _with_year_of_heading(outline: Outline, numbers: Sequence[int], heading: _Heading) -> Outline:
    """With the year in the days of these rows, and the month where they say the day alone."""
    at = outline.day
    if at is None:
        return outline
    rows = [list(row) for row in outline.rows]
    there = [rows[number - 1] for number in numbers if at < len(rows[number - 1]) and rows[number - 1][at]]
    days = Days([row[at] for row in there], heading.near, carry=False)
    for row in there:
        if heading.month and (alone := day_alone(row[at])):
            row[at] = f"{alone}.{heading.month}.{heading.year}"
        try:
            day = days.of(row[at]) if heading.goes_on else read_day(row[at], heading.near)
        except CellRefused:
            continue
        row[at] = f"{day:%G-W%V}" if is_week(row[at]) else day.isoformat()
    return replace(outline, rows=rows)


# --- Rows of totals between rows of points ----------------------------------------------------------------------------


Numbered = tuple[int, Mapping[int, int]]
# So many rows of points have one of totals beside them, and so many of ten of these are the one before with the points.
FEWEST: Final = 2
FIT: Final = 8


def without_totals_between(outline: Outline) -> Outline:
    """The sheet without such rows; as it is where it has none."""
    people = outline.people
    totals = totals_between(_rows(outline, people)) if len(people) > 1 else {}
    if not totals:
        return outline
    rows = [list(row) for row in outline.rows]
    for number in totals:
        rows[number - 1] = []
    note = _("Zu jeder Zeile mit Punkten steht eine mit dem Punktestand: Gelesen sind die Punkte, die Punktestände bleiben weg.")
    said = [_remark(outline, people, number, fits) for number, fits in sorted(totals.items())]
    return replace(outline, rows=rows, left_out=[*outline.left_out, *said], notes=[*outline.notes, note])


def _remark(outline: Outline, people: Sequence[int], number: int, fits: bool) -> Remark:
    row = outline.rows[number - 1]
    names = {column.index: column.title for column in outline.columns}
    said = gettext_noop("ist der Punktestand nach einem Abend (%(points)s)")
    if not fits:
        said = gettext_noop("ist der Punktestand nach einem Abend, der zu seinen Punkten nicht passt: bitte nachsehen (%(points)s)")
    would = brings((names[index], row[index]) for index in people if index < len(row))
    return outline.remark(number, Said(said, {"points": would}))


def _rows(outline: Outline, people: Sequence[int]) -> list[Numbered]:
    """The rows with points or totals; none where one of them cannot be read."""
    try:
        return list(_read(outline, people))
    except CellRefused:
        return []


def _read(outline: Outline, people: Sequence[int]) -> Iterator[Numbered]:
    cells = [row[index] for _number, row in outline.data() for index in people if index < len(row)]
    amounts = read_euros if any(map(looks_like_euros, cells)) else read_points
    for number, row in outline.data():
        if outline.aside(row, people):
            continue
        worth = {index: amounts(row[index]) for index in people if index < len(row)}
        if found := {index: points for index, points in worth.items() if points is not None}:
            yield number, found


def totals_between(rows: Sequence[Numbered]) -> dict[int, bool]:
    """The rows that say how everybody stands, each with whether it fits its points; the first evening stands on top or at the end,
    and the points in front of the totals or behind them."""
    for onward in (rows, rows[::-1]):
        for first in (0, 1):
            points, totals = onward[first::2], onward[1 - first :: 2]
            if found := _fitting(points, totals):
                return found
    return {}


def _fitting(points: Sequence[Numbered], totals: Sequence[Numbered]) -> dict[int, bool]:
    if len(points) - len(totals) not in (0, 1) or len(totals) < FEWEST:
        return {}
    found: dict[int, bool] = {}
    last: dict[int, int] = {}
    so_far: Counter[int] = Counter()
    for (_at, brought), (number, said) in zip(points, totals, strict=False):
        here, before_it = {**last, **said}, dict(so_far)
        so_far.update(brought)
        # One that is wrong makes no other one so.
        found[number] = any(
            all(here.get(column, 0) == before.get(column, 0) + brought.get(column, 0) for column in {*here, *brought})
            for before in (last, before_it)
        )
        last = here
    # What the first one is added to may be from before.
    is_some = any(any(brought.values()) for _at, brought in points)
    return found if is_some and sum(found.values()) >= max(FEWEST, FIT * len(found) / 10) else {}

