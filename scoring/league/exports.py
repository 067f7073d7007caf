"""The Excel file of a month, the sheet of a season, and both as pictures to share."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from decimal import Decimal

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.core.charts import Picture, build_picture
from scoring.core.formats import format_month
from scoring.core.workbook import (
    NUMBER,
    TEXT,
    TWO_DIGITS,
    WHOLE,
    AnySheet,
    AnyWorkbook,
    CellStyle,
    Column,
    Day,
    ExcelWorkbook,
    Formula,
    Value,
    build_sum_check,
)
from scoring.rulesets.models import RuleSet

from .models import Season
from .queries.seasons import SeasonTable
from .rules import Content, ContentRow
from .texts import (
    explain_missing_rank,
    get_digits,
    get_month_state,
    get_ordinal,
    get_season_state,
    join_names,
    list_counting_sentences,
    list_month_lines,
    list_season_lines,
    list_season_sentences,
    list_steps,
    render_season_remark,
)

# The first column of evenings; the result is the column before it.
FIRST = 4


def build_month_file(content: Content, content_hash: str) -> bytes:
    return build_month_workbook(content, content_hash).as_bytes()


def build_month_workbook(content: Content, content_hash: str = "") -> ExcelWorkbook:
    """Build the workbook of a month from its content alone, so that a closed month is written from what was published."""
    title = f"{format_month(content['month'])} · {content['season']}"
    workbook = ExcelWorkbook(f"{title} · {content['club']}", content["club"])
    write_month(workbook, content, content_hash)
    _write_calculations(workbook, content)
    return workbook


def write_month(workbook: AnyWorkbook, content: Content, content_hash: str = "") -> None:
    captions = [f"{format_month(content['month'])} · {content['season']} · {content['club']}", _render_state(content)]
    if content_hash:
        captions.append(_("Prüfsumme der Seite (SHA-256): %(hash)s") % {"hash": content_hash})
    sentences = [*list_counting_sentences(content["settings"], content["unit"]), _("In Klammern steht, was nicht zählt.")]
    captions.append(" ".join(sentences))
    _write_table(workbook, content, captions)


def write_season(workbook: AnyWorkbook, table: SeasonTable) -> None:
    """Write the table of a season as a sheet. Its title has a prefix, because a season may be named like another sheet."""
    season = table.season
    look = CellStyle(TWO_DIGITS if table.digits else WHOLE, "right")
    columns = [
        Column(_("Platz"), 7, NUMBER),
        Column(_("Name"), 24, TEXT),
        Column(_("Schnitt") if table.averaged else _("Gesamt"), 11, look._replace(bold=True)),
        *([Column(_("Spiele"), 9, NUMBER)] if table.averaged else []),
        *(Column(format_month(content["month"]), 11, look) for content in table.months),
        *([Column(_("Bemerkung"), 30, TEXT)] if table.leaves_out else []),
    ]
    name = get_season_title(season)
    days = " – ".join(date_format(day, "SHORT_DATE_FORMAT") for day in (season.first_day, season.last_day))
    about = f"{days} · {season.get_unit_display()}"
    captions = [f"{name} · {season.club.name}", about, _render_champion(table), " ".join(list_season_sentences(season.settings))]
    sheet = workbook.add_sheet(name, columns, captions, frozen=2)
    first = 4 if table.averaged else 3
    for row in table.rows:
        games = [row["games"]] if table.averaged else []
        remark = [render_season_remark(table, row)] if table.leaves_out else []
        looks = [look.in_brackets if place - first in row["dropped"] else None for place in range(len(columns))]
        months = map(_to_decimal, row["months"])
        sheet.append([row["rank"], row["name"], _to_decimal(row["total"]), *games, *months, *remark], looks)
    sheet.add_filter()
    sheet.color_signs([2, *range(first, first + len(table.months))])
    _write_season_sums(sheet, table)


def get_season_title(season: Season) -> str:
    return _("Liga · %(name)s") % {"name": season.name}


def _render_champion(table: SeasonTable) -> str:
    if not table.leaders:
        return _("Vorläufig")
    values = {"names": join_names(table.leaders)}
    if not table.final:
        return _("Vorn bisher: %(names)s") % values
    return ngettext("Gewonnen hat %(names)s.", "Gewonnen haben gemeinsam %(names)s.", len(table.leaders)) % values


def _write_season_sums(sheet: AnySheet, table: SeasonTable) -> None:
    """Write the sums and checks: the months must add up to the totals. Of averages only the games are added up."""
    last = sheet.row
    summed: list[Value] = [None, _("Summe")]
    checks: list[Value] = [None, _("Probe (muss 0 sein)")]
    if table.averaged:
        summed += [None, sum(row["games"] or 0 for row in table.rows)]
        checks += [None, build_sum_check(sheet, 3, last)]
    else:
        area, months = sheet.area(2, sheet.first, 2, last), sheet.area(3, last + 1, 2 + len(table.months), last + 1)
        summed.append(_to_decimal(sum(row["total"] or 0 for row in table.rows)))
        checks.append(Formula(f"=SUM({area})-SUM({months})"))
        for at in range(len(table.months)):
            summed.append(_to_decimal(sum(row["months"][at] or 0 for row in table.rows if at not in row["dropped"])))
            left_out = [line for line, row in enumerate(table.rows, sheet.first) if at in row["dropped"]]
            checks.append(build_sum_check(sheet, 3 + at, last, left_out))
    sheet.append_totals(summed)
    sheet.append_check(checks)


def _render_state(content: Content) -> str:
    if "closed_at" not in content:
        return _("vorläufig, Stand vom %(day)s") % {"day": date_format(timezone.localdate(), "SHORT_DATE_FORMAT")}
    at = timezone.localtime(datetime.datetime.fromisoformat(content["closed_at"]))
    values = {"at": date_format(at, "SHORT_DATETIME_FORMAT"), "by": content.get("closed_by"), "version": content.get("version")}
    if values["by"]:
        return _("abgeschlossen am %(at)s von %(by)s, Fassung %(version)s") % values
    return _("abgeschlossen am %(at)s, Fassung %(version)s") % values


def _to_decimal(hundredths: int | None) -> Decimal | None:
    return None if hundredths is None else Decimal(hundredths).scaleb(-2)


def _write_table(workbook: AnyWorkbook, content: Content, captions: Sequence[str]) -> None:
    by_average = _is_averaged(content)
    result = _get_result_look(content)
    evening = NUMBER if content["settings"]["counting"] != "places" else result
    about = [
        _("Nachtrag %(month)s") % {"month": format_month(one["about"])} + get_ordinal(one, content["supplements"])
        for one in content["supplements"]
    ]
    unit = str(RuleSet.Unit(content["unit"]).label)
    columns = [
        Column(_("Platz"), 7, NUMBER),
        Column(_("Vormonat"), 10, NUMBER),
        Column(_("Name"), 24, TEXT),
        Column(_("Ergebnis"), 11, result._replace(bold=True)),
        *(Column(day, 9, evening) for day in _list_days(content)),
        *(Column(month, 12, result) for month in about),
        *([Column(unit, 9, NUMBER)] if by_average else [Column(_("Abzug"), 9, result)]),
        Column(_("Abende"), 9, NUMBER),
        Column(_("Spiele"), 9, NUMBER),
        Column(_("Bemerkung"), 30, TEXT),
    ]
    sheet = workbook.add_sheet(format_month(content["month"]), columns, captions, frozen=3)
    lines = [_Line(content, row) for row in content["rows"]]
    for line in lines:
        looks = [column.style.in_brackets if place in line.left_out else None for place, column in enumerate(columns)]
        sheet.append(line.values, looks)
    sheet.add_filter()
    sheet.color_signs(range(FIRST - 1, FIRST + len(_list_days(content)) + len(about)))
    _write_sums(sheet, lines, content)


def _is_averaged(content: Content) -> bool:
    return bool(content["settings"]["counting"] == "average")


def _get_result_look(content: Content) -> CellStyle:
    return CellStyle(TWO_DIGITS if get_digits(content) else WHOLE, "right")


def _list_days(content: Content) -> list[Day]:
    return [Day(datetime.date.fromisoformat(one["held_on"]), get_ordinal(one, content["evenings"])) for one in content["evenings"]]


class _Line:
    """One row of the table. `left_out` are the columns of numbers that do not count in any sum."""

    def __init__(self, content: Content, row: ContentRow) -> None:
        averaged = _is_averaged(content)
        evenings = [cell and (cell["points"] if averaged else _to_decimal(cell["value"])) for cell in row["cells"]]
        extra = [_to_decimal(points) for points in row["supplements"]]
        shown = [value is not None for value in [*evenings, *extra]]
        counts = [row["result"] is not None and not (cell and cell["why"]) for cell in row["cells"]]
        counts += [row["result"] is not None] * len(extra)
        self.left_out = {FIRST + index for index, counted in enumerate(counts) if shown[index] and not counted}
        self.values: list[Value] = [
            row["rank"],
            row["before"],
            row["name"],
            _to_decimal(row["result"]),
            *evenings,
            *extra,
            _get_points_or_deduction(content, row),
            row["evenings"],
            row["games"],
            self._remark(content, row),
        ]

    def _remark(self, content: Content, row: ContentRow) -> str:
        """Return why there is no rank and which days do not count, which a CSV file shows in no other way."""
        days = [day for place, day in enumerate(_list_days(content), FIRST) if place in self.left_out]
        notes = [explain_missing_rank(row["why"], content["settings"])]
        if days:
            names = ", ".join(date_format(day.day, _("d.m.")) + day.ordinal for day in days)
            notes.append(_("zählt nicht: %(days)s") % {"days": names})
        return "; ".join(sentence for sentence in notes if sentence)


def _get_points_or_deduction(content: Content, row: ContentRow) -> Value:
    """Return the points that an average is made of; in other months the deduction."""
    if row["result"] is None:
        return None
    steps = {step["kind"]: step for step in row["steps"]}
    if not _is_averaged(content):
        return _to_decimal(steps["deduction"]["value"]) if "deduction" in steps else None
    average = steps.get("average") or steps.get("unweighted")
    return average.get("points") if average else None


def _write_sums(sheet: AnySheet, lines: Sequence[_Line], content: Content) -> None:
    """Write the sums, and formulas that check them: the results must be the sum of the evenings that count, supplements and
    deductions. Averages are not added up; their points are checked instead."""
    last, days = sheet.row, len(content["evenings"])
    beside = FIRST + days + len(content["supplements"])
    of_average = {FIRST - 1, *range(FIRST + days, beside)} if _is_averaged(content) else set()
    summed: list[Value] = [None, None, _("Summe")]
    checks: list[Value] = [None, None, _("Probe (muss 0 sein)")]
    for column in range(FIRST - 1, beside + 3):
        if column in of_average:
            summed.append(None)
            checks.append(None)
            continue
        numbers = [line.values[column] for line in lines if column not in line.left_out]
        summed.append(sum((value for value in numbers if isinstance(value, int | Decimal)), Decimal(0)))
        left_out = [row for row, line in enumerate(lines, sheet.first) if column in line.left_out]
        checks.append(build_sum_check(sheet, column, last, left_out))
    made_of = FIRST + days - 1 if _is_averaged(content) else beside
    if made_of >= FIRST:
        checked = beside if _is_averaged(content) else FIRST - 1
        total, parts = sheet.cell(checked, last + 1), sheet.area(FIRST, last + 1, made_of, last + 1)
        checks.append(Formula(f"={total}-SUM({parts})"))
    sheet.append_totals(summed)
    sheet.append_check(checks)


def _write_calculations(workbook: ExcelWorkbook, content: Content) -> None:
    result = _get_result_look(content)
    columns = [Column(_("Name"), 24, TEXT), Column(_("Rechnung"), 60, TEXT), Column(_("Wert"), 12, result)]
    sheet = workbook.add_sheet(_("Rechnung"), columns, [format_month(content["month"])])
    for row in content["rows"]:
        for text, value in list_steps(content, row):
            broken = result._replace(number_format=TWO_DIGITS) if value % 100 else None
            sheet.append([row["name"], text, _to_decimal(value)], [None, None, broken])


def draw_month(content: Content) -> Picture:
    standings = [(*line, None) for line in list_month_lines(content)]
    return build_picture(content["club"], format_month(content["month"]), content["season"], standings, get_month_state(content))


def draw_season(table: SeasonTable) -> Picture:
    season = table.season
    days = " – ".join(date_format(day, "SHORT_DATE_FORMAT") for day in (season.first_day, season.last_day))
    standings = [(*line, None) for line in list_season_lines(table)]
    return build_picture(season.club.name, season.name, days, standings, get_season_state(table))
