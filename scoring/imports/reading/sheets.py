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

from .cells import MONTHS, TOTAL_LABELS, CellRefused, find_mark, has_year, is_day, is_week, read_day
from .columns import Exclusion, join_names, join_signs, refuse_ranks
from .days import (
    Days,
    SpansRefused,
    add_month_across,
    find_day_of_month,
    find_season,
    find_year,
    find_years,
    mark_evening_numbers,
    place_days,
    refuse_spans,
    rewrite_days,
)
from .file_formats import OUR_LISTS, Rows
from .kasse import refuse_cash_book
from .layouts import (
    LONG,
    add_days_above,
    build_grid,
    join_tables,
    refuse_games_across,
    refuse_months_beside,
    refuse_sheet_per_person,
    remove_totals_tables,
)
from .opening_standings import looks_like_totals_list
from .outline import Outline, PersonColumn, Phrase, build_outline, build_own_outline, format_row
from .uploads import FileRefused, FileSheet, build_opening_refusal

# How many different marks are named.
MAX_MARKS: Final = 5
# With so many days it is no accident that all are the first of a month.
MIN_FIRST_DAYS: Final = 3


def outline_sheet(sheet: FileSheet, shape: str = "", known: Collection[str] = ()) -> Outline:
    """Build the outline of a sheet, in the given shape or the one it seems to have. Raise FileRefused.
    `known` are the name keys of the club's players, who are people whatever their names mean."""
    if sheet.name.startswith(OUR_LISTS) and not shape:
        return build_own_outline(sheet.rows)
    refuse_cash_book(sheet.rows, known)
    refuse_games_across(sheet.rows)
    refuse_months_beside(sheet.rows)
    rows = add_month_across(mark_evening_numbers(sheet.rows), sheet.name)
    rows, left_out = remove_totals_tables(join_tables(rows, sheet.name))
    plain, notes = rewrite_days(rows)
    plain, sign_note = join_signs(join_names(plain))
    plain = add_days_above(place_days(plain, sheet.name))
    refuse_spans(plain)
    if looks_like_totals_list([sheet._replace(rows=rows)]):
        raise build_opening_refusal()
    grid = build_grid(plain, shape)
    outline = build_outline(grid.rows, known, grid.shape == LONG)
    people = outline.people
    refuse_ranks(people, [row for _number, row in outline.iter_rows() if not outline.explain_aside(row, people)])
    notes += filter(None, [sign_note, _describe_marks(outline, people), _warn_of_months(outline)])
    above = " ".join(cell for row in plain[: max(outline.head, 1)] for cell in row)
    outline = replace(outline, shape=grid.shape, places=grid.places, left_out=[*left_out, *grid.left_out], notes=notes)
    return leave_out_totals(add_years_of_headings(replace(outline, years=find_years(above))))


def _warn_of_months(outline: Outline) -> str:
    """Return a warning if all days are the first of a month, as spreadsheets store months."""
    days = outline.days()
    if len(days) < MIN_FIRST_DAYS or not all(map(has_year, days)) or any(read_day(day).day != 1 for day in days):
        return ""
    return _(
        "Alle Tage sind der Erste eines Monats: Sind es Summen von Monaten, bitte nicht übernehmen, sondern je Person "
        "zusammenzählen und „Anfangsstand eingeben“."
    )


def _describe_marks(outline: Outline, people: Sequence[int]) -> str:
    """Return a note with the marks after points that were not read, or an empty string."""
    marks = dict.fromkeys(filter(None, map(find_mark, outline.list_cells(people))))
    if not marks:
        return ""
    sentence = _("Hinter manchen Punkten steht etwas (%(marks)s): Gelesen ist die Zahl davor.")
    return sentence % {"marks": ", ".join(f"„{mark}“" for mark in list(marks)[:MAX_MARKS])}


