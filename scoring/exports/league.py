"""A month of the league as an Excel file: the table with its evenings as values, a row of formulas that must show 0, and
a second sheet with every person's calculation line by line. Made from the content of the month alone, so that a closed
one is written from what was published."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.models import RuleSet
from scoring.queries.league_words import (
    counting_sentences,
    digits_of,
    figure,
    month_name,
    step_lines,
    why_sentence,
)

from .csv import CsvBook, CsvSheet
from .workbook import NUMBER, TEXT, TWO_DIGITS, WHOLE, Book, Column, Formula, Look, Sheet, Value

Content = Mapping[str, Any]


def month_file(content: Content, content_hash: str) -> bytes:
    """The file that is published with a closed month."""
    return month_workbook(content, content_hash).as_bytes()


def month_workbook(content: Content, content_hash: str = "") -> Book:
    """The file of a month; `content_hash` where it is closed."""
    title = f"{month_name(content['month'])} · {content['season']}"
    book = Book(f"{title} · {content['club']}", content["club"])
    write_month(book, content, content_hash)
    _calculations(book, content)
    return book


def write_month(book: Book | CsvBook, content: Content, content_hash: str = "") -> None:
    """The table of a month as a sheet of any book."""
    captions = [f"{month_name(content['month'])} · {content['season']} · {content['club']}", _state(content)]
    if content_hash:
        captions.append(_("Prüfsumme der Seite (SHA-256): %(hash)s") % {"hash": content_hash})
    captions.append(" ".join(counting_sentences(content["settings"], content["unit"])))
    _table(book, content, captions)


def _state(content: Content) -> str:
    """Whether the month is closed, by whom and when."""
    if "closed_at" not in content:
        return _("vorläufig, Stand %(day)s") % {"day": f"{timezone.localdate():%d.%m.%Y}"}
    at = timezone.localtime(datetime.datetime.fromisoformat(content["closed_at"]))
    said = {"at": f"{at:%d.%m.%Y %H:%M}", "by": content["closed_by"], "version": content["version"]}
    return (
        _("abgeschlossen am %(at)s von %(by)s, Fassung %(version)s") % said
        if content["closed_by"]
        else _("abgeschlossen am %(at)s, Fassung %(version)s") % said
    )


def _exact(hundredths: int | None) -> Decimal | None:
    return None if hundredths is None else Decimal(hundredths).scaleb(-2)


def _table(book: Book | CsvBook, content: Content, captions: Sequence[str]) -> None:
    by_average = content["settings"]["counting"] == "average"
    result = Look(TWO_DIGITS if digits_of(content) else WHOLE, "right")
    evening = NUMBER if content["settings"]["counting"] != "places" else result
    days = [f"{datetime.date.fromisoformat(one['held_on']):%d.%m.}" for one in content["evenings"]]
    about = [_("Nachtrag %(month)s") % {"month": month_name(one["about"])} for one in content["supplements"]]
    unit = str(RuleSet.Unit(content["unit"]).label)
    columns = [
        Column(_("Platz"), 7, NUMBER),
        Column(_("Vormonat"), 10, NUMBER),
        Column(_("Name"), 24, TEXT),
        Column(_("Ergebnis"), 11, result._replace(bold=True)),
        *(Column(day, 9, evening) for day in days),
        *(Column(month, 12, result) for month in about),
        *([Column(unit, 9, NUMBER)] if by_average else [Column(_("Abzug"), 9, result)]),
        Column(_("Abende"), 9, NUMBER),
        Column(_("Spiele"), 9, NUMBER),
        Column(_("Bemerkung"), 30, TEXT),
    ]
    sheet = book.sheet(month_name(content["month"]), columns, captions, frozen=3)
    lines = [_line(content, row) for row in content["rows"]]
    for line in lines:
        sheet.append(line)
    sheet.filter()
    sheet.colour(range(3, 4 + len(days) + len(about)))
    _sums(sheet, lines, columns, len(days), len(about), by_average)


def _line(content: Content, row: Mapping[str, Any]) -> list[Value]:
    """One person: what counts as numbers, what does not as text in brackets, so that no sum holds it."""
    by_average = content["settings"]["counting"] == "average"
    cells: list[Value] = [_cell(content, cell, row["result"] is not None) for cell in row["cells"]]
    extra: list[Value] = [
        _exact(points) if row["result"] is not None or points is None else f"({figure(points, 0)})"
        for points in row["supplements"]
    ]
    steps = {step["kind"]: step for step in row["steps"]}
    average = steps.get("average") or steps.get("unweighted")
    beside = average["points"] if average else None
    if not by_average:
        beside = _exact(steps["deduction"]["value"]) if "deduction" in steps else None
    return [
        row["rank"],
        row["before"],
        row["name"],
        _exact(row["result"]),
        *cells,
        *extra,
        beside,
        row["evenings"],
        row["games"],
        why_sentence(row["why"], content["settings"]),
    ]


def _cell(content: Content, cell: Mapping[str, Any] | None, has_result: bool) -> Value:
    if cell is None:
        return None
    by_average = content["settings"]["counting"] == "average"
    worth = 100 * cell["points"] if by_average else cell["value"]
    if cell["why"] or not has_result:
        return f"({figure(worth, 0)})"
    return int(cell["points"]) if by_average else _exact(worth)


def _sums(
    sheet: Sheet | CsvSheet,
    lines: Sequence[Sequence[Value]],
    columns: Sequence[Column],
    days: int,
    about: int,
    by_average: bool,
) -> None:
    """The sum of every column of numbers, and the formulas that check them: what counts on the evenings makes the
    results, or by average the points."""
    last, beside = sheet.row, 4 + days + about
    summed: list[Value] = [None, None, _("Summe")]
    checks: list[Value] = [None, None, _("Probe (muss 0 sein)")]
    for column in range(3, len(columns) - 1):
        numbers = [line[column] for line in lines if isinstance(line[column], int | Decimal)]
        summed.append(sum(numbers, Decimal(0)))
        area = sheet.area(column, sheet.first, column, last)
        total = sheet.at(column, last + 1)
        if column == (beside if by_average else 3):
            # The columns of the evenings stand side by side, with supplements and deductions where these are added.
            parts = sheet.area(4, sheet.first, 3 + days if by_average else beside, last)
            checks.append(Formula(f"=SUM({area})-SUM({parts})") if days or not by_average else None)
        else:
            checks.append(Formula(f"=SUM({area})-{total}"))
    sheet.sums(summed)
    sheet.check(checks)


def _calculations(book: Book, content: Content) -> None:
    columns = [Column(_("Name"), 24, TEXT), Column(_("Rechnung"), 60, TEXT), Column(_("Wert"), 12, Look(align="right"))]
    sheet = book.sheet(_("Rechnung"), columns, [month_name(content["month"])])
    for row in content["rows"]:
        for text, value in step_lines(content, row):
            sheet.append([row["name"], text, value])
