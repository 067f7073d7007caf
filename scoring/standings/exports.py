"""The eternal list and the sheet of points by evening as Excel files, with totals and a check row that must show 0."""

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
    AnySheet,
    AnyWorkbook,
    CellStyle,
    Column,
    ExcelWorkbook,
    Value,
    build_sum_check,
)
from scoring.rules.ranking import Figure
from scoring.standings.metrics import Metric
from scoring.standings.queries.evenings import ByEvening
from scoring.standings.queries.standings import Standing

MOST_BARS = 20


def build_standings_workbook(
    club: Club,
    rows: Sequence[Standing],
    metrics: Sequence[Metric],
    selection: str,
    remarks: Sequence[str] = (),
    last_day: datetime.date | None = None,
) -> ExcelWorkbook:
    """Return the workbook of the list, with `selection` and `remarks` above it, and the earlier ranks before `last_day`."""
    title = _("Ewige Liste")
    workbook, captions = _start_workbook(club, title, selection)
    write_standings(workbook, title, rows, metrics, [*captions, *remarks], last_day)
    return workbook


def _start_workbook(club: Club, title: str, selection: str) -> tuple[ExcelWorkbook, list[str]]:
    today = _("Stand vom %(day)s") % {"day": date_format(timezone.localdate(), "SHORT_DATE_FORMAT")}
    captions = [f"{title} · {club.name}", f"{selection} · {today}"]
    return ExcelWorkbook(captions[0], club.name), captions


def write_standings(
    workbook: AnyWorkbook,
    name: str,
    rows: Sequence[Standing],
    metrics: Sequence[Metric],
    captions: Sequence[str],
    last_day: datetime.date | None = None,
) -> ListCells:
    """Write the list as a sheet of a workbook, with a chart of its points. Return the cells of its figures."""
    columns = [Column(_("Platz"), 7, NUMBER), Column(_("Name"), 24, TEXT)]
    columns += [Column(str(metric.label), _get_width(metric), _get_style(metric)) for metric in metrics]
    if last_day:
        columns.append(Column(_("Platz vor dem %(day)s") % {"day": date_format(last_day, "SHORT_DATE_FORMAT")}, 12, NUMBER))
    # The last column, so that the others keep their places.
    opened = any(row.opening is not None for row in rows)
    columns += [Column(_("davon Anfangsstand"), 14, NUMBER)] * opened
    sheet = workbook.add_sheet(name, columns, captions, frozen=2, paged=True)
    for row in rows:
        figures = [_get_value(metric, row.figures[metric.key]) for metric in metrics]
        before = [row.before] if last_day else []
        sheet.append([row.rank, row.name, *figures, *before, *[row.opening] * opened])
    sheet.add_filter()
    points = next(column for column, metric in enumerate(metrics, start=2) if metric.key == "points")
    sheet.color_signs([points])
    sheet.add_bar_chart(name, 1, points, MOST_BARS)
    cells = ListCells(sheet, sheet.row + 1, {metric.key: column for column, metric in enumerate(metrics, start=2)})
    _append_sums(sheet, rows, metrics)
    return cells


@dataclass(frozen=True)
class ListCells:
    """The cells of a list in a sheet: the row of its `sums`, the columns by the key of their metric; `line` counts from 0."""

    sheet: AnySheet
    sums: int
    columns: Mapping[str, int]

    def get_total(self, key: str) -> str:
        """Return the address of the total of a metric."""
        return self.sheet.cell(self.columns[key], self.sums)

    def get_cell(self, key: str, line: int) -> str:
        """Return the address of a metric in a row of the list, counted from 0."""
        return self.sheet.cell(self.columns[key], self.sheet.first + line)


def build_by_evening_workbook(club: Club, sheet: ByEvening, selection: str) -> ExcelWorkbook:
    title = _("Datum × Name")
    workbook, captions = _start_workbook(club, title, selection)
    write_by_evening(workbook, title, sheet, captions)
    return workbook


def write_by_evening(workbook: AnyWorkbook, name: str, found: ByEvening, captions: Sequence[str]) -> AnySheet:
    """Write a row for each evening and a column for each player; the import of old lists can read it."""
    people, evenings = found
    columns = [
        Column(_("Datum"), 12, CellStyle(DATE, "left")),
        *(Column(one["name"], max(7, *(len(word) + 2 for word in one["name"].split())), NUMBER) for one in people),
    ]
    sheet = workbook.add_sheet(name, columns, captions)
    for row in evenings:
        sheet.append([row["held_on"], *row["points"]])
    sheet.add_filter()
    sheet.color_signs(range(1, len(columns)))
    last = sheet.row
    sheet.append_totals([_("Summe"), *(one["points"] for one in people)])
    sheet.append_check([_("Probe"), *(build_sum_check(sheet, column, last) for column in range(1, len(columns)))])
    return sheet


def _get_width(metric: Metric) -> int:
    """Return the least width for the heading and the figures: each wider column makes all columns smaller on paper."""
    return max(8, 12 if metric.day else 0, *(len(word) + 2 for word in str(metric.label).split()))


def _get_value(metric: Metric, figure: Figure) -> Value:
    """Return the unrounded value, so that formulas in Excel give our results; the cell format shows it as the page does."""
    if metric.day:
        return metric.round(figure)
    return float(figure) if isinstance(figure, Fraction) else figure


def _get_style(metric: Metric) -> CellStyle:
    if metric.day:
        return CellStyle(DATE, "right")
    number_format = PERCENT if metric.percent else TWO_DIGITS if metric.digits else WHOLE
    return CellStyle(number_format, "right")


def _append_sums(sheet: AnySheet, rows: Sequence[Standing], metrics: Sequence[Metric]) -> None:
    last = sheet.row
    summed = [sum(int(row.figures[metric.key] or 0) for row in rows) if metric.total else None for metric in metrics]
    sheet.append_totals([None, _("Summe"), *summed])
    checks = [build_sum_check(sheet, column, last) if metric.total else None for column, metric in enumerate(metrics, start=2)]
    sheet.append_check([None, _("Probe (muss 0 sein)"), *checks])