def outline_sheets(sheets: Sequence[FileSheet], shape: str = "", known: Collection[str] = ()) -> dict[int, Outline]:
    """Return the outlines of the sheets that are lists, by index. Raise FileRefused if no visible sheet is a list."""
    visible = [sheet for sheet in sheets if not sheet.hidden]
    refuse_sheet_per_person(visible)
    outlines: dict[int, Outline] = {}
    faults = []
    for index, sheet in enumerate(sheets):
        if sheet.hidden and (not outlines or not sheet.rows):
            continue
        try:
            outlines[index] = outline_sheet(sheet, shape, known)
        except FileRefused as refused:
            faults.append(refused)
    if not outlines:
        has_totals = looks_like_totals_list(visible) and not isinstance(faults[0], SpansRefused)
        raise build_opening_refusal() if has_totals else faults[0]
    return outlines


def select_alike(sheets: Sequence[FileSheet], outlines: dict[int, Outline]) -> list[int]:
    """Select the sheets to read together with the first list.
    They are of the same kind, have mostly the same people or the same name except for year and month, and other days. A sheet with
    the same days is about money or something else."""
    first = next(iter(outlines.values()))
    first_name = _strip_time(sheets[next(iter(outlines))].name)
    names: set[str] = set()
    days: set[str] = set()
    selected: list[int] = []
    for index, outline in outlines.items():
        if sheets[index].hidden:
            continue
        own = {name_key(column.name) for column in outline.columns if not column.exclusion}
        name = sheets[index].name
        own_days = set(filter(is_day, _add_time_of_name(name, outline).days()))
        same_kind = (outline.label is None, outline.guess_kind()) == (first.label is None, first.guess_kind())
        same_days = outline.number is None and 2 * len(own_days & days) > min(len(own_days), len(days))
        same_name = first_name is not None and first_name == _strip_time(name)
        same_people = 2 * len(own & names) > len(own) or same_name
        if not selected or (same_kind and not same_days and same_people):
            selected.append(index)
            names |= own
            days |= own_days
    return selected


def _strip_time(name: str) -> str | None:
    """Return the name of a sheet without its year and month, or None if it has none."""
    words = [word for word in re.findall(r"\w+", text_key(name)) if word not in MONTHS]
    rest = " ".join(word for word in words if not word.isdecimal())
    return None if find_year(name) is None and not {*MONTHS} & set(re.findall("[a-z]+", text_key(name))) else rest


def explain_no_list(sheet: FileSheet, shape: str = "", known: Collection[str] = ()) -> str:
    """Return why this sheet is no list, or an empty string."""
    try:
        outline_sheet(sheet, shape, known)
    except FileRefused as refused:
        return str(refused)
    return ""


def join_sheets(sheets: Sequence[FileSheet], outlines: dict[int, Outline]) -> Outline:
    """Join outlines in one, each person in one column. The name of a sheet can give its rows a year or a day."""
    dated = {index: _add_time_of_name(sheets[index].name, outline) for index, outline in outlines.items()}
    if len(dated) == 1:
        return next(iter(dated.values()))
    first = next(iter(dated.values()))
    has_day = any(outline.day is not None for outline in dated.values())
    has_number = not has_day and any(outline.number is not None for outline in dated.values())
    start = int(has_day or has_number)
    columns: dict[tuple[str, Exclusion | None], PersonColumn] = {}
    rows: Rows = [[first.rows[first.head][first.label] if start and first.label is not None else ""]]
    places: list[Phrase | str] = [""]
    parts, left_out = [""], []
    people_keys = {name_key(column.name) for outline in dated.values() for column in outline.columns if not column.exclusion}
    for index, outline in dated.items():
        name = sheets[index].name
        at: dict[int, int] = {}
        people = outline.people
        for column in outline.columns:
            # A person without points on one sheet may have some on another.
            is_excluded = name_key(column.name) not in people_keys or column.exclusion not in (Exclusion.EMPTY, Exclusion.ZEROS)
            key = (name_key(column.name), column.exclusion if is_excluded else None)
            if columns.get(key) and columns[key].index in at.values():
                key = (key[0], column.exclusion)
            columns.setdefault(key, replace(column, index=start + len(columns), exclusion=key[1]))
            at[column.index] = columns[key].index
        if start and outline.label is not None:
            at[outline.label] = 0
        for remark in outline.left_out:
            left_out.append(replace(remark, place=_place_on_sheet(name, remark.place or format_row(remark.row))))
        for number, row in outline.iter_rows():
            moved = [""] * (start + len(columns))
            for column_index, cell in enumerate(row):
                if column_index in at:
                    moved[at[column_index]] = cell
            if start and (not moved[0] or outline.is_total(row, people)):
                # The word for a total may be in another column.
                moved[0] = next((cell for cell in row if TOTAL_LABELS.match(text_key(cell))), moved[0])
            rows.append(moved)
            parts.append(name)
            places.append(_place_on_sheet(name, outline.place(number) or format_row(number)))
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


