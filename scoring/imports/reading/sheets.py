"""The sheets of a file that are read together: which of them are lists, and all of them as one outline."""

from __future__ import annotations

import datetime
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from scoring.core.names import name_key
from scoring.core.text import text_key

from .cells import MONTHS, TOTAL_LABELS, CellRefused, find_mark, get_cell, has_year, is_day, is_week, read_day
from .days import (
    Days,
    find_day_of_month,
    find_month,
    find_season,
    find_year,
    find_years,
    join_day_columns,
    put_days_before_months,
)
from .file_formats import OUR_LISTS, Rows
from .kasse import refuse_cash_book
from .layouts import LONG, build_grid, join_tables
from .opening_standings import looks_like_totals_list
from .outline import (
    Exclusion,
    Outline,
    PersonColumn,
    Phrase,
    build_outline,
    build_own_outline,
    format_row,
    join_names,
    join_signs,
    refuse_ranks,
)
from .uploads import FileRefused, FileSheet, build_opening_refusal

# How many different marks are named.
MAX_MARKS: Final = 5
# Words beside the day on which a list was written.
NO_EVENING: Final = re.compile("stand|erstellt|druck|export|gespeichert|geandert")
# With so many days it is no accident that all are the first of a month.
MIN_FIRST_DAYS: Final = 3


def outline_sheet(sheet: FileSheet, shape: str = "", known: Collection[str] = (), **chosen: int) -> Outline:
    """Build the outline of a sheet, in the given shape or the one it seems to have. Raise FileRefused.
    `known` are the name keys of the club's players, who are people whatever their names mean. `chosen` are the `head`, `first` and
    `day` of `build_outline`, for a sheet whose rows are read as they are."""
    if sheet.name.startswith(OUR_LISTS) and not (shape or chosen):
        return build_own_outline(sheet.rows)
    refuse_cash_book(sheet.rows, known)
    rows, notes = put_days_before_months(join_tables(sheet.rows, sheet.name))
    rows, sign_note = join_signs(join_names(rows))
    grid = build_grid(join_day_columns(rows), shape)
    outline = build_outline(grid.rows, known, grid.shape == LONG, **({} if grid.places else chosen))
    if (outline.label is None or not outline.people) and looks_like_totals_list([sheet]):
        raise build_opening_refusal()
    # The nearest first: the name of a club, higher above, may have the year of its beginning.
    years = find_years(" ".join(cell for row in reversed(grid.rows[: outline.head]) for cell in row))
    outline = replace(outline, shape=grid.shape, places=grid.places, left_out=grid.left_out, years=years)
    outline = leave_out_totals(complete_days(outline, sheet.name))
    people = outline.people
    refuse_ranks(people, [row for _number, row in outline.iter_rows() if not outline.explain_aside(row, people)])
    notes += filter(None, [sign_note, _describe_marks(outline, people), _warn_of_months(outline)])
    return replace(outline, notes=[*outline.notes, *notes])


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
        raise build_opening_refusal() if looks_like_totals_list([sheet for sheet in sheets if not sheet.hidden]) else faults[0]
    return outlines


def select_alike(sheets: Sequence[FileSheet], outlines: dict[int, Outline]) -> list[int]:
    """Select the sheets to read together with the first list: of the same kind, with some of the same people, and with other days.
    A sheet with the same days is about money or something else."""
    first = next(iter(outlines.values()))
    names: set[str] = set()
    days: set[str] = set()
    selected: list[int] = []
    for index, outline in outlines.items():
        own = {name_key(column.name) for column in outline.columns if not column.exclusion}
        own_days = set(filter(is_day, outline.days()))
        same_kind = (outline.label is None, outline.guess_kind()) == (first.label is None, first.guess_kind())
        same_days = outline.number is None and 2 * len(own_days & days) > min(len(own_days), len(days))
        if not sheets[index].hidden and (not selected or (same_kind and not same_days and own & names)):
            selected.append(index)
            names |= own
            days |= own_days
    return selected


