"""The eternal list and the sheet of every evening's points as Excel files: the columns of the page with their figures, a sum
and a check row that must show 0."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from scoring.club.models import Club
from scoring.core.workbook import (
    DATE,
    NUMBER,
    PERCENT,
    TEXT,
    TWO_DIGITS,
    WHOLE,
    CellStyle,
    Column,
    CsvSheet,
    CsvWorkbook,
    ExcelSheet,
    ExcelWorkbook,
    Formula,
    Value,
)
from scoring.rules.ranking import Figure
from scoring.standings.metrics import Metric
from scoring.standings.queries.evenings import ByEvening
from scoring.standings.queries.standings import Standing
from scoring.standings.texts import called

MOST_BARS = 20


def standings_workbook(
    club: Club,
    rows: Sequence[Standing],
    metrics: Sequence[Metric],
    selection: str,
    marks: Sequence[str] = (),
    last_day: datetime.date | None = None,
) -> ExcelWorkbook:
    """One sheet; `selection` says in words what the list counts, `marks` what one has to know of it besides, `last_day` of
    which evening it tells the places before."""
    title = _("Ewige Liste")
    workbook = ExcelWorkbook(f"{title} · {club.name}", club.name)
    stand = _("Stand vom %(day)s") % {"day": date_format(timezone.localdate(), "SHORT_DATE_FORMAT")}
    captions = [f"{title} · {club.name}", f"{selection} · {stand}", *marks]
    write_standings(workbook, title, rows, metrics, captions, last_day)
    return workbook


def write_standings(
    workbook: ExcelWorkbook | CsvWorkbook,
    name: str,
    rows: Sequence[Standing],
    metrics: Sequence[Metric],
    captions: Sequence[str],
    last_day: datetime.date | None = None,
) -> ListPlaces:
    """The list as a sheet of any book, with a chart of its points."""
    columns = [
        Column(_("Platz"), 7, NUMBER),
        Column(_("Name"), 24, TEXT),
        *(Column(str(called(metric).label), _width(metric), _look(metric)) for metric in metrics),
        *([Column(_before(last_day), 12, NUMBER)] if last_day else []),
    ]
    # Behind everything else, so that the other columns stand where they always stand.
    opened = any(row.opening is not None for row in rows)
    columns += [Column(_("davon Anfangsstand"), 14, NUMBER)] * opened
    sheet = workbook.add_sheet(name, columns, captions, frozen=2, paged=True)
    for row in rows:
        figures = [_exact(metric, row.figures[metric.key]) for metric in metrics]
        moved = [row.before] if last_day else []
        sheet.append([row.rank, row.name, *figures, *moved, *[row.opening] * opened])
    sheet.add_filter()
    points = next(column for column, metric in enumerate(metrics, start=2) if metric.key == "points")
    sheet.color_signs([points])
    sheet.add_bar_chart(name, 1, points, MOST_BARS)
    listed = ListPlaces(sheet, sheet.row + 1, {metric.key: column for column, metric in enumerate(metrics, start=2)})
    _sums(sheet, rows, metrics)
    return listed


def _before(last_day: datetime.date) -> str:
    return _("Platz vor dem %(day)s") % {"day": date_format(last_day, "SHORT_DATE_FORMAT")}


@dataclass(frozen=True)
class ListPlaces:
    """Where the figures of a list stand: the row of its sums, and the column of every metric."""

    sheet: ExcelSheet | CsvSheet
    sums: int
    columns: Mapping[str, int]

    def total(self, key: str) -> str:
        """The cell that holds the sum of a metric."""
        return self.sheet.cell(self.columns[key], self.sums)

    def of(self, key: str, line: int) -> str:
        """The cell of a metric in a line of the list, from 0."""
        return self.sheet.cell(self.columns[key], self.sheet.first + line)


def by_evening_workbook(club: Club, sheet: ByEvening, selection: str) -> ExcelWorkbook:
    """One sheet; `selection` says in words what it counts."""
    title = _("Datum × Name")
    workbook = ExcelWorkbook(f"{title} · {club.name}", club.name)
    stand = _("Stand vom %(day)s") % {"day": date_format(timezone.localdate(), "SHORT_DATE_FORMAT")}
    write_by_evening(workbook, title, sheet, [f"{title} · {club.name}", f"{selection} · {stand}"])
    return workbook


def write_by_evening(
    workbook: ExcelWorkbook | CsvWorkbook, name: str, found: ByEvening, captions: Sequence[str]
) -> ExcelSheet | CsvSheet:
    """A row for each evening and a column for everybody: what "Alte Liste" of a club takes in again."""
    columns = [
        Column(_("Datum"), 12, CellStyle(DATE, "left")),
        *(Column(one.name, max(7, *(len(word) + 2 for word in one.name.split())), NUMBER) for one in found.people),
    ]
    sheet = workbook.add_sheet(name, columns, captions)
    for row in found.rows:
        sheet.append([row.held_on, *found.cells(row)])
    sheet.add_filter()
    sheet.color_signs(range(1, len(columns)))
    last = sheet.row
    sheet.append_totals([_("Summe"), *(one.points for one in found.people)])
    checks = [
        Formula(f"=SUM({sheet.area(column, sheet.first, column, last)})-{sheet.cell(column, last + 1)}")
        for column in range(1, len(columns))
    ]
    sheet.append_check([_("Probe"), *checks])
    return sheet


def _width(metric: Metric) -> int:
    """As narrow as its words and its figures allow: every column makes all of them smaller on paper."""
    return max(8, 12 if metric.day else 0, *(len(word) + 2 for word in str(called(metric).label).split()))


def _exact(metric: Metric, figure: Figure) -> Value:
    """Unrounded, so that whoever reckons on with it in Excel gets the same as we do; the format of the cell shows what the
    page shows."""
    if metric.day:
        return metric.shown(figure)
    return float(figure) if isinstance(figure, Fraction) else figure


def _look(metric: Metric) -> CellStyle:
    if metric.day:
        return CellStyle(DATE, "right")
    number_format = PERCENT if metric.percent else TWO_DIGITS if metric.digits else WHOLE
    return CellStyle(number_format, "right")


def _sums(sheet: ExcelSheet | CsvSheet, rows: Sequence[Standing], metrics: Sequence[Metric]) -> None:
    """The sum of every column that can be added up, as a value, and the formulas that check it."""
    last = sheet.row
    summed = [sum(int(row.figures[metric.key] or 0) for row in rows) if metric.total else None for metric in metrics]
    sheet.append_totals([None, _("Summe"), *summed])
    checks: list[Value] = [
        Formula(f"=SUM({sheet.area(column, sheet.first, column, last)})-{sheet.cell(column, last + 1)}")
        if metric.total
        else None
        for column, metric in enumerate(metrics, start=2)
    ]
    sheet.append_check([None, _("Probe (muss 0 sein)"), *checks])