def _place_on_sheet(name: str, place: Phrase | str) -> Phrase:
    return Phrase("%(sheet)s, %(place)s", {"sheet": name, "place": place})


# --- Years and months above days --------------------------------------------------------------------------------------

def _add_time_of_name(name: str, outline: Outline) -> Outline:
    """Add the year in the name of a sheet to its days, or the day in its name to a sheet without days."""
    if outline.label is None:
        try:
            day = read_day(name).isoformat()
        except CellRefused:
            return outline
        at = max(map(len, outline.rows[outline.head :]))
        rows = [[*row, *[""] * (at - len(row))] for row in outline.rows]
        rows[outline.head].append(_("Datum"))
        people = outline.people
        first = next((number for number, row in outline.iter_rows() if not outline.is_total(row, people)), 0)
        for number, _row in outline.iter_rows():
            # Several rows of one day are games, of which only the first has the day.
            rows[number - 1].append(day if number == first else "")
        return replace(outline, rows=rows, day=at)
    year = find_year(name)
    if year is None:
        return outline
    return _add_year_of_heading(outline, [number for number, _row in outline.iter_rows()], _Heading(name, year))


@dataclass(frozen=True)
class _Heading:
    """A text above days, or the name of their sheet: its year, and its month if any."""

    text: str
    year: int
    month: int | None = None

    @property
    def is_season(self) -> bool:
        return find_season(self.text) is not None

    @property
    def may_continue(self) -> bool:
        """True for more than a year or a month, such as a season, which may continue into the next year."""
        words = re.findall("[a-z]+", text_key(self.text))
        return self.is_season or any(word not in MONTHS and word != "jahr" for word in words)

    @property
    def near(self) -> datetime.date:
        """The middle of the possible days."""
        return datetime.date(self.year + 1, 1, 1) if self.is_season else datetime.date(self.year, 7, 2)


def add_years_of_headings(outline: Outline) -> Outline:
    """Add a year or month that is alone in a row to the days below it."""
    result, last, numbers = outline, None, list[int]()
    above = outline.years[0] if len(outline.years) == 1 else None
    for number, row in outline.iter_rows():
        alone = [cell for cell in row if cell]
        heading = _parse_heading(alone[0], last.year if last else above) if len(alone) == 1 else None
        if heading is None:
            numbers.append(number)
            continue
        result = _add_year_of_heading(result, numbers, last) if last else result
        last, numbers = heading, []
    return _add_year_of_heading(result, numbers, last) if last else result


def _parse_heading(cell: str, above: int | None) -> _Heading | None:
    """Parse a cell that is alone in a row; a month without a year takes the year above."""
    if has_year(cell):
        return None
    month = next((MONTHS[word] for word in re.findall("[a-z]+", text_key(cell)) if word in MONTHS), None)
    year = find_year(cell) or (above if month and not re.search("[0-9]", cell) else None)
    return None if year is None else _Heading(cell, year, month)