def explain_no_list(sheet: FileSheet, shape: str = "", known: Collection[str] = ()) -> str:
    """Return why this sheet is no list, or an empty string."""
    try:
        outline_sheet(sheet, shape, known)
    except FileRefused as refused:
        return str(refused)
    return ""


def join_sheets(sheets: Sequence[FileSheet], outlines: dict[int, Outline]) -> Outline:
    """Join outlines in one, each person in one column. The first column has the days or the numbers of the evenings."""
    first = next(iter(outlines.values()))
    if len(outlines) == 1:
        return first
    has_day = any(outline.day is not None for outline in outlines.values())
    has_label = any(outline.label is not None for outline in outlines.values())
    start = int(has_label)
    columns: dict[tuple[str, Exclusion | None], PersonColumn] = {}
    rows: Rows = [[first.rows[first.head][first.label] if first.label is not None else ""][:start]]
    places: list[Phrase | str] = [""]
    parts, left_out = [""], []
    people_keys = {name_key(column.name) for outline in outlines.values() for column in outline.columns if not column.exclusion}
    for index, outline in outlines.items():
        name = sheets[index].name
        at: dict[int, int] = {} if outline.label is None else {outline.label: 0}
        people = outline.people
        for column in outline.columns:
            # A person without points on one sheet may have some on another.
            is_excluded = name_key(column.name) not in people_keys or column.exclusion not in (Exclusion.EMPTY, Exclusion.ZEROS)
            key = (name_key(column.name), column.exclusion if is_excluded else None)
            if key in columns and columns[key].index in at.values():
                key = (key[0], column.exclusion)
            columns.setdefault(key, replace(column, index=start + len(columns), exclusion=key[1]))
            at[column.index] = columns[key].index
        left_out += [replace(one, place=_place_on_sheet(name, one.place or format_row(one.row))) for one in outline.left_out]
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
    return Outline(
        rows=rows,
        head=0,
        day=0 if has_day else None,
        columns=list(columns.values()),
        number=0 if has_label and not has_day else None,
        places=places,
        parts=parts,
        left_out=left_out,
        shape=first.shape,
        years=list(dict.fromkeys(year for outline in outlines.values() for year in outline.years)),
        notes=list(dict.fromkeys(note for outline in outlines.values() for note in outline.notes)),
    )


def _place_on_sheet(name: str, place: Phrase | str) -> Phrase:
    return Phrase("%(sheet)s, %(place)s", {"sheet": name, "place": place})


# --- Years, months and days above rows --------------------------------------------------------------------------------

@dataclass(frozen=True)
class _Heading:
    """A text above rows, or the name of their sheet: its day, or its year and month if any."""

    text: str
    year: int | None = None
    month: int | None = None
    day: str = ""

    @property
    def may_continue(self) -> bool:
        """True for more than a year or a month, such as a season, which may continue into the next year."""
        words = re.findall("[a-z]+", text_key(self.text))
        return find_season(self.text) is not None or any(word not in MONTHS and word != "jahr" for word in words)

    @property
    def near(self) -> datetime.date | None:
        """The middle of the possible days."""
        if self.year is None:
            return None
        return datetime.date(self.year, 7, 2) if find_season(self.text) is None else datetime.date(self.year + 1, 1, 1)


def complete_days(outline: Outline, name: str) -> Outline:
    """Add the year, the month or the whole day of headings to the rows below them.
    Headings are the name of the sheet, a month in a title, and texts that are alone in a row."""
    above = outline.years[0] if len(outline.years) == 1 else None
    titles = [cell for row in outline.rows[: outline.head] for cell in row if cell]
    months = {find_month(title): title for title in titles if find_month(title) and not is_day(title)}
    needs_day = outline.label is None
    heading = _parse_heading(name, above, needs_day)
    if heading is None and len(months) == 1:
        heading = _parse_heading(next(iter(months.values())), above)
    dated = [title for title in titles if has_year(title) and not NO_EVENING.search(text_key(title))]
    if needs_day and heading is None and len(dated) == 1:
        heading = _parse_heading(dated[0], above, needs_day)
    groups: list[tuple[_Heading | None, list[int]]] = [(heading, [])]
    for number, row in outline.iter_rows():
        alone = [cell for cell in row if cell]
        last = groups[-1][0]
        if len(alone) == 1 and (heading := _parse_heading(alone[0], last.year if last and last.year else above, needs_day)):
            groups.append((heading, []))
        else:
            groups[-1][1].append(number)
    rows = [list(row) for row in outline.rows]
    if any(heading.day for heading, _numbers in groups if heading):
        outline = _add_day_column(replace(outline, rows=rows), groups)
    elif outline.day is not None:
        for heading, numbers in groups:
            if heading:
                _add_year_and_month([rows[number - 1] for number in numbers], outline.day, heading)
    return replace(outline, rows=rows)