def _add_year_of_heading(outline: Outline, numbers: Sequence[int], heading: _Heading) -> Outline:
    """Add year and month of a heading to the days of these rows."""
    at = outline.day
    if at is None:
        return outline
    rows = [list(row) for row in outline.rows]
    there = [rows[number - 1] for number in numbers if at < len(rows[number - 1]) and rows[number - 1][at]]
    days = Days([row[at] for row in there], heading.near, carry=False)
    for row in there:
        if heading.month and (alone := find_day_of_month(row[at])):
            row[at] = f"{alone}.{heading.month}.{heading.year}"
        try:
            day = days.read(row[at]) if heading.may_continue else read_day(row[at], heading.near)
        except CellRefused:
            continue
        row[at] = f"{day:%G-W%V}" if is_week(row[at]) else day.isoformat()
    return replace(outline, rows=rows)


# --- Rows of totals between rows of points ----------------------------------------------------------------------------

# The number of a row and its points by column.
Numbered = tuple[int, Mapping[int, int]]
# How many rows of totals there must be, and how many of ten must be the previous totals plus the points.
MIN_TOTALS: Final = 2
FIT: Final = 8


def leave_out_totals(outline: Outline) -> Outline:
    """Leave out rows of totals, which need no label: each is the one before plus the points."""
    people = outline.people
    try:
        totals = find_totals_rows(list(_read_amounts(outline, people))) if len(people) > 1 else {}
    except CellRefused:
        return outline
    if not totals:
        return outline
    rows = [list(row) for row in outline.rows]
    for number in totals:
        rows[number - 1] = []
    note = _("Zu jeder Zeile mit Punkten steht eine mit dem Punktestand: Gelesen sind die Punkte, die Punktestände bleiben weg.")
    remarks = []
    for number, fits in sorted(totals.items()):
        text = gettext_noop("ist der Punktestand nach einem Abend (%(points)s)")
        if not fits:
            text = gettext_noop(
                "ist der Punktestand nach einem Abend, der zu seinen Punkten nicht passt: bitte nachsehen (%(points)s)"
            )
        points = outline.format_points(outline.rows[number - 1], people)
        remarks.append(outline.remark(number, Phrase(text, {"points": points})))
    return replace(outline, rows=rows, left_out=[*outline.left_out, *remarks], notes=[*outline.notes, note])


def _read_amounts(outline: Outline, people: Sequence[int]) -> Iterator[Numbered]:
    parse = outline.guess_parser(people)
    for number, row in outline.iter_rows():
        if outline.explain_aside(row, people):
            continue
        amounts = {index: parse(row[index]) for index in people if index < len(row)}
        if points := {index: amount for index, amount in amounts.items() if amount is not None}:
            yield number, points


def find_totals_rows(rows: Sequence[Numbered]) -> dict[int, bool]:
    """Return the rows of totals, each with whether it fits its points.
    The first evening may be the first or the last row, and the points may be before or after the totals."""
    for ordered in (rows, rows[::-1]):
        for first in (0, 1):
            points, totals = ordered[first::2], ordered[1 - first :: 2]
            if fitting := _check_totals(points, totals):
                return fitting
    return {}


def _check_totals(points: Sequence[Numbered], totals: Sequence[Numbered]) -> dict[int, bool]:
    if len(points) - len(totals) not in (0, 1) or len(totals) < MIN_TOTALS:
        return {}
    fits: dict[int, bool] = {}
    last: dict[int, int] = {}
    sums: Counter[int] = Counter()
    for (_number, added), (number, total) in zip(points, totals, strict=False):
        here, previous_sums = {**last, **total}, dict(sums)
        sums.update(added)
        # Compare with the sums of points as well: after a wrong total the next one can be right.
        fits[number] = any(
            all(here.get(column, 0) == before.get(column, 0) + added.get(column, 0) for column in {*here, *added})
            for before in (last, previous_sums)
        )
        last = here
    has_points = any(any(added.values()) for _number, added in points)
    return fits if has_points and sum(fits.values()) >= max(MIN_TOTALS, FIT * len(fits) / 10) else {}