def _parse_heading(text: str, above: int | None, needs_day: bool = False) -> _Heading | None:
    """Parse a text above rows; a month without a year takes the year above. Return None if it says nothing about their days."""
    if has_year(text):
        return _Heading(text, day=read_day(text).isoformat()) if needs_day else None
    month, year = find_month(text), find_year(text)
    if year is None and (month is None or re.search("[0-9]", text)):
        return None
    return _Heading(text, year or above, month)


def _add_day_column(outline: Outline, groups: Sequence[tuple[_Heading | None, Sequence[int]]]) -> Outline:
    """Add a last column with the day above each evening. Further rows below it are games and stay blank."""
    people, at = outline.people, max(map(len, outline.rows))
    for row in outline.rows:
        row += [""] * (at + 1 - len(row))
    outline.rows[outline.head][at] = _("Datum")
    for heading, numbers in groups:
        first = next((number for number in numbers if not outline.explain_aside(outline.rows[number - 1], people)), None)
        if heading and first:
            outline.rows[first - 1][at] = heading.day
    return replace(outline, day=at)


def _add_year_and_month(rows: Sequence[list[str]], at: int, heading: _Heading) -> None:
    dated = [row for row in rows if get_cell(row, at)]
    days = Days([row[at] for row in dated], heading.near, carry=False)
    for row in dated:
        if heading.month and (alone := find_day_of_month(row[at])):
            row[at] = f"{alone}.{heading.month}.{heading.year or ''}"
        with suppress(CellRefused):
            day = days.read(row[at]) if heading.may_continue else read_day(row[at], heading.near)
            row[at] = f"{day:%G-W%V}" if is_week(row[at]) else day.isoformat()


# --- Rows of totals between rows of points ----------------------------------------------------------------------------

# The number of a row and its points by column.
Numbered = tuple[int, Mapping[int, int]]
# How many rows of totals there must be, and how many of ten must be the sum of the points.
MIN_TOTALS: Final = 2
FIT: Final = 8


def leave_out_totals(outline: Outline) -> Outline:
    """Leave out rows of totals, which need no label: there is one for each row of points, with the sum of the points so far."""
    people = outline.people
    parse = outline.guess_parser(people)
    numbered = [(number, row) for number, row in outline.iter_rows() if not outline.explain_aside(row, people)]
    try:
        entries = [(number, {index: parse(get_cell(row, index)) or 0 for index in people}) for number, row in numbered]
    except CellRefused:
        return outline
    totals = find_totals_rows([(number, points) for number, points in entries if any(points.values())])
    if not totals:
        return outline
    rows = [[] if number in totals else row for number, row in enumerate(outline.rows, 1)]
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


def find_totals_rows(rows: Sequence[Numbered]) -> dict[int, bool]:
    """Return the rows of totals, each with whether it is the sum of the points.
    The first evening may be the first or the last row, and the points may be before or after the totals."""
    for ordered in (rows, rows[::-1]):
        for first in (0, 1):
            points, totals = ordered[first::2], ordered[1 - first :: 2]
            sums: Counter[int] = Counter()
            fits: dict[int, bool] = {}
            for (_number, added), (number, total) in zip(points, totals, strict=False):
                sums.update(added)
                fits[number] = all(sums[index] == cell for index, cell in total.items())
            alternate = len(points) - len(totals) in (0, 1) and len(totals) >= MIN_TOTALS
            if alternate and 10 * sum(fits.values()) >= FIT * len(fits):
                return fits
    return {}
